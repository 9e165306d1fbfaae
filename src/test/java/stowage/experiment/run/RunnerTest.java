package stowage.experiment.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.experiment.suite.Suite;
import stowage.experiment.suite.SuiteJson;

/**
 * Whatever a planner does, it costs its own run and nothing else, and is recorded as what it is.
 */
class RunnerTest {
  @TempDir Path folder;

  private RunFolder planned(String planners, String limits) throws IOException {
    Files.writeString(
        folder.resolve("p.csv"),
        "id,lower,upper,size\na,0,4,3\nb,2,6,5\nc,4,9,4\nd,1,3,2\ne,5,8,3\nf,0,9,1\n");
    Path file =
        Files.writeString(
            folder.resolve("suite.json"),
            "{\"name\": \"t\", \"instances\": [{\"path\": \"p.csv\"}], \"planners\": ["
                + planners
                + "], \"limits\": {"
                + limits
                + ", \"memoryMiB\": 64}}");
    Suite suite = SuiteJson.read(file, null);
    RunFolder out = new RunFolder(folder.resolve("out"));
    out.plan(suite, suite.runs(), "stowage experiment run suite.json");
    return out;
  }

  private static Map<String, RunRecord> byPlanner(RunFolder folder) throws IOException {
    Map<String, RunRecord> records = new LinkedHashMap<>();
    folder.records().forEach(record -> records.put(record.run().planner().label(), record));
    return records;
  }

  private static String external(String label, String script) {
    return "{\"label\": \"" + label + "\", \"external\": \"sh -c '" + script + "' {in} {out}\"}";
  }

  @Test
  void everyEndIsRecordedAsWhatItIs() throws IOException {
    // sh's $0 is the problem, $1 the answer.
    String copy = "sed \\\"1s/$/,offset/;2,\\\\$s/$/,0/\\\" \\\"$0\\\" > \\\"$1\\\"";
    RunFolder runs =
        planned(
            ("\"greedy-size\", \"test-crash\", \"test-memory\", \"test-hang\", "
                    + "\"test-overlap\", \"test-refuse\", \"test-broken\",%s,%s,%s,%s,%s,%s, "
                    + "{\"label\": \"absent\", \"external\": \"no-such-program {in} {out}\"}")
                .formatted(
                    external("overlap", copy),
                    external("nothing", "exit 0"),
                    external("error", "echo no such luck; exit 7"),
                    external("garbage", "echo hello > \\\"$1\\\""),
                    external("hang", "sleep 60"),
                    external("killer", "kill -9 $PPID")),
            "\"seconds\": 0.5");
    Runner.Summary summary = Runner.runAll(runs, Runner.Options.quiet(2));
    assertEquals(summary.runs(), summary.done());
    assertEquals(12, summary.failed());
    Map<String, RunRecord> records = byPlanner(runs);
    Map<String, RunRecord.Outcome> expected = new LinkedHashMap<>();
    expected.put("greedy-size", RunRecord.Outcome.DONE);
    expected.put("test-crash", RunRecord.Outcome.CRASHED);
    expected.put("test-memory", RunRecord.Outcome.OUT_OF_MEMORY);
    expected.put("test-hang", RunRecord.Outcome.TIMEOUT);
    expected.put("test-overlap", RunRecord.Outcome.INVALID);
    expected.put("test-refuse", RunRecord.Outcome.REFUSED);
    expected.put("test-broken", RunRecord.Outcome.FAILED);
    expected.put("overlap", RunRecord.Outcome.INVALID);
    expected.put("nothing", RunRecord.Outcome.NO_OUTPUT);
    expected.put("error", RunRecord.Outcome.FAILED);
    expected.put("garbage", RunRecord.Outcome.INVALID);
    expected.put("hang", RunRecord.Outcome.TIMEOUT);
    expected.put("killer", RunRecord.Outcome.CRASHED);
    expected.put("absent", RunRecord.Outcome.FAILED);
    expected.forEach(
        (planner, outcome) ->
            assertEquals(
                outcome,
                records.get(planner).outcome(),
                planner + ": " + records.get(planner).message()));
    records.forEach(
        (planner, record) -> {
          if (!planner.equals("greedy-size")) {
            assertNull(record.peak(), planner);
            assertNotNull(record.message(), planner);
          }
        });
    assertTrue(records.get("error").message().contains("no such luck"));
    assertTrue(records.get("overlap").message().contains("a"), records.get("overlap").message());
    RunRecord good = records.get("greedy-size");
    assertTrue(good.peak() >= good.lowerBound());
    assertEquals(6, good.features().buffers());
    assertFalse(good.trace().isEmpty());
    // Done is done: another go runs nothing, and failures can be asked for again.
    assertEquals(0, Runner.runAll(runs, Runner.Options.quiet(1)).ran());
    runs.forget(records.get("error").run().id());
    assertEquals(1, Runner.runAll(runs, Runner.Options.quiet(1)).ran());
  }

  @Test
  void anExternalPlannerIsVerifiedAndCounted() throws IOException {
    // Lays the buffers end to end.
    String stack =
        "awk -F, -v OFS=, \\\"NR==1{print \\\\$0,\\\\\\\"offset\\\\\\\"}"
            + "NR>1{print \\\\$0,s;s+=\\\\$4}BEGIN{s=0}\\\" \\\"$0\\\" > \\\"$1\\\"";
    RunFolder runs = planned(external("stack", stack), "\"seconds\": 5");
    Runner.runAll(runs, Runner.Options.quiet(1));
    RunRecord record = byPlanner(runs).get("stack");
    assertEquals(RunRecord.Outcome.DONE, record.outcome(), record.message());
    assertEquals(3 + 5 + 4 + 2 + 3 + 1, record.peak());
    assertEquals("FEASIBLE", record.status());
    assertNotNull(record.times().solve());
  }

  @Test
  void chunksTogetherAreTheWhole() throws IOException {
    RunFolder runs =
        planned("\"greedy-size\", \"greedy-area\", \"greedy-start\"", "\"seconds\": 1");
    assertEquals(2, Runner.runChunk(runs, 0, 2, Runner.Options.quiet(1)).ran());
    assertEquals(1, Runner.runChunk(runs, 1, 2, Runner.Options.quiet(1)).ran());
    assertEquals(0, Runner.runChunk(runs, 2, 2, Runner.Options.quiet(1)).runs());
    assertEquals(3, runs.records().size());
  }
}
