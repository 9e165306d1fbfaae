package stowage.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import stowage.exact.bound.LowerBounds;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.LoadBound;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Score;
import stowage.packing.SolverClaim;

/**
 * A run of the portfolio under an objective other than the peaks alone: goal after goal, each with
 * an engine made for it, and the goals before it kept at what they have come to.
 *
 * <ul>
 *   <li>The peaks are lowered by an ordinary run; then they are capacities for what follows.
 *   <li>The overflow of one memory is its peak without a capacity, less the capacity. Where a
 *       placement within the capacities is found there is none, and what follows has them.
 *   <li>The price of reuse is lowered by the engine for it, under these capacities.
 *   <li>Whatever else comes is asked of the engine that models every pair.
 * </ul>
 *
 * <p>A goal that others follow has half of the time left while it is open. Bounds of a later goal
 * hold among the placements that are optimal in the goals before, so they are looked for only while
 * those are proven.
 */
final class GoalRun {
  private final Incumbent incumbent;
  private final RunControl control;
  private final Portfolio.Setup setup;

  private final Portfolio.Setup firstFit;

  private final Objective objective;
  private final List<EngineReport> reports = new ArrayList<>();

  /** The problem with what the goals so far have come to as capacities. */
  private PackingProblem problem;

  GoalRun(PackingProblem problem, Incumbent incumbent, RunControl control, Portfolio.Setup setup) {
    this.problem = problem;
    this.incumbent = incumbent;
    this.control = control;
    this.setup = setup;
    EngineOptions any = setup.options().withFirstFit(true);
    this.firstFit = new Portfolio.Setup(setup.heuristics(), setup.engines(), any);
    this.objective = incumbent.objective();
  }

  List<EngineReport> run() {
    LowerBounds.infeasibility(problem, LowerBounds.of(problem))
        .ifPresent(proof -> incumbent.provenInfeasible(proof, proof.kind()));
    RunControl opening = control.within(control.secondsLeft() / 2);
    for (Planner planner : setup.heuristics()) {
      boolean more = problem.size() <= 2_000 || planner == setup.heuristics().get(0);
      if (isDone() || opening.isStopped() || !more) {
        break;
      }
      try {
        incumbent.offer(planner.planAny(problem, opening), planner.name());
      } catch (NotPlannableException refused) {
        // Another planner admits the problem.
      }
    }
    int figure = 0;
    while (figure < objective.parts().size() && !isDone()) {
      Goal goal = objective.parts().get(figure).goal();
      int next = figure + 1;
      while (next < objective.parts().size() && objective.parts().get(next).goal() == goal) {
        next++;
      }
      boolean last = next == objective.parts().size();
      RunControl share = last ? control : control.within(control.secondsLeft() / 2);
      if (!lower(goal, figure, share) && !last && !isDone()) {
        incumbent.remark(
            "the " + goal.word() + " was not proven least, so what comes after it has no bound");
        followUp(figure, next);
        return reports;
      }
      figure = next;
    }
    return reports;
  }

  private boolean isDone() {
    return control.isStopped() || incumbent.infeasibility() != null || incumbent.isClosed();
  }

  /** Lowers a goal; whether its figures are proven then. */
  private boolean lower(Goal goal, int figure, RunControl share) {
    boolean alone = figure == 0 || objective.parts().get(0).goal() == Goal.PEAK;
    if (goal == Goal.PEAK && figure == 0) {
      peaks(share);
    } else if (goal == Goal.OVERFLOW && figure == 0) {
      overflow(share);
    } else if (goal == Goal.BANKS && figure == 0) {
      String why = "what is live at one step lies in so many banks";
      incumbent.offer(new Bound(0, banks(), SolverClaim.because(why)), "bounds");
    } else if (goal == Goal.REUSE && (alone || capacitiesHold())) {
      under(share, figure, Goal.REUSE);
    }
    if (goal == Goal.PEAK && figure > 0) {
      for (Bound bound : LowerBounds.of(problem)) {
        incumbent.offer(
            new Bound(figure + bound.figure(), bound.value(), bound.certificate()), bound.kind());
      }
    }
    if (!isProven(goal)) {
      // The engines that model every pair, on the whole problem.
      engines(incumbent, share, e -> e.lowers(goal) && e.lowers(Goal.BANKS) && !isDone());
    }
    return isProven(goal);
  }

  private long banks() {
    long banks = 0;
    for (int m = 0; m < problem.memories().size(); m++) {
      long bank = problem.memories().get(m).bankSize();
      long load = LoadBound.of(problem, m).value();
      banks += bank > 0 && load > 0 ? (load - 1) / bank + 1 : 0;
    }
    return banks;
  }

  private boolean capacitiesHold() {
    return objective.parts().get(0).goal() == Goal.OVERFLOW
        && incumbent.score() != null
        && incumbent.score().figure(0) == 0
        && objective.indexOf(Goal.REUSE) == 1;
  }

  private boolean isProven(Goal goal) {
    Score score = incumbent.score();
    return IntStream.range(0, objective.parts().size())
        .filter(f -> objective.parts().get(f).goal() == goal)
        .allMatch(
            f -> {
              Bound bound = incumbent.bound(f);
              return score != null && bound != null && bound.value() >= score.figure(f);
            });
  }

  /** Goes on with what comes after an open goal, for placements alone. */
  private void followUp(int figure, int next) {
    Goal goal = objective.parts().get(next).goal();
    if (objective.parts().get(figure).goal() == Goal.PEAK && goal == Goal.REUSE && figure == 0) {
      capPeaks();
      Incumbent inner = new Incumbent(problem, Objective.of(problem, List.of(Goal.REUSE)));
      passOn(inner, -1);
      runEngine(inner, Goal.REUSE, control);
    }
  }

  private void peaks(RunControl share) {
    Incumbent inner = new Incumbent(problem);
    passOn(inner, 0);
    reports.addAll(Portfolio.run(inner, share, setup));
    capPeaks();
  }

  private void capPeaks() {
    Score score = incumbent.score();
    for (int f = 0; score != null && f < objective.parts().size(); f++) {
      Objective.Figure figure = objective.parts().get(f);
      if (figure.goal() == Goal.PEAK) {
        problem = problem.withCapacity(figure.memory(), score.figure(f));
      }
    }
  }

  private void overflow(RunControl share) {
    PackingProblem bounded = problem.withMemories(objective.memories());
    Certificate least = SolverClaim.because("no placement ends below a capacity by less");
    incumbent.offer(new Bound(0, 0, least), "bounds");
    if (bounded.memories().size() == 1 && bounded.memories().get(0).isBounded()) {
      long capacity = bounded.memories().get(0).capacity();
      Incumbent inner = new Incumbent(problem);
      UnaryOperator<Bound> over =
          bound -> {
            String why = "without a capacity the peak is above it by as much, by " + bound.kind();
            long above = bound.value() - capacity;
            return above <= 0 ? null : new Bound(0, above, SolverClaim.because(why));
          };
      inner.feed(incumbent, UnaryOperator.identity(), over, proof -> null);
      RunControl own = share.within(Double.POSITIVE_INFINITY);
      inner.addListener(
          event -> {
            if (incumbent.score() != null && isProven(Goal.OVERFLOW)) {
              own.stop();
            }
          });
      reports.addAll(Portfolio.run(inner, own, setup));
    } else {
      Incumbent inner = new Incumbent(bounded);
      inner.feed(incumbent, UnaryOperator.identity(), bound -> null, proof -> null);
      reports.addAll(Portfolio.run(inner, share, firstFit));
    }
    if (incumbent.score() != null && incumbent.score().figure(0) == 0) {
      problem = bounded;
    }
  }

  /** Lowers one goal with an engine of its own, under the capacities so far. */
  private void under(RunControl share, int figure, Goal goal) {
    Incumbent inner = new Incumbent(problem, Objective.of(problem, List.of(goal)));
    passOn(inner, figure);
    if (incumbent.placement() != null) {
      inner.offer(incumbent.placement(), incumbent.finder());
    }
    List<Bound> bounds = LowerBounds.of(problem);
    LowerBounds.infeasibility(problem, bounds)
        .ifPresent(proof -> inner.provenInfeasible(proof, proof.kind()));
    if (figure == 0 && inner.placement() == null && inner.infeasibility() == null) {
      feasible(inner, share);
    }
    if (inner.infeasibility() == null) {
      runEngine(inner, goal, share);
    }
  }

  /**
   * Looks for any placement within the capacities, or the proof that there is none. The walks mend
   * what does not fit by themselves, so that this has a share of the time alone.
   */
  private void feasible(Incumbent inner, RunControl share) {
    Incumbent plain = new Incumbent(problem);
    plain.feed(inner, UnaryOperator.identity(), bound -> null, UnaryOperator.identity());
    reports.addAll(Portfolio.run(plain, share.within(share.secondsLeft() / 2), firstFit));
  }

  private void runEngine(Incumbent inner, Goal goal, RunControl share) {
    engines(inner, share, engine -> engine.lowers(goal) && !engine.lowers(Goal.PEAK));
  }

  private void engines(Incumbent on, RunControl share, Predicate<Engine> wanted) {
    for (Engine engine : setup.engines()) {
      if (wanted.test(engine) && !share.isStopped()) {
        try {
          reports.add(engine.run(on, share, setup.options()));
        } catch (NotPlannableException refused) {
          incumbent.remark(refused.getMessage());
        }
      }
    }
  }

  /** Passes on placements, and bounds as those of a figure of this objective on; none for -1. */
  private void passOn(Incumbent inner, int first) {
    UnaryOperator<Bound> here = b -> new Bound(first + b.figure(), b.value(), b.certificate());
    UnaryOperator<Bound> bounds = first < 0 ? bound -> null : here;
    inner.feed(incumbent, UnaryOperator.identity(), bounds, proof -> first == 0 ? proof : null);
  }
}
