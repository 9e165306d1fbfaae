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
 * Annealing over orders: two buffers alive together change places in the order, and a worse result
 * is kept with a probability that falls as the run continues. An order is decoded into a placement
 * by first fit ({@link GapPlacer}); the best placement met is kept.
 *
 * <p>Source: Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing (1983, doi
 * 10.1126/science.220.4598.671). A result worse by the share w is kept with probability exp(-w /
 * t), with t falling linearly from 1 % to 0. Start: the best of greedy by size, urgency and area,
 * first fit. Half of the swaps take a buffer that reaches the peak.
 *
 * <p>A run of n buffers ends after {@value #BUDGET} work units or n² times {@value #PER_PAIR},
 * after those of its control if they are fewer, or when the control stops it; so without a stop the
 * same problem and seed give the same placement. A unit is a buffer placed or eight overlapping
 * spans looked at, about a microsecond.
 */
public final class OrderAnnealing implements Planner {
  /** Work units of one run: a second or two. */
  static final long BUDGET = 1_000_000;

  /** Work units of each pair of buffers: few buffers have few orders. */
  static final long PER_PAIR = 2_000;

  private static final double START_TEMPERATURE = 0.01;
  private static final int LOOK_AFTER = 64;

  private static final List<GreedyPlanner.Order> STARTS =
      List.of(GreedyPlanner.Order.SIZE, GreedyPlanner.Order.URGENCY, GreedyPlanner.Order.AREA);

  @Override
  public String name() {
    return "annealing";
  }

  @Override
  public String summary() {
    return "Swaps buffers in the order, keeps worse results ever less often";
  }

  @Override
  public Placement plan(PackingProblem problem, RunControl control) {
    Walk walk = new Walk(problem, control);
    walk.start();
    if (problem.size() > 1) {
      walk.anneal();
    }
    return walk.best;
  }

  /** One run: the order, what it decodes to, and the best so far. */
  private static final class Walk {
    private final PackingProblem problem;
    private final RunControl control;
    private final GapPlacer placer;
    private final Objective objective;
    private final long budget;
    private long left;
    private Placement best;
    private Score bestScore;

    private final SplittableRandom random;
    private int[] order;

    /** What the order decodes to at the moment, and its score. */
    private Placement current;

    private Score score;

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

    private void anneal() {
      while (!isOver()) {
        int[] before = order.clone();
        Score scoreBefore = score;
        Placement placed = current;
        int first = random.nextBoolean() ? criticalPosition() : random.nextInt(order.length);
        int second = neighbourPosition(first);
        order[first] = before[second];
        order[second] = before[first];
        double temperature = START_TEMPERATURE * (Math.max(0, left) / (double) Math.max(1, budget));
        decode();
        double worse = worsening(scoreBefore, score);
        if (worse > 0 && random.nextDouble() >= StrictMath.exp(-worse / temperature)) {
          order = before;
          score = scoreBefore;
          current = placed;
        }
      }
    }

    /** Whether budget, work or time are spent. */
    private boolean isOver() {
      return left <= 0 || control.isStopped();
    }

    /**
     * Places all buffers in the order, notes the score, and keeps the placement if it is best.
     * Where time runs out on the way, the walk is over and nothing else changes.
     *
     * @throws NotPlannableException when time runs out before there is any placement
     */
    private void decode() {
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
    private int criticalPosition() {
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
    private int neighbourPosition(int position) {
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
    private static double worsening(Score from, Score to) {
      for (int f = 0; f < from.size(); f++) {
        if (from.figure(f) != to.figure(f)) {
          return (to.figure(f) - from.figure(f)) / (double) Math.max(1, from.figure(f));
        }
      }
      return 0;
    }
  }
}
