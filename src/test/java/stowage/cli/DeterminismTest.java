package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.PlanOptions;
import stowage.Thorough;
import stowage.exact.RandomProblems;
import stowage.generator.Generators;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanFile;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.Verifier;

/**
 * With {@code --deterministic} a plan depends on the problem, the seed and the work limit alone:
 * not on the threads, and not on the order in which a file lists its buffers.
 */
class DeterminismTest extends FolderTest {
  private static PackingProblem generated(String generator, long seed, long buffers) {
    Map<String, Object> parameters = new HashMap<>(Map.of("seed", seed, "buffers", buffers));
    if (generator.startsWith("log")) {
      parameters.put("live", 300L);
    }
    return Generators.generate(generator, parameters);
  }

  private static Stowage planned(Path input, int threads, double work, Path out) {
    String line = "plan %s --threads %s --det-limit %s --out %s --json";
    return Stowage.line(line, input, threads, work, out).ends(0);
  }

  /** Sizes at which the portfolio is made up differently: Choco joins, CP-SAT joins, neither. */
  @ParameterizedTest
  @CsvSource({
    "hard, 12, 0.01",
    "near-capacity, 90, 0.02",
    "near-capacity, 300, 0.01",
    "near-capacity, 900, 0.01",
    "log-uniform-large, 1500, 0.02"
  })
  void runsAgreeByteForByteOnAnyNumberOfThreads(String generator, long buffers, double work)
      throws IOException {
    Path input = folder.resolve("input.csv");
    PackingCsv.write(input, generated(generator, 3, buffers));
    byte[] first = null;
    String status = null;
    for (int threads : new int[] {1, 2, 16}) {
      Path out = folder.resolve("out");
      Stowage run = planned(input, threads, work, out).holds("deterministic=true");
      byte[] plan = Files.readAllBytes(out.resolve("plan.csv"));
      if (first == null) {
        first = plan;
        status = run.json().get("status").asText();
      }
      assertArrayEquals(first, plan, "on " + threads + " threads");
      assertEquals(status, run.json().get("status").asText(), "on " + threads + " threads");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "near-capacity, 60, 0.02",
    "near-capacity, 200, 0.01",
    "log-uniform-large, 5200, 0.02"
  })
  void everyOrderOfBuffersGivesTheSameOffsets(String generator, long buffers, double work)
      throws IOException {
    PackingProblem problem = generated(generator, 5, buffers);
    List<Buffer> rows = new ArrayList<>(problem.buffers());
    Map<String, Long> first = null;
    JsonNode answer = null;
    for (int round = 0; round < 2; round++) {
      Path input = folder.resolve("input.csv");
      PackingCsv.write(input, problem.withBuffers(rows));
      Path out = folder.resolve("out");
      Stowage run = planned(input, 1 + 2 * round, work, out);
      Map<String, Long> offsets = new HashMap<>();
      PlanFile.read(out.resolve("plan.json"))
          .places()
          .forEach((id, place) -> offsets.put(id, place.offset()));
      Stowage.run("verify", input, out.resolve("plan.json")).ends(0);
      if (first == null) {
        first = offsets;
        answer = run.json();
      }
      assertEquals(first, offsets, "in order " + round);
      for (String figure : List.of("status", "peak", "lowerBound", "boundKind")) {
        assertEquals(answer.get(figure), run.json().get(figure), figure);
      }
      Collections.shuffle(rows, new Random(round));
    }
  }

  /** Every kind of constraint, and the infeasible too. */
  @Test
  void smallProblemsKeepTheirPlansInEveryOrder() {
    for (int seed = 0; seed < Thorough.of(40, 80); seed++) {
      PackingProblem problem = RandomProblems.of(seed, 8);
      Integer[] order = new Integer[problem.size()];
      Arrays.setAll(order, i -> i);
      Collections.shuffle(Arrays.asList(order), new Random(seed));
      PackingProblem other = reordered(problem, order);
      Plan one = stowage.Stowage.plan(problem, PlanOptions.defaults().deterministic(2_000));
      Plan two = stowage.Stowage.plan(other, PlanOptions.defaults().deterministic(2_000));
      String context = "seed " + seed;
      assertEquals(one.status(), two.status(), context);
      assertEquals(one.lowerBound(), two.lowerBound(), context);
      assertSound(problem, one, context);
      assertSound(other, two, context);
      for (int k = 0; k < order.length && one.hasPlacement(); k++) {
        assertEquals(one.offset(order[k]), two.offset(k), context);
        assertEquals(one.memory(order[k]), two.memory(k), context);
      }
    }
  }

  private static PackingProblem reordered(PackingProblem problem, Integer[] order) {
    int[] position = new int[order.length];
    List<int[]> pairs = new ArrayList<>();
    for (int k = 0; k < order.length; k++) {
      position[order[k]] = k;
    }
    for (int i = 0; i < order.length; i++) {
      for (int j : problem.conflicts().of(i)) {
        pairs.add(new int[] {position[i], position[j]});
      }
    }
    return problem
        .withConflicts(ConflictPairs.none())
        .withBuffers(Arrays.stream(order).map(problem::buffer).toList())
        .withConflicts(ConflictPairs.of(order.length, pairs));
  }

  private static void assertSound(PackingProblem problem, Plan plan, String context) {
    if (plan.hasPlacement()) {
      assertEquals(List.of(), Verifier.violations(problem, plan.placement()), context);
    }
    Bound bound = plan.peakBound();
    if (bound != null && bound.certificate().checkable()) {
      assertEquals(Optional.empty(), BoundVerifier.fault(problem, bound), context);
    }
  }
}
