package stowage.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.packing.Status;

/**
 * Planners against inputs: in each cell how far a planner's plan lies above what is proven of the
 * input, in percent. Planners stand from the least to the most waste over all inputs they plan, by
 * the geometric mean of peak / bound.
 */
public final class WasteTable {
  private final List<CompareReport> reports;

  /**
   * @param reports one comparison for each input, in the order of the columns
   */
  public WasteTable(List<CompareReport> reports) {
    this.reports = List.copyOf(reports);
  }

  /** The table in Markdown. */
  public String markdown() {
    StringBuilder text = new StringBuilder("| planner |");
    reports.forEach(report -> text.append(' ').append(report.problem()).append(" |"));
    text.append(" mean |\n|---|").append("--:|".repeat(reports.size() + 1)).append('\n');
    text.append("| *").append("proven bound, KiB* |");
    for (CompareReport report : reports) {
      text.append(' ').append(String.format(Locale.ROOT, "%,d", report.lowerBound() >> 10));
      text.append(report.status() == Status.OPTIMAL ? " |" : " (open) |");
    }
    text.append("  |\n");
    for (Line line : lines()) {
      text.append("| `").append(line.planner).append("` |");
      line.gaps.forEach(gap -> text.append(' ').append(cell(gap)).append(" |"));
      text.append(' ').append(cell(line.mean)).append(" |\n");
    }
    return text.toString();
  }

  private record Line(String planner, List<Double> gaps, double mean) {}

  private List<Line> lines() {
    Map<String, Boolean> planners = new LinkedHashMap<>();
    for (CompareReport report : reports) {
      report.rows().forEach(row -> planners.put(row.planner(), true));
    }
    List<Line> lines = new ArrayList<>();
    for (String planner : planners.keySet()) {
      List<Double> gaps = new ArrayList<>();
      double logs = 0;
      int planned = 0;
      for (CompareReport report : reports) {
        double gap = Double.NaN;
        for (CompareReport.Row row : report.rows()) {
          if (row.planner().equals(planner)) {
            gap = report.gap(row);
          }
        }
        gaps.add(gap);
        if (!Double.isNaN(gap)) {
          logs += Math.log1p(gap);
          planned++;
        }
      }
      lines.add(new Line(planner, gaps, planned == 0 ? Double.NaN : Math.expm1(logs / planned)));
    }
    lines.sort((a, b) -> Double.compare(a.mean, b.mean));
    return lines;
  }

  private static String cell(double gap) {
    if (Double.isNaN(gap)) {
      return "–";
    }
    return gap == 0 ? "**0**" : String.format(Locale.ROOT, "%.1f %%", 100 * gap);
  }
}
