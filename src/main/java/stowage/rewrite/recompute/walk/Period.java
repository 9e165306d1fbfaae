package stowage.rewrite.recompute.walk;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * The time from one mark, or the begin, up to the next computation at which a {@link HeldWalk}
 * looks: a mark's op, an op that runs again, or the end. Without room being asked for, any op may
 * run again within it as often as it is wanted, but those with large working sets.
 */
final class Period {
  final RecomputeProblem problem;
  final long[] bytes;

  /** Ops up to this one have run after it. */
  final int to;

  /** The op next to which values are held; -1 for the end. */
  final int target;

  /** Whether the target runs again. */
  final boolean again;

  /** What first computations make within the period. */
  final long[] made;

  /** The values, made before, that have to be at hand within it. */
  final int[] asked;

  /** Values that may still be read after it. */
  final boolean[] useful;

  /** Ops that may run again within it, room not being asked for. */
  final boolean[] runs;

  /** Ops that run again within it for nothing, ascending. */
  final int[] free;

  /** Whether each op may run again for nothing after it. */
  final boolean[] isFreeLater;

  /** Values that the target reads or makes. */
  final boolean[] used;

  /** Bytes of the target, what it reads and makes. */
  final long workingSet;

  /** Ops that may run again after it, room not being asked for. */
  final boolean[] later;

  /** Ops worth running early: a result takes less than what they read, or they cannot run later. */
  final int[] early;

  /** How many of the first of these may need an op that cannot run later. */
  final int urgent;

  /**
   * A period.
   *
   * @param again the op that runs again at its end; -1 for a first computation
   * @param mayRun whether each op may run again without room being asked for
   * @param mayRunThen the same in the period that follows
   */
  Period(
      RecomputeProblem problem,
      long[] bytes,
      int from,
      int to,
      int again,
      boolean[] mayRun,
      boolean[] mayRunThen) {
    this.problem = problem;
    this.bytes = bytes;
    this.to = to;
    this.again = again >= 0;
    this.target = this.again ? again : to < problem.ops ? to : -1;
    this.made = new long[(problem.values + 63) / 64];
    int last = Math.min(to, problem.ops - 1);
    boolean[] read = new boolean[problem.values];
    for (int v = from + 1; v <= last; v++) {
      for (int i : problem.reads[v]) {
        read[i] = true;
      }
      for (int i : problem.writes[v]) {
        Held.set(made, i);
      }
    }
    if (this.again) {
      for (int i : problem.reads[again]) {
        read[i] = true;
      }
    }
    this.asked =
        IntStream.range(0, problem.values)
            .filter(i -> problem.maker[i] <= from && (read[i] || stays(i)))
            .toArray();
    this.useful = problem.useful(last + 1);
    this.runs = new boolean[problem.ops];
    this.later = new boolean[problem.ops];
    for (int v = 0; v <= last; v++) {
      runs[v] = problem.until[v] > Math.max(v, from) && mayRun[v];
      later[v] = problem.until[v] > to && mayRunThen[v];
    }
    this.free =
        IntStream.range(0, problem.ops).filter(v -> runs[v] && problem.cost[v] == 0).toArray();
    this.isFreeLater = new boolean[problem.ops];
    for (int v = 0; v < problem.ops; v++) {
      isFreeLater[v] = later[v] && problem.cost[v] == 0;
    }
    this.used = new boolean[problem.values];
    long sum = 0;
    if (target >= 0) {
      sum = problem.scratch[target];
      for (int[] all : new int[][] {problem.reads[target], problem.writes[target]}) {
        for (int i : all) {
          used[i] = true;
          sum += bytes[i];
        }
      }
    }
    this.workingSet = sum;
    this.early =
        IntStream.range(0, problem.ops)
            .filter(v -> runs[v] && problem.cost[v] > 0 && (!later[v] || isShrinking(v)))
            .toArray();
    boolean[] hurried = new boolean[problem.ops];
    for (int v = 0; v <= last; v++) {
      hurried[v] = runs[v] && !later[v];
      for (int i : problem.reads[v]) {
        hurried[v] |= runs[v] && problem.maker[i] >= 0 && hurried[problem.maker[i]];
      }
    }
    int count = early.length;
    while (count > 0 && !hurried[early[count - 1]]) {
      count--;
    }
    this.urgent = count;
  }

  private boolean isShrinking(int op) {
    long read = Arrays.stream(problem.reads[op]).mapToLong(i -> bytes[i]).sum();
    return Arrays.stream(problem.writes[op]).anyMatch(i -> bytes[i] > 0 && bytes[i] < read);
  }

  /** Whether a value is read after the period and cannot be computed again then. */
  boolean stays(int value) {
    int[] users = problem.users[value];
    boolean comes =
        to >= problem.ops
            ? problem.kept[value]
            : problem.kept[value] || (users.length > 0 && users[users.length - 1] > to);
    return comes && !problem.returns(value, to);
  }

  /** What is at hand, and what comes from it for nothing. */
  long[] withFree(long[] have) {
    long[] all = have.clone();
    for (int v : free) {
      if (Held.hasAll(all, problem.reads[v])) {
        for (int i : problem.writes[v]) {
          Held.set(all, i);
        }
      }
    }
    return all;
  }

  /**
   * Takes values from a set after the period that are read by no first computation and by no op
   * that can run again with all costs below a number.
   *
   * @param cost up to the end of the period
   */
  void dropUseless(ClosureEstimate estimate, int mark, long[] held, long cost, long below) {
    long[] again = new long[(problem.ops + 63) / 64];
    long scaled = estimate.scaled(mark, held, again);
    boolean[] read = problem.kept.clone();
    for (int v = problem.ops - 1; v >= 0; v--) {
      boolean reading = v > to;
      for (int i : problem.writes[v]) {
        reading |=
            read[i]
                && problem.until[v] > to
                && (Held.has(again, v)
                    || cost + estimate.cost(scaled + estimate.unpaid(mark, v)) < below);
      }
      for (int i : problem.reads[v]) {
        read[i] |= reading;
      }
    }
    for (int i = 0; i < problem.values; i++) {
      if (!read[i]) {
        Held.clear(held, i);
      }
    }
  }

  /** Whether the target makes a value that a set has not and that may still be read. */
  boolean isWanted(Held set) {
    return Arrays.stream(problem.writes[target])
        .anyMatch(i -> useful[i] && !Held.has(set.values, i));
  }

  /**
   * What has to run again so that a value is at hand, each op once.
   *
   * @param have values at hand
   * @param ran the ops that run again, to which more are added
   * @param results what they make, to which more are added
   * @return what the ops added cost; -1 where they cannot run again
   */
  long close(int value, long[] have, long[] ran, long[] results) {
    if (Held.has(have, value) || Held.has(results, value)) {
      return 0;
    }
    int v = problem.maker[value];
    if (v < 0 || !runs[v]) {
      return -1;
    }
    long cost = problem.cost[v];
    Held.set(ran, v);
    for (int i : problem.writes[v]) {
      Held.set(results, i);
    }
    for (int i : problem.reads[v]) {
      long more = close(i, have, ran, results);
      if (more < 0) {
        return -1;
      }
      cost += more;
    }
    return cost;
  }

  /** What has to run again so that all that is asked for is at hand; as above. */
  long close(long[] have, long[] ran, long[] results) {
    long cost = 0;
    for (int i : asked) {
      long more = close(i, have, ran, results);
      if (more < 0) {
        return -1;
      }
      cost += more;
    }
    return cost;
  }

  /**
   * Whether values can be computed from others at no more than a cost, as far as is seen: results
   * of one op should follow each other.
   */
  boolean isWithin(long cost, long[] wanted, long[] have) {
    long sum = 0;
    int last = -1;
    for (int w = 0; w < wanted.length; w++) {
      for (long rest = wanted[w] & ~have[w]; rest != 0; rest &= rest - 1) {
        int v = problem.maker[w * 64 + Long.numberOfTrailingZeros(rest)];
        if (v < 0 || !runs[v]) {
          return false;
        }
        sum += v == last ? 0 : problem.cost[v];
        last = v;
        if (sum > cost) {
          return false;
        }
      }
    }
    sum = 0;
    long[] ran = new long[(problem.ops + 63) / 64];
    long[] results = new long[wanted.length];
    for (int w = 0; w < wanted.length; w++) {
      for (long rest = wanted[w] & ~have[w]; rest != 0; rest &= rest - 1) {
        long more = close(w * 64 + Long.numberOfTrailingZeros(rest), have, ran, results);
        sum += more;
        if (more < 0 || sum > cost) {
          return false;
        }
      }
    }
    return true;
  }
}
