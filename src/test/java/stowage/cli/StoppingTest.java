package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.input.RunOptions;
import stowage.cli.plan.PlanCommand;
import stowage.generator.Generators;
import stowage.importer.own.PackingCsv;

/** Signals sent to a process of its own, as a user's shell sends them. */
class StoppingTest extends FolderTest {
  @BeforeAll
  static void onlyWhereSignalsAreSentByKill() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/kill")), "/bin/kill is needed");
    Process env = new ProcessBuilder("env", "--default-signal=INT,HUP", "true").start();
    assumeTrue(env.waitFor() == 0, "env with --default-signal is needed");
  }

  /** An instance on which no engine is done before it is asked to stop. */
  private Path input(String generator, long buffers) throws IOException {
    boolean large = generator.equals("log-uniform-large");
    Map<String, Object> values =
        Map.of("seed", 5L, "buffers", buffers, large ? "live" : "steps", large ? 500L : 200L);
    Path input = folder.resolve("input.csv");
    PackingCsv.write(input, Generators.generate(generator, values));
    return input;
  }

  private Process start(Path input, Path out) throws IOException {
    // A build in the background ignores these signals.
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,HUP"));
    words.addAll(Stowage.process());
    String line = "plan %s --time-limit 100 --verbose --out %s".formatted(input, out);
    words.addAll(List.of(line.split(" ")));
    return new ProcessBuilder(words).redirectOutput(folder.resolve("stdout.txt").toFile()).start();
  }

  private static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private static void awaitPlan(BufferedReader progress) throws IOException {
    String line = progress.readLine();
    while (line != null && !line.contains("plan by")) {
      line = progress.readLine();
    }
    assertTrue(line != null, "it ended without a plan");
  }

  /** The last is so large that its files are made while the search continues. */
  @ParameterizedTest
  @CsvSource({
    "near-capacity, 400, INT, 130",
    "near-capacity, 400, HUP, 129",
    "log-uniform-large, 50000, TERM, 143"
  })
  void aSignalLeavesTheBestPlan(String generator, long buffers, String signal, int code)
      throws Exception {
    Path input = input(generator, buffers);
    Path out = folder.resolve("out");
    Process process = start(input, out);
    try (BufferedReader progress = process.errorReader()) {
      awaitPlan(progress);
      assertFalse(Files.exists(out.resolve("plan.csv")), "nothing is written before the end");
      signal(process, signal);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
    } finally {
      process.destroyForcibly();
    }
    assertEquals(code, process.exitValue());
    Stowage.run("verify", input, out.resolve("plan.csv")).ends(0);
    List<String> names = new ArrayList<>(names(out));
    names.remove("solver.log"); // there if a solver began in time
    assertEquals(List.of("plan.csv", "plan.html", "plan.json", "plan.svg"), names);
  }

  /** A signal while the input is still read. */
  @Test
  void whatHasNoAnswerYetSaysSoInJson() throws Exception {
    Path input = folder.resolve("slow.csv");
    assumeTrue(new ProcessBuilder("mkfifo", input.toString()).start().waitFor() == 0);
    for (String command : List.of("explain", "plan")) {
      List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,HUP"));
      words.addAll(Stowage.process());
      words.addAll(List.of(command, input.toString(), "--json"));
      Path answer = folder.resolve("stdout.txt");
      Process process = new ProcessBuilder(words).redirectOutput(answer.toFile()).start();
      try (OutputStream opened = Files.newOutputStream(input)) { // waits for the reader
        signal(process, "INT");
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
      } finally {
        process.destroyForcibly();
      }
      assertEquals(130, process.exitValue());
      assertEquals(130, JsonChecks.read(answer).at("/error/code").asInt());
    }
  }

  /** Comparisons keep the rows that are done, and say that they were stopped. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "compare %s --time-limit 100 --json",
        "compare models/networks/nasnet.json --concurrency all --time-limit 100 --json",
        "compare models/networks/nasnet.json --memories models/memories/ethosu55.json"
            + " --time-limit 100 --json"
      })
  void aComparisonKeepsWhatItHas(String line) throws Exception {
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT,HUP"));
    words.addAll(Stowage.process());
    words.addAll(List.of(line.formatted(input("near-capacity", 400)).split(" ")));
    words.add("--verbose");
    Path answer = folder.resolve("stdout.txt");
    Process process = new ProcessBuilder(words).redirectOutput(answer.toFile()).start();
    String said;
    try (BufferedReader progress = process.errorReader()) {
      assertNotNull(progress.readLine(), "it ended before it began");
      signal(process, "INT");
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
      said = progress.lines().collect(Collectors.joining("\n"));
    } finally {
      process.destroyForcibly();
    }
    assertEquals(130, process.exitValue(), said);
    assertTrue(said.contains("stowage: interrupted"), said);
    JsonNode kept = JsonChecks.read(answer);
    assertTrue(kept.has("rows") || kept.has("orders") || kept.has("rules"), kept.toString());
  }

  /** A terminal's Ctrl-C reaches the workers too; a job's end reaches the program alone. */
  @ParameterizedTest
  @CsvSource({"true, INT, 130", "false, INT, 130", "false, TERM, 143"})
  void anExperimentKeepsFinishedRuns(boolean all, String signal, int code) throws Exception {
    Path go = folder.resolve("go");
    Path begun = folder.resolve("begun");
    String slow = "sh -c 'touch %s; test -e %s || sleep 100' {in} {out}".formatted(begun, go);
    Path suite =
        file(
            "suite.json",
            """
            {"name": "t", "limits": {"seconds": 200, "memoryMiB": 64},
             "instances": [{"generator": "guillotine", "parameters": {"buffers": 20, "seed": 2}}],
             "planners": ["greedy-size", {"label": "slow", "external": "%s"}, "greedy-area"]}
            """
                .formatted(slow));
    Path out = folder.resolve("out");
    List<String> words = new ArrayList<>(List.of("setsid", "env", "--default-signal=INT,HUP"));
    words.addAll(Stowage.process());
    String line = "experiment run %s --out %s --json".formatted(suite, out);
    words.addAll(List.of(line.split(" ")));
    Path answer = folder.resolve("stdout.txt");
    Process process = new ProcessBuilder(words).redirectOutput(answer.toFile()).start();
    String said;
    try (BufferedReader progress = process.errorReader()) {
      while (!Files.exists(begun) && process.isAlive()) {
        Thread.sleep(20);
      }
      String target = (all ? "-" : "") + process.pid();
      new ProcessBuilder("/bin/kill", "-" + signal, "--", target).start().waitFor();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
      said = progress.lines().collect(Collectors.joining("\n"));
    } finally {
      process.destroyForcibly();
    }
    assertEquals(code, process.exitValue(), said);
    assertTrue(said.contains("stowage: interrupted; 1 of 3 runs are done and kept in "), said);
    JsonChecks.holds(JsonChecks.read(answer), "runs=3 done=1 ran=1 failed=0");
    Files.createFile(go);
    Stowage.run("experiment", "run", suite, "--out", out, "--resume", "--json", "--quiet")
        .ends(0)
        .holds("runs=3 done=3 ran=2 failed=1");
  }

  /** A pipe that is not read at first is a slow disk. */
  @Test
  @Tag("thorough")
  void aSlowDiskDoesNotCutTheAnswerOff() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "/usr/bin/mkfifo is needed");
    Path input = input("near-capacity", 400);
    Path out = Files.createDirectory(folder.resolve("out"));
    Path pipe = out.resolve("plan.json");
    new ProcessBuilder("/usr/bin/mkfifo", pipe.toString()).start().waitFor();
    Process process = start(input, out);
    try (BufferedReader progress = process.errorReader()) {
      awaitPlan(progress);
      signal(process, "INT");
      assertFalse(process.waitFor(13, TimeUnit.SECONDS), "it ended before the disk took it all");
      String plan = Files.readString(pipe);
      assertTrue(plan.contains("placements"), plan);
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
    } finally {
      process.destroyForcibly();
    }
    assertEquals(130, process.exitValue());
    assertTrue(Files.size(folder.resolve("stdout.txt")) > 0, "the answer is on stdout too");
    assertTrue(Files.exists(out.resolve("plan.html")));
  }

  @Test
  void saysThatItWasStoppedWhileReading() {
    StringWriter told = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setErr(new PrintWriter(told, true));
    line.parseArgs("plan", "huge.csv");
    PlanCommand command = line.getSubcommands().get("plan").getCommand();
    command.stop();
    assertTrue(command.writeOnce());
    assertEquals(
        "stowage: stopped while reading huge.csv; nothing was planned", told.toString().strip());
    assertFalse(command.writeOnce(), "it is said once");
  }

  @Test
  void theTimeLimitCoversReadingAndWriting() {
    RunOptions options = new RunOptions();
    options.timeLimit = 10;
    assertEquals(7, options.control(2, 1).secondsLeft(), 0.2);
    assertEquals(0.5, options.control(20, 1).secondsLeft(), 0.2);
    options.timeLimit = 0;
    assertTrue(options.control(0, 0).isStopped());
  }
}
