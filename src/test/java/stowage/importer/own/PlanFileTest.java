package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.PlanOptions;
import stowage.Refusals;
import stowage.Stowage;
import stowage.exact.RandomProblems;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.ProblemBuilder;

class PlanFileTest extends FolderTest {
  private static final PackingProblem ONE =
      PackingProblem.of("one", List.of(new Buffer("a", 4, 0, 2), new Buffer("b", 6, 1, 3)));
  private static final PackingProblem TWO =
      ONE.withMemories(List.of(Memory.main(), new Memory("dram", Memory.UNBOUNDED, 1, 0, 0)));

  private PlanFile plan(String name, String text) throws IOException {
    return PlanFile.read(file(name, text));
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    Placement placement = Placement.of(new long[] {6, 0});
    PackingCsv.write(folder.resolve("plan.csv"), ONE, placement);
    PlanFile plan = PlanFile.read(folder.resolve("plan.csv"));
    assertEquals(placement, plan.placement(ONE));
    assertEquals(10, plan.peak());

    Placement apart = Placement.of(new long[] {6, 0}, new int[] {1, 0});
    PackingCsv.write(folder.resolve("plan.csv"), TWO, apart);
    assertEquals(apart, PlanFile.read(folder.resolve("plan.csv")).placement(TWO));
  }

  @Test
  void readsCsvOfOthers() throws IOException {
    PlanFile plan = plan("p.csv", "offset,buffer,start,end,extra\n0,b,1,2,x\n6,a,0,1,y\n");
    assertEquals(Placement.of(new long[] {6, 0}), plan.placement(ONE));
    assertEquals(PlanFile.UNKNOWN, plan.peak());
    assertEquals(List.of("b", "a"), List.copyOf(plan.places().keySet()));
  }

  @Test
  void readsJsonAndPassesOverTheRest() throws IOException {
    PlanFile plan =
        plan(
            "p.json",
            """
            {"schemaVersion": 1, "status": "FEASIBLE", "certificate": {"kind": "max-load"},
             "placements": [
               {"id": "a", "offset": 6, "memory": "dram", "size": 4, "tensors": ["t"]},
               {"id": "b", "offset": 0, "memory": "main", "size": 6}],
             "weights": [{"tensor": "w", "offset": 0}]}
            """);
    assertEquals(Placement.of(new long[] {6, 0}, new int[] {1, 0}), plan.placement(TWO));
    assertEquals(10, plan.peak());
  }

  @Test
  void plansOfAnEarlierVersionGiveHints() throws IOException {
    long[] hints = plan("p.csv", "id,offset,size\na,8,99\nz,0,1\n").earlier(ONE).offsets();
    assertEquals(8, hints[0]);
    assertEquals(Buffer.NONE, hints[1]);
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    refused("p.csv", "id,size\na,4\n", "line 1: column \"offset\" is missing");
    refused("p.csv", "id,offset\na,0\n", "buffer \"b\" of the problem is missing in the plan");
    refused("p.csv", "id,offset\na,0\nb,4\nc,9\n", "line 4: the problem has no buffer \"c\"");
    refused("p.csv", "id,offset\na,0\na,4\n", "line 3: id \"a\" is defined on line 2 already");
    refused("p.csv", "id,offset,size\na,0,5\nb,4,6\n", "line 2: size 5 of buffer \"a\" should be");
    refused("p.csv", "id,offset\na,x\n", "\"x\" should be a whole number");
    refused("p.csv", "id,offset\na\n", "line 2: has 1 fields");
    refused("p.csv", "id,offset,memory\na,0,sram\nb,4,main\n", "memory \"sram\" should be one of");
    refused("p.csv", "id,offset,upper\na,0,2147483648\n", "line 2: step 2147483648 of buffer");
    refused("p.csv", "id,offset,lower\na,0," + Long.MIN_VALUE + "\n", "should fit 32 bits");
    refused(
        "p.csv", "id,offset,lower,upper\na,0,2,1\n", "line 2: upper 1 of buffer \"a\" should be");
    refused("p.csv", "", "line 1: column \"id\" is missing");
    refused("p.json", "{\"status\": \"UNKNOWN\", \"placements\": null}", "no field \"placements\"");
    refused("p.json", "{\"placements\": [{\"id\": \"a\"}]}", "field \"offset\" is missing");
    refused("p.json", "{\"placements\": [", "is not well-formed JSON");
  }

  private void refused(String name, String text, String expected) {
    Refusals.input(() -> plan(name, text).placement(ONE), expected);
  }

  @Test
  void asksForTheMemoryWhereThereAreSeveral() throws IOException {
    PlanFile plan = plan("p.csv", "id,offset\na,0\nb,4\n");
    Refusals.input(() -> plan.placement(TWO), "should name one of [main, dram]");
    PackingProblem bound =
        TWO.withBuffers(TWO.buffers().stream().map(b -> b.withMemories(List.of("dram"))).toList());
    assertEquals(Placement.of(new long[] {0, 4}, new int[] {1, 1}), plan.placement(bound));
  }

  // What the core writes of a plan.

  @Test
  void plansOfEveryKindAreReadBack() throws IOException {
    PlanOptions options = PlanOptions.within(Duration.ofMillis(200)).threads(1).engines("search");
    int placed = 0;
    for (long seed = 1; seed <= 60; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 9);
      Plan plan = Stowage.plan(problem, options);
      JsonNode json = JsonChecks.read(plan.toJson());
      assertEquals(plan.status().name(), json.get("status").asText());
      assertEquals(problem.size(), json.get("buffers").asInt());
      if (!plan.hasPlacement()) {
        assertTrue(json.get("peak").isNull());
        continue;
      }
      placed++;
      assertEquals(plan.peak(), json.get("peak").asLong());
      assertTrue(json.get("lowerBound").asLong() >= plan.lowerBound());
      Path file = file("plan.json", plan.toJson());
      assertEquals(plan.placement(), PlanFile.read(file).placement(problem), "seed " + seed);
      PlanClaim claim = PlanClaim.read(file, problem).orElseThrow();
      assertEquals(
          List.of(), claim.contradictions(problem, plan.placement(), true), "seed " + seed);
      assertEquals(json.get("lowerBound").asLong(), claim.bound().orElseThrow().value());
    }
    assertTrue(placed > 30, "only " + placed + " plans");
  }

  @Test
  void namesAreQuotedAndWhatIsMissingIsNull() throws IOException {
    ProblemBuilder builder = PackingProblem.builder("a \"name\"\n\\ with \u0001 and \ud83d\ude00");
    builder.buffer("é\t\"", 5, 0, 1);
    builder.memory("main", 4);
    Plan plan = Stowage.plan(builder.build());
    assertFalse(plan.toJson().contains("\n"));
    JsonNode json = JsonChecks.read(plan.toJson());
    assertEquals(plan.problem().name(), json.get("problem").asText());
    JsonChecks.holds(json, "status=INFEASIBLE gap=null");
    assertTrue(json.get("placements").isEmpty());
    assertEquals("é\t\"", json.get("infeasibility").get("buffers").get(0).asText());
    assertTrue(json.get("infeasibility").get("checked").asBoolean());
  }
}
