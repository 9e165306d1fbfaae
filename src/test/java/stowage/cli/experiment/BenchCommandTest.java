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
  void chosenInstancesAreProvenAndPrintedAsJsonAlone() {
    Stowage run = Stowage.run("bench", "exact", "--only", "hard-[12]$", "--json", "--history", "-");
    assertEquals(0, run.code(), run.err());
    JsonNode rows = run.json().get("rows");
    assertEquals(2, rows.size());
    for (JsonNode row : rows) {
      assertEquals("OPTIMAL", row.get("status").asText());
    }
  }

  @Test
  void theHistoryKeepsTheFiguresAndShowsWhatGotWorse(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("history.jsonl");
    Object[] words = {"bench", "exact", "--only", "hard-[12]$", "--history", file};
    Stowage first = Stowage.run(words);
    assertEquals(0, first.code(), first.err());
    assertTrue(first.out().contains("the first run of this kind in " + file), first.out());
    Stowage second = Stowage.run(words);
    assertTrue(second.out().contains("got slower or worse"), second.out());
    List<String> lines = Files.readAllLines(file);
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).contains("\"commit\""), lines.get(0));
    Files.writeString(file, lines.get(0).replaceAll("\"peak\":[0-9]+", "\"peak\":1") + "\n");
    Stowage third = Stowage.run(words);
    assertTrue(third.out().contains("hard-1: "), third.out());
    assertTrue(third.out().contains("peak 1 before, 18 now"), third.out());
    Files.writeString(file, "no run\n");
    Stowage broken = Stowage.run(words);
    assertEquals(0, broken.code(), "the figures are printed all the same");
    assertTrue(broken.err().contains("line 1"), broken.err());
  }

  @Test
  void wrongOptionsSayWhatWouldBeRight() {
    assertEquals(ExitCode.USAGE, Stowage.run("bench", "exact", "--threads", 0).code());
    Stowage pattern = Stowage.run("bench", "exact", "--only", "(");
    assertEquals(ExitCode.USAGE, pattern.code());
    assertTrue(pattern.err().contains("--only"), pattern.err());
    Stowage data = Stowage.run("bench", "large", "--data", "no such folder");
    assertEquals(ExitCode.USAGE, data.code());
    assertTrue(data.err().contains("should be a folder"), data.err());
    assertEquals(ExitCode.USAGE, Stowage.run("bench", "tiny").code());
  }
}
