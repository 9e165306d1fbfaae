package stowage.exact.bound;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.CliqueSearch;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;

/**
 * Sets of chosen buffers that pairwise conflict in their whole extents: those that need all their
 * bytes at one step, and sets that extra pairs and gaps make without a common step.
 *
 * <p>The heaviest such set is a maximum-weight clique, looked for by {@link CliqueSearch} within a
 * fixed number of nodes.
 */
final class CliqueFinder {
  private static final int LARGEST_GRAPH = 2_000;
  private static final int SEEDS = 64;
  private static final int NODES = 200_000;
  private static final int STEPS_TRIED = 16;

  private final PackingProblem problem;
  private final int[] chosen;

  CliqueFinder(PackingProblem problem, IntPredicate predicate) {
    this.problem = problem;
    this.chosen = IntStream.range(0, problem.size()).filter(predicate).toArray();
  }

  /** The chosen that need all bytes at the step of most worth, of the steps of most weight. */
  int[] bestStep(IntToLongFunction weight, ToLongFunction<int[]> worth) {
    int[] steps = heaviestSteps(weight);
    int[] best = new int[0];
    for (int step : steps) {
      int[] alive = wholeAt(step);
      if (worth.applyAsLong(alive) > worth.applyAsLong(best)) {
        best = alive;
      }
    }
    return best;
  }

  private int[] heaviestSteps(IntToLongFunction weight) {
    int events = 0;
    long[] key = new long[2 * chosen.length];
    long[] change = new long[key.length];
    for (int i : chosen) {
      long own = weight.applyAsLong(i);
      for (Buffer.Span span : problem.buffer(i).spans()) {
        if (span.high() - span.low() != problem.buffer(i).size()) {
          continue;
        }
        if (events + 2 > key.length) {
          key = Arrays.copyOf(key, 2 * key.length);
          change = Arrays.copyOf(change, key.length);
        }
        key[events] = (long) span.start() << 32 | events;
        change[events++] = own;
        key[events] = (long) span.end() << 32 | events;
        change[events++] = -own;
      }
    }
    long[] order = Arrays.copyOf(key, events);
    Arrays.sort(order);
    int[] steps = new int[STEPS_TRIED];
    long[] weights = new long[STEPS_TRIED];
    int kept = 0;
    long load = 0;
    boolean rising = false;
    for (int k = 0; k < events; k++) {
      long delta = change[(int) order[k]];
      boolean lastOfStep = k + 1 == events || order[k + 1] >> 32 != order[k] >> 32;
      load += delta;
      rising |= delta > 0;
      if (lastOfStep && rising) {
        kept = keep(steps, weights, kept, (int) (order[k] >> 32), load);
        rising = false;
      }
    }
    return Arrays.copyOf(steps, kept);
  }

  /** Inserts into the list of the heaviest steps, heaviest first; returns its length. */
  private static int keep(int[] steps, long[] weights, int kept, int step, long load) {
    int at = kept;
    while (at > 0 && weights[at - 1] < load) {
      at--;
    }
    if (at == steps.length) {
      return kept;
    }
    int moved = Math.min(kept, steps.length - 1) - at;
    System.arraycopy(steps, at, steps, at + 1, moved);
    System.arraycopy(weights, at, weights, at + 1, moved);
    steps[at] = step;
    weights[at] = load;
    return Math.min(steps.length, kept + 1);
  }

  private int[] wholeAt(int step) {
    return Arrays.stream(chosen)
        .filter(i -> problem.buffer(i).live().contains(step))
        .filter(i -> problem.buffer(i).bytesAt(step) == problem.buffer(i).size())
        .toArray();
  }

  /** Adds chosen buffers that conflict with all of a set, heaviest first. */
  int[] withConflicts(int[] set, IntToLongFunction weight) {
    if (set.length == 0) {
      return set;
    }
    // Whoever joins conflicts with the first of the set: few candidates, if by an extra pair.
    int[] candidates =
        IndexOrder.of(
            Arrays.stream(chosen)
                .filter(i -> Arrays.stream(set).allMatch(j -> i != j && conflict(problem, i, j))),
            Comparator.comparingLong(i -> -weight.applyAsLong(i)));
    int[] grown = Arrays.copyOf(set, set.length + candidates.length);
    int count = set.length;
    for (int i : candidates) {
      if (Arrays.stream(grown, 0, count).allMatch(other -> conflict(problem, i, other))) {
        grown[count++] = i;
      }
    }
    return Arrays.copyOf(grown, count);
  }

  /** A heavy set of pairwise conflicting buffers; the heaviest where the work allows. */
  int[] heaviestConflicting(IntToLongFunction weight) {
    int[] alive = bestStep(weight, set -> Arrays.stream(set).mapToLong(weight::applyAsLong).sum());
    int[] start = withConflicts(alive, weight);
    if (chosen.length > LARGEST_GRAPH) {
      return start;
    }
    int[] byWeight =
        IndexOrder.of(
            Arrays.stream(chosen),
            (i, j) -> Long.compare(weight.applyAsLong(j), weight.applyAsLong(i)));
    int n = byWeight.length;
    CliqueSearch search =
        new CliqueSearch(
            Arrays.stream(byWeight).mapToLong(weight::applyAsLong).toArray(),
            CliqueSearch.graph(n, (a, b) -> conflict(problem, byWeight[a], byWeight[b])));
    BitSet every = new BitSet(n);
    every.set(0, n);
    long known = Arrays.stream(start).mapToLong(weight::applyAsLong).sum();
    int[] heavier = search.heavier(every, known, SEEDS, Long.MAX_VALUE, NODES);
    return heavier == null
        ? start
        : Arrays.stream(heavier).map(k -> byWeight[k]).sorted().toArray();
  }

  /** Whether two buffers conflict, or both need all their bytes at some step. O(spans * spans). */
  static boolean conflict(PackingProblem problem, int one, int other) {
    if (problem.conflicts().contains(one, other)) {
      return true;
    }
    Buffer first = problem.buffer(one);
    Buffer second = problem.buffer(other);
    if (!first.live().overlaps(second.live())) {
      return false;
    }
    if (first.gaps().isEmpty() && second.gaps().isEmpty()) {
      return true;
    }
    return first.anyAtOnce(
        second,
        (a, b) -> a.high() - a.low() == first.size() && b.high() - b.low() == second.size());
  }
}
