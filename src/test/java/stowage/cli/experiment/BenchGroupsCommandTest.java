package stowage.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;

class BenchGroupsCommandTest {
  private static final List<String> SMALL =
      List.of("bench", "groups", "--network", "models/networks/tiny.json", "--chip", "cv184x:bf16");

  private static Stowage run(String... more) {
    return Stowage.run(SMALL, more);
  }

  @Test
  void everyWayIsRunAndExactIsNeverWorse() {
    Stowage run = run("--only", "(dp|cp)-.*-quick", "--time-limit", "5", "--json").ends(0);
    JsonNode section = run.json().get("sections").get(0);
    assertEquals("cv184x", section.get("chip").asText());
    assertEquals(2 * 3 * 2, section.get("rows").size());
    for (JsonNode row : section.get("rows")) {
      String figure = row.get("objective").asText().equals("traffic") ? "trafficBytes" : "cycles";
      long cost = row.get(figure).asLong();
      assertTrue(row.get("lowerBound").asLong() <= cost + 1, row.toString());
      for (JsonNode other : section.get("rows")) {
        boolean same =
            other.get("partition").equals(row.get("partition"))
                && other.get("slicing").equals(row.get("slicing"))
                && other.get("objective").equals(row.get("objective"));
        if (same && row.get("lmem").asText().equals("exact")) {
          assertTrue(cost <= other.get(figure).asLong(), row + " " + other);
        }
      }
    }
  }

  @Test
  void waysAndFormsCanBeChosen() {
    run("--only", "tail-today-quick", "--objective", "traffic", "--markdown")
        .ends(0)
        .prints("| tail | today | quick |");
    run("--objective", "trafic").ends(ExitCode.USAGE).says("traffic, cycles or lmem-peak");
    Stowage.run("bench", "groups", "--chip", "bm1688:f17").ends(ExitCode.USAGE).says("f17");
    Stowage.run("bench").ends(ExitCode.USAGE);
  }
}
