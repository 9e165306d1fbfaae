package stowage.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.liveness.PlanningCase;
import stowage.report.NetworkText;

/** {@code stowage show}: what a network is, and why its memory is what it is. */
@Command(
    name = "show",
    description = "Says what a network is, and what is alive where its memory peaks.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ShowCommand implements Callable<Integer> {
  @Mixin InputOptions input;
  @Spec CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    PlanningCase planningCase = new ProblemLoader(input).load().planningCase();
    if (!planningCase.hasNetwork()) {
      throw new UsageException(
          "show describes networks; " + input.input + " is a list of buffers: try stowage bound");
    }
    NetworkText text =
        new NetworkText(
            planningCase.network(),
            planningCase.order(),
            planningCase.problem(),
            i ->
                planningCase.contents().get(i).parts().stream()
                    .map(PlanningCase.Part::tensor)
                    .toList());
    spec.commandLine().getOut().println(json ? text.json() : text.plain());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
