package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.JsonChecks;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.planning.LoadedProblem;
import stowage.report.FigureSize;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.SampleRuns;
import stowage.report.TimedBound;

class PlanJsonTest {
  private static JsonNode summary(RunReport report) throws IOException {
    return JsonChecks.read(PlanJson.summary(report));
  }

  private static JsonNode whole(RunReport report) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PlanJson.write(report, out);
    return JsonChecks.read(out.toByteArray());
  }

  @Test
  void holdsEveryFieldOfTheAnswer() throws IOException {
    RunReport report =
        RunReport.of(
            SampleRuns.threeOptimal(),
            LoadedProblem.of(SampleRuns.three()),
            new RunSettings(List.of(), 7, 2, true, FigureSize.USUAL),
            RunFacts.NONE,
            null);
    JsonNode json = summary(report);
    String fields =
        "schemaVersion status peak lowerBound boundKind certificate gap planner seconds seed"
            + " threads capacity buffers parts memories weightBytes totalBytes peakRssBytes"
            + " versions";
    List.of(fields.split(" ")).forEach(field -> assertTrue(json.has(field), field));
    JsonChecks.holds(
        json,
        "status=OPTIMAL peak=12 lowerBound=12 planner=portfolio foundBy=by-hand gap=0 seed=7 "
            + "threads=2 deterministic=true parts=1 buffers=3 capacity=null memories/0/name=main "
            + "memories/0/peak=12");
    assertTrue(json.get("versions").has("stowage"));
    assertFalse(json.has("placements"), "the summary holds no placements");
  }

  @Test
  void placementsWrittenBeforehandStandInTheAnswerRowByRow() throws IOException {
    List<List<String>> tensors = List.of(List.of("x", "y"), List.of(), List.of("\"z\""));
    List<RunReport> reports =
        List.of(
            RunReport.of(SampleRuns.threeOptimal()),
            SampleRuns.carrying(SampleRuns.nastyPlan(), tensors),
            RunReport.of(SampleRuns.richPlan()),
            RunReport.of(SampleRuns.infeasible()));
    for (RunReport report : reports) {
      ByteArrayOutputStream placements = new ByteArrayOutputStream();
      PlanJson.writePlacements(report, placements);
      ByteArrayOutputStream pieced = new ByteArrayOutputStream();
      PlanJson.write(report, placements::writeTo, pieced);
      JsonNode answer = JsonChecks.read(pieced.toByteArray());
      int rows = report.hasPlacement() ? report.problem().size() : 0;
      assertEquals(rows, answer.get("placements").size());
      assertEquals(answer.get("placements"), JsonChecks.read(placements.toByteArray()));
      assertTrue(answer.has("weights") && answer.has("improvements"));
      String text = pieced.toString(StandardCharsets.UTF_8);
      assertEquals(rows, text.lines().filter(line -> line.startsWith("    { \"id\": ")).count());
      assertEquals(rows == 0, text.contains("\n  \"placements\": [],\n"), text);
    }
  }

  static Stream<Arguments> answers() {
    Bound tooMuch = Bound.of(13, new Certificate.Conflicts(0, new int[] {0, 1}));
    PackingProblem empty = PackingProblem.of("empty", List.of());
    return Stream.of(
        Arguments.of(
            "the max load is the reason whenever it equals the bound",
            SampleRuns.threeAt(8, Bound.of(12, SampleRuns.word("cp-sat"))),
            "boundKind=max-load certificate/checked=true certificate/step=3"
                + " certificate/buffers/0=a certificate/buffers/1=b certificate/buffers/2=missing"),
        Arguments.of(
            "an engine's word is not checked",
            SampleRuns.threeAt(20, Bound.of(13, SampleRuns.word("search"))),
            "status=FEASIBLE boundKind=search lowerBound=13 gap="
                + (24 - 13) / 13.0
                + " certificate/checked=false certificate/statistics/nodes=42"),
        Arguments.of(
            "a certificate that proves too little is not checked",
            SampleRuns.threeAt(20, tooMuch),
            "certificate/checked=false"),
        Arguments.of(
            "without a bound the max load speaks",
            SampleRuns.threeOptimal(),
            "status=OPTIMAL boundKind=max-load"),
        Arguments.of(
            "infeasible tells the step and the buffers",
            SampleRuns.infeasible(),
            "status=INFEASIBLE peak=null gap=null totalBytes=null capacity=11"
                + " infeasibility/checked=true infeasibility/step=3 infeasibility/buffers/0=a"),
        Arguments.of(
            "unknown has no peak",
            Plan.of(new Incumbent(SampleRuns.three())),
            "status=UNKNOWN peak=null planner=null lowerBound=12 placements/0=missing"),
        Arguments.of(
            "a problem without buffers has its answer too",
            SampleRuns.plan(empty, Placement.of(new long[0])),
            "status=OPTIMAL peak=0 gap=0 boundKind=max-load certificate/checked=true"),
        Arguments.of(
            "every memory has its peak",
            SampleRuns.richPlan(),
            "memories/0/name=sram memories/0/capacity=64 memories/0/peak=64 memories/1/peak=64"
                + " peak=64 placements/0/memory=dram placements/3/offset=32 conflicts=1"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void theAnswerTellsOfAPlan(String name, Plan plan, String fields) throws IOException {
    RunReport report = RunReport.of(plan);
    JsonChecks.holds(whole(report), fields);
    // The summary says the same, except for the placements.
    JsonChecks.holds(summary(report), fields.replaceAll(" placements\\S*", ""));
  }

  @Test
  void thePlanNamesTensorsWeightsAndImprovements() throws IOException {
    Incumbent incumbent = new Incumbent(SampleRuns.three());
    incumbent.offer(Bound.of(12, new Certificate.MaxLoad(0, 3, 0, new int[] {0, 1})), "max-load");
    incumbent.offer(Placement.of(new long[] {0, 20, 0}), "first");
    incumbent.offer(Placement.of(new long[] {0, 8, 0}), "second");
    RunReport report = SampleRuns.ofNetwork(incumbent);
    JsonNode json = whole(report);
    JsonChecks.holds(
        json,
        "placements/0/tensors/1=y placements/1/offset=8 weights/0/offset=4096 "
            + "weightBytes=8192");
    assertEquals(8192 + 12, json.get("totalBytes").asLong());
    assertEquals(3, json.get("improvements").size());
    JsonChecks.holds(
        json,
        "improvements/0/peak=null improvements/1/who=first network/ops=3 "
            + "network/plannedAs/inPlace=none baseline/status=VALID baseline/inputs=keep "
            + "engine/bound=12");
  }

  @Test
  void everyIdComesThroughAsItIs() throws IOException {
    PackingProblem problem = SampleRuns.nasty();
    JsonNode json = whole(RunReport.of(SampleRuns.nastyPlan()));
    for (int i = 0; i < problem.size(); i++) {
      assertEquals(problem.buffer(i).id(), json.get("placements").get(i).get("id").asText());
    }
    assertEquals(problem.name(), json.get("problem").asText());
  }

  @Test
  void theBoundAloneHasItsCertificate() throws IOException {
    RunReport report = RunReport.of(SampleRuns.threeOptimal());
    TimedBound timed = TimedBound.of(report.problem(), report.bound(), 0.5);
    JsonNode json = JsonChecks.read(PlanJson.bound(report, List.of(timed)));
    JsonChecks.holds(json, "bounds/0/value=12 bounds/0/certificate/checked=true");
    assertTrue(PlanSummary.bound(report, List.of(timed)).contains("checked"));
    JsonChecks.holds(json, "lowerBound=12 boundKind=max-load");
    assertTrue(json.get("certificate").get("reason").asText().contains("12 bytes"));
  }

  @Test
  void placementsStandOneToALine() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PlanJson.write(RunReport.of(SampleRuns.threeOptimal()), out);
    assertTrue(
        out.toString("UTF-8")
            .contains(
                "\n    { \"id\": \"b\", \"lower\": 3, \"upper\": 9, \"size\": 4, \"offset\": 8 }"),
        out.toString("UTF-8"));
  }
}
