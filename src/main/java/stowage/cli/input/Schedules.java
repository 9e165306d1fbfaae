package stowage.cli.input;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.CsvRows;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.io.Suggestion;
import stowage.liveness.BufferUses;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.IndexOrder;
import stowage.packing.RunControl;
import stowage.planning.schedule.ScheduleRun;
import stowage.schedule.order.SystemOrders;

/** The order in which a network's ops run, as the command line names it. */
final class Schedules {
  private Schedules() {}

  static final String GIVEN = "given";

  /** The order of least load, searched for. */
  static final String OPTIMAL = "optimal";

  /** How an order as a CSV begins. */
  private static final String HEADING = "position,";

  private static final List<String> SHORT = List.of("lpmf", "bfs", "dfs");

  /**
   * Indices of the ops in the order asked for.
   *
   * @param name {@code given}, {@code optimal}, a system's as {@code stowage schedule} lists them
   *     (Inductor's {@code lpmf}, {@code bfs} and {@code dfs} need no prefix), or a file with an
   *     op's name a line, or an order.csv as {@code schedule} and {@code fit} write it
   * @param options what loads are counted by, for {@code optimal}
   * @param control how long the search for {@code optimal} may take
   */
  static int[] order(Network network, String name, LivenessOptions options, RunControl control) {
    String full = SHORT.contains(name) ? "inductor-" + name : name;
    if (full.equals(OPTIMAL)) {
      LivenessOptions inOrder = options.withOrder(LivenessOptions.Order.IN_ORDER);
      ScheduleRun run = new ScheduleRun(network, inOrder, List.of(), -1);
      run.findOrder(control);
      return run.bestOrder();
    }
    return SystemOrders.names().contains(full)
        ? SystemOrders.of(network, full)
        : read(network, file(name));
  }

  /** The file of a name that is no order's; a name close to an order's is an order mistyped. */
  private static Path file(String name) {
    Path file = Path.of(name);
    List<String> names = new ArrayList<>(SHORT);
    names.add(OPTIMAL);
    names.addAll(SystemOrders.names());
    String hint = Suggestion.hint(name, names);
    UsageException.when(
        !hint.isEmpty() && !Files.exists(file),
        ("--schedule %s should be given, optimal, lpmf, bfs, dfs, another system's order (see"
                + " stowage schedule) or a file with one op name per line%s")
            .formatted(name, hint));
    return file;
  }

  /**
   * The names in a file by their lines: a name a line, or of an order.csv its column {@code name},
   * or {@code op} where it has no such column.
   */
  private static Map<Long, String> names(Path file) {
    Map<Long, String> names = new LinkedHashMap<>();
    String text =
        new String(InputFiles.readAllBytes(file), StandardCharsets.UTF_8)
            .replaceFirst("^\uFEFF", "");
    if (!text.startsWith(HEADING)) {
      long line = 0;
      for (String row : text.split("\r?\n")) {
        line++;
        if (!row.isBlank()) {
          names.put(line, row.trim());
        }
      }
      return names;
    }
    try (CsvRows rows = new CsvRows(file)) {
      rows.next();
      int width = rows.fields();
      int column = width == 3 && rows.text(2, "name").equals("name") ? 2 : 1;
      while (rows.next()) {
        if (rows.fields() != width) {
          throw new InputException(file, "line " + rows.line(), "should be a position and an op");
        }
        if (rows.number(0, "position") != names.size()) {
          throw rows.fault("position %s should be %s", rows.number(0, "position"), names.size());
        }
        names.put(rows.line(), rows.text(column, "op"));
      }
    }
    return names;
  }

  private static int[] read(Network network, Path file) {
    Map<String, Integer> open = new HashMap<>();
    for (int i = 0; i < network.ops().size(); i++) {
      open.put(network.ops().get(i).name(), i);
    }
    int[] order = new int[network.ops().size()];
    int count = 0;
    for (Map.Entry<Long, String> row : names(file).entrySet()) {
      String name = row.getValue();
      Integer op = open.remove(name);
      if (op == null) {
        String what = "\"%s\" should be the name of an op that was not named before%s";
        String hint = Suggestion.hint(name, open.keySet());
        throw InputException.atLine(file, row.getKey(), what, name, hint);
      }
      order[count++] = op;
    }
    if (!open.isEmpty()) {
      throw new InputException(
          file,
          "",
          open.size() + " ops are missing, \"" + open.keySet().iterator().next() + "\" is one");
    }
    int[] place = IndexOrder.places(order, order.length);
    int[][] waits = BufferUses.of(network, LivenessOptions.defaults()).waits();
    for (int op : order) {
      for (int earlier : waits[op]) {
        if (place[earlier] > place[op]) {
          String what = "runs op \"%s\" before \"%s\", whose result, variable or effect it needs";
          String name = network.ops().get(op).name();
          String other = network.ops().get(earlier).name();
          throw new InputException(file, "", what.formatted(name, other));
        }
      }
    }
    return order;
  }
}
