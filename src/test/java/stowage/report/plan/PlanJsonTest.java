package stowage.report.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
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
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static JsonNode summary(RunReport report) throws IOException {
    return MAPPER.readTree(PlanJson.summary(report));
  }

  private static JsonNode whole(RunReport report) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PlanJson.write(report, out);
    return MAPPER.readTree(out.toByteArray());
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
    for (String field :
        List.of(
            "schemaVersion status peak lowerBound boundKind certificate gap planner seconds seed"
                .split(" "))) {
      assertTrue(json.has(field), field);
    }
    for (String field :
        "threads capacity buffers parts memories weightBytes totalBytes peakRssBytes versions"
            .split(" ")) {
      assertTrue(json.has(field), field);
    }
    assertEquals("OPTIMAL", json.get("status").asText());
    assertEquals(12, json.get("peak").asLong());
    assertEquals(12, json.get("lowerBound").asLong());
    assertEquals("portfolio", json.get("planner").asText());
    assertEquals("by-hand", json.get("foundBy").asText());
    assertEquals(0, json.get("gap").asDouble());
    assertEquals(7, json.get("seed").asLong());
    assertEquals(2, json.get("threads").asInt());
    assertTrue(json.get("deterministic").asBoolean());
    assertEquals(1, json.get("parts").asInt());
    assertEquals(3, json.get("buffers").asInt());
    assertTrue(json.get("capacity").isNull());
    assertEquals("main", json.get("memories").get(0).get("name").asText());
    assertEquals(12, json.get("memories").get(0).get("peak").asLong());
    assertTrue(json.get("versions").has("stowage"));
    assertFalse(json.has("placements"), "the summary holds no placements");
  }

  @Test
  void placementsWrittenBeforehandStandInTheAnswerRowByRow() throws IOException {
    Plan nasty = SampleRuns.plan(SampleRuns.nasty(), Placement.of(new long[] {0, 8, 0}));
    List<List<String>> tensors = List.of(List.of("x", "y"), List.of(), List.of("\"z\""));
    List<RunReport> reports =
        List.of(
            RunReport.of(SampleRuns.threeOptimal()),
            SampleRuns.carrying(nasty, tensors),
            RunReport.of(SampleRuns.richPlan()),
            RunReport.of(SampleRuns.infeasible()));
    for (RunReport report : reports) {
      ByteArrayOutputStream placements = new ByteArrayOutputStream();
      PlanJson.writePlacements(report, placements);
      ByteArrayOutputStream pieced = new ByteArrayOutputStream();
      PlanJson.write(report, placements::writeTo, pieced);
      JsonNode answer = MAPPER.readTree(pieced.toByteArray());
      int rows = report.hasPlacement() ? report.problem().size() : 0;
      assertEquals(rows, answer.get("placements").size());
      assertEquals(answer.get("placements"), MAPPER.readTree(placements.toByteArray()));
      assertTrue(answer.has("weights") && answer.has("improvements"));
      String text = pieced.toString(StandardCharsets.UTF_8);
      assertEquals(rows, text.lines().filter(line -> line.startsWith("    { \"id\": ")).count());
      assertEquals(rows == 0, text.contains("\n  \"placements\": [],\n"), text);
    }
  }

  @Test
  void theMaxLoadIsTheReasonWheneverItEqualsTheBound() throws IOException {
    Bound found = Bound.of(12, SampleRuns.word("cp-sat"));
    Plan plan = SampleRuns.plan(SampleRuns.three(), Placement.of(new long[] {0, 8, 0}), found);
    JsonNode json = summary(RunReport.of(plan));
    assertEquals("max-load", json.get("boundKind").asText());
    JsonNode certificate = json.get("certificate");
    assertTrue(certificate.get("checked").asBoolean());
    assertEquals(3, certificate.get("step").asInt());
    assertEquals(List.of("a", "b"), MAPPER.convertValue(certificate.get("buffers"), List.class));
  }

  @Test
  void anEnginesWordIsNotChecked() throws IOException {
    Bound found = Bound.of(13, SampleRuns.word("search"));
    Plan plan = SampleRuns.plan(SampleRuns.three(), Placement.of(new long[] {0, 20, 0}), found);
    JsonNode json = summary(RunReport.of(plan));
    assertEquals("FEASIBLE", json.get("status").asText());
    assertEquals("search", json.get("boundKind").asText());
    assertEquals(13, json.get("lowerBound").asLong());
    assertEquals((24 - 13) / 13.0, json.get("gap").asDouble(), 1e-12);
    assertFalse(json.get("certificate").get("checked").asBoolean());
    assertEquals(42, json.get("certificate").get("statistics").get("nodes").asLong());
  }

  @Test
  void aCertificateThatProvesTooLittleIsNotChecked() throws IOException {
    Bound wrong = Bound.of(13, new Certificate.Conflicts(0, new int[] {0, 1}));
    Plan plan = SampleRuns.plan(SampleRuns.three(), Placement.of(new long[] {0, 20, 0}), wrong);
    assertFalse(summary(RunReport.of(plan)).get("certificate").get("checked").asBoolean());
  }

  @Test
  void withoutABoundTheMaxLoadSpeaks() throws IOException {
    JsonNode json = summary(RunReport.of(SampleRuns.threeOptimal()));
    assertEquals("OPTIMAL", json.get("status").asText());
    assertEquals("max-load", json.get("boundKind").asText());
  }

  @Test
  void infeasibleTellsTheStepAndTheBuffers() throws IOException {
    JsonNode json = summary(RunReport.of(SampleRuns.infeasible()));
    assertEquals("INFEASIBLE", json.get("status").asText());
    assertTrue(json.get("peak").isNull());
    assertTrue(json.get("gap").isNull());
    assertTrue(json.get("totalBytes").isNull());
    assertEquals(11, json.get("capacity").asLong());
    JsonNode why = json.get("infeasibility");
    assertTrue(why.get("checked").asBoolean());
    assertEquals(3, why.get("step").asInt());
    assertEquals("a", why.get("buffers").get(0).asText());
  }

  @Test
  void unknownHasNoPeak() throws IOException {
    Plan none = Plan.of(new Incumbent(SampleRuns.three()));
    JsonNode json = whole(RunReport.of(none));
    assertEquals("UNKNOWN", json.get("status").asText());
    assertTrue(json.get("peak").isNull());
    assertTrue(json.get("planner").isNull());
    assertEquals(12, json.get("lowerBound").asLong());
    assertEquals(0, json.get("placements").size());
  }

  @Test
  void aProblemWithoutBuffersHasItsAnswerToo() throws IOException {
    PackingProblem empty = PackingProblem.of("empty", List.of());
    JsonNode json = summary(RunReport.of(SampleRuns.plan(empty, Placement.of(new long[0]))));
    assertEquals("OPTIMAL", json.get("status").asText());
    assertEquals(0, json.get("peak").asLong());
    assertEquals(0, json.get("gap").asDouble());
    assertEquals("max-load", json.get("boundKind").asText());
    assertTrue(json.get("certificate").get("checked").asBoolean());
  }

  @Test
  void everyMemoryHasItsPeak() throws IOException {
    JsonNode json = whole(RunReport.of(SampleRuns.richPlan()));
    assertEquals("sram", json.get("memories").get(0).get("name").asText());
    assertEquals(64, json.get("memories").get(0).get("capacity").asLong());
    assertEquals(64, json.get("memories").get(0).get("peak").asLong());
    assertEquals(64, json.get("memories").get(1).get("peak").asLong());
    assertEquals(64, json.get("peak").asLong());
    assertEquals("dram", json.get("placements").get(0).get("memory").asText());
    assertEquals(32, json.get("placements").get(3).get("offset").asLong());
    assertEquals(1, json.get("conflicts").asLong());
  }

  @Test
  void thePlanNamesTensorsWeightsAndImprovements() throws IOException {
    Incumbent incumbent = new Incumbent(SampleRuns.three());
    incumbent.offer(Bound.of(12, new Certificate.MaxLoad(0, 3, 0, new int[] {0, 1})), "max-load");
    incumbent.offer(Placement.of(new long[] {0, 20, 0}), "first");
    incumbent.offer(Placement.of(new long[] {0, 8, 0}), "second");
    RunReport report = SampleRuns.ofNetwork(incumbent);
    JsonNode json = whole(report);
    assertEquals("y", json.get("placements").get(0).get("tensors").get(1).asText());
    assertEquals(8, json.get("placements").get(1).get("offset").asLong());
    assertEquals(4096, json.get("weights").get(0).get("offset").asLong());
    assertEquals(8192, json.get("weightBytes").asLong());
    assertEquals(8192 + 12, json.get("totalBytes").asLong());
    assertEquals(3, json.get("improvements").size());
    assertTrue(json.get("improvements").get(0).get("peak").isNull());
    assertEquals("first", json.get("improvements").get(1).get("who").asText());
    assertEquals(3, json.get("network").get("ops").asInt());
    assertEquals("none", json.at("/network/plannedAs/inPlace").asText());
    assertEquals("VALID", json.get("baseline").get("status").asText());
    assertEquals("keep", json.get("baseline").get("inputs").asText());
    assertEquals(12, json.get("engine").get("bound").asLong());
  }

  @Test
  void everyIdComesThroughAsItIs() throws IOException {
    PackingProblem problem = SampleRuns.nasty();
    Plan plan = SampleRuns.plan(problem, Placement.of(new long[] {0, 8, 0}));
    JsonNode json = whole(RunReport.of(plan));
    for (int i = 0; i < problem.size(); i++) {
      assertEquals(problem.buffer(i).id(), json.get("placements").get(i).get("id").asText());
    }
    assertEquals(problem.name(), json.get("problem").asText());
  }

  @Test
  void theBoundAloneHasItsCertificate() throws IOException {
    RunReport report = RunReport.of(SampleRuns.threeOptimal());
    TimedBound timed = TimedBound.of(report.problem(), report.bound(), 0.5);
    JsonNode json = MAPPER.readTree(PlanJson.bound(report, List.of(timed)));
    assertEquals(12, json.get("bounds").get(0).get("value").asLong());
    assertTrue(json.get("bounds").get(0).get("certificate").get("checked").asBoolean());
    assertTrue(PlanSummary.bound(report, List.of(timed)).contains("checked"));
    assertEquals(12, json.get("lowerBound").asLong());
    assertEquals("max-load", json.get("boundKind").asText());
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
