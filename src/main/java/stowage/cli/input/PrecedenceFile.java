package stowage.cli.input;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.CsvRows;
import stowage.importer.io.InputException;
import stowage.importer.io.Suggestion;
import stowage.network.Network;

/** A file of precedences: {@code before,after} and a pair of ops a line. */
public final class PrecedenceFile {
  private static final String HEADING = "before,after";

  private PrecedenceFile() {}

  /**
   * Reads pairs of ops, by index in a network, of which the first is to run before the second, as
   * in the network's own order; none where the file is null. A fault names the line.
   */
  public static List<int[]> read(Path file, Network network) {
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
    try (CsvRows rows = new CsvRows(file)) {
      boolean headed = rows.next() && rows.fields() == 2;
      if (!headed || !(rows.text(0, "before") + "," + rows.text(1, "after")).equals(HEADING)) {
        throw new InputException(file, "line 1", "should be " + HEADING);
      }
      while (rows.next()) {
        String where = "line " + rows.line();
        if (rows.fields() != 2) {
          throw rows.fault("should be two names of ops with one comma between");
        }
        int before = op(file, where, ops, rows.text(0, "before").trim());
        int after = op(file, where, ops, rows.text(1, "after").trim());
        if (place[before] >= place[after]) {
          throw rows.fault("does not hold in the network's own order, which should keep it");
        }
        pairs.add(new int[] {before, after});
      }
      if (rows.hasTextBehind()) {
        throw rows.fault("is empty, but more rows follow; leave it out");
      }
    }
    return pairs;
  }

  private static int op(Path file, String where, Map<String, Integer> ops, String name) {
    Integer op = ops.get(name);
    if (op == null) {
      String hint = Suggestion.hint(name, ops.keySet());
      throw new InputException(file, where, "\"%s\" is no op of the network%s", name, hint);
    }
    return op;
  }
}
