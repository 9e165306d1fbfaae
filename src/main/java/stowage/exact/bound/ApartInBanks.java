package stowage.exact.bound;

import java.util.Arrays;
import java.util.function.IntPredicate;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.PackingProblem;

/**
 * Conflicting buffers that must not cross a bank's border and of which no two fit into one bank:
 * each needs a bank of its own; see {@link Certificate.Banks}.
 */
final class ApartInBanks {
  private ApartInBanks() {}

  /**
   * The best bound of a memory's heaviest steps, or null.
   *
   * @param here the buffers that are in this memory alone
   */
  static Bound best(PackingProblem problem, int memory, IntPredicate here) {
    long bank = problem.memories().get(memory).bankSize();
    if (bank == 0) {
      return null;
    }
    CliqueFinder finder =
        new CliqueFinder(problem, i -> here.test(i) && problem.buffer(i).withinBank());
    int[] best =
        finder.bestStep(
            i -> problem.buffer(i).size() * 2 > bank ? bank : 1,
            buffers -> worth(problem, apart(problem, buffers, bank), bank));
    int[] members = apart(problem, best, bank);
    long value = worth(problem, members, bank);
    return value == 0
        ? null
        : LowerBounds.bound(problem, memory, value, new Certificate.Banks(memory, members));
  }

  /** The most of the given buffers of which no two fit into one bank: the large, and one more. */
  private static int[] apart(PackingProblem problem, int[] buffers, long bank) {
    int[] kept = new int[buffers.length];
    int count = 0;
    long smallest = Long.MAX_VALUE;
    int extra = -1;
    for (int i : buffers) {
      long size = problem.buffer(i).size();
      if (size * 2 > bank) {
        kept[count++] = i;
        smallest = Math.min(smallest, size);
      } else if (extra < 0 || size > problem.buffer(extra).size()) {
        extra = i;
      }
    }
    if (extra >= 0 && (count == 0 || problem.buffer(extra).size() + smallest > bank)) {
      kept[count++] = extra;
    }
    return Arrays.copyOf(kept, count);
  }

  private static long worth(PackingProblem problem, int[] buffers, long bank) {
    long smallest = Arrays.stream(buffers).mapToLong(i -> problem.buffer(i).size()).min().orElse(0);
    return Math.max(0, buffers.length - 1) * bank + smallest;
  }
}
