package stowage.heuristic;

import java.util.List;
import java.util.SplittableRandom;
import stowage.packing.Buffer;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Score;

/**
 * What the searches over orders have in common: the state is an order of the buffers, decoded into
 * a placement by first fit ({@link GapPlacer}); the start is the best of the greedy orders; the
 * best placement met is kept. They differ in how they change the order and in which changes they
 * keep.
 *
 * <p>A search of n buffers ends after {@value #BUDGET} work units or n² times {@value #PER_PAIR},
 * after those of its control if they are fewer, or when the control stops it; so without a stop the
 * same problem and seed give the same placement. A unit is a buffer placed or eight overlapping
 * spans looked at, about a microsecond.
 */
abstract class OrderSearch implements Planner {
  /** Work units of one run: a second or two. */
  static final long BUDGET = 1_000_000;

  /** Work units of each pair of buffers: few buffers have few orders. */
  static final long PER_PAIR = 2_000;

  private static final int LOOK_AFTER = 64;

  private static final List<GreedyPlanner.Order> STARTS =
      List.of(GreedyPlanner.Order.SIZE, GreedyPlanner.Order.URGENCY, GreedyPlanner.Order.AREA);

  @Override
  public final Placement plan(PackingProblem problem, RunControl control) {
    Walk walk = new Walk(problem, control);
    walk.start();
    if (problem.size() > 1) {
      improve(walk);
    }
    return walk.best;
  }

  /** Changes the walk's order and decodes it until the walk is over. */
  abstract void improve(Walk walk);

  /** One run: the order, what it decodes to, and the best so far. */
  static final class Walk {
    private final PackingProblem problem;
    private final RunControl control;
    private final GapPlacer placer;
    private final Objective objective;
    private final long budget;
    private long left;
    private Placement best;
    private Score bestScore;

    final SplittableRandom random;
    int[] order;

    /** What the order decodes to at the moment, and its score. */
    Placement current;

    Score score;

    record State(int[] order, Score score, Placement placement) {}

    private Walk(PackingProblem problem, RunControl control) {
      this.problem = problem;
      this.control = control;
      this.placer = new GapPlacer(problem);
      this.objective = Objective.peaks(problem);
      long few = PER_PAIR * problem.size() * problem.size();
      this.budget = Math.min(Math.min(BUDGET, few), control.workLimit());
      this.left = budget;
      this.random = new SplittableRandom(control.seed());
    }

    private void start() {
      int[] chosen = null;
      Score least = null;
      for (GreedyPlanner.Order rule : STARTS) {
        order = rule.of(problem);
        decode();
        if (least == null || score.compareTo(least) < 0) {
          least = score;
          chosen = order;
        }
        if (isOver()) {
          break;
        }
      }
      order = chosen;
      decode();
    }

    State state() {
      return new State(order.clone(), score, current);
    }

    void restore(State state) {
      order = state.order.clone();
      score = state.score;
      current = state.placement;
    }

    /** Whether budget, work or time are spent. */
    boolean isOver() {
      return left <= 0 || control.isStopped();
    }

    /** The share of the budget that is left, from 1 to 0. */
    double budgetLeft() {
      return Math.max(0, left) / (double) Math.max(1, budget);
    }

    /**
     * Places all buffers in the order, notes the score, and keeps the placement if it is best.
     * Where time runs out on the way, the walk is over and nothing else changes.
     *
     * @throws NotPlannableException when time runs out before there is any placement
     */
    void decode() {
      long before = placer.work();
      placer.reset();
      for (int k = 0; k < order.length; k++) {
        if (best == null) {
          NotPlannableException.throwIfStopped(control, k, order.length);
        } else if (k % LOOK_AFTER == LOOK_AFTER - 1 && control.isStopped()) {
          left = 0;
          return;
        }
        placer.place(order[k], Fit.FIRST);
      }
      left -= Math.max(1, placer.work() - before);
      current = placer.placement();
      score = objective.score(problem, current);
      if (bestScore == null || score.compareTo(bestScore) < 0) {
        best = current;
        bestScore = score;
      }
    }

    /** A position whose buffer reaches the peak that counts most; random among several. */
    int criticalPosition() {
      int figure = 0;
      while (figure + 1 < score.size() && score.figure(figure) == 0) {
        figure++;
      }
      int memory = problem.memories().size() - 1 - figure;
      int found = -1;
      int seen = 0;
      for (int k = 0; k < order.length; k++) {
        Buffer buffer = problem.buffer(order[k]);
        if (buffer.needsMemory()
            && current.memory(order[k]) == memory
            && current.offset(order[k]) + buffer.size() == score.figure(figure)
            && random.nextInt(++seen) == 0) {
          found = k;
        }
      }
      return found < 0 ? random.nextInt(order.length) : found;
    }

    /** A random position whose buffer is alive together with the buffer at another position. */
    int neighbourPosition(int position) {
      int found = position;
      int seen = 0;
      for (int k = 0; k < order.length; k++) {
        if (k != position
            && problem.buffer(order[k]).live().overlaps(problem.buffer(order[position]).live())
            && random.nextInt(++seen) == 0) {
          found = k;
        }
      }
      return found;
    }

    /** The relative difference of two scores in the first figure in which they differ. */
    static double worsening(Score from, Score to) {
      for (int f = 0; f < from.size(); f++) {
        if (from.figure(f) != to.figure(f)) {
          return (to.figure(f) - from.figure(f)) / (double) Math.max(1, from.figure(f));
        }
      }
      return 0;
    }
  }
}
