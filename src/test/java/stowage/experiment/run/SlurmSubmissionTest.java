package stowage.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.experiment.suite.RunSpec;

/** What is asked of Slurm, without one. */
class SlurmSubmissionTest extends FolderTest {
  private RunFolder planned(int instances, String limits, int threads) throws IOException {
    List<Integer> seeds = IntStream.rangeClosed(1, instances).boxed().toList();
    Path file =
        file(
            "suite.json",
            ("{\"name\": \"s\", \"instances\": [{\"generator\": \"guillotine\", "
                    + "\"parameters\": {\"seed\": %s}}], \"planners\": [\"greedy-size\"], "
                    + "\"threads\": %s, \"limits\": {%s}}")
                .formatted(seeds, threads, limits));
    return Program.planned(file, folder.resolve("it's out"));
  }

  @Test
  void tasksAskForWhatTheSuiteAllows() throws IOException {
    RunFolder runs = planned(7, "\"seconds\": 100, \"memoryMiB\": 1000", 3);
    SlurmSubmission submission = new SlurmSubmission(runs, 3, 0, List.of());
    List<String> script = Files.readAllLines(submission.writeScript());
    assertTrue(script.contains("#SBATCH --ntasks=1 --cpus-per-task=3"), script.toString());
    assertTrue(script.contains("#SBATCH --mem=" + (2 * 1000 + 256 + 512) + "M"));
    // Three runs of 100 s with 30 s around each are 6.5 minutes; one more is left to spare.
    assertTrue(script.contains("#SBATCH --time=8"));
    String call = script.get(script.size() - 1);
    assertTrue(call.contains("experiment chunk '"), call);
    assertTrue(call.contains("/it'\\''s out' $((STOWAGE_FIRST_CHUNK + SLURM_ARRAY_TASK_ID)) 3"));
  }

  @Test
  void onlyChunksWithSomethingLeftAreHandedIn() throws IOException {
    RunFolder runs = planned(12, "\"seconds\": 1", 1);
    List<RunSpec> all = runs.planned();
    for (int done : new int[] {2, 3, 6, 7, 8}) {
      runs.write(
          RunRecord.without(
              all.get(done), RunRecord.Outcome.DONE, null, Build.versions(), null, null));
    }
    SlurmSubmission submission = new SlurmSubmission(runs, 2, 4, List.of("--partition=long"));
    assertEquals(List.of(0, 2, 4, 5), submission.pending());
    List<List<String>> commands = submission.commands(Path.of("job.sh"), submission.pending());
    assertEquals(1, commands.size());
    assertEquals(
        "sbatch --parsable --array=0,2,4-5%4 --export=ALL,STOWAGE_FIRST_CHUNK=0 "
            + "--partition=long job.sh",
        String.join(" ", commands.get(0)));
  }

  @Test
  void largeExperimentsBecomeSeveralArrays() throws IOException {
    RunFolder runs = planned(2300, "\"seconds\": 1", 1);
    SlurmSubmission submission = new SlurmSubmission(runs, 1, 0, List.of());
    List<List<String>> commands = submission.commands(Path.of("job.sh"), submission.pending());
    assertEquals(
        List.of("--array=0-999", "--array=0-999", "--array=0-299"),
        commands.stream().map(words -> words.get(2)).toList());
    assertEquals(
        List.of(0, 1000, 2000),
        commands.stream()
            .map(words -> Integer.parseInt(words.get(3).replaceAll(".*=", "")))
            .toList());
  }
}
