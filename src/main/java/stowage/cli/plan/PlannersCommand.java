package stowage.cli.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.planning.PlannerCatalogue;

/** {@code stowage planners}: every planner by name. */
@Command(
    name = "planners",
    description =
        "Lists every planner: its name, kind and rule, and which state of a system it follows.",
    hidden = true)
public final class PlannersCommand extends BaseCommand {

  @Option(names = "--json", description = "Print one JSON array on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    PrintWriter out = out();
    if (json) {
      ArrayNode list = new ObjectMapper().createArrayNode();
      for (PlannerCatalogue.Known planner : PlannerCatalogue.known()) {
        ObjectNode entry = list.addObject();
        entry.put("name", planner.name());
        entry.put("kind", planner.kind().name().toLowerCase(Locale.ROOT));
        entry.put("summary", planner.summary());
        if (!planner.version().isEmpty()) {
          entry.put("version", planner.version());
        }
      }
      out.println(list.toPrettyString());
    } else {
      int width =
          PlannerCatalogue.known().stream()
              .mapToInt(known -> known.name().length())
              .max()
              .orElse(0);
      for (PlannerCatalogue.Known planner : PlannerCatalogue.known()) {
        out.printf(
            Locale.ROOT,
            "%-" + width + "s  %-7s  %s%n",
            planner.name(),
            planner.kind().name().toLowerCase(Locale.ROOT),
            planner.summary()
                + (planner.version().isEmpty() ? "" : " (" + planner.version() + ")"));
      }
    }
    out.flush();
    return ExitCode.OK;
  }
}
