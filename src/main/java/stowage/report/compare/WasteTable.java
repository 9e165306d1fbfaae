package stowage.report.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stowage.packing.Status;

/**
 * Planners against inputs: in each cell how far a planner's plan is above what is proven of the
 * input, in percent. Planners are from the least to the most waste over all inputs they plan, by
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

  /** The same figures as a JSON object; a gap is a share, null where there is no plan. */
  public String json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1);
    ArrayNode inputs = answer.putArray("inputs");
    for (CompareReport report : reports) {
      inputs
          .addObject()
          .put("problem", report.problem())
          .put("lowerBound", report.lowerBound())
          .put("status", report.status().name());
    }
    ArrayNode planners = answer.putArray("planners");
    for (Line line : lines()) {
      ObjectNode planner = planners.addObject();
      planner.put("planner", line.planner);
      ArrayNode gaps = planner.putArray("gaps");
      line.gaps.forEach(gap -> gaps.add(orNull(gap)));
      planner.put("mean", orNull(line.mean));
    }
    return answer.toPrettyString();
  }

  private static Double orNull(double gap) {
    return Double.isNaN(gap) ? null : gap;
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
