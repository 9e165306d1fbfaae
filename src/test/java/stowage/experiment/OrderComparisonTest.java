package stowage.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.JsonChecks;
import stowage.exact.engine.EngineOptions;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.liveness.StreamSpread;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.report.compare.OrderReport;
import stowage.report.compare.OrderSvg;

class OrderComparisonTest {

  /** Two branches of two ops from x that meet in y: a, p and b, q, all of 4 KiB. */
  private static Network branches() {
    String ops = "a:4096 = Conv x; p:4096 = Conv a; b:4096 = Conv x; q:4096 = Conv b";
    return Graphs.of("x:4096; " + ops + "; y:4096 = Conv p q; -> y").network();
  }

  private static OrderReport report(PlanningCase given) {
    return new OrderComparison(given)
        .report(RunControl.ofSeconds(120, 1, 1), EngineOptions.defaults(), () -> true);
  }

  @Test
  void branchesSideBySideCostABuffer() {
    OrderReport report = report(Liveness.of(branches(), LivenessOptions.defaults()));
    Map<String, OrderReport.Row> rows = new HashMap<>();
    report.rows().forEach(row -> rows.put(row.order(), row));
    assertEquals(5, report.ops());
    // In order x, a, p, b, q, y: when b is made p waits and x is read: 12 KiB. Side by side a or
    // p and b or q are there at once, and x beside a and b.
    OrderReport.Row inOrder = rows.get("in-order");
    assertEquals(3 * 4096L, inOrder.peak());
    assertEquals(5, inOrder.chain());
    assertEquals(1.0, report.parallelism(inOrder));
    OrderReport.Row free = rows.get("out-of-order");
    assertEquals(3, free.chain());
    assertEquals(2, free.width());
    assertEquals(5 / 3.0, report.parallelism(free), 1e-12);
    assertEquals(0, free.waits().pairs());
    assertTrue(free.pairs() > 0 && free.peak() > inOrder.peak(), "peak " + free.peak());
    assertEquals(3, rows.get("2 streams").chain());
    assertEquals(3, rows.get("branches").chain());
    report.rows().forEach(row -> assertEquals(Status.OPTIMAL, row.status(), row.order()));
  }

  @Test
  void freedomNeverLowersTheProvenPeak() throws Exception {
    for (String name : List.of("tiny", "inception_v3", "gpt_block")) {
      Network network = NetworkJson.read(Path.of("models/networks/" + name + ".json"));
      OrderReport report = report(Liveness.of(network, LivenessOptions.defaults()));
      long first = report.rows().get(0).lowerBound();
      for (OrderReport.Row row : report.rows()) {
        assertTrue(row.lowerBound() >= first, name + ", " + row.order());
        assertTrue(row.chain() <= report.ops() && row.chain() >= row.waits().chainBefore());
        assertTrue(row.waits().chainAfter() <= row.chain(), name + ", " + row.order());
      }
    }
  }

  @Test
  void streamsAreFilledByWhoCanStartFirst() {
    Network network = branches();
    int[] order = {0, 1, 2, 3, 4};
    assertEquals(
        Map.of("a", "0", "p", "0", "b", "1", "q", "1", "y", "0"),
        StreamSpread.over(network, order, 2));
    assertEquals(1, new HashSet<>(StreamSpread.over(network, order, 1).values()).size());
  }

  @Test
  void everyFormHoldsEveryOrder() throws Exception {
    OrderReport report = report(Liveness.of(branches(), LivenessOptions.defaults()));
    JsonNode json = JsonChecks.read(report.json());
    assertEquals(6, json.get("orders").size());
    JsonNode first = json.get("orders").get(0);
    JsonChecks.holds(
        first, "order=in-order status=OPTIMAL parallelism=1.0 waits/criticalPathBefore=3");
    List<String> csv = report.table().csv().lines().toList();
    assertEquals(7, csv.size());
    csv.forEach(line -> assertEquals(15, line.split(",", -1).length, line));
    assertTrue(report.text().contains("out-of-order"));
    assertTrue(report.table().markdown().lines().allMatch(line -> line.startsWith("|")));
    String svg = OrderSvg.of(report);
    assertTrue(svg.startsWith("<svg") && svg.contains("longest chain"));
    assertEquals(6, svg.split("<circle", -1).length - 1);
  }
}
