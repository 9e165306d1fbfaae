package stowage.cli.terminal;

import stowage.packing.ByteText;

/** Misuse of a command, in one line, beyond what the options' syntax says. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  /** Refuses a command line with a message where it is misused. */
  public static void when(boolean misused, String message) {
    if (misused) {
      throw new UsageException(message);
    }
  }

  /** Refuses a number outside of what its option takes; null, where none was given, passes. */
  public static void whenOutside(long least, long most, String option, Long given) {
    whenBelow(least, option, given);
    when(
        given != null && given > most,
        option + " " + given + " should be at most " + ByteText.both(most));
  }

  /** Refuses a number below the least that its option takes; null, where none was given, passes. */
  public static void whenBelow(long least, String option, Number given) {
    if (given != null && !(given.doubleValue() >= least)) {
      Object number = given instanceof Double ? ByteText.plain(given.doubleValue()) : given;
      throw new UsageException(option + " " + number + " should be " + least + " or more");
    }
  }
}
