package stowage.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;

class BenchCommandTest {

  @Test
  void chosenInstancesAreProvenAndPrintedAsJsonAlone() {
    Stowage run = Stowage.run("bench", "exact", "--only", "hard-[12]$", "--json");
    assertEquals(0, run.code(), run.err());
    JsonNode rows = run.json().get("rows");
    assertEquals(2, rows.size());
    for (JsonNode row : rows) {
      assertEquals("OPTIMAL", row.get("status").asText());
    }
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
