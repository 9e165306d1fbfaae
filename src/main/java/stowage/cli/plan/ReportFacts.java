package stowage.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.cli.input.LoadedProblem;
import stowage.cli.input.RulesOfPlan;
import stowage.cli.input.RunOptions;
import stowage.exact.engine.EngineReport;
import stowage.importer.io.PackingBaseline;
import stowage.importer.own.PlannedAs;
import stowage.liveness.BaselineCheck;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.report.AllocationFacts;
import stowage.report.ArenaFacts;
import stowage.report.BaselineFacts;
import stowage.report.EngineFacts;
import stowage.report.FigureSize;
import stowage.report.NetworkFacts;
import stowage.report.OpFacts;
import stowage.report.RunReport;
import stowage.report.WeightPlace;

/** Gathers what a report says besides the plan itself. */
public final class ReportFacts {
  private final LoadedProblem planned;
  private final RunOptions run;
  private final List<String> planners;
  private List<EngineReport> engines = List.of();
  private List<String> remarks = List.of();
  private FigureSize figureSize = FigureSize.USUAL;
  private EarlierPlan earlierPlan;
  private AllocationFacts allocations;
  private ArenaFacts arena;
  private String together;

  /** Facts of a problem that was planned by the named planners; none named means all. */
  public ReportFacts(LoadedProblem planned, RunOptions run, List<String> planners) {
    this.planned = planned;
    this.run = run;
    this.planners = planners;
  }

  void earlierPlan(EarlierPlan plan) {
    earlierPlan = plan;
  }

  void engineReports(List<EngineReport> reports) {
    engines = List.copyOf(reports);
  }

  void figureSize(FigureSize size) {
    figureSize = size;
  }

  void remarks(List<String> ofPlanners) {
    remarks = List.copyOf(ofPlanners);
  }

  void arena(ArenaFacts facts) {
    arena = facts;
  }

  /** Says how the models of one memory run, of which this is the plan of one. */
  void runTogether(String how) {
    together = how;
  }

  void allocations(AllocationFacts facts) {
    allocations = facts;
  }

  /**
   * The report of a plan.
   *
   * @param earlier one made before of the same run, or null
   */
  public RunReport report(Plan plan, Incumbent incumbent, RunReport earlier) {
    RunReport.Builder report =
        RunReport.of(plan)
            .after(earlier)
            .planner(planners.isEmpty() ? "portfolio" : String.join(",", planners))
            .run(run.seed, run.threads, run.isDeterministic())
            .trace(incumbent.trace())
            .remarks(remarks)
            .allocations(allocations)
            .figureSize(figureSize)
            .stability(earlierPlan == null ? null : earlierPlan.facts(plan))
            .arena(arena)
            .versions(versions());
    if (planned.planningCase().hasNetwork()) {
      addNetwork(report, planned.planningCase());
    }
    if (planned.baseline() != null) {
      BaselineCheck check =
          BaselineCheck.of(
              planned.planningCase().network(),
              planned.baseline(),
              planned.planningCase().options().inPlace());
      report.baseline(
          new BaselineFacts(
              check.source(),
              check.peak(),
              check.inputs() == LivenessOptions.Inputs.KEEP,
              check.status()));
    }
    if (planned.dumped() != null) {
      PackingBaseline dumped = planned.dumped();
      PackingProblem problem = planned.problem();
      report.baseline(
          new BaselineFacts(
              dumped.source(),
              dumped.headline(problem),
              null,
              dumped.bytes().size() > 1 ? dumped.bytes() : List.of(),
              dumped.status(problem)));
    }
    List<EngineFacts> work = EngineWork.of(engines, incumbent.trace());
    report.engines(work);
    if (work.size() == 1 && planners.size() == 1) {
      report.engine(work.get(0));
    }
    return report.build();
  }

  private void addNetwork(RunReport.Builder report, PlanningCase planningCase) {
    Map<String, Object> rules = RulesOfPlan.of(planningCase);
    if (together != null) {
      rules.put(PlannedAs.RUN, together);
    }
    report.network(NetworkFacts.of(planningCase.network(), rules));
    List<List<String>> tensors = new ArrayList<>();
    for (PlanningCase.BufferContents contents : planningCase.contents()) {
      tensors.add(contents.parts().stream().map(PlanningCase.Part::tensor).toList());
    }
    report.tensors(tensors);
    report.ops(OpFacts.of(planningCase.network(), planningCase.order(), tensors));
    report.weights(
        planningCase.weights().stream()
            .map(place -> new WeightPlace(place.tensor(), place.offset(), place.bytes()))
            .toList(),
        planningCase.weightBytes());
  }

  private Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("java", Runtime.version().toString());
    String own = ReportFacts.class.getPackage().getImplementationVersion();
    versions.put("stowage", own == null ? "development" : own);
    engines.forEach(engine -> versions.put(engine.engine(), engine.version()));
    return versions;
  }
}
