package stowage.rewrite.recompute.model;

import java.util.Arrays;

/**
 * The copies of values that a sequence of computations makes, with their ranges of steps, and the
 * bytes alive at each step. A copy is alive from its computation to its last reader before its
 * value is computed again, at least for its own step; the last copy of a kept value to the end; an
 * input of the network from step 0. O(steps + reads) to build.
 */
public final class Timeline {
  /** The ops in the order in which they run. */
  public final int[] sequence;

  /** How many copies there are. */
  public final int copies;

  /** The value of each copy. */
  public final int[] value;

  /** The step at which each copy begins. */
  public final int[] begin;

  /** The step after the last one of each copy. */
  public final int[] end;

  /** The number of each copy among those of its value, from 1. */
  public final int[] number;

  /** Bytes alive at each step, scratch memory included. */
  public final long[] load;

  /** The largest of {@link #load}; 0 without steps. */
  public final long peak;

  /** Where each step's entries in {@link #readCopy} begin. */
  public final int[] readAt;

  /** The copies that the steps read, in the order of the problem's reads. */
  public final int[] readCopy;

  private Timeline(
      int[] sequence,
      int copies,
      int[] value,
      int[] begin,
      int[] end,
      int[] number,
      long[] load,
      int[] readAt,
      int[] readCopy) {
    this.sequence = sequence;
    this.copies = copies;
    this.value = value;
    this.begin = begin;
    this.end = end;
    this.number = number;
    this.load = load;
    this.readAt = readAt;
    this.readCopy = readCopy;
    long most = 0;
    for (long bytes : load) {
      most = Math.max(most, bytes);
    }
    this.peak = most;
  }

  /**
   * Follows a sequence.
   *
   * @throws IllegalArgumentException when an op reads what was not computed before
   */
  public static Timeline of(RecomputeProblem problem, int[] sequence) {
    int most = problem.values;
    int[] readAt = new int[sequence.length + 1];
    for (int step = 0; step < sequence.length; step++) {
      most += problem.writes[sequence[step]].length;
      readAt[step + 1] = readAt[step] + problem.reads[sequence[step]].length;
    }
    int[] readCopy = new int[readAt[sequence.length]];
    int[] value = new int[most];
    int[] begin = new int[most];
    int[] end = new int[most];
    int[] number = new int[most];
    int[] latest = new int[problem.values];
    Arrays.fill(latest, -1);
    int copies = 0;
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] < 0) {
        value[copies] = i;
        end[copies] = 1;
        number[copies] = 1;
        latest[i] = copies++;
      }
    }
    for (int step = 0; step < sequence.length; step++) {
      int v = sequence[step];
      int[] reads = problem.reads[v];
      for (int k = 0; k < reads.length; k++) {
        int copy = latest[reads[k]];
        if (copy < 0) {
          throw new IllegalArgumentException(
              "step " + step + ": op " + v + " reads value " + reads[k] + ", not computed yet");
        }
        readCopy[readAt[step] + k] = copy;
        end[copy] = step + 1;
      }
      for (int i : problem.writes[v]) {
        number[copies] = latest[i] < 0 ? 1 : number[latest[i]] + 1;
        value[copies] = i;
        begin[copies] = step;
        end[copies] = step + 1;
        latest[i] = copies++;
      }
    }
    for (int i = 0; i < problem.values; i++) {
      if (problem.kept[i] && latest[i] >= 0) {
        end[latest[i]] = sequence.length;
      }
    }
    return new Timeline(
        sequence,
        copies,
        value,
        begin,
        end,
        number,
        load(problem, sequence, copies, value, begin, end),
        readAt,
        readCopy);
  }

  private static long[] load(
      RecomputeProblem problem, int[] sequence, int copies, int[] value, int[] begin, int[] end) {
    long[] change = new long[sequence.length + 1];
    for (int c = 0; c < copies; c++) {
      if (begin[c] < sequence.length) {
        change[begin[c]] += problem.bytes[value[c]];
        change[Math.min(end[c], sequence.length)] -= problem.bytes[value[c]];
      }
    }
    long[] load = new long[sequence.length];
    long alive = 0;
    for (int step = 0; step < sequence.length; step++) {
      alive += change[step];
      load[step] = alive + problem.scratch[sequence[step]];
    }
    return load;
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
