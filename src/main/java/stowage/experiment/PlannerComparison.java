package stowage.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.SystemPlanner;
import stowage.exact.object.ObjectIncumbent;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.importer.io.PackingBaseline;
import stowage.liveness.PlanningCase;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.InvalidProblemException;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.planning.PlannerCatalogue;
import stowage.report.compare.CompareReport;
import stowage.report.compare.CompareReport.Kind;
import stowage.report.compare.CompareReport.Row;

/**
 * Comparison of planners on one problem: they run one after the other, and each is timed and
 * verified. It also has what the exact methods found and proved.
 */
public final class PlannerComparison {
  /** How long our own heuristics that search may take; the simple ones end by themselves. */
  private static final double SEARCH_SECONDS = 2;

  /** How long a system's planner may take: cut short, it is not what the system gives. */
  private static final double SYSTEM_SECONDS = 10;

  /** With more buffers no planner begins when time is over, and no rules are worked out. */
  private static final int MANY_BUFFERS = 1000;

  /** The part of the time left that one planner may take, so that it leaves some to the others. */
  private static final double SHARE = 0.25;

  /** How many equal shares of the time left one of many may take: most need far less than one. */
  private static final double SHARES = 6;

  private final PlanningCase planningCase;
  private final PackingProblem problem;
  private final Incumbent exact;
  private final RunControl control;
  private final Map<Row, PlannerRules> rulesOf = new IdentityHashMap<>();
  private final List<OptimumUnderRules.Planned> plans = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, Placement> placements = new LinkedHashMap<>();

  /**
   * @param exact what the exact methods found and proved of it
   * @param control when to stop; planners that search have a share each of the time left
   */
  public PlannerComparison(PlanningCase planningCase, Incumbent exact, RunControl control) {
    this.planningCase = planningCase;
    this.problem = planningCase.problem();
    this.exact = exact;
    this.control = control;
  }

  /**
   * Runs planners, which share the time left; exact engines have their say through the portfolio,
   * see {@link #addExact}.
   *
   * @param begins is asked with the number of each planner, from 1, whether it and those after it
   *     are to run
   */
  public void run(List<PlannerCatalogue.Choice> choices, IntPredicate begins) {
    for (int k = 0; k < choices.size() && begins.test(k + 1); k++) {
      if (choices.get(k) instanceof PlannerCatalogue.Choice.OfBuffers ofBuffers) {
        add(ofBuffers.planner(), choices.size() - k);
      } else if (choices.get(k) instanceof PlannerCatalogue.Choice.OfCase ofCase) {
        add(ofCase.planner(), choices.size() - k);
      }
    }
  }

  private void add(Planner planner, int left) {
    long start = System.nanoTime();
    Kind kind = Kind.valueOf(planner.kind().name());
    try {
      requireTime();
      Placement placement = planner.planAny(problem, share(SEARCH_SECONDS, left));
      rows.add(judged(planner.name(), kind, placement, seconds(start)));
    } catch (NotPlannableException | InvalidProblemException refused) {
      rows.add(Row.without(planner.name(), kind, seconds(start), refused.getMessage()));
    }
  }

  private void add(SystemPlanner planner, int left) {
    long start = System.nanoTime();
    Kind kind = Kind.valueOf(planner.kind().name());
    try {
      requireTime();
      CasePlan plan = planner.planKnown(planningCase, share(SYSTEM_SECONDS, left));
      Placement placement = plan.placement();
      Row row = judged(planner.name(), kind, placement, seconds(start));
      if (!plan.remark().isEmpty() && row.peak() != null) {
        row = row.withRemark(plan.remark());
      }
      if (plan.cutShort() && row.peak() != null) {
        row = row.withRemark(CasePlan.CUT_SHORT);
      }
      rows.add(row);
      if (isOver()) {
        return;
      }
      PlannerRules rules = planner.rules(planningCase);
      rulesOf.put(row, rules);
      if (row.peak() != null) {
        plans.add(new OptimumUnderRules.Planned(rules, placement));
      }
    } catch (NotPlannableException | InvalidProblemException refused) {
      rows.add(Row.without(planner.name(), kind, seconds(start), refused.getMessage()));
    }
  }

  /** Whether time is over for what takes long on many buffers. */
  private boolean isOver() {
    return problem.size() > MANY_BUFFERS && control.isStopped();
  }

  private void requireTime() {
    if (isOver()) {
      throw new NotPlannableException("no time was left");
    }
  }

  /** Adds what the exact methods found, under a name. */
  public void addExact(String name) {
    if (exact.placement() != null) {
      placements.put(name, exact.placement());
    }
    rows.add(
        exact.placement() == null
            ? Row.without(name, Kind.EXACT, exact.seconds(), "no plan in time")
            : Row.placed(name, Kind.EXACT, exact.bestFigure(), exact.seconds()));
  }

  /** Adds what the tool that wrote the input takes for it. */
  public void addKnown(PackingBaseline known) {
    String status = known.status(problem);
    rows.add(
        status.equals(PackingBaseline.VALID)
            ? Row.placed(known.source(), Kind.ARENA, known.headline(problem), 0)
            : Row.without(known.source(), Kind.ARENA, 0, status));
    if (known.isPlan(problem)) {
      placements.put(known.source(), known.placement());
    }
  }

  /** The verified placements so far by planner, in the order in which the planners ran. */
  public Map<String, Placement> placements() {
    return Collections.unmodifiableMap(placements);
  }

  private Row judged(String name, Kind kind, Placement placement, double seconds) {
    List<Violation> violations = Verifier.violations(problem, placement);
    if (!violations.isEmpty()) {
      return Row.without(name, kind, seconds, violations.get(0).text());
    }
    long peak = Objective.peaks(problem).score(problem, placement).figure(0);
    placements.put(name, placement);
    return Row.placed(name, kind, peak, seconds);
  }

  private RunControl share(double seconds, int left) {
    double part = Math.min(SHARE, SHARES / left);
    return control.within(Math.min(seconds, part * control.secondsLeft()));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /**
   * The comparison so far, compared with the best proven bounds: of the problem, of what each
   * planner's rules admit, and of whole objects where a planner reuses such. Proving them takes
   * some seconds.
   */
  public CompareReport report() {
    OptimumUnderRules optimum = new OptimumUnderRules(problem, exact, plans, control);
    CompareReport.Objects objects = null;
    List<Row> bounded = new ArrayList<>();
    for (Row row : rows) {
      PlannerRules rules = rulesOf.get(row);
      if (rules == null || isOver()) {
        bounded.add(row);
        continue;
      }
      Long ofObjects = null;
      if (rules.wholeObjects()) {
        ObjectIncumbent found = optimum.leastObjects();
        objects = new CompareReport.Objects(found.total(), found.bound(), found.boundKind());
        ofObjects = found.peakBound();
      }
      bounded.add(
          row.withBounds(optimum.bound(rules), ofObjects)
              .withRules(String.join(", ", rules.words())));
    }
    return report(objects, bounded);
  }

  /**
   * The comparison so far, compared with the best proven bound of the problem alone: the rows say
   * nothing of the planners' rules. Ends at once.
   */
  public CompareReport reportOfPeaks() {
    return report(null, rows);
  }

  private CompareReport report(CompareReport.Objects objects, List<Row> judged) {
    Bound bound = exact.bound(0);
    Long best = exact.placement() == null ? null : exact.bestFigure();
    for (Row row : judged) {
      if (row.peak() != null && (best == null || row.peak() < best)) {
        best = row.peak();
      }
    }
    return new CompareReport(
        problem.name(),
        bound == null ? 0 : bound.value(),
        bound == null ? "none" : bound.kind(),
        best,
        objects,
        judged);
  }
}
