package stowage.report;

/**
 * The plan that the input itself carries.
 *
 * @param source who made it, such as {@code tpu-mlir}
 * @param peak its peak in bytes, or null when it has none
 * @param inputsKept whether it was judged, and found right, with graph inputs kept to the end; else
 *     they were free after their last use; null for a plan of buffers
 * @param status {@code VALID}, or what is wrong with it
 */
public record BaselineFacts(String source, Long peak, Boolean inputsKept, String status) {
  /** The status, with the rule for graph inputs. */
  public String text() {
    if (inputsKept == null) {
      return status;
    }
    return status + " with graph inputs " + (inputsKept ? "kept" : "freed after their last use");
  }
}
