package stowage.experiment;

import java.util.ArrayList;
import java.util.List;
import stowage.compiler.CasePlanner;
import stowage.exact.LowerBounds;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.report.CompareReport;
import stowage.report.CompareReport.Kind;
import stowage.report.CompareReport.Row;

/**
 * Runs planners on one problem, one after the other, each timed and verified, beside what the exact
 * methods found and proved of it.
 */
public final class Comparison {
  /** How long our own heuristics that search may take; the simple ones end by themselves. */
  private static final double SEARCH_SECONDS = 2;

  private final PlanningCase planningCase;
  private final PackingProblem problem;
  private final RunControl control;
  private final List<Row> rows = new ArrayList<>();

  /**
   * @param planningCase what is planned, the network with it if there is one
   * @param control when to stop; planners not run by then have no row
   */
  public Comparison(PlanningCase planningCase, RunControl control) {
    this.planningCase = planningCase;
    this.problem = planningCase.problem();
    this.control = control;
  }

  /** Runs a planner; exact engines have their say through the portfolio, see {@link #addExact}. */
  public void add(PlannerCatalogue.Choice choice) {
    if (choice instanceof PlannerCatalogue.Choice.OfBuffers ofBuffers) {
      add(ofBuffers.planner());
    } else if (choice instanceof PlannerCatalogue.Choice.OfCase ofCase) {
      add(ofCase.planner());
    }
  }

  private void add(Planner planner) {
    long start = System.nanoTime();
    Kind kind = Kind.valueOf(planner.kind().name());
    try {
      Placement placement = planner.plan(problem, control.within(SEARCH_SECONDS));
      rows.add(judged(planner.name(), kind, placement, seconds(start)));
    } catch (NotPlannableException refused) {
      rows.add(Row.without(planner.name(), kind, seconds(start), refused.getMessage()));
    }
  }

  /** Runs a planner of a real system, and bounds what its rules admit. */
  private void add(CasePlanner planner) {
    long start = System.nanoTime();
    Kind kind = Kind.valueOf(planner.kind().name());
    try {
      Placement placement = planner.plan(planningCase, control.within(SEARCH_SECONDS)).placement();
      Row row = judged(planner.name(), kind, placement, seconds(start));
      rows.add(row.withBounds(rulesBound(planner), null));
    } catch (NotPlannableException refused) {
      rows.add(Row.without(planner.name(), kind, seconds(start), refused.getMessage()));
    }
  }

  /** Adds what the exact methods found, under a name. */
  public void addExact(String name, Incumbent incumbent, double seconds) {
    rows.add(
        incumbent.placement() == null
            ? Row.without(name, Kind.EXACT, seconds, "no plan in time")
            : Row.placed(name, Kind.EXACT, incumbent.bestFigure(), seconds));
  }

  private Row judged(String name, Kind kind, Placement placement, double seconds) {
    List<Violation> violations = Verifier.violations(problem, placement);
    if (!violations.isEmpty()) {
      return Row.without(name, kind, seconds, violations.get(0).text());
    }
    long peak = Objective.peaks(problem).score(problem, placement).figure(0);
    return Row.placed(name, kind, peak, seconds);
  }

  /** The best bound that needs no search of the problem under the planner's own rules. */
  private Long rulesBound(CasePlanner planner) {
    Bound bound = LowerBounds.best(planner.rules(planningCase))[0];
    return bound == null ? null : bound.value();
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /** The comparison so far, held against the best proven bound. */
  public CompareReport report(Incumbent exact) {
    Bound bound = exact.bound(0);
    Long best = exact.placement() == null ? null : exact.bestFigure();
    for (Row row : rows) {
      if (row.peak() != null && (best == null || row.peak() < best)) {
        best = row.peak();
      }
    }
    return new CompareReport(
        problem.name(),
        bound == null ? 0 : bound.value(),
        bound == null ? "none" : bound.kind(),
        best,
        rows);
  }
}
