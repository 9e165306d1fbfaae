package stowage.cli.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.input.OpenVinoOptions;
import stowage.cli.input.PlannerChoice;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.PlannerSettings;
import stowage.planning.PlannerCatalogue;
import stowage.report.format.AlignedText;
import stowage.report.format.Terminal;

/** {@code stowage planners}: every planner by name. */
@Command(
    name = "planners",
    description =
        "Lists every planner: its name, kind and rule, and which state of a system it follows; with"
            + " NAME that one, with its own options.",
    hidden = true)
public final class PlannersCommand extends BaseCommand {
  @Parameters(paramLabel = "NAME", arity = "0..1", description = "One planner, such as vela.")
  String name;

  @Option(names = "--json", description = "Print one JSON array on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    List<PlannerCatalogue.Known> known = PlannerCatalogue.known();
    if (name != null) {
      PlannerChoice.of(List.of(name));
      known = known.stream().filter(one -> one.name().equals(name)).toList();
    }
    ArrayNode list = new ObjectMapper().createArrayNode();
    AlignedText table = new AlignedText("lll");
    for (PlannerCatalogue.Known planner : known) {
      String kind = planner.kind().name().toLowerCase(Locale.ROOT);
      String version = planner.version();
      ObjectNode entry = list.addObject().put("name", planner.name()).put("kind", kind);
      entry.put("summary", planner.summary());
      if (!version.isEmpty()) {
        entry.put("version", version);
      }
      String state = version.isEmpty() ? "" : " (" + version + ")";
      table.row(planner.name(), kind, planner.summary() + state);
    }
    print(json ? list.toPrettyString() + "\n" : table.text("", Terminal.columns(System.getenv())));
    if (!json && name != null) {
      options();
    }
    return ExitCode.OK;
  }

  private void options() {
    CommandSpec all = CommandSpec.forAnnotatedObject(new OpenVinoOptions());
    List<OptionSpec> settings = PlannerSettings.of(all, name);
    out().println(settings.isEmpty() ? "no options of its own" : "\noptions, as --set KEY=VALUE:");
    out().print(PlannerSettings.text(settings, Terminal.columns(System.getenv())));
  }
}
