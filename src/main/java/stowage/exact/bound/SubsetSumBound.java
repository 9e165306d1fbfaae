package stowage.exact.bound;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.function.IntPredicate;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;
import stowage.packing.Rounding;

/**
 * Bound by holes: buffers with given offsets cut a step's addresses into holes, and a hole is
 * filled at best by the largest sum of sizes that does not exceed it.
 *
 * <p>At a step, let f be a buffer of a given offset. What of the other buffers is not in the holes
 * below f is above it. So the peak is at least the end of f, with the bytes of all that is alive
 * and not given below f, less the largest subset sums of the holes. Each hole is taken by itself:
 * what fills one may be counted in another too, which keeps the bound valid and cheap.
 *
 * <p>Example: f of 2 bytes at 7, and four buffers of 3 at the same step. The load is 14. The hole
 * of 7 takes 6 of them at most, so 6 are above 9: the peak is 15.
 *
 * <p>Reachable sums by dynamic programming over a row of bits: O(buffers * hole / 64) words a hole,
 * in units of the greatest common divisor; holes of more than 2^18 units count as filled. See S.
 * Martello and P. Toth, "Knapsack Problems", Wiley 1990, chapter 4.
 */
final class SubsetSumBound {
  private static final long MOST_UNITS = 1 << 18;

  private final PackingProblem problem;

  private SubsetSumBound(PackingProblem problem) {
    this.problem = problem;
  }

  /** The best bound of the heaviest steps of buffers here alone; null without a given offset. */
  static Bound best(PackingProblem problem, int memory, IntPredicate here) {
    SubsetSumBound holes = new SubsetSumBound(problem);
    Bound best = null;
    for (int step : HeaviestSteps.of(problem, here)) {
      int[] alive = HeaviestSteps.alive(problem, here, step);
      long value = holes.value(alive, step);
      if (value > 0 && (best == null || value > best.value())) {
        best =
            LowerBounds.bound(
                problem, memory, value, new Certificate.SubsetSum(memory, step, alive));
      }
    }
    return best;
  }

  private long value(int[] alive, int step) {
    int[] given =
        IndexOrder.of(
            Arrays.stream(alive).filter(i -> problem.buffer(i).isFixed()),
            Comparator.comparingLong(i -> low(i, step)));
    long[] free =
        Arrays.stream(alive)
            .filter(i -> !problem.buffer(i).isFixed())
            .mapToLong(i -> problem.buffer(i).bytesAt(step))
            .toArray();
    long left = Arrays.stream(free).sum(); // what no hole has taken
    long above = Arrays.stream(given).mapToLong(i -> problem.buffer(i).bytesAt(step)).sum();
    long best = 0;
    long end = 0;
    for (int i : given) {
      long hole = low(i, step) - end;
      if (hole < 0) {
        return 0; // they clash: another bound's matter
      }
      left -= left > 0 ? filled(free, hole) : 0;
      above -= problem.buffer(i).bytesAt(step);
      end += hole + problem.buffer(i).bytesAt(step);
      best = Math.max(best, end + above + Math.max(0, left));
    }
    return best;
  }

  private long low(int buffer, int step) {
    return problem.buffer(buffer).fixedOffset() + problem.buffer(buffer).spanAt(step).low();
  }

  private static long filled(long[] sizes, long hole) {
    long unit = 0;
    long sum = 0;
    for (long size : sizes) {
      unit = Rounding.gcd(unit, size);
      sum += size <= hole ? size : 0;
    }
    if (sum <= hole || hole / unit > MOST_UNITS) {
      return Math.min(sum, hole);
    }
    int room = (int) (hole / unit);
    long[] reached = new long[(room >> 6) + 1];
    reached[0] = 1;
    for (long size : sizes) {
      if (size <= hole) {
        addShifted(reached, (int) (size / unit));
      }
    }
    return BitSet.valueOf(reached).previousSetBit(room) * unit;
  }

  /** Adds to the sums reached those that one figure more reaches, from the top word down. */
  private static void addShifted(long[] reached, int by) {
    int words = by >> 6;
    int bits = by & 63;
    for (int at = reached.length - 1; at >= words; at--) {
      long moved = reached[at - words] << bits;
      if (bits > 0 && at > words) {
        moved |= reached[at - words - 1] >>> 64 - bits;
      }
      reached[at] |= moved;
    }
  }
}
