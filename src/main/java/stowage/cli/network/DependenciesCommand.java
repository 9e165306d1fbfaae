package stowage.cli.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.compiler.core.ImplicitDependencies;
import stowage.importer.own.PlanFile;
import stowage.network.Op;
import stowage.packing.ByteText;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.planning.LoadedProblem;
import stowage.report.format.NameText;

/** {@code stowage dependencies}: which ops a plan makes wait for each other. */
@Command(
    name = "dependencies",
    description =
        "Lists the pairs of ops that a plan's reuse of memory makes wait for each other, and what"
            + " that does to the critical path and the width of the graph.",
    hidden = true)
public final class DependenciesCommand extends JsonCommand {
  private static final int SHOWN = 30;

  @Mixin FormattedInputOptions input;
  @Mixin ProgressOptions progress;
  @Mixin RunOptions run;

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      description = "A plan.json or plan.csv of the network (default: one made now).")
  Path plan;

  @Override
  public Integer call() {
    input.planned = plan;
    LoadedProblem planned = new ProblemLoader(input).load();
    UsageException.when(
        !planned.planningCase().hasNetwork(),
        "dependencies are between a network's ops; " + input.input + " is a list of buffers");
    Placement placement = placement(planned.problem());
    if (placement == null) {
      say("no plan was found in time");
      return ExitCode.NO_PLAN;
    }
    ImplicitDependencies added = ImplicitDependencies.of(planned.planningCase(), placement);
    printLines(json ? json(planned, added) : text(planned, added));
    return ExitCode.OK;
  }

  private Placement placement(PackingProblem problem) {
    return plan == null
        ? progress.solve(problem, run.control(), run.engines()).placement()
        : PlanFile.read(plan).validPlacement(problem);
  }

  private static String text(LoadedProblem planned, ImplicitDependencies added) {
    StringBuilder text = new StringBuilder();
    text.append(ByteText.count(added.pairs().size(), "pair"));
    text.append(" of ops wait for each other because their buffers share memory\n");
    text.append("critical path: ").append(ByteText.count(added.criticalPathBefore(), "op"));
    text.append(", with the plan ").append(ByteText.exact(added.criticalPathAfter()));
    text.append("\nwidth: ").append(ByteText.count(added.widthBefore(), "op"));
    text.append(" side by side, with the plan ").append(ByteText.exact(added.widthAfter()));
    text.append('\n');
    List<ImplicitDependencies.Pair> pairs = added.pairs();
    for (int k = 0; k < Math.min(SHOWN, pairs.size()); k++) {
      ImplicitDependencies.Pair pair = pairs.get(k);
      text.append(
          "  %s waits for %s: \"%s\" is placed over \"%s\"%n"
              .formatted(
                  NameText.shortened(op(planned, pair.later()).name()),
                  NameText.shortened(op(planned, pair.earlier()).name()),
                  NameText.shortened(planned.problem().buffer(pair.laterBuffer()).id()),
                  NameText.shortened(planned.problem().buffer(pair.earlierBuffer()).id())));
    }
    if (pairs.size() > SHOWN) {
      text.append("  and ").append(pairs.size() - SHOWN).append(" more: add --json\n");
    }
    return text.toString();
  }

  private static String json(LoadedProblem planned, ImplicitDependencies added) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", 1).put("criticalPathBefore", added.criticalPathBefore());
    root.put("criticalPathAfter", added.criticalPathAfter());
    root.put("widthBefore", added.widthBefore()).put("widthAfter", added.widthAfter());
    ArrayNode pairs = root.putArray("pairs");
    for (ImplicitDependencies.Pair pair : added.pairs()) {
      ObjectNode entry = pairs.addObject();
      entry.put("earlier", op(planned, pair.earlier()).name());
      entry.put("later", op(planned, pair.later()).name());
      entry.put("earlierBuffer", planned.problem().buffer(pair.earlierBuffer()).id());
      entry.put("laterBuffer", planned.problem().buffer(pair.laterBuffer()).id());
    }
    return root.toPrettyString();
  }

  private static Op op(LoadedProblem planned, int index) {
    return planned.planningCase().network().ops().get(index);
  }
}
