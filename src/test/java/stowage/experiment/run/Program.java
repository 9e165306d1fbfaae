package stowage.experiment.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import stowage.CsvTable;
import stowage.FolderTest;
import stowage.cli.Stowage;
import stowage.experiment.suite.Suite;
import stowage.experiment.suite.SuiteJson;

/** The program as its users start it: a process of its own, which tests may kill. */
final class Program {
  private static final int PATIENCE_SECONDS = 3600;

  /** Columns of the table of results that are measured, and so differ from run to run. */
  private static final Set<String> MEASURED =
      Set.of(
          ("seconds firstSeconds bestSeconds proofSeconds loadSeconds wallSeconds "
                  + "peakRssBytes")
              .split(" "));

  private static final String OTHERS =
      ", {\"generator\": \"random-intervals\", \"parameters\": {\"buffers\": 30, \"seed\": %s}}";

  private Program() {}

  /** Options of a run that prints no progress. */
  static Runner.Options quiet(int processes) {
    return new Runner.Options(processes, false, null, false);
  }

  /** Starts a command; what it says goes into a file. */
  static Process start(Path log, Map<String, String> environment, String... words)
      throws IOException {
    List<String> command = Stowage.process("-Xmx256m", "-Djava.awt.headless=true");
    command.addAll(Arrays.asList(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Runs a command to its end and gives its exit code. */
  static int run(Path log, Map<String, String> environment, String... words)
      throws IOException, InterruptedException {
    Process process = start(log, environment, words);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      ExternalProgram.destroy(process.toHandle());
      throw new IllegalStateException("did not end: " + String.join(" ", words));
    }
    return process.exitValue();
  }

  /** The records that are in an experiment's folder now, whatever is being written there. */
  static int records(Path experiment) throws IOException {
    Path runs = experiment.resolve("runs");
    List<String> names = Files.isDirectory(runs) ? FolderTest.names(runs) : List.of();
    return (int) names.stream().filter(name -> name.endsWith(".json")).count();
  }

  /** The table of results without what is measured. */
  static List<Map<String, String>> unmeasured(Path experiment) throws IOException {
    List<Map<String, String>> rows = CsvTable.rows(experiment.resolve("results.csv"));
    for (Map<String, String> row : rows) {
      if (!row.keySet().containsAll(MEASURED)) {
        throw new IllegalStateException("columns are missing in " + row.keySet());
      }
      row.keySet().removeAll(MEASURED);
    }
    return rows;
  }

  /**
   * Writes a suite of deterministic runs, a third of which crash their worker.
   *
   * @param seeds of each planner; a problem comes to three runs a seed
   */
  static Path suite(Path folder, int instances, int seeds) throws IOException {
    return Files.writeString(
        folder.resolve("suite.json"),
        """
        {"name": "resumed",
         "instances": [
           {"generator": "guillotine", "parameters": {"buffers": 24, "seed": FIRST}}OTHERS],
         "planners": ["xla", "test-crash", "search"],
         "seeds": SEEDS,
         "limits": {"work": 0.02, "seconds": 60, "memoryMiB": 64}}
        """
            .replace("FIRST", upTo((instances + 1) / 2))
            .replace("OTHERS", instances < 2 ? "" : OTHERS.formatted(upTo(instances / 2)))
            .replace("SEEDS", upTo(seeds)));
  }

  private static String upTo(int last) {
    return IntStream.rangeClosed(1, last).boxed().toList().toString();
  }

  /** The number of runs of a {@linkplain #suite suite}. */
  static int runs(int instances, int seeds) {
    return instances * 3 * seeds;
  }

  /** A folder with the runs of a suite's file, none of which is done. */
  static RunFolder planned(Path suite, Path folder) throws IOException {
    Suite read = SuiteJson.read(suite, null);
    RunFolder runs = new RunFolder(folder);
    runs.plan(read, read.runs(), "stowage experiment run suite.json");
    return runs;
  }
}
