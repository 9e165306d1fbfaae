package stowage.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.exact.bound.LowerBounds;
import stowage.exact.bound.window.WindowBounds;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.planning.LoadedProblem;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.TimedBound;
import stowage.report.plan.PlanJson;
import stowage.report.plan.PlanSummary;

/** {@code stowage bound}: every bound that needs no plan, with its certificate and its time. */
@Command(
    name = "bound",
    description =
        "Lists the best lower bound of each kind on the peak, with a checkable certificate.",
    hidden = true)
public final class BoundCommand extends JsonCommand {
  @Mixin FormattedInputOptions input;

  @Override
  public Integer call() {
    LoadedProblem planned = new ProblemLoader(input).load();
    Incumbent incumbent = new Incumbent(planned.problem());
    List<TimedBound> bounds = bounds(planned.problem(), incumbent, () -> false);
    RunReport report =
        RunReport.of(Plan.of(incumbent), planned, RunSettings.DEFAULTS, RunFacts.NONE, null);
    print(json ? PlanJson.bound(report, bounds) + "\n" : PlanSummary.bound(report, bounds));
    return ExitCode.OK;
  }

  /**
   * The best bound of each kind that needs no plan, all of them offered to the incumbent; windows
   * are looked for until the {@code stop}.
   */
  static List<TimedBound> bounds(
      PackingProblem problem, Incumbent incumbent, BooleanSupplier stop) {
    List<LowerBounds.Timed> found = new ArrayList<>(LowerBounds.timed(problem));
    LowerBounds.offer(found.stream().map(LowerBounds.Timed::bound).toList(), incumbent);
    long start = System.nanoTime();
    Bound window = WindowBounds.above(problem, incumbent.bestBound(), WindowBounds.THOROUGH, stop);
    if (window != null) {
      incumbent.offer(window, window.kind());
      LowerBounds.infeasibility(problem, List.of(window))
          .ifPresent(proof -> incumbent.provenInfeasible(proof, proof.kind()));
      found.add(0, new LowerBounds.Timed(window, (System.nanoTime() - start) / 1e9));
    }
    return found.stream()
        .map(timed -> TimedBound.of(problem, timed.bound(), timed.seconds()))
        .toList();
  }
}
