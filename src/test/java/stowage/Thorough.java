package stowage;

/**
 * How much the tests try: a little in each build, and much under the Maven profile {@code
 * thorough}.
 */
public final class Thorough {
  private Thorough() {}

  /** Whether the tests run under the profile. */
  public static boolean on() {
    return Boolean.getBoolean("stowage.thorough");
  }

  /** The first number in each build, the second one under the profile. */
  public static int of(int quick, int thorough) {
    return on() ? thorough : quick;
  }
}
