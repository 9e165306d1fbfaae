package stowage.report.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.Status;
import stowage.report.format.GapGrid;

/**
 * Planners against inputs: in each cell how far a planner's plan is above what is proven of the
 * input, in percent. Planners are from the least to the most waste over all inputs they plan, by
 * the geometric mean of peak / bound.
 *
 * @param reports one for each input, in the order of the columns
 */
public record PlannerGaps(List<CompareReport> reports) {
  public String markdown() {
    return grid().markdown();
  }

  /** The same figures as a JSON object; a gap is a share, null where there is no plan. */
  public String json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("schemaVersion", 1);
    ArrayNode inputs = answer.putArray("inputs");
    for (CompareReport report : reports) {
      ObjectNode input = inputs.addObject().put("problem", report.problem());
      input.put("lowerBound", report.lowerBound()).put("status", report.status().name());
    }
    ArrayNode planners = answer.putArray("planners");
    for (GapGrid.Line line : grid().lines()) {
      ObjectNode planner = planners.addObject();
      planner.put("planner", line.name());
      ArrayNode gaps = planner.putArray("gaps");
      line.shares().forEach(gap -> gaps.add(orNull(gap)));
      planner.put("mean", orNull(line.mean()));
    }
    return answer.toPrettyString();
  }

  private static Double orNull(double gap) {
    return Double.isNaN(gap) ? null : gap;
  }

  private GapGrid grid() {
    Map<String, List<Double>> planners = new LinkedHashMap<>();
    List<GapGrid.Input> inputs = new ArrayList<>();
    for (int k = 0; k < reports.size(); k++) {
      CompareReport report = reports.get(k);
      boolean closed = report.status() == Status.OPTIMAL;
      inputs.add(new GapGrid.Input(report.problem(), report.lowerBound(), closed));
      for (CompareReport.Row row : report.rows()) {
        planners
            .computeIfAbsent(
                row.planner(),
                name -> new ArrayList<>(Collections.nCopies(reports.size(), Double.NaN)))
            .set(k, report.gap(row));
      }
    }
    List<GapGrid.Line> lines = new ArrayList<>();
    planners.forEach((name, gaps) -> lines.add(GapGrid.Line.of(name, gaps)));
    return new GapGrid("planner", inputs, lines);
  }
}
