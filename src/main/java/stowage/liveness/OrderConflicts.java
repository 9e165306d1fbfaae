package stowage.liveness;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
  /** What is done to a buffer, in steps, ascending. */
  record Use(int[] writes, int[] touches, boolean fromTheStart, boolean toTheEnd) {
    /** What is done to a buffer that carries some tensors. */
    static Use of(TensorLives lives, List<Integer> tensors) {
      TreeSet<Integer> writes = new TreeSet<>();
      TreeSet<Integer> touches = new TreeSet<>();
      boolean given = false;
      boolean kept = false;
      for (int t : tensors) {
        given |= lives.madeAt(t) == TensorLives.GIVEN;
        kept |= lives.toTheEnd(t);
        if (lives.madeAt(t) >= 0) {
          writes.add(lives.madeAt(t));
          touches.add(lives.madeAt(t));
        }
        for (int step : lives.readAt(t)) {
          touches.add(step);
        }
      }
      return new Use(array(writes), array(touches), given, kept);
    }

    private static int[] array(Set<Integer> steps) {
      return steps.stream().mapToInt(Integer::intValue).toArray();
    }
  }

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
