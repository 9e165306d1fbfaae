package stowage.planning;

import java.util.ArrayList;
import java.util.List;
import stowage.compiler.core.CasePlan;
import stowage.exact.Openings;
import stowage.exact.Portfolio;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.exact.engine.Engines;
import stowage.exact.engine.SolveContext;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.heuristic.SweepBestFit;
import stowage.liveness.PlanningCase;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Run of planners that were chosen by name, one after the other, through one incumbent.
 *
 * @param engineReports what exact engines did, in the order they ended
 * @param refusal why the last planner that did not admit the problem refused it, or null
 * @param remarks what else there is to know of the planners' plans, each with the planner's name
 */
public record PlannerRun(List<EngineReport> engineReports, String refusal, List<String> remarks) {
  /** For how long a rule may go on after the end of a run that has no plan. */
  private static final double MOST_SECONDS_LATE = 0.3;

  /**
   * Runs planners. Simple ones first, in the order given; then the exact engines, side by side,
   * each of which starts from what the quick heuristics find.
   *
   * @param planningCase the case of the incumbent's problem; made by {@link PlanningCase#ofBuffers}
   *     where there is no network
   * @param incumbent where placements and bounds go
   * @param control when to stop; threads and seed
   * @param options settings, log and mode of the exact engines
   */
  public static PlannerRun of(
      PlanningCase planningCase,
      Incumbent incumbent,
      RunControl control,
      List<PlannerCatalogue.Choice> choices,
      EngineOptions options) {
    PackingProblem problem = incumbent.problem();
    SolveContext context = SolveContext.of(incumbent, control, options);
    List<Engine> engines = new ArrayList<>();
    List<EngineReport> reports = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    String refusal = null;
    for (PlannerCatalogue.Choice choice : choices) {
      try {
        if (choice instanceof PlannerCatalogue.Choice.OfBuffers simple) {
          incumbent.offer(simple.planner().planAny(problem, control), simple.planner().name());
        } else if (choice instanceof PlannerCatalogue.Choice.OfCase system) {
          CasePlan plan = system.planner().planKnown(planningCase, control);
          incumbent.offer(plan.placement(), system.planner().name());
          if (!plan.remark().isEmpty()) {
            remarks.add(system.planner().name() + ": " + plan.remark());
          }
          if (plan.cutShort()) {
            remarks.add(system.planner().name() + " was " + CasePlan.CUT_SHORT);
          }
        } else if (choice instanceof PlannerCatalogue.Choice.Exact exact) {
          engines.add(exact.engine());
        } else {
          boolean quick = choice instanceof PlannerCatalogue.Choice.Quick;
          if (!quick) {
            context.presolveAhead();
          }
          List<Planner> openings = quick ? Openings.quick(problem) : Openings.of(problem);
          List<Engine> all = quick ? List.of() : Engines.all();
          reports.addAll(Portfolio.run(context, new Portfolio.Setup(openings, all, options)));
        }
      } catch (NotPlannableException refused) {
        String why = refused.getMessage();
        refusal = why.startsWith(nameOf(choice)) ? why : nameOf(choice) + ": " + why;
      }
    }
    if (!context.offerBounds() && !engines.isEmpty()) {
      EngineOptions hinted = options.withHints(hints(problem, control));
      try {
        reports.addAll(Portfolio.run(context, new Portfolio.Setup(List.of(), engines, hinted)));
      } catch (NotPlannableException refused) {
        refusal = refused.getMessage(); // no engine could hold the problem
      }
    }
    return new PlannerRun(List.copyOf(reports), refusal, List.copyOf(remarks));
  }

  /** As {@link #of}, with one planner of a name. */
  public static PlannerRun ofOne(
      String planner, PlanningCase planned, Incumbent incumbent, RunControl control) {
    List<PlannerCatalogue.Choice> only = List.of(PlannerCatalogue.named(planner));
    return of(planned, incumbent, control, only, EngineOptions.defaults());
  }

  /**
   * Offers what quick rules find, of large problems as long as the control allows. One plan is
   * found in any case: by the first rule, or where this takes long by one that never does.
   */
  public static void quick(Incumbent incumbent, List<? extends Planner> rules, RunControl control) {
    rules.forEach(rule -> quick(incumbent, rule, control));
    if (incumbent.placement() == null) {
      quick(incumbent, rules.get(0), RunControl.ofSeconds(MOST_SECONDS_LATE, 1, control.seed()));
    }
    if (incumbent.placement() == null) {
      quick(incumbent, new SweepBestFit(), control);
    }
  }

  private static void quick(Incumbent incumbent, Planner rule, RunControl control) {
    try {
      incumbent.offer(rule.plan(incumbent.problem(), control), rule.name());
    } catch (NotPlannableException refused) {
      // Another one admits the problem, or ends sooner.
    }
  }

  private static String nameOf(PlannerCatalogue.Choice choice) {
    if (choice instanceof PlannerCatalogue.Choice.OfBuffers simple) {
      return simple.planner().name();
    } else if (choice instanceof PlannerCatalogue.Choice.OfCase system) {
      return system.planner().name();
    } else if (choice instanceof PlannerCatalogue.Choice.Exact exact) {
      return exact.engine().name();
    }
    return PlannerCatalogue.PORTFOLIO;
  }

  private static List<Placement> hints(PackingProblem problem, RunControl control) {
    List<Placement> hints = new ArrayList<>();
    for (Planner planner : Openings.of(problem)) {
      try {
        hints.add(planner.planAny(problem, control));
      } catch (NotPlannableException refused) {
        // The engine does without.
      }
    }
    return hints;
  }
}
