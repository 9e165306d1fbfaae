package stowage.report.schedule;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import stowage.planning.schedule.ScheduleRun;
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
    lines.add(line("Stowage", ScheduleRun::load));
    for (int k = 0; k < reports.get(0).run().systems().size(); k++) {
      int system = k;
      String name = reports.get(0).run().systems().get(k).name();
      lines.add(line(name, run -> run.systems().get(system).load()));
    }
    return new GapGrid("order", inputs, lines);
  }

  private GapGrid.Line line(String name, ToLongFunction<ScheduleRun> load) {
    return GapGrid.Line.of(
        name, reports.stream().map(one -> one.distance(load.applyAsLong(one.run()))).toList());
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
    String form =
        "%s\n"
            + "%s of %s orders are proven; %s of %s placements are no higher than their order's"
            + " load.\n";
    return form.formatted(grid().markdown(), proven(), reports.size(), placed(), reports.size());
  }

  /** The same figures as a JSON object, with a line's end; distances are shares. */
  public String json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1);
    ArrayNode inputs = answer.putArray("inputs");
    for (ScheduleReport report : reports) {
      ObjectNode input = inputs.addObject().put("problem", report.run().network().name());
      input.put("peak", report.peak()).put("load", report.run().load());
      input.put("loadBound", report.run().loadBound());
    }
    answer.put("proven", proven()).put("placed", placed());
    ArrayNode orders = answer.putArray("orders");
    for (GapGrid.Line line : grid().lines()) {
      ObjectNode row = orders.addObject().put("name", line.name());
      line.shares().forEach(row.putArray("above")::add);
      row.put("mean", line.mean());
    }
    return answer.toPrettyString() + "\n";
  }
}
