package stowage.cli.network;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.ExitCode;
import stowage.liveness.PlanningCase;
import stowage.report.plan.BuffersText;
import stowage.report.plan.NetworkText;

/** {@code stowage show}: what an input is, and why its memory is what it is. */
@Command(
    name = "show",
    description =
        "Says what a network or a list of buffers is, and what is alive where its memory peaks.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ShowCommand implements Callable<Integer> {
  @Mixin FormattedInputOptions input;
  @Spec CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    PlanningCase planningCase = new ProblemLoader(input).load().planningCase();
    if (!planningCase.hasNetwork()) {
      BuffersText text = new BuffersText(planningCase.problem());
      return print(json ? text.json() : text.plain());
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
    return print(json ? text.json() : text.plain());
  }

  private int print(String text) {
    spec.commandLine().getOut().println(text.stripTrailing());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
