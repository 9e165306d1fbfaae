package stowage.cli.input;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.cli.terminal.UsageException;
import stowage.compiler.OnnxRuntimeOrder;
import stowage.compiler.inductor.InductorSchedules;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.Suggestion;
import stowage.network.Network;

/** The order in which a network's ops run, as the command line names it. */
final class Schedules {
  private Schedules() {}

  /**
   * Indices of the ops in the order asked for.
   *
   * @param name {@code given}, {@code lpmf}, {@code bfs}, {@code dfs}, {@code onnxruntime}, or a
   *     file with an op's name a line
   */
  static int[] order(Network network, String name) {
    return switch (name) {
      case "given" -> network.executionOrder();
      case "lpmf" -> InductorSchedules.leastPeakMemoryFirst(network);
      case "bfs" -> InductorSchedules.breadthFirst(network);
      case "dfs" -> InductorSchedules.depthFirst(network);
      case "onnxruntime" -> OnnxRuntimeOrder.of(network);
      default -> read(network, file(name));
    };
  }

  /** The file of a name that is no order's; a name close to an order's is an order mistyped. */
  private static Path file(String name) {
    Path file = Path.of(name);
    String near = Suggestion.nearest(name, List.of("given", "lpmf", "bfs", "dfs", "onnxruntime"));
    if (near != null && !Files.exists(file)) {
      throw new UsageException(
          "--schedule "
              + name
              + " should be given, lpmf, bfs, dfs, onnxruntime or a file with one op name per line;"
              + " did you mean "
              + near
              + "?");
    }
    return file;
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
        String near = Suggestion.nearest(row.trim(), open.keySet());
        throw new InputException(
            file,
            "line " + line,
            "\""
                + row.trim()
                + "\" should be the name of an op that was not named before"
                + (near == null ? "" : "; did you mean " + near + "?"));
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
