package stowage.rewrite.recompute.model;

import java.util.Arrays;

/**
 * The copies of values that a sequence of computations makes, with their ranges of steps, and the
 * bytes alive at each step. A copy is alive from its computation to its last reader before its
 * value is computed again, at least for its own step; the last copy of a kept value to the end; an
 * input of the network from step 0. O(steps + reads) to build.
 */
public final class Timeline {
  public final int copies;

  public final int[] value;

  /** The step at which each copy begins. */
  public final int[] begin;

  /** The step after the last one of each copy. */
  public final int[] end;

  /** Bytes alive at each step, scratch memory included. */
  public final long[] load;

  /** The largest of {@link #load}; 0 without steps. */
  public final long peak;

  /**
   * Follows a sequence.
   *
   * @throws IllegalArgumentException when an op reads what was not computed before
   */
  public Timeline(RecomputeProblem problem, int[] sequence) {
    int most = problem.values;
    for (int v : sequence) {
      most += problem.writes[v].length;
    }
    value = new int[most];
    begin = new int[most];
    end = new int[most];
    int[] latest = new int[problem.values];
    Arrays.fill(latest, -1);
    int count = 0;
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] < 0) {
        value[count] = i;
        end[count] = 1;
        latest[i] = count++;
      }
    }
    for (int step = 0; step < sequence.length; step++) {
      int v = sequence[step];
      for (int i : problem.reads[v]) {
        if (latest[i] < 0) {
          throw new IllegalArgumentException(
              "step " + step + ": op " + v + " reads value " + i + ", not computed yet");
        }
        end[latest[i]] = step + 1;
      }
      for (int i : problem.writes[v]) {
        value[count] = i;
        begin[count] = step;
        end[count] = step + 1;
        latest[i] = count++;
      }
    }
    for (int i = 0; i < problem.values; i++) {
      if (problem.kept[i] && latest[i] >= 0) {
        end[latest[i]] = sequence.length;
      }
    }
    copies = count;
    long[] change = new long[sequence.length + 1];
    for (int c = 0; c < copies; c++) {
      change[begin[c]] += problem.bytes[value[c]];
      change[Math.min(end[c], sequence.length)] -= problem.bytes[value[c]];
    }
    load = new long[sequence.length];
    long alive = 0;
    for (int step = 0; step < sequence.length; step++) {
      alive += change[step];
      load[step] = alive + problem.scratch[sequence[step]];
    }
    peak = Arrays.stream(load).max().orElse(0);
  }

  /**
   * Whether the first computations of a sequence are all ops in the problem's order, and each op
   * runs again only as long as it may.
   */
  public static boolean isInOrder(RecomputeProblem problem, int[] sequence) {
    int done = 0;
    for (int v : sequence) {
      if (v > done || v < 0 || v >= problem.ops || (v < done && problem.until[v] < done)) {
        return false;
      }
      done = Math.max(done, v + 1);
    }
    return done == problem.ops;
  }
}
