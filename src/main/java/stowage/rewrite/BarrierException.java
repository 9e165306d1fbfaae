package stowage.rewrite;

/** A run that cannot be executed in pieces; the reason, a sentence, names the op. */
public final class BarrierException extends Exception {
  private static final long serialVersionUID = 1;

  BarrierException(String reason) {
    super(reason, null, false, false);
  }
}
