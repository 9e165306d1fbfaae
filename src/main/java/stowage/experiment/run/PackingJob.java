package stowage.experiment.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import stowage.exact.bound.LowerBounds;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.experiment.suite.RunSpec;
import stowage.importer.own.PackingCsv;
import stowage.liveness.PlanningCase;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Violation;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.report.RunReport;

/** Job that finds offsets for the buffers of a problem. */
final class PackingJob extends Job {
  private static final double WORK_UNITS = 1e6;
  private static final int WARM_UP_BUFFERS = 12;

  /** Buffers of a plan that is kept: some 200 KB a run. */
  private static final int MOST_KEPT = 5000;

  private static final double WARM_UP_SECONDS = 1;

  private PlanningCase planningCase;
  private Features features;
  private volatile Incumbent incumbent;
  private volatile PlannerRun report = new PlannerRun(List.of(), null, List.of());

  PackingJob(RunSpec run, Map<String, String> versions) {
    super(run, versions);
  }

  @Override
  void read() {
    planningCase = run.instance().load();
    features = Features.of(planningCase.problem());
  }

  @Override
  void warmUp() {
    PlannerCatalogue.Choice choice = choice();
    if (choice == null) {
      return;
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int k = 0; k < WARM_UP_BUFFERS; k++) {
      buffers.add(new Buffer("b" + k, 1 + k * 7 % 5, k / 2, k / 2 + 1 + k * 5 % 7));
    }
    PackingProblem small = PackingProblem.of("warm-up", buffers);
    PlannerRun.of(
        PlanningCase.ofBuffers(small),
        new Incumbent(small),
        RunControl.ofSeconds(WARM_UP_SECONDS, run.threads(), run.seed()),
        List.of(choice),
        options());
  }

  /** What is to plan; null where it is a program of its own or unknown. */
  private PlannerCatalogue.Choice choice() {
    return run.planner().isExternal() ? null : PlannerCatalogue.named(run.planner().name());
  }

  private EngineOptions options() {
    String config = run.planner().config();
    return EngineOptions.defaults()
        .withConfig(config == null ? EngineOptions.DEFAULT_CONFIG : config);
  }

  @Override
  void solve(Path scratch) throws IOException, InterruptedException {
    incumbent = new Incumbent(planningCase.problem());
    control = control();
    if (run.planner().isExternal()) {
      ExternalProgram.End end = new ExternalProgram(run, scratch).solve(incumbent);
      LowerBounds.offer(LowerBounds.of(incumbent.problem()), incumbent);
      finish(end.outcome(), end.message());
      return;
    }
    PlannerCatalogue.Choice choice = choice();
    if (choice == null) {
      finish(RunRecord.Outcome.FAILED, "planner " + run.planner().name() + " is not known here");
      return;
    }
    report = PlannerRun.of(planningCase, incumbent, control, List.of(choice), options());
    if (report.refusal() != null) {
      finish(RunRecord.Outcome.REFUSED, report.refusal());
    }
  }

  private RunControl control() {
    if (!run.limits().isDeterministic()) {
      return RunControl.ofSeconds(run.limits().seconds(), run.threads(), run.seed());
    }
    double units = run.limits().work() * WORK_UNITS;
    long whole = units > 9e18 ? Long.MAX_VALUE : (long) units;
    return RunControl.ofWork(whole, run.threads(), run.seed());
  }

  @Override
  void writePlan(Path file) throws IOException {
    Placement placement = incumbent == null ? null : incumbent.placement();
    if (placement != null && planningCase.problem().size() <= MOST_KEPT) {
      PackingCsv.write(file, planningCase.problem(), placement);
    }
  }

  @Override
  RunRecord record() {
    if (incumbent == null) {
      return RunRecord.without(run, outcome, message, versions, null, null);
    }
    Plan plan = Plan.of(incumbent);
    List<Incumbent.Event> events = incumbent.trace();
    RunReport facts = RunReport.of(plan);
    List<Violation> faults = incumbent.rejection();
    if (outcome == RunRecord.Outcome.DONE && !facts.hasPlacement()) {
      faults.stream()
          .filter(fault -> fault.kind() != Violation.Kind.CAPACITY)
          .findFirst()
          .ifPresent(fault -> finish(RunRecord.Outcome.INVALID, fault.text()));
    }
    report.engineReports().forEach(engine -> versions.put(engine.engine(), engine.version()));
    List<RunRecord.TracePoint> trace = trace(events);
    return new RunRecord(
        run,
        outcome,
        message,
        facts.status().name(),
        facts.hasPlacement() ? facts.peak() : null,
        facts.lowerBound(),
        facts.bound().kind(),
        facts.isBoundChecked(),
        facts.hasPlacement() ? plan.finder() : null,
        times(trace, facts),
        statistic("branches", "nodes"),
        statistic("conflicts", "failures"),
        run.planner().isExternal() ? null : facts.peakRssBytes(),
        features,
        trace,
        Machine.current(),
        versions,
        null);
  }

  /** The trace of the figure that the peak column shows, without moments that change neither. */
  private static List<RunRecord.TracePoint> trace(List<Incumbent.Event> events) {
    List<RunRecord.TracePoint> trace = new ArrayList<>();
    for (Incumbent.Event event : events) {
      Bound bound = event.bounds()[0];
      Long peak = event.score() == null ? null : (Long) event.score().figure(0);
      Long value = bound == null ? null : (Long) bound.value();
      RunRecord.TracePoint last = trace.isEmpty() ? null : trace.get(trace.size() - 1);
      boolean news =
          last == null
              || !Objects.equals(last.peak(), peak)
              || !Objects.equals(last.lowerBound(), value);
      if (news) {
        trace.add(new RunRecord.TracePoint(event.seconds(), peak, value));
      }
    }
    return trace;
  }

  private RunRecord.Times times(List<RunRecord.TracePoint> trace, RunReport facts) {
    Predicate<RunRecord.TracePoint> best =
        point -> point.peak() != null && point.peak() == facts.peak();
    Double proof =
        first(
            trace,
            best.and(point -> point.lowerBound() != null && point.lowerBound() >= facts.peak()));
    Double reached = first(trace, best);
    double all = facts.plan().seconds();
    if (proof == null
        && (facts.status() == Status.OPTIMAL || facts.status() == Status.INFEASIBLE)) {
      proof = all;
    }
    // The bounds that every run is given come after a planner that proves nothing has ended.
    double solve = proves() || reached == null ? all : reached;
    Double planned = first(trace, point -> point.peak() != null);
    return new RunRecord.Times(solve, planned, reached, proof, loadSeconds, null);
  }

  private static Double first(
      List<RunRecord.TracePoint> trace, Predicate<RunRecord.TracePoint> wanted) {
    return trace.stream()
        .filter(wanted)
        .map(RunRecord.TracePoint::seconds)
        .findFirst()
        .orElse(null);
  }

  private boolean proves() {
    PlannerCatalogue.Choice choice = choice();
    return !run.planner().isExternal()
        && !(choice instanceof PlannerCatalogue.Choice.OfBuffers)
        && !(choice instanceof PlannerCatalogue.Choice.OfCase);
  }

  private Long statistic(String... names) {
    Long sum = null;
    for (EngineReport engine : report.engineReports()) {
      for (String name : names) {
        Long value = engine.statistics().get(name);
        if (value != null) {
          sum = (sum == null ? 0 : sum) + value;
          break;
        }
      }
    }
    return sum;
  }
}
