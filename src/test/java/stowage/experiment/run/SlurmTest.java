package stowage.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import stowage.FolderTest;

/** The same suite, one run after the other, two side by side, and on a real Slurm. */
@Tag("thorough")
class SlurmTest {
  private static final int INSTANCES = 36;
  private static final int SEEDS = 2;
  private static final long MOST_SECONDS = 3600;

  // The daemons write into it until their very end.
  @TempDir(cleanup = CleanupMode.NEVER)
  Path folder;

  @Test
  void oneProcessTwoProcessesAndSlurmGiveTheSameTable() throws Exception {
    Path suite = Program.suite(folder, INSTANCES, SEEDS);
    Path log = folder.resolve("log.txt");
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    Path jobs = folder.resolve("jobs");
    // Slurm comes first: where there is none, no time is lost.
    try (SlurmCluster cluster =
        SlurmCluster.start(Files.createDirectories(folder.resolve("cluster")))) {
      Map<String, String> environment = cluster.environment();
      assertEquals(
          0, Program.run(log, environment, "experiment", "plan", suite + "", "--out", jobs + ""));
      String[] submit = {"experiment", "submit", jobs.toString(), "--slurm", "--chunk", "7"};
      assertEquals(0, Program.run(log, environment, submit), Files.readString(log));
      long until = System.nanoTime() + MOST_SECONDS * 1_000_000_000L;
      while (!cluster.command("squeue", "-h", "-o", "%i").isEmpty()) {
        assertTrue(System.nanoTime() < until, "jobs are left: " + cluster.command("squeue"));
        Thread.sleep(500);
      }
      assertEquals(Program.runs(INSTANCES, SEEDS), Program.records(jobs), logs(jobs));
      // Handing in again finds nothing to do.
      Path again = folder.resolve("again.txt");
      assertEquals(0, Program.run(again, environment, submit));
      assertTrue(Files.readString(again).contains("nothing is left to do"));
    }
    for (Path out : List.of(one, two)) {
      String line = "experiment run %s --out %s --processes %s";
      String[] run = line.formatted(suite, out, out.equals(one) ? 1 : 2).split(" ");
      assertEquals(0, Program.run(log, Map.of(), run));
    }
    for (Path out : List.of(one, two, jobs)) {
      Program.run(log, Map.of(), "experiment", "collect", out.toString());
    }
    assertEquals(Program.runs(INSTANCES, SEEDS), Program.unmeasured(one).size());
    assertIterableEquals(Program.unmeasured(one), Program.unmeasured(two));
    assertIterableEquals(Program.unmeasured(one), Program.unmeasured(jobs));
  }

  private static String logs(Path jobs) throws java.io.IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : FolderTest.files(jobs.resolve("slurm"), ".log")) {
      text.append(Files.readString(file));
    }
    return text.toString();
  }
}
