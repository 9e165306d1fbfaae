package stowage.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;

class BenchCommandTest {

  @Test
  void theHistoryKeepsTheFiguresAndShowsWhatGotWorse(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("history.jsonl");
    Object[] words = {"bench", "exact", "--only", "hard-[12]$", "--history", file};
    Stowage.run(words).ends(0).prints("the first run of this kind in " + file);
    Stowage.run(words).prints("got slower or worse");
    List<String> lines = Files.readAllLines(file);
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).contains("\"commit\""), lines.get(0));
    Files.writeString(file, lines.get(0).replaceAll("\"peak\":[0-9]+", "\"peak\":1") + "\n");
    Stowage.run(words).prints("hard-1: ", "peak 1 before, 18 now");
    Files.writeString(file, "no run\n");
    Stowage.run(words).ends(0).says("line 1");
    Files.writeString(file, lines.get(0).replace("\"rows\"", "\"x\"") + "\nnull\n");
    Stowage.run(words).ends(0).says("line 1", "rows missing");
  }

  @Test
  void wrongOptionsSayWhatWouldBeRight() {
    Stowage.run("bench", "exact", "--threads", 0).ends(ExitCode.USAGE);
    Stowage.run("bench", "exact", "--only", "(").ends(ExitCode.USAGE).says("--only");
    Stowage.run("bench", "large", "--data", "no such folder")
        .ends(ExitCode.USAGE)
        .says("should be a folder");
    Stowage.run("bench", "tiny").ends(ExitCode.USAGE);
  }

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
