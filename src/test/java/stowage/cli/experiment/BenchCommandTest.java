package stowage.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
}
