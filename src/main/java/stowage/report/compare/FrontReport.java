package stowage.report.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.format.NameText;
import stowage.report.format.Table;

/**
 * The front of peak against the price of reuse, and how far plans of real systems are from it.
 *
 * @param memory whose peak counts; empty where there is only one
 * @param points from the least peak on
 * @param whole whether it is proven that there are no other points
 * @param systems plans of real systems; empty for a list of buffers
 * @param pathBefore ops on the longest chain that the network has by itself; 0 without a network
 */
public record FrontReport(
    String name,
    String memory,
    List<Point> points,
    boolean whole,
    List<Other> systems,
    int pathBefore,
    double seconds) {

  /**
   * A point: its peak and what that is at least at this price, its price and what is paid at least
   * at this peak, and ops on the longest chain with the waits that the plan adds (0: no network).
   */
  public record Point(long peak, long peakBound, long cost, long costBound, int path) {
    /** Whether no plan betters it. */
    public boolean isProven() {
      return peakBound >= peak && costBound >= cost;
    }
  }

  /** A real system's plan, or a rule of an order: its peak, its price and the longest chain. */
  public record Other(String name, long peak, long cost, int path) {}

  /**
   * OPTIMAL where every point is proven and none is missing, FEASIBLE where not; without a point
   * INFEASIBLE where it is proven that there is none, and UNKNOWN where not.
   */
  public Status status() {
    if (points.isEmpty()) {
      return whole ? Status.INFEASIBLE : Status.UNKNOWN;
    }
    return whole && points.stream().allMatch(Point::isProven) ? Status.OPTIMAL : Status.FEASIBLE;
  }

  public String json() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", 1).put("status", status().name());
    root.putArray("pareto").add("peak").add("reuse");
    if (!memory.isEmpty()) {
      root.put("memory", memory);
    }
    if (pathBefore > 0) {
      root.put("criticalPath", pathBefore);
    }
    ArrayNode list = root.putArray("points");
    for (Point point : points) {
      ObjectNode entry = list.addObject();
      entry.put("status", (point.isProven() ? Status.OPTIMAL : Status.FEASIBLE).name());
      entry.put("peak", point.peak).put("lowerBound", point.peakBound);
      entry.put("reuseCost", point.cost).put("reuseBound", point.costBound);
      if (point.path > 0) {
        entry.put("criticalPath", point.path);
      }
    }
    ArrayNode others = systems.isEmpty() ? null : root.putArray("systems");
    for (Other other : systems) {
      ObjectNode entry = others.addObject().put("name", other.name).put("peak", other.peak);
      entry.put("reuseCost", other.cost).put("criticalPath", other.path);
    }
    root.put("seconds", Math.round(seconds * 1000) / 1000.0);
    return root.toPrettyString();
  }

  /** As a table for a terminal. */
  public String text() {
    long proven = points.stream().filter(Point::isProven).count();
    String chain =
        pathBefore > 0 ? "; the longest chain has " + ByteText.count(pathBefore, "op") : "";
    String head =
        "%s: %s, %s %s, %s proven%s\n"
            .formatted(
                status(),
                NameText.plain(name),
                points.size(),
                points.size() == 1 ? "point" : "points",
                proven,
                chain);
    Table table = new Table().figures("peak", "price of reuse");
    table.column(pathBefore > 0 ? "chain" : null, null, true).texts("");
    for (Point point : points) {
      String open = "at least " + ByteText.exact(point.peakBound) + " and " + point.costBound;
      table.cells(ByteText.exact(point.peak), ByteText.exact(point.cost), point.path);
      table.cells(point.isProven() ? "proven" : open);
    }
    for (Other other : systems) {
      table.cells(ByteText.exact(other.peak), ByteText.exact(other.cost), other.path, other.name);
    }
    return head + table.text("  ");
  }
}
