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
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.BlockingSet;
import stowage.planning.LoadedProblem;
import stowage.report.plan.ExplanationText;

/** {@code stowage explain}: why a capacity cannot be met, or what sets a plan's peak. */
@Command(
    name = "explain",
    description =
        "Says why a capacity cannot be met (a smallest set of buffers that proves it) and the least"
            + " change after which it can (bytes to shrink, or to move to another memory), or which"
            + " stack of buffers sets a plan's peak.")
public final class ExplainCommand extends JsonCommand {
  private static final double SECONDS_FOR_CHANGE = 10;
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

  @Override
  public Integer call() {
    if ((capacity == null) == (plan == null)) {
      throw new UsageException("explain takes either --capacity BYTES or --plan PLAN");
    }
    input.planned = plan;
    LoadedProblem planned = new ProblemLoader(input).load();
    return plan == null
        ? explainCapacity(planned.withCapacity(capacity).problem())
        : explainPlan(planned.problem());
  }

  private int explainPlan(PackingProblem problem) {
    Placement placement = PlanFile.read(plan).validPlacement(problem);
    CriticalChain chain = CriticalChain.of(problem, placement, problem.memories().size() - 1);
    printLines(
        json
            ? ExplanationText.chainJson(problem, placement, chain.links(), chain.settledPeak())
            : ExplanationText.chain(problem, placement, chain.links(), chain.settledPeak()));
    return ExitCode.OK;
  }

  private int explainCapacity(PackingProblem problem) {
    RunControl control = run.control();
    Incumbent incumbent = progress.solve(problem, control, run.engines().withFirstFit(true));
    if (incumbent.placement() != null) {
      printLines(
          json
              ? "{\"schemaVersion\": 1, \"status\": \"FEASIBLE\"}"
              : "A plan fits: nothing to explain.");
      return ExitCode.OK;
    }
    if (incumbent.status() != Status.INFEASIBLE) {
      printLines(
          json
              ? "{\"schemaVersion\": 1, \"status\": \"UNKNOWN\"}"
              : "Neither a plan nor a proof was found in time: there is nothing to explain yet.");
      return ExitCode.NO_PLAN;
    }
    BlockingSet found = BlockingSet.of(problem, incumbent.infeasibility(), control);
    List<ExplanationText.Change> changes =
        found.needed() == BlockingSet.NOWHERE ? List.of() : leastChanges(problem, control);
    printLines(
        json
            ? ExplanationText.infeasibleJson(problem, found, changes)
            : ExplanationText.infeasible(problem, found, changes));
    return ExitCode.OK;
  }

  /** What has to change so that all fits, each kind in its share of the time. */
  private static List<ExplanationText.Change> leastChanges(
      PackingProblem problem, RunControl control) {
    List<ExplanationText.Change> changes = new ArrayList<>();
    for (CpSatLeastChange.Kind kind : CpSatLeastChange.Kind.values()) {
      RunControl share =
          control.within(Math.min(SECONDS_FOR_CHANGE, SHARE * control.secondsLeft()));
      CpSatLeastChange.of(problem, kind, share)
          .ifPresent(
              change ->
                  changes.add(
                      new ExplanationText.Change(
                          kind == CpSatLeastChange.Kind.SHRINK,
                          change.bytes(),
                          change.lowerBound(),
                          change.sizes())));
    }
    return changes;
  }
}
