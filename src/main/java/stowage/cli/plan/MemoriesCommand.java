package stowage.cli.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;

/** {@code stowage memories MODEL MAP}: what is in which memory of a map, and when. */
@Writes({"{residency,transfers}.csv", "order.txt", "memories.{svg,html,json}", "residency.h"})
@Command(
    name = "memories",
    description =
        "Places a network's weights, results and scratch over the memories of a map, with transfers"
            + " between them.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class MemoriesCommand extends PlanCommand {
  /** Options of plan that have no effect here. */
  private static final Set<String> OF_PLAN =
      Set.of(
          """
          --planner --set --effort --capacity --minimize --pareto --run --write --trace --warm-start
          --stable --slack --pin-from --memories --ignore-offsets --bank-size --no-cross --memory
          """
              .split("\\s+"));

  private static final Map<String, String> OWN =
      Map.of(
          "--objective",
          "traffic, bytes moved (default), or time, nanoseconds of accesses and transfers.",
          "--least-capacity",
          "The least capacity of the fast memory that moves at most LIMIT bytes, or takes at most"
              + " LIMIT nanoseconds; without a number, the optimum with unlimited capacity.",
          "--out",
          "Write memories.html, memories.json, memories.svg, residency.csv, residency.h,"
              + " transfers.csv and order.txt into this folder.");

  /** Makes the help that of this command: its two files, and the options that matter. */
  public static void describe(CommandSpec command) {
    for (OptionSpec option : List.copyOf(command.options())) {
      String name = option.longestName();
      OptionSpec.Builder changed = option.toBuilder();
      if (OF_PLAN.contains(name)) {
        changed.hidden(true);
      } else if (OWN.containsKey(name)) {
        changed.description(OWN.get(name));
      }
      command.remove(option); // all of them, so that their order stays
      command.addOption(changed.build());
    }
    for (PositionalParamSpec file : List.copyOf(command.positionalParameters())) {
      boolean first = file.index().min() == 0;
      String network = "A network: .json, .onnx, .tflite, OpenVINO .xml, TPU-MLIR .mlir.";
      String map = "A memory map (docs/residency.md), such as models/memories/stm32h7.json.";
      command.remove(file);
      command.addPositional(
          file.toBuilder()
              .paramLabel(first ? "MODEL" : "MAP")
              .description(first ? network : map)
              .build());
    }
  }

  @Override
  public Integer call() {
    UsageException.when(
        !map.isGiven() && more.size() != 1,
        "memories takes a model and a memory map: stowage memories MODEL MAP");
    if (!map.isGiven()) {
      map.memories = more.get(0);
      more = List.of();
    }
    return super.call();
  }
}
