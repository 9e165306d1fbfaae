package stowage.importer.own;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.PlanOptions;
import stowage.Stowage;
import stowage.exact.RandomProblems;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.ProblemBuilder;

/** What the core writes of a plan is read back by the readers of plan files. */
class PlanToJsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir Path folder;

  @Test
  void plansOfEveryKindAreReadBack() throws IOException {
    PlanOptions options = PlanOptions.within(Duration.ofMillis(200)).threads(1).engines("search");
    int placed = 0;
    for (long seed = 1; seed <= 60; seed++) {
      PackingProblem problem = RandomProblems.of(seed, 9);
      Plan plan = Stowage.plan(problem, options);
      JsonNode json = MAPPER.readTree(plan.toJson());
      assertEquals(plan.status().name(), json.get("status").asText());
      assertEquals(problem.size(), json.get("buffers").asInt());
      if (!plan.hasPlacement()) {
        assertTrue(json.get("peak").isNull());
        continue;
      }
      placed++;
      assertEquals(plan.peak(), json.get("peak").asLong());
      assertTrue(json.get("lowerBound").asLong() >= plan.lowerBound());
      Path file = Files.writeString(folder.resolve("plan.json"), plan.toJson());
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
    JsonNode json = MAPPER.readTree(plan.toJson());
    assertEquals(plan.problem().name(), json.get("problem").asText());
    assertEquals("INFEASIBLE", json.get("status").asText());
    assertTrue(json.get("gap").isNull());
    assertTrue(json.get("placements").isEmpty());
    assertEquals("é\t\"", json.get("infeasibility").get("buffers").get(0).asText());
    assertTrue(json.get("infeasibility").get("checked").asBoolean());
  }
}
