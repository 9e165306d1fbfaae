package stowage.cli.plan;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.Suggestion;
import stowage.network.Network;

/** A file of precedences: {@code before,after} and a pair of ops a line. */
final class PrecedenceFile {
  private static final String HEADING = "before,after";

  private PrecedenceFile() {}

  /**
   * Reads pairs of ops, by index in a network, of which the first is to run before the second.
   *
   * @param file null for none
   * @throws InputException naming the line, when it is no pair of ops, or the network's own order
   *     does not keep it
   */
  static List<int[]> read(Path file, Network network) {
    List<int[]> pairs = new ArrayList<>();
    if (file == null) {
      return pairs;
    }
    Map<String, Integer> ops = new HashMap<>();
    int[] place = new int[network.ops().size()];
    int[] given = network.executionOrder();
    for (int k = 0; k < given.length; k++) {
      ops.put(network.ops().get(given[k]).name(), given[k]);
      place[given[k]] = k;
    }
    String[] lines =
        new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8).split("\r?\n", -1);
    if (!lines[0].equals(HEADING)) {
      throw new InputException(file, "line 1", "should be " + HEADING);
    }
    for (int line = 1; line < lines.length; line++) {
      if (lines[line].isBlank()) {
        continue;
      }
      String where = "line " + (line + 1);
      int comma = lines[line].indexOf(',');
      if (comma < 0 || comma != lines[line].lastIndexOf(',')) {
        throw new InputException(file, where, "should be two names of ops with one comma between");
      }
      int before = op(file, where, ops, lines[line].substring(0, comma).trim());
      int after = op(file, where, ops, lines[line].substring(comma + 1).trim());
      if (place[before] >= place[after]) {
        throw new InputException(
            file, where, "does not hold in the network's own order, which should keep it");
      }
      pairs.add(new int[] {before, after});
    }
    return pairs;
  }

  private static int op(Path file, String where, Map<String, Integer> ops, String name) {
    Integer op = ops.get(name);
    if (op == null) {
      throw new InputException(
          file,
          where,
          "\"%s\" is no op of the network%s".formatted(name, Suggestion.hint(name, ops.keySet())));
    }
    return op;
  }
}
