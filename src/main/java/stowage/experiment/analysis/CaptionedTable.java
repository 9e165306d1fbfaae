package stowage.experiment.analysis;

import java.util.List;
import stowage.report.format.Table;

/**
 * Table of a report on experiments: what a {@link Table} holds, with a name, a title and a caption,
 * and the writers for HTML and LaTeX that such reports also need.
 */
record CaptionedTable(String name, String title, String caption, Table table) {
  /**
   * The table as a LaTeX float of package booktabs, below comments on where its figures come from;
   * long ones need longtable instead.
   */
  String latex(String provenance) {
    boolean isLong = table.rows().size() > 40;
    String small =
        table.columns().size() > 6 ? "\\footnotesize\\setlength{\\tabcolsep}{3pt}\n" : "";
    StringBuilder layout = new StringBuilder();
    table.columns().forEach(column -> layout.append(column.figures() ? 'r' : 'l'));
    StringBuilder text = new StringBuilder();
    provenance.lines().forEach(line -> text.append("% ").append(line).append('\n'));
    text.append("% needs \\usepackage{booktabs}").append(isLong ? " and {longtable}\n" : "\n");
    String caption = "\\caption{" + tex(title + ". " + caption()) + "}\\label{tab:" + name + "}";
    if (isLong) {
      text.append("{").append(small).append("\\begin{longtable}{").append(layout);
      text.append("}\n").append(caption).append("\\\\\n\\toprule\n");
    } else {
      text.append("\\begin{table}\n\\centering\n").append(small).append(caption).append('\n');
      text.append("\\begin{tabular}{").append(layout).append("}\n\\toprule\n");
    }
    text.append(String.join(" & ", table.columns().stream().map(c -> tex(c.heading())).toList()));
    text.append(" \\\\\n\\midrule\n").append(isLong ? "\\endhead\n" : "");
    for (List<Table.Cell> row : table.rows()) {
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
}
