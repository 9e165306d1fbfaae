package stowage.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Thorough;
import stowage.experiment.results.ResultStore;

/**
 * An experiment that is killed at random moments, and whose workers are killed too, ends with the
 * same table as one that no one disturbs.
 */
class ResumeTest extends FolderTest {
  private static final int KILLS = Thorough.of(1, 3);
  private static final int PATIENCE_SECONDS = 3600;

  @Test
  void runsSurviveKills() throws Exception {
    killAndCompare(Thorough.of(1, 36), Thorough.of(1, 2), new Random().nextLong());
  }

  private void killAndCompare(int instances, int seeds, long seed) throws Exception {
    String drawn = "seed of the moments: " + seed;
    Path suite = Program.suite(folder, instances, seeds);
    int runs = Program.runs(instances, seeds);
    Path log = folder.resolve("log.txt");
    Path calm = folder.resolve("calm");
    Path killed = folder.resolve("killed");
    RunFolder undisturbed = Program.planned(suite, calm);
    new Runner(undisturbed, Program.quiet(2)).runAll();
    assertEquals(runs, Program.records(calm));

    Random random = new Random(seed);
    for (int kill = 0; kill < KILLS; kill++) {
      Process process = start(log, suite, killed);
      int from = Program.records(killed);
      int share = from + 1 + random.nextInt(Math.max(1, (runs - from) / (KILLS + 1 - kill)));
      await(process, killed, share);
      Thread.sleep(random.nextInt(100));
      process.destroyForcibly();
      process.waitFor();
    }
    assertTrue(Program.records(killed) > 0, drawn);
    Process process = start(log, suite, killed);
    try {
      killAWorker(process);
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), drawn);
    } finally {
      ExternalProgram.destroy(process.toHandle());
    }
    assertEquals(0, process.exitValue(), Files.readString(log));
    // The worker that was killed left a failure, which is asked for again, as is test-crash's.
    RunFolder survived = new RunFolder(killed);
    Runner.Options retry = new Runner.Options(2, true, null, false);
    assertEquals(runs, new Runner(survived, retry).runAll().done());

    for (RunFolder experiment : List.of(undisturbed, survived)) {
      new ResultStore(experiment.path()).collect(experiment.records());
    }
    List<Map<String, String>> rows = Program.unmeasured(calm);
    assertIterableEquals(rows, Program.unmeasured(killed), drawn);
    assertEquals(runs, rows.size());
    assertEquals(runs / 3, rows.stream().filter(row -> row.containsValue("crashed")).count());
    assertEquals(List.of(), names(killed.resolve("work")), "folders of killed workers are left");
  }

  private static Process start(Path log, Path suite, Path out) throws IOException {
    String line = "experiment run %s --out %s --resume --processes 2".formatted(suite, out);
    return Program.start(log, Map.of(), line.split(" "));
  }

  /** Waits until a folder holds so many records. */
  private static void await(Process process, Path out, int records) throws Exception {
    while (process.isAlive() && Program.records(out) < records) {
      Thread.sleep(10);
    }
  }

  /** Kills the first worker that is seen, as the system does when memory runs out. */
  private static void killAWorker(Process process) throws InterruptedException {
    while (process.isAlive()) {
      for (ProcessHandle child : process.children().toList()) {
        if (child.info().commandLine().orElse("").contains(Worker.class.getName())) {
          child.destroyForcibly();
          return;
        }
      }
      Thread.sleep(5);
    }
  }
}
