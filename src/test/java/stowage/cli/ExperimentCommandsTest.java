package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Programs;

/** What the commands of experiments say and write of themselves. */
class ExperimentCommandsTest extends FolderTest {
  private Path suite;
  private Path out;

  @BeforeEach
  void writeSuite() throws IOException {
    file("p.csv", "id,lower,upper,size\na,0,4,3\nb,2,6,5\n");
    suite =
        file(
            "suite.json",
            """
            {"name": "t", "instances": [{"path": "p.csv"}],
             "planners": ["greedy-size", "greedy-area", "greedy-start"],
             "limits": {"seconds": 1, "memoryMiB": 64}}
            """);
    out = folder.resolve("out");
  }

  @Test
  void aPartBeyondTheLastIsMetWithTheirNumber() {
    Stowage.run("experiment", "plan", suite, "--out", out).ends(0);
    Stowage beyond = Stowage.run("experiment", "chunk", out, 2, 2).ends(2);
    assertEquals("", beyond.out());
    beyond.says("INDEX 2 should be below 2: the 3 runs of " + out, "make 2 parts of 2");
    Stowage.run("experiment", "chunk", out, 0, 0)
        .ends(2)
        .says("stowage: SIZE 0 should be 1 or more");
    Stowage.run("experiment", "chunk", out, 1, Integer.MAX_VALUE).ends(2);
  }

  @Test
  void aSuiteThatIsNotThereIsAnsweredByThoseThatAre() {
    String name = suite.getFileName().toString();
    String run = "experiment run %s --out %s";
    Stowage.line(run, suite.resolveSibling("x" + name), out)
        .ends(3)
        .says("no such file; did you mean \"" + name + "\"?");
    Stowage.line(run, suite.resolveSibling("none").resolve(name), out)
        .ends(3)
        .says("come with Stowage are in models/suites");
  }

  @Test
  void theCommandThatIsKeptNamesTheProcesses() throws IOException {
    Files.writeString(suite, Files.readString(suite).replace(", \"greedy-area\"", ""));
    Stowage.line("experiment run %s --out %s --processes 2 --quiet", suite, out).ends(0);
    assertEquals(
        "stowage experiment run " + suite + " --processes 2 --out " + out + "\n",
        Files.readString(out.resolve("command.txt")));
    JsonNode collected = Stowage.run("experiment", "collect", out, "--json").json();
    assertEquals(2, collected.get("rows").asInt());
    assertEquals(out.resolve("results.csv").toString(), collected.get("csv").asText());
  }

  /** Greedy by area is far above the optimum here, which the search proves. */
  @Test
  void theReportOpensThePlanOfTheWorstRun() throws IOException {
    Files.writeString(
        suite,
        """
        {"name": "t", "planners": ["search", "greedy-area"], "limits": {"seconds": 5, "memoryMiB": 128},
         "instances": [{"generator": "guillotine", "parameters": {"buffers": 20, "seed": 2}}]}
        """);
    Stowage.run("experiment", "run", suite, "--out", out, "--quiet").ends(0);
    Stowage.run("experiment", "report", out).ends(0);
    String page = Files.readString(out.resolve("report/report.html"));
    assertTrue(
        page.contains("<a href=\"worst/1-greedy-area.html\">greedy-area on guillotine"), page);
    String plans = Files.readString(out.resolve("report/worst/1-greedy-area.html"));
    int worst = plans.indexOf("\"name\": \"greedy-area\"");
    assertTrue(worst > 0 && worst < plans.indexOf("\"name\": \"search\""), plans);
  }

  /** Blanks, quotes and what else means something to shells come back as they were given. */
  @Test
  void theCommandCanBeRepeatedAsItIsWritten() throws IOException, InterruptedException {
    Path odd = Files.createDirectories(folder.resolve("it's my data"));
    Path named = Files.copy(suite, odd.resolve("a suite.json"));
    Files.copy(folder.resolve("p.csv"), odd.resolve("p.csv"));
    List<String> words =
        List.of(
            "experiment",
            "plan",
            named.toString(),
            "--data",
            odd.toString(),
            "--external",
            "mine='./my planner' {in} $HOME {out}",
            "--out",
            odd.resolve("my out").toString());
    Stowage.run(words.toArray()).ends(0);
    String command = Files.readString(odd.resolve("my out/command.txt")).strip();
    String shell = command.replaceFirst("stowage", "printf '%s\\\\n'");
    List<String> read = Programs.output("sh", "-c", shell).lines().toList();
    List<String> given = new ArrayList<>(words);
    given.set(1, "run");
    assertEquals(given, read);
  }

  @Test
  void aRecordOfAnotherRunIsAFault() throws IOException {
    Stowage.run("experiment", "plan", suite, "--out", out).ends(0);
    List<String> runs = Files.readAllLines(out.resolve("manifest.jsonl"));
    String id = runs.get(0).split("\"")[3];
    Path record = out.resolve("runs").resolve(id + ".json");
    String all =
        "\"outcome\": \"DONE\", \"status\": \"UNKNOWN\", \"times\": {}, \"trace\": [],"
            + " \"machine\": {}, \"versions\": {}}";
    for (String text : List.of("null", "{\"run\": " + runs.get(1) + ", " + all)) {
      Files.writeString(record, text);
      Stowage.run("experiment", "status", out).ends(3).says(record + "", "of another run");
    }
    for (String field : List.of("family", "label", "instance", "limits", "status")) {
      String whole = "{\"run\": " + runs.get(0) + ", " + all;
      Files.writeString(record, whole.replace("\"" + field + "\":", "\"x\":"));
      Stowage.run("experiment", "status", out).ends(3).says(field, "missing");
    }
    Files.writeString(record, "{\"run\": " + runs.get(0) + "}");
    Stowage.run("experiment", "status", out).ends(3).says(record + "", "outcome", "missing");
    Files.writeString(record, "{\"run\":");
    Stowage.run("experiment", "status", out)
        .ends(3)
        .says("Unexpected end-of-input", "without it --resume does the run again");
  }

  /** A record of the suite's first run; {@code figures} are further fields, each with a comma. */
  private Path record(String figures) throws IOException {
    String run = Files.readAllLines(out.resolve("manifest.jsonl")).get(0);
    Path record = out.resolve("runs").resolve(run.split("\"")[3] + ".json");
    String all =
        "\"outcome\": \"DONE\", \"status\": \"OPTIMAL\", \"times\": {\"wall\": 1}, \"machine\": {},"
            + " \"trace\": [{\"seconds\": 1}], \"versions\": {}}";
    return Files.writeString(record, "{\"run\": " + run + ", " + figures + all);
  }

  @Test
  void anImpossibleFigureOfARecordIsAFaultOfItsFile() throws IOException {
    Stowage.run("experiment", "plan", suite, "--out", out).ends(0);
    Path file = record("");
    Stowage.run("experiment", "status", out).ends(0);
    String good = Files.readString(file);
    record("\"peak\": -1, \"lowerBound\": 7, ");
    Stowage.run("experiment", "report", out)
        .ends(3)
        .says(file + ": ", "field \"peak\": -1 should be a number of 0 or more");
    record("\"peak\": 6, \"lowerBound\": 7, ");
    Stowage.run("experiment", "collect", out)
        .ends(3)
        .says(file.getFileName() + ": field \"lowerBound\": run p, greedy-size, seed 1 claims");
    Path manifest = out.resolve("manifest.jsonl");
    String planned = Files.readString(manifest);
    Files.writeString(manifest, planned + "null\n");
    Stowage.run("experiment", "status", out).ends(3).says(manifest + ": line 4: is not a run");
    Files.writeString(manifest, planned);
    for (String[] change :
        new String[][] {
          {"\"wall\": 1", "\"wall\": \"NaN\"", "field \"wall\": NaN should"},
          {"\"seconds\": 1}", "\"seconds\": -2}", "field \"seconds\": -2.0 should"},
          {"{\"seconds\": 1}", "null", "trace missing"},
          {
            "[{\"seconds\": 1}]",
            "1",
            "field \"trace\": Cannot deserialize value of type `ArrayList<TracePoint>`"
          },
          {"\"threads\":1", "\"threads\":-1", "field \"threads\": -1 should"},
          {"\"machine\": {}", "\"machine\": {\"cores\": -1}", "field \"cores\": -1 should"},
          {"\"file\"", "\"x\"", "field \"run.instance\": file missing"},
          {"\"DONE\"", "\"x\"", "field \"outcome\": Cannot deserialize value of type `Outcome`"},
        }) {
      assertTrue(good.contains(change[0]), good);
      Files.writeString(file, good.replace(change[0], change[1]));
      Stowage.run("experiment", "status", out).ends(3).says(file + ": ", change[2]);
    }
  }

  @Test
  void statusTellsWhatIsLeft() {
    String next = "stowage experiment run %s --out %s --resume".formatted(suite, out);
    Stowage.run("experiment", "plan", suite, "--out", out).ends(0).prints("Next: " + next);
    assertEquals(
        List.of(
            "0 of 3 runs done, 0 failed",
            "To do the rest: " + next + ", or stowage experiment submit"),
        Stowage.run("experiment", "status", out).out().lines().toList());
    assertEquals(3, Stowage.run("experiment", "status", out, "--json").json().get("runs").asInt());
    Stowage.run("experiment", "submit", out, "--slurm", "--sbatch", "--no-such-option")
        .ends(3)
        .says("sbatch");
  }

  @Test
  void anExperimentWithoutRunsIsAFault() throws IOException {
    Stowage.run("experiment", "plan", suite, "--out", out).ends(0);
    Path manifest = Files.writeString(out.resolve("manifest.jsonl"), "");
    for (String command : List.of("status", "collect", "report", "submit --slurm", "chunk 0 1")) {
      String[] words = (command.replaceFirst("( |$)", " " + out + "$1")).split(" ");
      Stowage.run("experiment", words).ends(3).says(manifest + ": has no runs");
    }
    Files.writeString(
        suite, Files.readString(suite).replaceFirst("\"planners\": \\[.*]", "\"planners\": []"));
    Stowage.run("experiment", "plan", suite).ends(2).says(suite + " names no planners");
  }

  @Test
  void impossibleProcessesLeaveNoFolder() {
    Stowage.run("experiment", "run", suite, "--out", out, "--processes", 0).ends(2);
    assertFalse(Files.exists(out), "nothing was begun");
  }
}
