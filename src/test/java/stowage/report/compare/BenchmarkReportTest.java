package stowage.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.JsonChecks;
import stowage.cli.help.JsonSchema;
import stowage.packing.Status;

class BenchmarkReportTest {
  /** A row of instances of one bound with a peak, or proven infeasible within a capacity. */
  private static BenchmarkReport.Row row(
      String name, long buffers, Long capacity, Long peak, double seconds, long nodes, long rss) {
    Status status = peak == null ? Status.INFEASIBLE : Status.FEASIBLE;
    double first = peak == null ? Double.NaN : 0.5;
    String winner = peak == null ? "" : "search";
    return new BenchmarkReport.Row(
        name,
        (int) buffers,
        capacity,
        1000,
        "max-load",
        peak,
        status,
        seconds,
        first,
        2 * first,
        nodes,
        winner,
        rss);
  }

  private static final List<BenchmarkReport.Row> ROWS =
      List.of(
          row("A", 10_000, null, 1020L, 2, 3000, 40_000_000),
          row("B", 100_000, 512L, null, 20, 0, 80_000_000));

  @Test
  void theTableNamesEveryFigure() {
    assertEquals(
        """
        bench exact on 2 cores
          instance        n  capacity  bound   peak  gap  status        time  nodes/s  winner
          A          10,000            1,000  1,020  2 %  FEASIBLE    2.00 s    1,500  search
          B         100,000       512  1,000      -    -  INFEASIBLE  20.0 s        -
        1 of 2 settled in 22.0 s in total
        """,
        new BenchmarkReport("exact", "2 cores", false, ROWS).text());
  }

  @Test
  void growthIsTheTimeOfABufferAgainstTheRowBefore() {
    String text = new BenchmarkReport("scale", "2 cores", true, ROWS).markdown();
    assertTrue(text.contains("| 100.00 |  | 4,000 |"), text);
    assertTrue(text.contains("| 200.00 | x2.00 | 800 |"), text);
  }

  @Test
  void jsonLeavesOutNothing() throws IOException {
    JsonNode json = JsonChecks.read(new BenchmarkReport("exact", "2 cores", false, ROWS).json());
    assertEquals(1, json.get("settled").asInt());
    assertEquals(0.02, json.get("rows").get(0).get("gap").asDouble(), 1e-12);
    JsonChecks.holds(json, "rows/1/peak=null rows/1/firstSeconds=null rows/1/capacity=512");
    for (String field : new String[] {"instance", "n", "nodes", "winner", "peakRssBytes"}) {
      assertTrue(json.get("rows").get(0).has(field), field);
    }
  }

  @Test
  void jsonSaysWhatWasBetterBefore() throws IOException {
    BenchmarkReport.Setback worse = new BenchmarkReport.Setback("A", 1.5, 2, 1010L, 1020L, false);
    BenchmarkReport.Setback open = new BenchmarkReport.Setback("B", 5, 20, null, null, true);
    BenchmarkReport report =
        new BenchmarkReport("exact", "2 cores", false, ROWS)
            .withHistory(new BenchmarkReport.History("h.jsonl", "abc", 3, List.of(worse, open)));
    JsonNode json = JsonChecks.read(report.json());
    assertEquals(List.of(), JsonSchema.named("bench").faults(json));
    JsonChecks.holds(
        json.get("history"),
        "file=h.jsonl commit=abc earlier=3 worse/0/instance=A worse/0/secondsBefore=1.5"
            + " worse/0/seconds=2.0 worse/0/peakBefore=1010 worse/0/peak=1020"
            + " worse/0/unsettled=false worse/1/peakBefore=null worse/1/unsettled=true");
  }
}
