package stowage.cli.plan;

import java.nio.file.Path;
import picocli.CommandLine.Option;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.UsageException;

/** Options of a plan over the memories of a map. */
@HelpGroup(HelpGroup.MEMORY_MAP)
final class MemoryMapOptions {
  @Option(
      names = "--memories",
      paramLabel = "FILE",
      description =
          "A memory map: places a network's weights, results and scratch over its memories, with"
              + " transfers between them.")
  Path memories;

  @Option(
      names = "--least-capacity",
      paramLabel = "LIMIT",
      arity = "0..1",
      fallbackValue = "-1",
      description =
          "With --memories: the least capacity of the fast memory that moves at most LIMIT bytes,"
              + " or takes at most LIMIT nanoseconds; without a number, the optimum with unlimited"
              + " capacity.")
  Long leastCapacity;

  boolean isGiven() {
    return memories != null;
  }

  /** Checks that the options go together. */
  void check() {
    UsageException.when(
        memories == null && leastCapacity != null, "--least-capacity is for --memories FILE alone");
  }
}
