package stowage.exact.cpsat;

import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverSolutionCallback;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.SatParameters;
import com.google.protobuf.TextFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SolverConfigs;
import stowage.exact.engine.StagedEngine;
import stowage.exact.presolve.BottomLeftOrder;
import stowage.exact.presolve.Component;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.heuristic.NotPlannableException;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * CP-SAT on the rectangle-packing model of {@link RectangleModel}, and on the spreads of {@link
 * SpreadSearch} where buffers have a choice of memories.
 *
 * <p>CP-SAT is far better at deciding a fixed capacity than at minimising. So each part is closed
 * from both sides by questions of one kind: is there a placement no higher than T? First T is the
 * lower bound, where a placement is at once the proof. While that is open, T comes down from the
 * best placement; a minimisation has its turns too, since its objective raises the bound. Every
 * question has a share of the time left, growing from round to round; a yes lowers the best, a no
 * raises the bound above T.
 *
 * <p>With limits that count work, CP-SAT's deterministic time is what is counted, converted by
 * {@code secondsOf} so that a million work units are about a second of one thread, and nothing
 * depends on threads or the clock.
 */
public final class CpSatEngine extends StagedEngine {
  private static final int MOST_BUFFERS = 20_000;
  private static final double WORK_UNITS = 1e6;

  /** The highest ceiling in units: with products of larger figures presolving minds no limit. */
  private static final long LARGEST = 1L << 45;

  /** Conflicts of a restart, and the seconds of one thread after which restarts are given up. */
  private static final long RESTART_CONFLICTS = 150;

  private static final double LONG_RESTART = 3;

  /** The subsolvers that share a question: CP-SAT's own search, and the stacking order alone. */
  private static final List<String> RACERS = List.of("default", "fixed");

  @Override
  public String name() {
    return "cpsat";
  }

  @Override
  public String kind() {
    return "cp-sat";
  }

  @Override
  public String version() {
    return "CP-SAT " + NativeLibraries.VERSION;
  }

  @Override
  public String summary() {
    return "OR-Tools CP-SAT: no overlap in two dimensions with intervals for time and address";
  }

  /** Beyond a hundred buffers the search alone does better on two cores than both. */
  @Override
  public int suitableBuffers(int threads) {
    return threads > 2 ? 600 : 100;
  }

  @Override
  protected Session open(EngineOptions options, RunControl control) {
    SolverConfigs.Settings settings = SolverConfigs.read(options.config(), "textproto");
    NativeLibraries.load();
    return new CpSatSession(options, settings, control.seed());
  }

  /** Settings for every solve of one run, checked and merged. */
  private static final class CpSatSession extends Session {
    private final SolverConfigs.Settings settings;
    private final SplittableRandom random;
    private int draws;
    private boolean echoed;

    /**
     * A question or a minimisation.
     *
     * @param share of the time or work left
     * @param target the ceiling, in units
     * @param order of stacking
     * @param restart whether it ends after few conflicts
     * @param seconds at most
     */
    private record Question(
        double share,
        long target,
        boolean objective,
        int[] order,
        boolean restart,
        double seconds) {}

    CpSatSession(EngineOptions options, SolverConfigs.Settings settings, long seed) {
      super(options);
      this.random = new SplittableRandom(seed);
      this.settings = settings;
      merge(new CpSolver().getParameters());
      log("settings: " + settings.name());
    }

    private void merge(SatParameters.Builder parameters) {
      try {
        TextFormat.merge(settings.text(), parameters);
      } catch (TextFormat.ParseException wrong) {
        throw new IllegalArgumentException(
            settings.name() + ": " + wrong.getMessage() + " (a CP-SAT parameter is expected)",
            wrong);
      }
    }

    /**
     * Seconds of one thread that a unit of CP-SAT's deterministic time takes. That time hardly
     * counts the propagation of rectangles, which is nearly all of a question's work: 52, 96, 146,
     * 196 and 298 rectangles took 16, 42, 26, 34 and 51 s a unit, minimisations of the same sizes 7
     * to 10 s.
     */
    private static double secondsOf(boolean objective, int rectangles) {
      return objective ? 8 : 10 + rectangles / 8.0;
    }

    @Override
    protected void solve(ComponentIncumbent incumbent, long work) {
      if (incumbent.part().count() > MOST_BUFFERS) {
        throw new NotPlannableException(
            "CP-SAT is given at most %s buffers at once, and a part has %s"
                .formatted(MOST_BUFFERS, incumbent.part().count()));
      }
      for (int m = 0; m < incumbent.part().memories(); m++) {
        if (incumbent.ceiling(m) > LARGEST) {
          throw new NotPlannableException(
              ("CP-SAT is given at most %s units, and a part may reach %s of %s " + "bytes")
                  .formatted(LARGEST, incumbent.ceiling(m), incumbent.part().unit()));
        }
      }
      if (incumbent.part().memories() > 1) {
        new SpreadSearch(incumbent, work, this::merge, this::count).run();
        return;
      }
      Budget budget = new Budget(incumbent, work);
      if (incumbent.memory() < 0) {
        while (!incumbent.isClosed() && !budget.isSpent()) {
          ask(incumbent, budget, 0.3, 0);
          restart(incumbent, budget, 0.3);
        }
        return;
      }
      if (incumbent.placement() == null) {
        ask(
            incumbent,
            budget,
            0.25,
            incumbent.upper()); // the stacking order answers most of these at once
      }
      for (int round = 0; !incumbent.isClosed() && !budget.isSpent(); round++) {
        question(incumbent, budget, round);
        restart(incumbent, budget, 0.25);
      }
    }

    /**
     * Asks at the bound repeatedly, each time in another order and with few conflicts. How many
     * conflicts a question takes has a heavy tail over the orders: an instance of 238 buffers that
     * is open after 1,400 conflicts in one order is closed by every eighth drawn one, in 46 to 101.
     * Ends with its share, or once a restart takes long.
     */
    private void restart(ComponentIncumbent incumbent, Budget budget, double share) {
      double end = budget.left() - budget.work(share);
      RunControl limit = incumbent.control().within(budget.seconds(share));
      double took = 0;
      while (!incumbent.isClosed()
          && !limit.isStopped()
          && budget.left() > end
          && took < LONG_RESTART) {
        double before = budget.spent;
        int[] order = BottomLeftOrder.drawn(incumbent.part(), draws++, random);
        long target = incumbent.memory() < 0 ? 0 : Math.min(incumbent.target(), incumbent.upper());
        run(
            incumbent,
            budget,
            new Question(share, target, false, order, true, limit.secondsLeft()));
        took = budget.spent - before;
      }
    }

    /** One question of a round: at the bound, below the best, or the minimisation. */
    private void question(ComponentIncumbent incumbent, Budget budget, int round) {
      long low = Math.min(incumbent.target(), incumbent.upper());
      long high = incumbent.upper();
      switch (round % 4) {
        case 0 -> ask(incumbent, budget, 0.25, low);
        case 1 -> minimise(incumbent, budget, 0.25);
        case 2 -> ask(incumbent, budget, 0.2, low + (high - low) / 2);
        default -> ask(incumbent, budget, 0.2, high - (high - low) / 8);
      }
    }

    private void ask(ComponentIncumbent incumbent, Budget budget, double share, long target) {
      int[] order = BottomLeftOrder.of(incumbent.part());
      run(incumbent, budget, new Question(share, target, false, order, false, 1e9));
    }

    /** The ceiling is the best peak itself, so that the best placement is a start for CP-SAT. */
    private void minimise(ComponentIncumbent incumbent, Budget budget, double share) {
      long best = Math.min(incumbent.upper() + 1, incumbent.ceiling(incumbent.memory()));
      int[] order = BottomLeftOrder.of(incumbent.part());
      run(incumbent, budget, new Question(share, best, true, order, false, 1e9));
    }

    private void run(ComponentIncumbent incumbent, Budget budget, Question question) {
      Component part = incumbent.part();
      long target = question.target;
      boolean objective = question.objective;
      long ceiling = incumbent.memory() < 0 ? incumbent.ceiling(0) : target;
      RectangleModel rectangles =
          new RectangleModel(part, ceiling, objective, incumbent.bound(), question.order);
      // A question has no use for a hint, since what it asks for is lower than the best, or no
      // placement is known at all: CP-SAT would repair the hint instead of following the stacking
      // order, which finds what the hint does not.
      ComponentIncumbent.Placed hint =
          objective && incumbent.placement() != null ? incumbent.hint() : null;
      if (hint != null) {
        rectangles.hint(hint.offsets());
      }
      String fault = rectangles.model().validate();
      if (!fault.isEmpty()) {
        throw new NotPlannableException("CP-SAT cannot hold the problem: " + fault);
      }
      CpSolver solver = new CpSolver();
      configure(solver, incumbent, budget, question);
      boolean all = !echoed;
      echoed = true;
      LongConsumer bound =
          objective ? value -> incumbent.prove(Math.min(value, target + 1)) : value -> {};
      solver.setLogCallback(line -> read(line, all, bound, incumbent, solver));
      FoundPlacements found = new FoundPlacements(rectangles, incumbent, !objective);
      CpSolverStatus status;
      try (RunControl.Registration stop = incumbent.control().onStop(solver::stopSearch)) {
        status = solver.solve(rectangles.model(), found);
      } finally {
        solver.clearLogCallback();
      }
      Threads.rethrow(found.failure);
      count("solves", 1);
      count("branches", solver.numBranches());
      count("conflicts", solver.numConflicts());
      double units = solver.response().getDeterministicTime();
      budget.spend(units * secondsOf(objective, part.spanStarts().length));
      if (status == CpSolverStatus.INFEASIBLE) {
        incumbent.refuse(target);
      } else if (objective && status == CpSolverStatus.OPTIMAL) {
        incumbent.prove(Math.round(solver.objectiveValue()));
      }
    }

    private void configure(
        CpSolver solver, ComponentIncumbent incumbent, Budget budget, Question question) {
      boolean objective = question.objective;
      boolean alone = incumbent.control().isDeterministic();
      var parameters = solver.getParameters();
      parameters.setNumWorkers(alone ? 1 : incumbent.control().threads());
      parameters.setRandomSeed((int) (incumbent.control().seed() & 0x7fffffff));
      merge(parameters);
      if (!objective && parameters.getNumWorkers() > 1 && parameters.getSubsolversCount() == 0) {
        parameters.addAllSubsolvers(RACERS);
      }
      if (question.restart) {
        parameters.setMaxNumberOfConflicts(RESTART_CONFLICTS);
      }
      // The rest is not for settings to say: it keeps the process whole and the limits kept.
      parameters.setCatchSigintSignal(false);
      parameters.setLogToStdout(false);
      parameters.setLogSearchProgress(true);
      if (!alone) {
        double seconds = question.restart ? question.seconds : budget.seconds(question.share);
        if (seconds < 1e9) {
          parameters.setMaxTimeInSeconds(Math.min(seconds, parameters.getMaxTimeInSeconds()));
        }
      }
      if (budget.total < Double.MAX_VALUE) {
        double seconds = secondsOf(objective, incumbent.part().spanStarts().length);
        parameters.setMaxDeterministicTime(
            Math.min(budget.work(question.share) / seconds, parameters.getMaxDeterministicTime()));
      }
    }

    /**
     * Passes on what CP-SAT logs, all of the first solve and the summaries of the others, and reads
     * the objective's bound from it. (The callback that OR-Tools 9.15 has for bounds keeps a
     * reference to a class beyond its life and brings the process down.)
     */
    private void read(
        String line,
        boolean all,
        LongConsumer bound,
        ComponentIncumbent incumbent,
        CpSolver solver) {
      try {
        // A stop that comes before the solver has begun is lost; its first lines ask again.
        if (incumbent.isStopped()) {
          solver.stopSearch();
        }
        if (all || line.startsWith("Parameters:") || line.startsWith("CpSolverResponse")) {
          log(line);
        }
        BoundLines.lowest(line).ifPresent(bound);
      } catch (Throwable mute) {
        // Nothing may be thrown through the solver. A lost line costs a bound at most, and that
        // comes again with the solver's answer.
      }
    }
  }

  /** The time or the work that a part may take; work in seconds of one thread. */
  private static final class Budget {
    private static final double LEAST_SECONDS = 0.5;

    private final ComponentIncumbent incumbent;
    private final double total;
    private double spent;
    private double patience = 2;

    Budget(ComponentIncumbent incumbent, long work) {
      this.incumbent = incumbent;
      this.total = work == Long.MAX_VALUE ? Double.MAX_VALUE : work / WORK_UNITS;
    }

    boolean isSpent() {
      return incumbent.isStopped() || spent >= total;
    }

    void spend(double work) {
      spent += Math.max(work, 1e-6);
    }

    /** Seconds for one question; without a time limit they grow from question to question. */
    double seconds(double share) {
      double left = incumbent.control().secondsLeft();
      if (Double.isInfinite(left)) {
        patience *= 1.5;
        return share == 1 ? left : patience;
      }
      return Math.min(left, Math.max(LEAST_SECONDS, left * share));
    }

    double left() {
      return total - spent;
    }

    double work(double share) {
      return Math.min(total - spent, Math.max(total * 0.02, (total - spent) * share));
    }
  }

  /**
   * Callback that passes on the placements that a solve finds; nothing may be thrown through the
   * solver.
   */
  private static final class FoundPlacements extends CpSolverSolutionCallback {
    private final RectangleModel rectangles;
    private final ComponentIncumbent incumbent;
    private final boolean first;
    private volatile Throwable failure;

    /** Takes placements as they are found; the first one may end the solve. */
    FoundPlacements(RectangleModel rectangles, ComponentIncumbent incumbent, boolean first) {
      this.rectangles = rectangles;
      this.incumbent = incumbent;
      this.first = first;
    }

    @Override
    public void onSolutionCallback() {
      try {
        long[] offsets = rectangles.offsets((LinearExpr offset) -> value(offset));
        incumbent.offer(offsets, "");
        if (first) {
          stopSearch();
        }
      } catch (Throwable thrown) {
        failure = failure == null ? thrown : failure;
        stopSearch();
      }
    }
  }
}
