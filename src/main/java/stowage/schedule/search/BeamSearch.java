package stowage.schedule.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Search that goes through the downsets by number of ops and keeps, of each number, those with the
 * least peak on the way, then the fewest live bytes. Finds good orders quickly and proves nothing.
 *
 * <p>What {@link RunAtOnce} allows within the peak so far is run without branching, so a step may
 * pass several numbers. A downset is put together again from the one before when its turn comes, so
 * only those that are kept take memory. O(ops · width · ready ops · touches).
 */
final class BeamSearch {
  private static final int SLACK = 8;

  private final OrderProblem problem;
  private final RunAtOnce atOnce;
  private final Downset downset;
  private final int[] log;
  private final int[] ready;

  /** A downset, by the one before it and the op that leads to it. */
  private record Candidate(long peak, long live, long hash, int parent, int op) {}

  /** The best candidates of one number of ops, each downset once, in their order. */
  private static List<Candidate> culled(List<Candidate> layer, int width) {
    layer.sort(Comparator.comparingLong(Candidate::peak).thenComparingLong(Candidate::live));
    Set<Long> seen = new HashSet<>();
    return layer.stream()
        .filter(candidate -> seen.add(candidate.hash))
        .limit(width)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  BeamSearch(OrderProblem problem, RunAtOnceRules rules) {
    this.problem = problem;
    this.atOnce = new RunAtOnce(problem, rules);
    this.downset = new Downset(problem);
    this.log = new int[problem.ops()];
    this.ready = new int[problem.ops()];
  }

  /**
   * The best order found, or null when the bar left none.
   *
   * @param width downsets kept of each number of ops
   * @param least peaks up to it count as equal, in bytes: a proven bound
   * @param bar only orders with a peak below it are of use
   * @param stopped when true, the search ends without an order
   */
  int[] run(int width, long least, long bar, BooleanSupplier stopped) {
    int ops = problem.ops();
    List<List<Candidate>> layers =
        new ArrayList<>(Stream.<List<Candidate>>generate(ArrayList::new).limit(ops + 1).toList());
    StateStore store = new StateStore(Math.max(1, problem.words()));
    downset.moveTo(new long[problem.words()], 0);
    int length = atOnce.close(downset, least, log, 0);
    int root = store.add(downset, least, -1, log, length);
    if (downset.size() == ops) {
      return store.way(root);
    }
    expand(store, root, layers, width, bar);
    for (int depth = 1; depth <= ops; depth++) {
      for (Candidate next : culled(layers.set(depth, List.of()), width)) {
        if (stopped.getAsBoolean()) {
          return null;
        }
        downset.moveTo(store.bits(), store.bitsFrom(next.parent));
        downset.run(next.op);
        log[0] = next.op;
        int noted = atOnce.close(downset, next.peak, log, follow(store, next.parent, next.peak));
        int state = store.add(downset, next.peak, next.parent, log, noted);
        if (downset.size() == ops) {
          return store.way(state);
        }
        expand(store, state, layers, width, bar);
      }
    }
    return null;
  }

  private void expand(
      StateStore store, int state, List<List<Candidate>> layers, int width, long bar) {
    int candidates = downset.sortedReady(ready);
    for (int k = 0; k < candidates; k++) {
      int op = ready[k];
      long load = downset.load(op);
      if (load >= bar) {
        continue;
      }
      long peak = Math.max(store.peak(state), load);
      downset.run(op);
      log[0] = op;
      int length = follow(store, state, peak);
      List<Candidate> layer = layers.get(downset.size());
      layer.add(new Candidate(peak, downset.live(), downset.hash(), state, op));
      if (layer.size() > SLACK * width + 64) {
        layers.set(downset.size(), culled(layer, width));
      }
      while (length > 0) {
        downset.undo(log[--length]);
      }
    }
  }

  /**
   * Runs what may be run at once after the op that the log holds; gives how many it holds then. A
   * downset put together again asks this first too: chains depend on where they are looked for, and
   * without it the downset could hold fewer ops than its layer says.
   */
  private int follow(StateStore store, int parent, long peak) {
    return peak > store.peak(parent)
        ? atOnce.close(downset, peak, log, 1)
        : atOnce.closeNear(downset, peak, log, 1);
  }
}
