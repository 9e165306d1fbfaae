package stowage.report;

import java.util.List;

/**
 * The plan that the input itself carries.
 *
 * @param source who made it, such as {@code tpu-mlir}
 * @param peak its peak in bytes, or null when it has none
 * @param inputsKept whether it was judged, and found right, with graph inputs kept to the end; else
 *     they were free after their last use; null for a plan of buffers
 * @param memories what each memory takes, in the problem's order, where there are several; else
 *     empty
 * @param status {@code VALID}, or what is wrong with it
 */
public record BaselineFacts(
    String source, Long peak, Boolean inputsKept, List<Long> memories, String status) {

  /** Copies the list. */
  public BaselineFacts {
    memories = List.copyOf(memories);
  }

  /** A plan in one memory. */
  public BaselineFacts(String source, Long peak, Boolean inputsKept, String status) {
    this(source, peak, inputsKept, List.of(), status);
  }

  /** The status, with the rule for graph inputs. */
  public String text() {
    if (inputsKept == null) {
      return status;
    }
    return status + " with graph inputs " + (inputsKept ? "kept" : "freed after their last use");
  }
}
