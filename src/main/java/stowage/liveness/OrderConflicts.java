package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.ConflictPairs;
import stowage.packing.InvalidProblemException;

/**
 * The pairs of buffers that must not share addresses because ops that use them may run side by
 * side, although in execution order they do not.
 *
 * <p>One buffer can take the place of another only if every op that touches the other is over
 * before any op that writes this one starts. Where neither can follow the other so, and their live
 * ranges do not keep them apart already, they are a pair. O(buffers · writes · steps / 64 + pairs
 * of a buffer and an op that may touch an earlier one too late).
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

  /** More pairs take gigabytes, and minutes, in all that follows. */
  private static final long MOST = 60_000_000;

  private OrderConflicts() {}

  /** The pairs by index. */
  static ConflictPairs between(List<Buffer> buffers, List<Use> uses, Precedence precedence) {
    return between(buffers, uses, precedence, MOST);
  }

  /**
   * The same up to so many pairs.
   *
   * @throws InvalidProblemException when there are more
   */
  static ConflictPairs between(
      List<Buffer> buffers, List<Use> uses, Precedence precedence, long most) {
    if (precedence.isInOrder()) {
      return ConflictPairs.none();
    }
    List<List<Integer>> touching = new ArrayList<>();
    for (int step = 0; step < precedence.steps(); step++) {
      touching.add(new ArrayList<>());
    }
    int lastStart = buffers.stream().mapToInt(b -> b.live().start()).max().orElse(0);
    BitSet needed = new BitSet();
    BitSet asked = new BitSet(); // which no op of theirs within their live ranges keeps apart
    for (int b = 0; b < buffers.size(); b++) {
      int end = buffers.get(b).live().end();
      int[] touches = uses.get(b).touches();
      if (buffers.get(b).needsMemory() && end <= lastStart) {
        needed.set(b);
        boolean inside = touches.length > 0 && touches[touches.length - 1] < end;
        asked.set(b, uses.get(b).toTheEnd() || !inside);
        for (int step : touches) {
          touching.get(step).add(b);
        }
      }
    }
    int[][] before = new int[buffers.size()][];
    Arrays.fill(before, new int[0]);
    int[] degree = new int[buffers.size()];
    long left = most;
    for (int b = 0; b < buffers.size(); b++) {
      if (!buffers.get(b).needsMemory()) {
        continue;
      }
      int start = buffers.get(b).live().start();
      Use use = uses.get(b);
      BitSet earlier = (BitSet) (use.fromTheStart() ? needed : asked).clone();
      for (int write : use.writes()) {
        precedence
            .notBefore(write, start)
            .forEach(step -> touching.get(step).forEach(earlier::set));
      }
      before[b] =
          earlier.stream()
              .filter(one -> buffers.get(one).live().end() <= start)
              .filter(one -> !canFollow(uses.get(one), use, precedence))
              .filter(one -> !canFollow(use, uses.get(one), precedence))
              .toArray();
      left -= before[b].length;
      if (left < 0) {
        throw new InvalidProblemException(
            "ops that may run side by side would keep more than %s pairs of buffers apart; let"
                    .formatted(ByteText.exact(most))
                + " fewer run side by side: in order, on branches, or on streams");
      }
      degree[b] += before[b].length;
      Arrays.stream(before[b]).forEach(one -> degree[one]++);
    }
    int[][] lists = new int[degree.length][];
    Arrays.setAll(lists, one -> new int[degree[one]]);
    for (int b = 0; b < lists.length; b++) {
      for (int one : before[b]) {
        lists[b][--degree[b]] = one;
        lists[one][--degree[one]] = b;
      }
      before[b] = null;
    }
    return ConflictPairs.ofNeighbours(lists);
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
