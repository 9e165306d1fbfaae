package stowage.rewrite.recompute.model;

import java.util.Arrays;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Splits for the periods of {@link ClosureRows}, chosen by a known sequence. Where it runs an op
 * twice between two touches of the op's results, the rows may let one run serve both times; a split
 * after the first use and before the second run makes them two.
 */
public final class PeriodSplits {
  private final RecomputeProblem problem;
  private final int[] sequence;

  /** How many first computations come before each step. */
  private final int[] done;

  /** The first computation for which each step runs, through other ops that run again. */
  private final int[] served;

  private PeriodSplits(RecomputeProblem problem, int[] sequence) {
    this.problem = problem;
    this.sequence = sequence;
    this.done = new int[sequence.length];
    this.served = new int[sequence.length];
    int first = 0;
    for (int s = 0; s < sequence.length; s++) {
      done[s] = first;
      first += sequence[s] == first ? 1 : 0;
    }
    int[] use = new int[problem.values];
    Arrays.setAll(use, i -> problem.kept[i] ? problem.ops : Integer.MAX_VALUE);
    for (int s = sequence.length - 1; s >= 0; s--) {
      served[s] = sequence[s] == done[s] ? sequence[s] : Integer.MAX_VALUE;
      for (int i : problem.writes[sequence[s]]) {
        served[s] = Math.min(served[s], use[i]);
        use[i] = Integer.MAX_VALUE;
      }
      for (int i : problem.reads[sequence[s]]) {
        use[i] = Math.min(use[i], served[s]);
      }
    }
  }

  /**
   * Splits with one more: the op before which the runs that become two cost most. The same where
   * there are none. O(steps * ops).
   *
   * @param splits ops, ascending
   * @param sequence one whose first computations keep the order
   */
  public static int[] more(RecomputeProblem problem, int[] splits, int[] sequence) {
    double[] gain = new PeriodSplits(problem, sequence).gain(splits);
    int best = 0;
    for (int j = 1; j < problem.ops; j++) {
      best = gain[j] > gain[best] ? j : best;
    }
    IntStream added = gain[best] > 0 ? IntStream.of(best) : IntStream.empty();
    return IntStream.concat(Arrays.stream(splits), added).sorted().toArray();
  }

  /** What the runs cost that a split before each op makes two. */
  private double[] gain(int[] splits) {
    double[] gain = new double[problem.ops];
    int[] last = new int[problem.ops];
    Arrays.fill(last, -1);
    for (int s = 0; s < sequence.length; s++) {
      int v = sequence[s];
      if (v == done[s]) {
        continue;
      }
      int low = last[v] < 0 ? problem.ops : served[last[v]];
      if (low < done[s] && touches(v, splits).subSet(low, done[s]).isEmpty()) {
        for (int j = low; j < done[s]; j++) {
          gain[j] += problem.cost[v];
        }
      }
      last[v] = s;
    }
    return gain;
  }

  /** The ops at which periods of an op begin. */
  private NavigableSet<Integer> touches(int op, int[] splits) {
    NavigableSet<Integer> touches = new TreeSet<>();
    Arrays.stream(splits).forEach(touches::add);
    for (int i : problem.writes[op]) {
      Arrays.stream(problem.users[i]).forEach(touches::add);
    }
    return touches;
  }
}
