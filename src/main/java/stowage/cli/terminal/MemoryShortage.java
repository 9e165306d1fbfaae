package stowage.cli.terminal;

import stowage.packing.ByteText;

/** Out of memory in one line: which memory ran out, and the option that gives more of it. */
public final class MemoryShortage {
  private static final int DEEPEST = 20;

  private MemoryShortage() {}

  /** The error among a failure's causes that says that memory ran out; null where there is none. */
  public static VirtualMachineError in(Throwable failure) {
    Throwable at = failure;
    for (int depth = 0; at != null && depth < DEEPEST; depth++) {
      if (at instanceof OutOfMemoryError || at instanceof StackOverflowError) {
        return (VirtualMachineError) at;
      }
      at = at.getCause();
    }
    return null;
  }

  /** What ran out and how to give more, without the program's name and without a line's end. */
  public static String text(VirtualMachineError error) {
    if (error instanceof StackOverflowError) {
      return "not enough memory: the input is nested too deeply for a thread's stack; give more"
          + " with STOWAGE_JAVA_OPTS=-Xss64m";
    }
    String what = String.valueOf(error.getMessage());
    if (!what.contains("heap") && !what.contains("GC overhead") && !what.contains("array size")) {
      return "not enough memory: " + what + "; the system or its limits give no more";
    }
    return "not enough memory: the heap may take "
        + ByteText.human(Runtime.getRuntime().maxMemory())
        + "; give more with STOWAGE_JAVA_OPTS=-Xmx4g, for instance";
  }

  /**
   * Has threads that die of it say so in one line on stderr, in place of a stack trace; other
   * failures keep theirs.
   */
  public static void reportInThreads() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          VirtualMachineError error = in(failure);
          if (error == null) {
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            failure.printStackTrace();
          } else {
            System.err.println("stowage: " + thread.getName() + " ended early: " + text(error));
          }
        });
  }
}
