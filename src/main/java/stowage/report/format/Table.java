package stowage.report.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stowage.packing.ByteText;

/**
 * A table of a report, with writers for a terminal, Markdown and CSV. A cell has a text for readers
 * and a value for CSV; a column may be for one of the two alone.
 */
public final class Table {
  private final List<Column> columns = new ArrayList<>();
  private final List<List<Cell>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param heading for readers; null for a column of the CSV alone
   * @param name in the CSV; null for a column that only readers see
   * @param figures whether its cells are numbers, which are right-aligned
   */
  public record Column(String heading, String name, boolean figures) {}

  /**
   * A cell.
   *
   * @param text for readers
   * @param value for CSV, to its full precision; empty where there is none
   */
  public record Cell(String text, String value) {
    /** The same text for readers and in CSV. */
    public static Cell of(String text) {
      return new Cell(text, text);
    }

    /** A whole number, its digits in groups of three for readers. */
    public static Cell of(long whole) {
      return new Cell(ByteText.exact(whole), Long.toString(whole));
    }

    /** Bytes or a count; null is a dash for readers and empty in CSV. */
    public static Cell bytes(Long bytes) {
      return bytes == null ? new Cell("-", "") : of((long) bytes);
    }

    /** A number with some decimals; a dash where it is NaN. */
    public static Cell of(double number, int decimals) {
      return of(number, String.format(Locale.ROOT, "%." + decimals + "f", number));
    }

    /** A share as percent with two decimals, and as a share in CSV. */
    public static Cell percent(double share) {
      return of(share, String.format(Locale.ROOT, "%.2f", share * 100));
    }

    /** Seconds in the unit that suits them, and with milliseconds in CSV. */
    public static Cell time(double seconds) {
      return new Cell(ByteText.seconds(seconds), String.format(Locale.ROOT, "%.3f", seconds));
    }

    /** Seconds with three significant digits. */
    public static Cell seconds(double seconds) {
      int decimals = seconds >= 100 ? 0 : seconds >= 10 ? 1 : seconds >= 1 ? 2 : 4;
      return of(seconds, decimals);
    }

    /** A probability; very small ones as a bound. */
    public static Cell probability(double p) {
      return of(p, p < 0.0001 ? "< 0.0001" : String.format(Locale.ROOT, "%.4f", p));
    }

    private static Cell of(double number, String text) {
      return Double.isNaN(number) ? new Cell("–", "") : new Cell(text, Double.toString(number));
    }
  }

  /** Adds columns of text whose names in CSV are their headings. */
  public Table texts(String... headings) {
    Arrays.stream(headings).forEach(heading -> columns.add(new Column(heading, heading, false)));
    return this;
  }

  /** Adds columns of numbers whose names in CSV are their headings. */
  public Table figures(String... headings) {
    Arrays.stream(headings).forEach(heading -> columns.add(new Column(heading, heading, true)));
    return this;
  }

  /** Adds a column; see {@link Column}. */
  public Table column(String heading, String name, boolean figures) {
    columns.add(new Column(heading, name, figures));
    return this;
  }

  /** Adds a row of a cell for each column; what is no {@link Cell} is the same in every format. */
  public Table row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + columns.size());
    }
    return cells(cells);
  }

  /** Adds cells to the last row, or to a new one where that has one for each column. */
  public Table cells(Object... cells) {
    for (Object cell : cells) {
      if (rows.isEmpty() || rows.get(rows.size() - 1).size() == columns.size()) {
        rows.add(new ArrayList<>());
      }
      rows.get(rows.size() - 1).add(cell instanceof Cell own ? own : Cell.of(cell.toString()));
    }
    return this;
  }

  /** The columns, from left to right. */
  public List<Column> columns() {
    return List.copyOf(columns);
  }

  /** The rows, each with as many cells as there are columns. */
  public List<List<Cell>> rows() {
    return List.copyOf(rows);
  }

  /** The table for a terminal, each line indented by {@code indent} and ended. */
  public String text(String indent) {
    StringBuilder layout = new StringBuilder();
    columns.stream().filter(FOR_READERS).forEach(c -> layout.append(c.figures() ? 'r' : 'l'));
    AlignedText table = new AlignedText(layout.toString());
    table.row(headings().toArray(String[]::new));
    rows.forEach(row -> table.row(texts(row).toArray(String[]::new)));
    return table.text(indent);
  }

  public String markdown() {
    StringBuilder text = new StringBuilder();
    appendMarkdown(text, headings());
    text.append('|');
    columns.stream().filter(FOR_READERS).forEach(c -> text.append(c.figures() ? "---:|" : "---|"));
    text.append('\n');
    rows.forEach(row -> appendMarkdown(text, texts(row)));
    return text.toString();
  }

  private static void appendMarkdown(StringBuilder text, List<String> cells) {
    text.append('|');
    for (String cell : cells) {
      String safe = cell.replace("\\", "\\\\").replace("|", "\\|").replaceAll("\\R|\\p{Cc}", " ");
      text.append(' ').append(safe.replace("<", "&lt;")).append(" |");
    }
    text.append('\n');
  }

  /** The table as CSV by RFC 4180, with a line of names. */
  public String csv() {
    StringBuilder text = new StringBuilder();
    appendCsv(text, columns.stream().filter(IN_CSV).map(Column::name));
    rows.forEach(row -> appendCsv(text, cells(row, IN_CSV).map(Cell::value)));
    return text.toString();
  }

  private static void appendCsv(StringBuilder text, Stream<String> cells) {
    text.append(cells.map(Table::quoted).collect(Collectors.joining(","))).append('\n');
  }

  /** A field of a CSV file by RFC 4180: in quotes where it has commas, quotes or line ends. */
  public static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }

  private static final Predicate<Column> FOR_READERS = column -> column.heading() != null;
  private static final Predicate<Column> IN_CSV = column -> column.name() != null;

  private List<String> headings() {
    return columns.stream().filter(FOR_READERS).map(Column::heading).toList();
  }

  private List<String> texts(List<Cell> row) {
    return cells(row, FOR_READERS).map(Cell::text).toList();
  }

  private Stream<Cell> cells(List<Cell> row, Predicate<Column> shown) {
    if (row.size() != columns.size()) {
      throw new IllegalStateException(row.size() + " cells for " + columns.size());
    }
    return IntStream.range(0, row.size())
        .filter(c -> shown.test(columns.get(c)))
        .mapToObj(row::get);
  }
}
