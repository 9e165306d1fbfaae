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
import stowage.exact.engine.ComponentTask;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SolverConfigs;
import stowage.exact.engine.StagedEngine;
import stowage.exact.presolve.BottomLeftOrder;
import stowage.exact.presolve.Component;
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

  /** Checks and merges the settings for every solve of one run. */
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
    protected void solve(ComponentTask task) {
      if (task.part().count() > MOST_BUFFERS) {
        throw new NotPlannableException(
            "CP-SAT is given at most %s buffers at once, and a part has %s"
                .formatted(MOST_BUFFERS, task.part().count()));
      }
      for (int m = 0; m < task.part().memories(); m++) {
        if (task.ceiling(m) > LARGEST) {
          throw new NotPlannableException(
              ("CP-SAT is given at most %s units, and a part may reach %s of %s " + "bytes")
                  .formatted(LARGEST, task.ceiling(m), task.part().unit()));
        }
      }
      if (task.part().memories() > 1) {
        new SpreadSearch(task, this::merge, this::count).run();
        return;
      }
      Budget budget = new Budget(task);
      if (task.memory() < 0) {
        while (!task.isClosed() && !budget.isSpent()) {
          ask(task, budget, 0.3, 0);
          restart(task, budget, 0.3);
        }
        return;
      }
      if (task.placement() == null) {
        ask(task, budget, 0.25, task.upper()); // the stacking order answers most of these at once
      }
      for (int round = 0; !task.isClosed() && !budget.isSpent(); round++) {
        question(task, budget, round);
        restart(task, budget, 0.25);
      }
    }

    /**
     * Asks at the bound repeatedly, each time in another order and with few conflicts. How many
     * conflicts a question takes has a heavy tail over the orders: an instance of 238 buffers that
     * is open after 1,400 conflicts in one order is closed by every eighth drawn one, in 46 to 101.
     * Ends with its share, or once a restart takes long.
     */
    private void restart(ComponentTask task, Budget budget, double share) {
      double end = budget.left() - budget.work(share);
      RunControl limit = task.control().within(budget.seconds(share));
      double took = 0;
      while (!task.isClosed() && !limit.isStopped() && budget.left() > end && took < LONG_RESTART) {
        double before = budget.spent;
        int[] order = BottomLeftOrder.drawn(task.part(), draws++, random);
        long target = task.memory() < 0 ? 0 : Math.min(task.goodEnough(), task.upper());
        run(task, budget, new Question(share, target, false, order, true, limit.secondsLeft()));
        took = budget.spent - before;
      }
    }

    /** One question of a round: at the bound, below the best, or the minimisation. */
    private void question(ComponentTask task, Budget budget, int round) {
      long low = Math.min(task.goodEnough(), task.upper());
      long high = task.upper();
      switch (round % 4) {
        case 0 -> ask(task, budget, 0.25, low);
        case 1 -> minimise(task, budget, 0.25);
        case 2 -> ask(task, budget, 0.2, low + (high - low) / 2);
        default -> ask(task, budget, 0.2, high - (high - low) / 8);
      }
    }

    private void ask(ComponentTask task, Budget budget, double share, long target) {
      int[] order = BottomLeftOrder.of(task.part());
      run(task, budget, new Question(share, target, false, order, false, 1e9));
    }

    /** The ceiling is the best peak itself, so that the best placement is a start for CP-SAT. */
    private void minimise(ComponentTask task, Budget budget, double share) {
      long best = Math.min(task.upper() + 1, task.ceiling(task.memory()));
      int[] order = BottomLeftOrder.of(task.part());
      run(task, budget, new Question(share, best, true, order, false, 1e9));
    }

    private void run(ComponentTask task, Budget budget, Question question) {
      Component part = task.part();
      long target = question.target;
      boolean objective = question.objective;
      long ceiling = task.memory() < 0 ? task.ceiling(0) : target;
      RectangleModel rectangles =
          new RectangleModel(part, ceiling, objective, task.lower(), question.order);
      // A question has no use for a hint, since what it asks for is lower than the best, or no
      // placement is known at all: CP-SAT would repair the hint instead of following the stacking
      // order, which finds what the hint does not.
      ComponentTask.Hint hint = objective && task.placement() != null ? task.hint() : null;
      if (hint != null) {
        rectangles.hint(hint.offsets());
      }
      String fault = rectangles.model().validate();
      if (!fault.isEmpty()) {
        throw new NotPlannableException("CP-SAT cannot hold the problem: " + fault);
      }
      CpSolver solver = new CpSolver();
      configure(solver, task, budget, question);
      boolean all = !echoed;
      echoed = true;
      LongConsumer bound =
          objective ? value -> task.bound(Math.min(value, target + 1)) : value -> {};
      solver.setLogCallback(line -> read(line, all, bound, task, solver));
      FoundPlacements found = new FoundPlacements(rectangles, task, !objective);
      CpSolverStatus status;
      try (RunControl.Registration stop = task.control().onStop(solver::stopSearch)) {
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
        if (task.memory() < 0) {
          task.impossible();
        } else {
          task.bound(target + 1);
        }
      } else if (objective && status == CpSolverStatus.OPTIMAL) {
        task.bound(Math.round(solver.objectiveValue()));
      }
    }

    private void configure(CpSolver solver, ComponentTask task, Budget budget, Question question) {
      boolean objective = question.objective;
      boolean alone = task.control().isDeterministic();
      var parameters = solver.getParameters();
      parameters.setNumWorkers(alone ? 1 : task.control().threads());
      parameters.setRandomSeed((int) (task.control().seed() & 0x7fffffff));
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
      if (task.work() != Long.MAX_VALUE) {
        double seconds = secondsOf(objective, task.part().spanStarts().length);
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
        String line, boolean all, LongConsumer bound, ComponentTask task, CpSolver solver) {
      try {
        // A stop that comes before the solver has begun is lost; its first lines ask again.
        if (task.isStopped()) {
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

  /** The time or the work that a task may take; work in seconds of one thread. */
  private static final class Budget {
    private static final double LEAST_SECONDS = 0.5;

    private final ComponentTask task;
    private final double total;
    private double spent;
    private double patience = 2;

    Budget(ComponentTask task) {
      this.task = task;
      this.total = task.work() == Long.MAX_VALUE ? Double.MAX_VALUE : task.work() / WORK_UNITS;
    }

    boolean isSpent() {
      return task.isStopped() || spent >= total;
    }

    void spend(double work) {
      spent += Math.max(work, 1e-6);
    }

    /** Seconds for one question; without a time limit they grow from question to question. */
    double seconds(double share) {
      double left = task.control().secondsLeft();
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

  /** Passes on the placements that a solve finds; nothing may be thrown through the solver. */
  private static final class FoundPlacements extends CpSolverSolutionCallback {
    private final RectangleModel rectangles;
    private final ComponentTask task;
    private final boolean first;
    private volatile Throwable failure;

    /** Takes placements as they are found; the first one may end the solve. */
    FoundPlacements(RectangleModel rectangles, ComponentTask task, boolean first) {
      this.rectangles = rectangles;
      this.task = task;
      this.first = first;
    }

    @Override
    public void onSolutionCallback() {
      try {
        long[] offsets = rectangles.offsets((LinearExpr offset) -> value(offset));
        task.found(offsets, null);
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
