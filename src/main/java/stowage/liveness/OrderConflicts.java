package stowage.liveness;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;

/**
 * The pairs of buffers that must not share addresses because ops that use them may run side by
 * side, although in execution order they do not.
 *
 * <p>One buffer can take the place of another only if every op that touches the other is over
 * before any op that writes this one starts. Where neither can follow the other so, and their live
 * ranges do not keep them apart already, they are a pair. O(buffers² · uses).
 */
final class OrderConflicts {
  /** What is done to a buffer, in steps. */
  record Use(int[] writes, int[] touches, boolean fromTheStart, boolean toTheEnd) {}

  private OrderConflicts() {}

  /** The pairs by index, the smaller first. */
  static List<int[]> between(List<Buffer> buffers, List<Use> uses, Precedence precedence) {
    if (precedence.isInOrder()) {
      return List.of();
    }
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      Buffer first = buffers.get(i);
      for (int j = i + 1; j < buffers.size() && first.needsMemory(); j++) {
        Buffer second = buffers.get(j);
        if (second.needsMemory()
            && !first.live().overlaps(second.live())
            && !canFollow(uses.get(i), uses.get(j), precedence)
            && !canFollow(uses.get(j), uses.get(i), precedence)) {
          pairs.add(new int[] {i, j});
        }
      }
    }
    return pairs;
  }

  private static boolean canFollow(Use earlier, Use later, Precedence precedence) {
    if (earlier.toTheEnd() || later.fromTheStart()) {
      return false;
    }
    for (int touch : earlier.touches()) {
      for (int write : later.writes()) {
        if (!precedence.precedes(touch, write)) {
          return false;
        }
      }
    }
    return true;
  }
}
