package stowage.rewrite;

/** A run that cannot be executed in pieces, with the op and the reason. */
public final class BarrierException extends Exception {
  private static final long serialVersionUID = 1;

  private final int op;

  /**
   * @param op index of the op in the given network
   * @param reason a sentence that names the op
   */
  BarrierException(int op, String reason) {
    super(reason, null, false, false);
    this.op = op;
  }

  /** Index in the given network of the op that is in the way. */
  public int op() {
    return op;
  }
}
