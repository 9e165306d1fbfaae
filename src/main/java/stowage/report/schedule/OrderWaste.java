package stowage.report.schedule;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Orders of real systems against networks: in each cell how far an order's load is above what is
 * proven of all orders, in percent. Systems come from the least to the most waste over all
 * networks, by the geometric mean of load / bound.
 *
 * @param reports one for each network, with the same systems
 */
public record OrderWaste(List<ScheduleReport> reports) {

  /** Copies the reports. */
  public OrderWaste {
    reports = List.copyOf(reports);
  }

  private record Line(String name, List<Double> above, double mean) {}

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (int k = -1; k < reports.get(0).orders().size(); k++) {
      List<Double> above = new ArrayList<>();
      double logs = 0;
      for (ScheduleReport report : reports) {
        double distance = report.distance(k < 0 ? report.load() : report.orders().get(k).load());
        above.add(distance);
        logs += Math.log1p(distance);
      }
      String name = k < 0 ? "Stowage" : reports.get(0).orders().get(k).name();
      lines.add(new Line(name, above, Math.expm1(logs / reports.size())));
    }
    lines.sort(Comparator.comparingDouble(Line::mean));
    return lines;
  }

  /** The table in Markdown. */
  public String markdown() {
    StringBuilder text = new StringBuilder("| order |");
    reports.forEach(report -> text.append(' ').append(report.network()).append(" |"));
    text.append(" mean |\n|---|").append("--:|".repeat(reports.size() + 1)).append('\n');
    text.append("| *proven bound, KiB* |");
    for (ScheduleReport report : reports) {
      text.append(' ').append(String.format(Locale.ROOT, "%,d", report.loadBound() >> 10));
      text.append(report.load() == report.loadBound() ? " |" : " (open) |");
    }
    text.append("  |\n");
    for (Line line : lines()) {
      text.append("| `").append(line.name()).append("` |");
      line.above().forEach(share -> text.append(' ').append(cell(share)).append(" |"));
      text.append(' ').append(cell(line.mean())).append(" |\n");
    }
    return text.toString();
  }

  private static String cell(double share) {
    return share == 0 ? "**0**" : String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** The same figures as a JSON object, with a line's end; distances are shares. */
  public String json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1);
    ArrayNode inputs = answer.putArray("inputs");
    for (ScheduleReport report : reports) {
      inputs
          .addObject()
          .put("problem", report.network())
          .put("load", report.load())
          .put("loadBound", report.loadBound());
    }
    ArrayNode orders = answer.putArray("orders");
    for (Line line : lines()) {
      ObjectNode row = orders.addObject().put("name", line.name());
      ArrayNode above = row.putArray("above");
      line.above().forEach(above::add);
      row.put("mean", line.mean());
    }
    return answer.toPrettyString() + "\n";
  }
}
