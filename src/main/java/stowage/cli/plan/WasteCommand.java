package stowage.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.input.ManyInputOptions;
import stowage.cli.input.PlannerChoice;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.compiler.CompilerPlanners;
import stowage.experiment.PlannerComparison;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.planning.LoadedProblem;
import stowage.planning.PlannerCatalogue;
import stowage.planning.schedule.ScheduleRun;
import stowage.report.compare.CompareReport;
import stowage.report.compare.PlannerGaps;
import stowage.report.schedule.OrderGaps;
import stowage.report.schedule.ScheduleReport;

/** {@code stowage waste}: how much memory real systems waste, over several inputs. */
@Command(
    name = "waste",
    description =
        "Table of how far the plans of real systems are above the proven optimum, over several"
            + " inputs, in Markdown. --time-limit holds for each input.",
    hidden = true)
public final class WasteCommand extends JsonCommand {
  /** The part of the time for one input that the search for its optimum may take. */
  private static final double EXACT_SHARE = 0.8;

  @Mixin RunOptions run;
  @Mixin ProgressOptions progress;

  @Mixin ManyInputOptions input;

  @Option(
      names = "--planner",
      paramLabel = "NAME",
      split = ",",
      description = "These planners (default: all of real systems, and your own).")
  List<String> planners = List.of();

  @Option(
      names = "--orders",
      description =
          "Table how far the orders in which real systems run ops are above the least load over all"
              + " orders, instead of their plans. Networks only.")
  boolean orders;

  @Override
  public Integer call() {
    if (orders) {
      return tableOrders();
    }
    List<String> names = new ArrayList<>(planners);
    if (names.isEmpty()) {
      CompilerPlanners.all().forEach(planner -> names.add(planner.name()));
      names.addAll(PlannerCatalogue.ownNames());
    }
    Function<Path, CompareReport> work = file -> compare(input.load(file, null), names);
    PlannerGaps table = new PlannerGaps(progress.each("comparing", input.all(), work));
    print(json ? table.json() + "\n" : table.markdown());
    return ExitCode.OK;
  }

  private Integer tableOrders() {
    UsageException.when(
        !planners.isEmpty(), "--orders is about orders of ops, not planners: leave --planner out");
    OrderGaps table = new OrderGaps(progress.each("ordering", input.all(), this::ordered));
    print(json ? table.json() : table.markdown());
    return ExitCode.OK;
  }

  private ScheduleReport ordered(Path file) {
    input.input = file;
    ProblemLoader.Unordered read = new ProblemLoader(input).loadUnordered();
    ScheduleRun schedule = new ScheduleRun(read.network(), read.liveness(), List.of(), -1);
    RunControl control = run.control();
    schedule.findOrder(control);
    schedule.place(control, run.engines());
    return new ScheduleReport(schedule, schedule.orderSeconds(), null, List.of());
  }

  private CompareReport compare(LoadedProblem planned, List<String> names) {
    RunControl whole = run.control();
    RunControl search = whole.within(EXACT_SHARE * whole.secondsLeft());
    Incumbent incumbent = progress.solve(planned.problem(), search, run.engines());
    PlannerComparison comparison = new PlannerComparison(planned.planningCase(), incumbent, whole);
    comparison.addExact("Stowage");
    if (planned.dumped() != null) {
      comparison.addKnown(planned.dumped());
    }
    comparison.run(PlannerChoice.of(names), begun -> true);
    return comparison.reportOfPeaks();
  }
}
