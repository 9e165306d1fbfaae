package stowage.importer.tflite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.Thorough;
import stowage.compiler.tflite.TfliteMicro;
import stowage.compiler.tflite.TflmGreedy;
import stowage.heuristic.Fit;
import stowage.heuristic.GreedyPlanner;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * Holds lives, order and planner against TFLite Micro itself, on random models with branches,
 * loops, subgraphs called twice and never, variables, tensors that nothing makes and inputs that
 * nothing reads; where a built runtime is there, see {@link TfliteMicroRuntime}.
 */
class TfliteMicroLivesTest extends FolderTest {
  private static final int MODELS = Thorough.of(8, 24);
  private static final long SEED = 20261122;

  @Test
  void randomModelsArePlannedAsTfliteMicroPlansThem() throws IOException, InterruptedException {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    int compared = 0;
    for (int k = 0; k < MODELS; k++) {
      Path model = file("m" + k + ".tflite", randomModel(random));
      JsonNode said = TfliteMicroRuntime.run(model, "--stub");
      if (!said.path("allocated").asBoolean()) {
        continue;
      }
      compared++;
      check(model, said, "model " + k + " of seed " + SEED);
    }
    assertTrue(compared > MODELS / 2, compared + " of " + MODELS + " models were taken");
  }

  private void check(Path model, JsonNode said, String which)
      throws IOException, InterruptedException {
    Input.Graph graph = (Input.Graph) InputFormats.read(model);
    PlanningCase planningCase =
        Liveness.of(graph.network(), LivenessOptions.defaultsOf(TfliteMicro.FORMAT));
    Placement own = new TflmGreedy().plan(planningCase, RunControl.unlimited()).placement();
    assertEquals(theirOffsets(said), offsets(planningCase, own), which);
    assertEquals(said.get("plannerHead").asLong(), own.peak(planningCase.problem(), 0), which);

    TfliteMicro runtime = new TfliteMicro(planningCase, graph.placedByRuntime());
    Placement other =
        new GreedyPlanner(GreedyPlanner.Order.START, Fit.FIRST)
            .plan(planningCase.problem(), RunControl.unlimited());
    Placement settled = runtime.settled(other);
    assertTrue(Verifier.violations(planningCase.problem(), settled).isEmpty(), which);
    Map<String, Long> fixed = new HashMap<>();
    for (int b = 0; b < planningCase.problem().size(); b++) {
      String tensor = planningCase.contents().get(b).parts().get(0).tensor();
      if (!graph.placedByRuntime().contains(tensor)) {
        fixed.put(tensor, other.offset(b));
      }
    }
    Path planned = folder.resolve("planned.tflite");
    TfliteExport.write(model, fixed, planned);
    JsonNode again = TfliteMicroRuntime.run(planned, "--stub");
    assertTrue(again.path("allocated").asBoolean(), which);
    assertEquals(theirOffsets(again), offsets(planningCase, settled), which);
    assertEquals(again.get("plannerHead").asLong(), settled.peak(planningCase.problem(), 0), which);
  }

  private static Map<String, Long> offsets(PlanningCase planningCase, Placement placement) {
    Map<String, Long> offsets = new HashMap<>();
    for (int b = 0; b < planningCase.problem().size(); b++) {
      if (planningCase.problem().buffer(b).needsMemory()) {
        offsets.put(planningCase.contents().get(b).parts().get(0).tensor(), placement.offset(b));
      }
    }
    return offsets;
  }

  private static Map<String, Long> theirOffsets(JsonNode said) {
    Map<String, Long> offsets = new HashMap<>();
    said.get("buffers").forEach(b -> offsets.put(b.get("name").asText(), b.get("offset").asLong()));
    return offsets;
  }

  /** A model in which subgraph s runs later ones only; names tell subgraph and index. */
  private static byte[] randomModel(RandomGenerator random) {
    TfliteBuilder builder = new TfliteBuilder();
    int subgraphs = 1 + random.nextInt(5);
    for (int s = 0; s < subgraphs; s++) {
      int count = 3 + random.nextInt(9);
      Set<Integer> variables = new HashSet<>();
      for (int t = 0; t < count; t++) {
        boolean variable = t > 1 && random.nextInt(6) == 0;
        if (variable) {
          variables.add(t);
        }
        int size = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
        builder.tensor("s" + s + "t" + t, TfliteBuilder.FLOAT32, 0, variable, size);
      }
      int[] inputs = random.nextBoolean() ? new int[] {0} : new int[] {0, 1};
      int made = inputs.length;
      int ops = random.nextInt(8);
      for (int o = 0; o < ops; o++) {
        int[] reads = {random.nextInt(made), random.nextInt(made)};
        boolean again = random.nextInt(8) == 0 || made >= count - 1;
        if (random.nextInt(10) == 0) {
          reads[0] = count - 1; // which nothing makes
        }
        int kind = s + 2 < subgraphs ? random.nextInt(6) : 9;
        int result = again ? random.nextInt(made) : kind == 2 ? -1 : made++;
        int first = s + 1 + (kind < 3 ? random.nextInt(subgraphs - s - 1) : 0);
        int second = s + 1 + (kind < 3 ? random.nextInt(subgraphs - s - 1) : 0);
        int[] results = {result};
        switch (kind) {
          case 0 -> builder.op("IF", reads, results, builder.options(first, second), 92);
          case 1 -> builder.op("WHILE", reads, results, builder.options(first, second), 93);
          case 2 -> builder.op("CALL_ONCE", new int[0], new int[0], builder.options(first), 103);
          default -> builder.op("ADD", reads, results);
        }
      }
      builder.subgraph("s" + s, inputs, new int[] {random.nextInt(made)});
    }
    return builder.bytes();
  }
}
