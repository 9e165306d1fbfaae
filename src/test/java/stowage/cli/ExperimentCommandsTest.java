package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands of experiments say and write of themselves. */
class ExperimentCommandsTest {
  @TempDir Path folder;
  private Path suite;
  private Path out;

  @BeforeEach
  void writeSuite() throws IOException {
    Files.writeString(folder.resolve("p.csv"), "id,lower,upper,size\na,0,4,3\nb,2,6,5\n");
    suite =
        Files.writeString(
            folder.resolve("suite.json"),
            """
            {"name": "t", "instances": [{"path": "p.csv"}],
             "planners": ["greedy-size", "greedy-area", "greedy-start"],
             "limits": {"seconds": 1, "memoryMiB": 64}}
            """);
    out = folder.resolve("out");
  }

  @Test
  void aPartBeyondTheLastIsMetWithTheirNumber() {
    assertEquals(0, Stowage.run("experiment", "plan", suite, "--out", out).code());
    Stowage beyond = Stowage.run("experiment", "chunk", out, 2, 2);
    assertEquals(2, beyond.code());
    assertEquals("", beyond.out());
    assertTrue(
        beyond.err().contains("INDEX 2 should be below 2: the 3 runs of " + out), beyond.err());
    assertTrue(beyond.err().contains("make 2 parts of 2"), beyond.err());
    assertEquals(2, Stowage.run("experiment", "chunk", out, 1, Integer.MAX_VALUE).code());
  }

  @Test
  void theCommandThatIsKeptNamesTheProcesses() throws IOException {
    Stowage run =
        Stowage.run("experiment", "run", suite, "--out", out, "--processes", 2, "--quiet");
    assertEquals(0, run.code(), run.err());
    assertEquals(
        "stowage experiment run " + suite + " --processes 2 --out out\n",
        Files.readString(out.resolve("command.txt")));
  }

  @Test
  void impossibleProcessesLeaveNoFolder() {
    Stowage run = Stowage.run("experiment", "run", suite, "--out", out, "--processes", 0);
    assertEquals(2, run.code());
    assertFalse(Files.exists(out), "nothing was begun");
  }
}
