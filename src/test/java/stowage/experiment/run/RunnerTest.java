package stowage.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.experiment.suite.RunSpec;

/** Whatever a planner does costs its own run and nothing else, and is recorded as what it is. */
class RunnerTest extends FolderTest {
  private RunFolder planned(String planners, String limits) throws IOException {
    file("p.csv", "id,lower,upper,size\na,0,4,3\nb,2,6,5\nc,4,9,4\nd,1,3,2\ne,5,8,3\nf,0,9,1\n");
    Path file =
        file(
            "suite.json",
            """
            {"name": "t", "instances": [{"path": "p.csv"}], "planners": [%s],
             "limits": {%s, "memoryMiB": 64}}
            """
                .formatted(planners, limits));
    return Program.planned(file, folder.resolve("out"));
  }

  private static Map<String, RunRecord> byPlanner(Collection<RunRecord> runs) {
    Map<String, RunRecord> records = new LinkedHashMap<>();
    runs.forEach(record -> records.put(record.run().planner().label(), record));
    return records;
  }

  /** Does runs within this process, which no worker's end can be a part of. */
  private static Map<String, RunRecord> here(RunFolder folder) throws IOException {
    List<RunRecord> records = new ArrayList<>();
    for (RunSpec run : folder.planned()) {
      Job job = Job.of(run, new HashMap<>());
      Worker.attempt(job, folder.scratch(run), () -> {});
      records.add(job.record());
    }
    return byPlanner(records);
  }

  private static String external(String label, String script) {
    return "{\"label\": \"" + label + "\", \"external\": \"sh -c '" + script + "' {in} {out}\"}";
  }

  private static void assertOutcome(
      Map<String, RunRecord> records, RunRecord.Outcome outcome, String... planners) {
    for (String planner : planners) {
      RunRecord record = records.get(planner);
      assertEquals(outcome, record.outcome(), planner + ": " + record.message());
      assertNull(record.peak(), planner);
      assertNotNull(record.message(), planner);
    }
  }

  @Test
  void everyEndOfAWorkerIsRecordedAsWhatItIs() throws IOException {
    String planners = "\"greedy-size\", \"test-crash\", \"test-memory\", \"test-hang\", ";
    RunFolder runs = planned(planners + external("killer", "kill -9 $PPID"), "\"seconds\": 0.5");
    Runner.Summary summary = new Runner(runs, Program.quiet(2)).runAll();
    assertEquals(summary.runs(), summary.done());
    assertEquals(4, summary.failed());
    Map<String, RunRecord> records = byPlanner(runs.records());
    assertOutcome(records, RunRecord.Outcome.CRASHED, "test-crash", "killer");
    assertOutcome(records, RunRecord.Outcome.OUT_OF_MEMORY, "test-memory");
    assertOutcome(records, RunRecord.Outcome.TIMEOUT, "test-hang");
    RunRecord good = records.get("greedy-size");
    assertEquals(RunRecord.Outcome.DONE, good.outcome(), good.message());
    assertTrue(good.peak() >= good.lowerBound());
    assertEquals(6, good.features().buffers());
    assertFalse(good.trace().isEmpty());
    // Done is done: another go runs nothing, and failures can be asked for again.
    assertEquals(0, new Runner(runs, Program.quiet(1)).runAll().ran());
    runs.forget(records.get("killer").run().id());
    assertEquals(1, new Runner(runs, Program.quiet(1)).runAll().ran());
  }

  @Test
  void everyEndOfAPlannerIsRecordedAsWhatItIs() throws IOException {
    // sh's $0 is the problem, $1 the answer.
    String copy = "sed \\\"1s/$/,offset/;2,\\\\$s/$/,0/\\\" \\\"$0\\\" > \\\"$1\\\"";
    Map<String, RunRecord> records =
        here(
            planned(
                ("\"test-overlap\", \"test-refuse\", \"test-broken\",%s,%s,%s,%s,%s, "
                        + "{\"label\": \"absent\", \"external\": \"no-such-program {in} {out}\"}")
                    .formatted(
                        external("overlap", copy),
                        external("nothing", "exit 0"),
                        external("error", "echo no such luck; exit 7"),
                        external("garbage", "echo hello > \\\"$1\\\""),
                        external("hang", "sleep 60")),
                "\"seconds\": 0.5"));
    assertOutcome(records, RunRecord.Outcome.INVALID, "test-overlap", "overlap", "garbage");
    assertOutcome(records, RunRecord.Outcome.REFUSED, "test-refuse");
    assertOutcome(records, RunRecord.Outcome.FAILED, "test-broken", "error", "absent");
    assertOutcome(records, RunRecord.Outcome.NO_OUTPUT, "nothing");
    assertOutcome(records, RunRecord.Outcome.TIMEOUT, "hang");
    assertTrue(records.get("error").message().contains("no such luck"));
    assertTrue(records.get("overlap").message().contains("a"), records.get("overlap").message());
  }

  @Test
  void theOneMemoryMayHaveAName() throws IOException {
    file(
        "p.json",
        "{\"memories\": [{\"name\": \"sram\", \"capacity\": 9}],"
            + " \"buffers\": [{\"id\": \"a\", \"lower\": 0, \"upper\": 2, \"size\": 7}]}");
    String script = "sed \\\"1s/$/,offset/;2s/$/,2/\\\" \\\"$0\\\" > \\\"$1\\\"";
    String suite =
        "{\"name\": \"t\", \"instances\": [{\"path\": \"p.json\"}], \"planners\": [%s],"
            + " \"limits\": {\"seconds\": 5, \"memoryMiB\": 64}}";
    Path file = file("named.json", suite.formatted(external("two", script)));
    RunRecord record = here(Program.planned(file, folder.resolve("named"))).get("two");
    assertEquals(RunRecord.Outcome.DONE, record.outcome(), record.message());
    assertEquals(9, record.peak());
  }

  /** Without a capacity it is what first fit by size needs: b 0, c 5, a 5, e 9, d 8, f 12. */
  @Test
  void anExternalPlannerIsGivenACapacity() throws IOException {
    String planner =
        "{\"label\": \"said\", \"external\": \"sh -c 'echo $2; exit 7' {in} {out} {capacity}\"}";
    RunRecord record = here(planned(planner, "\"seconds\": 5")).get("said");
    assertEquals("ended with 7: 13", record.message());
  }

  @Test
  void anExternalPlannerIsVerifiedAndCounted() throws IOException {
    // Lays the buffers end to end.
    String stack =
        "awk -F, -v OFS=, \\\"NR==1{print \\\\$0,\\\\\\\"offset\\\\\\\"}"
            + "NR>1{print \\\\$0,s;s+=\\\\$4}BEGIN{s=0}\\\" \\\"$0\\\" > \\\"$1\\\"";
    RunRecord record = here(planned(external("stack", stack), "\"seconds\": 5")).get("stack");
    assertEquals(RunRecord.Outcome.DONE, record.outcome(), record.message());
    assertEquals(3 + 5 + 4 + 2 + 3 + 1, record.peak());
    assertEquals("FEASIBLE", record.status());
    assertNotNull(record.times().solve());
  }

  @Test
  void aFileThatHasChangedSinceItWasPlannedIsNotRunForIt() throws IOException {
    RunFolder runs = planned("\"greedy-size\"", "\"seconds\": 1");
    file("p.csv", "id,lower,upper,size\na,0,4,3\n");
    RunRecord record = here(runs).get("greedy-size");
    assertEquals(RunRecord.Outcome.FAILED, record.outcome());
    assertTrue(record.message().contains("p.csv: has changed since"), record.message());
    assertFalse(record.message().contains("Exception"), record.message());
  }

  @Test
  void noPlanOfAnEarlierAttemptIsLeft() throws IOException {
    RunFolder runs = planned("\"greedy-size\"", "\"seconds\": 1");
    RunSpec run = runs.planned().get(0);
    file("out/plans/" + run.id() + ".csv", "id,offset\na,0\n");
    runs.keepPlan(run, runs.scratch(run));
    assertFalse(Files.exists(runs.plan(run.id())));
  }

  @Test
  void theSuiteOfAnExperimentThatRunsStays() throws IOException {
    RunFolder runs = planned("\"greedy-size\"", "\"seconds\": 1");
    try (FileLock lock = runs.lock()) {
      planned("\"greedy-area\", \"greedy-start\"", "\"seconds\": 1");
      assertEquals("greedy-size", runs.planned().get(0).planner().label(), "" + lock);
    }
  }

  @Test
  void recordsHaveTheNamesOfTheSuiteAsItIsNow() throws IOException {
    RunFolder runs = planned("\"greedy-size\"", "\"seconds\": 1");
    for (RunSpec run : runs.planned()) {
      Job job = Job.of(run, new HashMap<>());
      Worker.attempt(job, runs.scratch(run), () -> {});
      runs.write(job.record());
    }
    assertEquals("t", runs.records().get(0).run().suite());
    Path suite = folder.resolve("suite.json");
    Files.writeString(suite, Files.readString(suite).replace("\"t\"", "\"renamed\""));
    FileTime later = FileTime.fromMillis(4_000_000_000_000L);
    Files.setLastModifiedTime(Program.planned(suite, runs.path()).manifest(), later);
    assertEquals(later, runs.lastChange(), "tables are made again for other names");
    assertEquals("renamed", Program.planned(suite, runs.path()).records().get(0).run().suite());
  }

  @Test
  void chunksTogetherAreTheWhole() throws IOException {
    RunFolder runs =
        planned("\"greedy-size\", \"greedy-area\", \"greedy-start\"", "\"seconds\": 1");
    assertEquals(2, new Runner(runs, Program.quiet(2)).runChunk(0, 2).ran());
    assertEquals(1, new Runner(runs, Program.quiet(1)).runChunk(1, 2).ran());
    assertEquals(0, new Runner(runs, Program.quiet(1)).runChunk(2, 2).runs());
    assertEquals(3, runs.records().size());
  }
}
