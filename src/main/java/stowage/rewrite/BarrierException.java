package stowage.rewrite;

/** A run that cannot be executed in pieces, with the op and the reason. */
public final class BarrierException extends Exception {
  private static final long serialVersionUID = 1;

  private final int op;

  /** The op at an index of the given network is in the way; the reason, a sentence, names it. */
  BarrierException(int op, String reason) {
    super(reason, null, false, false);
    this.op = op;
  }

  /** Index in the given network of the op that is in the way. */
  public int op() {
    return op;
  }
}
