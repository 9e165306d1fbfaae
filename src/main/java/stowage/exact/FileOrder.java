package stowage.exact;

import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A problem with its buffers in an order that does not depend on the file's: by first step, last
 * step, size (the largest first) and id. Ids are unique, so there is one such order.
 *
 * <p>Example: buffers c [0, 9), a [3, 4), b [0, 9) of equal size become b, c, a in every file. The
 * placement [0, 8, 16] of these is [8, 16, 0] of the file's c, a, b.
 */
final class FileOrder {
  private final PackingProblem problem;

  private final int[] order;

  private final int[] position;

  /** The problem in the order that does not depend on the file's. O(n log n). */
  FileOrder(PackingProblem original) {
    Comparator<Buffer> wanted =
        Comparator.comparingInt((Buffer buffer) -> buffer.live().start())
            .thenComparingInt(buffer -> buffer.live().end())
            .thenComparingLong(buffer -> -buffer.size())
            .thenComparing(Buffer::id);
    Comparator<Integer> byBuffer = Comparator.comparing(original::buffer, wanted);
    this.order = IndexOrder.of(IntStream.range(0, original.size()), byBuffer);
    this.position = IndexOrder.places(order, order.length);
    this.problem = isSame() ? original : original.select(order);
  }

  boolean isSame() {
    return IntStream.range(0, order.length).allMatch(k -> order[k] == k);
  }

  PackingProblem problem() {
    return problem;
  }

  /** A placement of the original problem, as one of the new order. */
  Placement toSorted(Placement placement) {
    return placement.select(order);
  }

  Placement toOriginal(Placement placement) {
    return placement.select(position);
  }

  /** A bound of the new order's problem, as one of the original problem. */
  Bound toOriginal(Bound bound) {
    return new Bound(bound.figure(), bound.value(), toOriginal(bound.certificate()));
  }

  /** The same certificate with the original problem's numbers of buffers. */
  Certificate toOriginal(Certificate certificate) {
    return certificate.renumbered(k -> order[k]);
  }
}
