package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table of a report; it can be written in every format that reports come in.
 *
 * @param name of its files
 * @param title over it
 * @param caption what its columns mean
 * @param columns headings
 * @param rows cells, as many as columns in each
 */
record Table(
    String name, String title, String caption, List<Column> columns, List<List<Cell>> rows) {

  /** A heading, and whether the cells below are figures. */
  record Column(String heading, boolean figures) {}

  /**
   * A cell.
   *
   * @param text for readers
   * @param value for CSV, to its full precision; empty where there is none
   */
  record Cell(String text, String value) {
    static Cell of(String text) {
      return new Cell(text, text);
    }

    static Cell of(long whole) {
      return new Cell(String.format(Locale.ROOT, "%,d", whole), Long.toString(whole));
    }

    /** A number with some decimals; a dash where it is none. */
    static Cell of(double number, int decimals) {
      return Double.isNaN(number)
          ? new Cell("–", "")
          : new Cell(
              String.format(Locale.ROOT, "%." + decimals + "f", number), Double.toString(number));
    }

    /** A share as percent with two decimals, and as a share in CSV. */
    static Cell percent(double share) {
      return Double.isNaN(share)
          ? new Cell("–", "")
          : new Cell(String.format(Locale.ROOT, "%.2f", share * 100), Double.toString(share));
    }

    /** Seconds with three significant digits. */
    static Cell seconds(double seconds) {
      if (Double.isNaN(seconds)) {
        return new Cell("–", "");
      }
      int decimals = seconds >= 100 ? 0 : seconds >= 10 ? 1 : seconds >= 1 ? 2 : 4;
      return of(seconds, decimals);
    }

    /** A probability; very small ones as a bound. */
    static Cell probability(double p) {
      return Double.isNaN(p)
          ? new Cell("–", "")
          : new Cell(
              p < 0.0001 ? "< 0.0001" : String.format(Locale.ROOT, "%.4f", p), Double.toString(p));
    }
  }

  /** Collects rows. */
  static final class Builder {
    private final String name;
    private final String title;
    private final String caption;
    private final List<Column> columns = new ArrayList<>();
    private final List<List<Cell>> rows = new ArrayList<>();

    Builder(String name, String title, String caption) {
      this.name = name;
      this.title = title;
      this.caption = caption;
    }

    Builder texts(String... headings) {
      for (String heading : headings) {
        columns.add(new Column(heading, false));
      }
      return this;
    }

    Builder figures(String... headings) {
      for (String heading : headings) {
        columns.add(new Column(heading, true));
      }
      return this;
    }

    void row(Cell... cells) {
      if (cells.length != columns.size()) {
        throw new IllegalArgumentException(cells.length + " cells for " + columns.size());
      }
      rows.add(List.of(cells));
    }

    Table build() {
      return new Table(name, title, caption, List.copyOf(columns), List.copyOf(rows));
    }
  }

  /** The table in Markdown, without title and caption. */
  String markdown() {
    StringBuilder text = new StringBuilder("|");
    columns.forEach(column -> text.append(' ').append(markdown(column.heading())).append(" |"));
    text.append("\n|");
    columns.forEach(column -> text.append(column.figures() ? "---:|" : "---|"));
    text.append('\n');
    for (List<Cell> row : rows) {
      text.append('|');
      row.forEach(cell -> text.append(' ').append(markdown(cell.text())).append(" |"));
      text.append('\n');
    }
    return text.toString();
  }

  private static String markdown(String text) {
    return text.replace("|", "\\|");
  }

  /** The table in HTML, without title and caption. */
  String html() {
    StringBuilder text = new StringBuilder("<table>\n<thead><tr>");
    columns.forEach(
        column ->
            text.append(column.figures() ? "<th class=\"n\">" : "<th>")
                .append(Html.escape(column.heading()))
                .append("</th>"));
    text.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : rows) {
      text.append("<tr>");
      for (int c = 0; c < row.size(); c++) {
        text.append(columns.get(c).figures() ? "<td class=\"n\">" : "<td>")
            .append(Html.escape(row.get(c).text()))
            .append("</td>");
      }
      text.append("</tr>\n");
    }
    return text.append("</tbody>\n</table>\n").toString();
  }

  /**
   * The table as a LaTeX float that needs the package booktabs; long ones need longtable instead.
   *
   * @param provenance where the figures come from, as comments above it
   */
  String latex(String provenance) {
    boolean isLong = rows.size() > 40;
    String small = columns.size() > 6 ? "\\footnotesize\\setlength{\\tabcolsep}{3pt}\n" : "";
    StringBuilder layout = new StringBuilder();
    columns.forEach(column -> layout.append(column.figures() ? 'r' : 'l'));
    StringBuilder text = new StringBuilder();
    provenance.lines().forEach(line -> text.append("% ").append(line).append('\n'));
    text.append("% needs \\usepackage{booktabs}").append(isLong ? " and {longtable}\n" : "\n");
    String caption = "\\caption{" + tex(title + ". " + this.caption) + "}\\label{tab:" + name + "}";
    if (isLong) {
      text.append("{")
          .append(small)
          .append("\\begin{longtable}{")
          .append(layout)
          .append("}\n")
          .append(caption);
      text.append("\\\\\n\\toprule\n");
    } else {
      text.append("\\begin{table}\n\\centering\n").append(small).append(caption).append('\n');
      text.append("\\begin{tabular}{").append(layout).append("}\n\\toprule\n");
    }
    text.append(String.join(" & ", columns.stream().map(c -> tex(c.heading())).toList()));
    text.append(" \\\\\n\\midrule\n").append(isLong ? "\\endhead\n" : "");
    for (List<Cell> row : rows) {
      text.append(String.join(" & ", row.stream().map(cell -> tex(cell.text())).toList()));
      text.append(" \\\\\n");
    }
    text.append("\\bottomrule\n");
    return text.append(isLong ? "\\end{longtable}}\n" : "\\end{tabular}\n\\end{table}\n")
        .toString();
  }

  private static String tex(String text) {
    StringBuilder safe = new StringBuilder();
    for (char c : text.toCharArray()) {
      switch (c) {
        case '&', '%', '$', '#', '_', '{', '}' -> safe.append('\\').append(c);
        case '<' -> safe.append("$<$");
        case '>' -> safe.append("$>$");
        case '~' -> safe.append("\\textasciitilde{}");
        case '^' -> safe.append("\\textasciicircum{}");
        case '\\' -> safe.append("\\textbackslash{}");
        case '–' -> safe.append("--");
        case '±' -> safe.append("$\\pm$");
        case '≥' -> safe.append("$\\ge$");
        case '×' -> safe.append("$\\times$");
        case 'ρ' -> safe.append("$\\rho$");
        case 'τ' -> safe.append("$\\tau$");
        case '²' -> safe.append("$^2$");
        default -> safe.append(c);
      }
    }
    return safe.toString();
  }

  /** The table as CSV with full precision. */
  String csv() {
    StringBuilder text = new StringBuilder();
    text.append(String.join(",", columns.stream().map(c -> csv(c.heading())).toList()));
    text.append('\n');
    for (List<Cell> row : rows) {
      text.append(String.join(",", row.stream().map(cell -> csv(cell.value())).toList()));
      text.append('\n');
    }
    return text.toString();
  }

  private static String csv(String value) {
    return value.matches("[^,\"\n\r]*") ? value : '"' + value.replace("\"", "\"\"") + '"';
  }
}
