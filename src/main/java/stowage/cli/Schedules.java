package stowage.cli;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import stowage.compiler.InductorSchedules;
import stowage.importer.InputException;
import stowage.importer.InputFiles;
import stowage.network.Network;

/** The order in which a network's ops run, as the command line names it. */
final class Schedules {
  private Schedules() {}

  /**
   * Indices of the ops in the order asked for.
   *
   * @param name {@code given}, {@code lpmf}, {@code bfs}, {@code dfs}, or a file with an op's name
   *     a line
   */
  static int[] order(Network network, String name) {
    return switch (name) {
      case "given" -> network.executionOrder();
      case "lpmf" -> InductorSchedules.leastPeakMemoryFirst(network);
      case "bfs" -> InductorSchedules.breadthFirst(network);
      case "dfs" -> InductorSchedules.depthFirst(network);
      default -> read(network, Path.of(name));
    };
  }

  private static int[] read(Network network, Path file) {
    Map<String, Integer> open = new HashMap<>();
    for (int i = 0; i < network.ops().size(); i++) {
      open.put(network.ops().get(i).name(), i);
    }
    int[] order = new int[network.ops().size()];
    int count = 0;
    int line = 0;
    String text = new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8);
    for (String row : text.split("\r?\n")) {
      line++;
      if (row.isBlank()) {
        continue;
      }
      Integer op = open.remove(row.trim());
      if (op == null) {
        throw new InputException(
            file,
            "line " + line,
            "\"" + row.trim() + "\" should be the name of an op that was not named before");
      }
      order[count++] = op;
    }
    if (!open.isEmpty()) {
      throw new InputException(
          file,
          "",
          open.size() + " ops are missing, \"" + open.keySet().iterator().next() + "\" is one");
    }
    return order;
  }
}
