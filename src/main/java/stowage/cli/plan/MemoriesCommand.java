package stowage.cli.plan;

import java.util.List;
import picocli.CommandLine.Command;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;

/** {@code stowage memories MODEL MAP}: what is in which memory of a map, and when. */
@Writes({"{residency,transfers}.csv", "order.txt", "memories.{svg,html}", "residency.h"})
@Command(
    name = "memories",
    description =
        "Places a network's weights, results and scratch over the memories of a map (the second"
            + " INPUT), with transfers between them.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class MemoriesCommand extends PlanCommand {
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
