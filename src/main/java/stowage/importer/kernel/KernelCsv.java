package stowage.importer.kernel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.CsvRows;
import stowage.importer.io.InputException;

/**
 * A kernel graph as two CSV files. The nodes' file has a header with the JSON's field names in any
 * order; {@code Bufs} lists numbers separated by blanks, commas or semicolons, in brackets or not.
 * The edges' file has two columns, source and target, with a header or without.
 */
record KernelCsv(CsvRows rows, Map<String, Integer> columns) {
  private static final List<String> NEEDED = List.of("Id", "Op", "BufId", "Size", "Type", "Pipe");

  static KernelGraphBuilder read(Path nodes, Path edges) {
    KernelGraphBuilder draft = new KernelGraphBuilder(count(nodes));
    try (CsvRows rows = new CsvRows(nodes)) {
      KernelCsv reader = new KernelCsv(rows, new LinkedHashMap<>());
      reader.header(nodes);
      while (rows.next()) {
        reader.node(draft);
      }
    }
    try (CsvRows rows = new CsvRows(edges)) {
      for (boolean first = true; rows.next(); first = false) {
        if (rows.fields() != 2) {
          throw rows.error("source", "an edge should have two columns, it has " + rows.fields());
        }
        if (!first || isNumber(rows.text(0, "source"))) {
          draft.edge(
              whole(rows, 0, "source"),
              whole(rows, 1, "target"),
              what -> rows.error("source", what));
        }
      }
    }
    return draft;
  }

  private static int count(Path nodes) {
    int count = -1;
    try (CsvRows rows = new CsvRows(nodes)) {
      while (rows.next()) {
        count++;
      }
    }
    if (count < 0) {
      throw new InputException(nodes, "", "is empty; it should begin with a header");
    }
    return count;
  }

  private void header(Path file) {
    rows.next();
    for (int k = 0; k < rows.fields(); k++) {
      columns.put(rows.text(k, "header").trim(), k);
    }
    for (String column : NEEDED) {
      if (!columns.containsKey(column)) {
        throw InputException.atLine(
            file, 1, "the column \"%s\" is missing; the header has %s", column, columns.keySet());
      }
    }
  }

  private void node(KernelGraphBuilder draft) {
    int id = (int) number("Id");
    String op = text("Op");
    KernelGraphBuilder.FaultAt faults = what -> rows.error("Id", what);
    if (op.equals("ALLOC") || op.equals("FREE")) {
      draft.cacheNode(id, op, (int) number("BufId"), number("Size"), text("Type"), faults);
      return;
    }
    List<Integer> uses = new ArrayList<>();
    for (String part : optional("Bufs").split("[\\[\\]\\s,;]+")) {
      if (isNumber(part) && part.length() <= 10 && Long.parseLong(part) <= Integer.MAX_VALUE) {
        uses.add(Integer.parseInt(part));
      } else if (!part.isEmpty()) {
        throw rows.error("Bufs", "\"" + part + "\" should be the number of a buffer");
      }
    }
    long cycles = optional("Cycles").isBlank() ? 0 : number("Cycles");
    draft.operation(id, op, text("Pipe"), cycles, uses, faults);
  }

  private static boolean isNumber(String text) {
    return !text.isBlank() && text.trim().chars().allMatch(Character::isDigit);
  }

  private static long whole(CsvRows rows, int field, String column) {
    long value = rows.number(field, column);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw rows.error(column, value + " should be a whole number from 0 to 2147483647");
    }
    return value;
  }

  private long number(String column) {
    return whole(rows, field(column), column);
  }

  private int field(String column) {
    int field = columns.get(column);
    if (field >= rows.fields()) {
      throw rows.error(column, "is missing in this row");
    }
    return field;
  }

  private String text(String column) {
    String text = rows.text(field(column), column).trim();
    if (text.isEmpty()) {
      throw rows.error(column, "is empty; it should be a name");
    }
    return text;
  }

  private String optional(String column) {
    Integer field = columns.get(column);
    return field == null || field >= rows.fields() ? "" : rows.text(field, column);
  }
}
