package stowage.exact;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * The optimum of a small problem by trying every aligned offset in every allowed memory, buffer
 * after buffer. The peaks of the buffers placed so far already decide against a branch when they
 * are no better than the best; nothing else is cut. It shares no code with the engines or the
 * verifier.
 */
public final class BruteForce {
  private final PackingProblem problem;
  private final long[] offset;
  private final int[] memory;
  private final long ceiling;
  private final int[] order;

  /** Whether two buffers clash, by how far the first is above the second, plus the reach. */
  private final boolean[][][] clashes;

  private final int reach;
  private long[] best;
  private long tries;

  private BruteForce(PackingProblem problem) {
    this.problem = problem;
    this.offset = new long[problem.size()];
    this.memory = new int[problem.size()];
    // Stacked on the highest fixed end with the widest padding, everything fits below this.
    long top = 0;
    long fixed = 0;
    for (int i = 0; i < problem.size(); i++) {
      long widest = 0;
      for (int m = 0; m < problem.memories().size(); m++) {
        long bank = problem.buffer(i).withinBank() ? problem.memories().get(m).bankSize() : 0;
        long padding = problem.alignment(i, m) - 1;
        widest = Math.max(widest, bank == 0 ? padding : (padding + 1) * bank);
      }
      top += problem.buffer(i).size() + widest;
      fixed = Math.max(fixed, problem.buffer(i).fixedOffset() + problem.buffer(i).size());
    }
    this.ceiling = top + fixed;
    this.reach = (int) ceiling;
    this.order =
        IntStream.range(0, problem.size())
            .boxed()
            .sorted(Comparator.comparingLong(this::choices))
            .mapToInt(Integer::intValue)
            .toArray();
    this.clashes = new boolean[problem.size()][problem.size()][];
    for (int i = 0; i < problem.size(); i++) {
      for (int j = 0; j < problem.size(); j++) {
        clashes[i][j] = new boolean[2 * reach + 1];
        for (int above = -reach; above <= reach; above++) {
          clashes[i][j][above + reach] = i != j && clash(i, j, above);
        }
      }
    }
  }

  /** Buffers with few places come first, so that what cannot work shows early. */
  private long choices(int i) {
    Buffer buffer = problem.buffer(i);
    long count = 0;
    for (int m = 0; m < problem.memories().size(); m++) {
      if (problem.allows(i, m)) {
        long highest = Math.min(ceiling, problem.memories().get(m).capacity()) - buffer.size();
        count += buffer.isFixed() || !buffer.needsMemory() ? 1 : 1 + highest;
      }
    }
    return count;
  }

  /**
   * The lexicographically least peaks, of the last memory first; null when no placement respects
   * the capacities.
   */
  public static long[] peaks(PackingProblem problem) {
    return peaks(problem, Long.MAX_VALUE).orElseThrow().peaks;
  }

  /** As {@link #peaks(PackingProblem)}, but empty when more than so many offsets were tried. */
  public static Optional<Answer> peaks(PackingProblem problem, long mostTries) {
    BruteForce search = new BruteForce(problem);
    search.tries = mostTries;
    search.place(0, new long[problem.memories().size()]);
    return search.tries < 0 ? Optional.empty() : Optional.of(new Answer(search.best));
  }

  /**
   * What trying everything came to.
   *
   * @param peaks the least peaks, or null when nothing fits
   */
  public record Answer(long[] peaks) {}

  private void place(int depth, long[] peaks) {
    if (depth == problem.size()) {
      best = peaks.clone();
      return;
    }
    int i = order[depth];
    Buffer buffer = problem.buffer(i);
    int memories = problem.memories().size();
    for (int m = 0; m < memories; m++) {
      if (!problem.allows(i, m)) {
        continue;
      }
      int figure = memories - 1 - m;
      long peak = peaks[figure];
      long step = buffer.needsMemory() ? 1 : ceiling; // where it is does not matter
      long from = buffer.isFixed() ? buffer.fixedOffset() : 0;
      long to = buffer.isFixed() ? from : Math.min(ceiling, problem.memories().get(m).capacity());
      memory[i] = m;
      for (long at = from; at <= to && --tries >= 0; at += step) {
        if (buffer.needsMemory()) {
          peaks[figure] = Math.max(peak, at + buffer.size());
        }
        if (best != null && Arrays.compare(peaks, best) >= 0) {
          break; // and higher offsets are worse
        }
        offset[i] = at;
        if (isFree(depth) && isAllowed(i)) {
          place(depth + 1, peaks);
        }
      }
      peaks[figure] = peak;
    }
  }

  private boolean isFree(int depth) {
    int i = order[depth];
    for (int k = 0; k < depth; k++) {
      int j = order[k];
      if (memory[i] == memory[j] && clashes[i][j][(int) (offset[i] - offset[j]) + reach]) {
        return false;
      }
    }
    return true;
  }

  private boolean isAllowed(int i) {
    Buffer buffer = problem.buffer(i);
    long bank = problem.memories().get(memory[i]).bankSize();
    boolean within = buffer.withinBank() && bank > 0 && buffer.size() > 0;
    return offset[i] % buffer.alignment() == 0
        && offset[i] % problem.memories().get(memory[i]).alignment() == 0
        && (!within || offset[i] / bank == (offset[i] + buffer.size() - 1) / bank)
        && (!buffer.needsMemory()
            || offset[i] + buffer.size() <= problem.memories().get(memory[i]).capacity());
  }

  private boolean clash(int i, int j, long above) {
    Buffer one = problem.buffer(i);
    Buffer other = problem.buffer(j);
    if (!one.needsMemory() || !other.needsMemory()) {
      return false;
    }
    for (int pair : problem.conflicts().of(i)) {
      if (pair == j && above < other.size() && -above < one.size()) {
        return true;
      }
    }
    int from = Math.max(one.live().start(), other.live().start());
    int to = Math.min(one.live().end(), other.live().end());
    for (int step = from; step < to; step++) {
      long[] a = bytes(one, step);
      long[] b = bytes(other, step);
      if (Math.max(above + a[0], b[0]) < Math.min(above + a[1], b[1])) {
        return true;
      }
    }
    return false;
  }

  private static long[] bytes(Buffer buffer, int step) {
    for (var gap : buffer.gaps()) {
      if (gap.range().contains(step)) {
        return new long[] {gap.windowStart(), gap.windowEnd()};
      }
    }
    return new long[] {0, buffer.size()};
  }
}
