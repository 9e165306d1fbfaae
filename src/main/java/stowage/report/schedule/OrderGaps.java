package stowage.report.schedule;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import stowage.report.format.GapGrid;

/**
 * Orders of real systems against networks: in each cell how far an order's load is above what is
 * proven of all orders, in percent. Systems come from the least to the most waste over all
 * networks, by the geometric mean of load / bound.
 *
 * @param reports one for each network, with the same systems
 */
public record OrderGaps(List<ScheduleReport> reports) {

  private GapGrid grid() {
    List<GapGrid.Input> inputs = new ArrayList<>();
    for (ScheduleReport report : reports) {
      boolean closed = report.run().load() == report.run().loadBound();
      inputs.add(
          new GapGrid.Input(report.run().network().name(), report.run().loadBound(), closed));
    }
    List<GapGrid.Line> lines = new ArrayList<>();
    lines.add(
        GapGrid.Line.of(
            "Stowage",
            reports.stream().map(report -> report.distance(report.run().load())).toList()));
    for (int k = 0; k < reports.get(0).run().systems().size(); k++) {
      int system = k;
      lines.add(
          GapGrid.Line.of(
              reports.get(0).run().systems().get(k).name(),
              reports.stream()
                  .map(report -> report.distance(report.run().systems().get(system).load()))
                  .toList()));
    }
    return new GapGrid("order", inputs, lines);
  }

  /** On how many networks the order is proven. */
  private long proven() {
    return reports.stream()
        .filter(report -> report.run().load() == report.run().loadBound())
        .count();
  }

  /** On how many networks the placement's peak is the order's load, so that no order costs more. */
  private long placed() {
    return reports.stream()
        .filter(report -> report.peak() != null && report.peak() == report.run().load())
        .count();
  }

  /** The table in Markdown, and below it how many orders are proven and placed at their load. */
  public String markdown() {
    return ("%s\n"
            + "%s of %s orders are proven; %s of %s placements are no higher than their order's"
            + " load.\n")
        .formatted(grid().markdown(), proven(), reports.size(), placed(), reports.size());
  }

  /** The same figures as a JSON object, with a line's end; distances are shares. */
  public String json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1);
    ArrayNode inputs = answer.putArray("inputs");
    for (ScheduleReport report : reports) {
      inputs
          .addObject()
          .put("problem", report.run().network().name())
          .put("peak", report.peak())
          .put("load", report.run().load())
          .put("loadBound", report.run().loadBound());
    }
    answer.put("proven", proven()).put("placed", placed());
    ArrayNode orders = answer.putArray("orders");
    for (GapGrid.Line line : grid().lines()) {
      ObjectNode row = orders.addObject().put("name", line.name());
      ArrayNode above = row.putArray("above");
      line.shares().forEach(above::add);
      row.put("mean", line.mean());
    }
    return answer.toPrettyString() + "\n";
  }
}
