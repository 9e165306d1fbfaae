package stowage.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.exact.Portfolio;
import stowage.packing.Incumbent;
import stowage.packing.Plan;
import stowage.report.PlanJson;
import stowage.report.PlanTable;
import stowage.report.RunReport;

/** {@code stowage bound}: the best bound that needs no search, with its certificate. */
@Command(
    name = "bound",
    description = "Proves a lower bound of every plan's peak, with a certificate one can check.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BoundCommand implements Callable<Integer> {
  @Mixin InputOptions input;
  @Spec CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    Planned planned = new ProblemLoader(input).load();
    Incumbent incumbent = new Incumbent(planned.problem());
    Portfolio.offerBounds(planned.problem(), incumbent);
    RunReport report =
        new ReportFacts(planned, new RunOptions(), List.of()).report(Plan.of(incumbent), incumbent);
    if (json) {
      spec.commandLine().getOut().println(PlanJson.bound(report));
    } else {
      spec.commandLine().getOut().print(PlanTable.bound(report));
    }
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
