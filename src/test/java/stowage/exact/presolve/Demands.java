package stowage.exact.presolve;

/** Demands on buffers that tests add to a component by hand, in its one memory. */
public final class Demands {
  private Demands() {}

  /** Sets the alignment of a buffer's offset. */
  public static void align(ComponentBuilder builder, int buffer, long multiple) {
    builder.alignment[0][buffer] = multiple;
  }

  /** Fixes a buffer's offset, whatever its alignment and the banks. */
  public static void fix(ComponentBuilder builder, int buffer, long offset) {
    builder.fixedOffset[buffer] = offset;
  }

  /** Sets the size of a bank; 0 for none. */
  public static void banks(ComponentBuilder builder, long bytes) {
    builder.bankSize[0] = bytes;
  }

  /** Keeps a buffer within one bank. */
  public static void withinBank(ComponentBuilder builder, int buffer) {
    builder.withinBank[buffer] = true;
  }
}
