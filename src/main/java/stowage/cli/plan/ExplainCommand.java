package stowage.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.exact.cpsat.CpSatLeastChange;
import stowage.exact.explain.CriticalChain;
import stowage.importer.own.PlanFile;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.BlockingSet;
import stowage.planning.LoadedProblem;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.TimedBound;
import stowage.report.format.Terminal;
import stowage.report.plan.ExplanationText;
import stowage.report.plan.PlanSummary;

/** {@code stowage explain}: what sets the peak, or why a capacity cannot be met. */
@Command(
    name = "explain",
    description =
        "Says what sets the lowest peak, and the best bound of each kind; with --plan which stack"
            + " of buffers sets the peak of a plan; with --capacity why a capacity cannot be met (a"
            + " smallest set of buffers that proves it) and the least change after which it can"
            + " (bytes to shrink, or to move to another memory).")
public final class ExplainCommand extends JsonCommand {
  /** Windows that may prove a bound are looked for so long where less of the limit is left. */
  private static final double LEAST_SECONDS_OF_WINDOWS = 1;

  private static final double SECONDS_FOR_CHANGE = 20;
  private static final double SHARE = 0.4;

  @Mixin FormattedInputOptions input;
  @Mixin ProgressOptions progress;
  @Mixin RunOptions run;

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Explain why this capacity cannot be met.")
  Long capacity;

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      description = "Explain what sets the peak of this plan.json or plan.csv.")
  Path plan;

  @Option(
      names = "--waits",
      description =
          "List the ops that must wait for each other because their buffers share memory, alone or"
              + " with --plan.")
  boolean waits; // stands for another command, see Shortcuts

  @Override
  public Integer call() {
    UsageException.when(
        capacity != null && plan != null,
        "explain takes --capacity BYTES or --plan PLAN, not both");
    input.planned = plan;
    LoadedProblem planned = new ProblemLoader(input).load();
    if (capacity != null) {
      return explainCapacity(planned.withCapacity(capacity));
    }
    return plan == null ? explainPeak(planned) : explainPlan(planned.problem());
  }

  /** Plans, and explains that plan's peak by its bounds, or by its stack where none meets it. */
  private int explainPeak(LoadedProblem planned) {
    PackingProblem problem = planned.problem();
    RunControl control = run.control();
    if (!spec.commandLine().getParseResult().hasMatchedOption("--time-limit")) {
      control.endWhenFlat();
    }
    Incumbent incumbent = progress.solve(problem, control, run.engines());
    double seconds =
        control.isDeterministic()
            ? Double.POSITIVE_INFINITY
            : Math.max(LEAST_SECONDS_OF_WINDOWS, control.secondsLeft());
    RunControl windows = control.withOwnDeadline(seconds);
    List<TimedBound> bounds =
        BoundCommand.bounds(problem, new Incumbent(problem), windows::isStopped);
    RunReport report =
        RunReport.of(Plan.of(incumbent), planned, RunSettings.DEFAULTS, RunFacts.NONE, null);
    Placement placement = incumbent.placement();
    boolean met = bounds.stream().anyMatch(one -> one.bound().value() == report.peak());
    boolean asked = placement != null && (json || !met);
    CriticalChain chain = asked ? chain(problem, placement) : null;
    if (json) {
      printLines(ExplanationText.peakJson(report, bounds, chain));
      return placement == null ? ExitCode.NO_PLAN : ExitCode.OK;
    }
    print(Terminal.dressed(PlanSummary.bound(report, bounds)));
    if (chain != null) {
      print("\n" + ExplanationText.chain(problem, placement, chain));
    }
    print("\nA limit: --capacity BYTES. A plan of your own: --plan FILE\n");
    return placement == null ? ExitCode.NO_PLAN : ExitCode.OK;
  }

  private int explainPlan(PackingProblem problem) {
    Placement placement = PlanFile.read(plan).validPlacement(problem);
    CriticalChain chain = chain(problem, placement);
    printLines(
        json
            ? ExplanationText.chainJson(problem, placement, chain)
            : ExplanationText.chain(problem, placement, chain));
    return ExitCode.OK;
  }

  private static CriticalChain chain(PackingProblem problem, Placement placement) {
    return CriticalChain.of(problem, placement, problem.memories().size() - 1);
  }

  private int explainCapacity(LoadedProblem planned) {
    PackingProblem problem = planned.problem();
    RunControl control = run.control();
    Incumbent incumbent = progress.solve(problem, control, run.engines().withFirstFit(true));
    boolean fits = incumbent.placement() != null;
    if (fits || incumbent.status() != Status.INFEASIBLE) {
      String word = fits ? "FEASIBLE" : "UNKNOWN";
      String open =
          "Neither a plan nor a proof was found in time: there is nothing to explain yet.";
      String said = fits ? "A plan fits: nothing to explain." : open;
      printLines(json ? "{\"schemaVersion\": 1, \"status\": \"" + word + "\"}" : said);
      return fits ? ExitCode.OK : ExitCode.NO_PLAN;
    }
    BlockingSet found = BlockingSet.of(problem, incumbent.infeasibility(), control);
    List<ExplanationText.Change> changes =
        found.needed() == BlockingSet.NOWHERE ? List.of() : leastChanges(problem, control);
    printLines(
        json
            ? ExplanationText.infeasibleJson(problem, found, changes)
            : Terminal.dressed(ExplanationText.infeasible(problem, found, changes)));
    if (planned.planningCase().hasNetwork()) {
      say("see what makes it fit: stowage fit " + input.named() + " --capacity " + capacity);
    }
    return ExitCode.OK;
  }

  /** What has to change so that all fits, each kind in its share of the time. */
  private static List<ExplanationText.Change> leastChanges(
      PackingProblem problem, RunControl control) {
    List<ExplanationText.Change> changes = new ArrayList<>();
    for (CpSatLeastChange.Kind kind : CpSatLeastChange.Kind.values()) {
      RunControl share = control.share(Math.min(SECONDS_FOR_CHANGE, SHARE * control.secondsLeft()));
      boolean shrinks = kind == CpSatLeastChange.Kind.SHRINK;
      CpSatLeastChange.of(problem, kind, share)
          .map(
              one ->
                  new ExplanationText.Change(shrinks, one.bytes(), one.lowerBound(), one.sizes()))
          .ifPresent(changes::add);
    }
    return changes;
  }
}
