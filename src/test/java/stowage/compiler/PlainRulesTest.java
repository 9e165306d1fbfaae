package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.compiler.RulesChecks.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.heuristic.RandomPackingProblems;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.PackingProblem;

/**
 * Planners give what their rules give when these are followed word by word, buffer by buffer, on
 * many problems full of ties.
 */
class PlainRulesTest {
  private static final Map<String, Function<PackingProblem, long[]>> RULES = rules();

  private static Map<String, Function<PackingProblem, long[]>> rules() {
    Map<String, Function<PlainRules, long[]>> rules = new LinkedHashMap<>();
    rules.put("tflm", PlainRules::tflm);
    rules.put("tflite", PlainRules::tflite);
    rules.put("tflite-gpu-greedy-by-size", plain -> plain.greedyBySize(false, true));
    rules.put("tvm-size", plain -> plain.tvm(false));
    rules.put("tvm-conflicts", plain -> plain.tvm(true));
    rules.put("executorch", plain -> plain.executorch(true));
    rules.put("executorch-shared", plain -> plain.executorch(false));
    rules.put("xla-spatial", plain -> plain.xla(false));
    rules.put("xla-temporal", plain -> plain.xla(true));
    rules.put("vela-greedy", PlainRules::velaGreedy);
    Map<String, Function<PackingProblem, long[]>> all = new LinkedHashMap<>();
    rules.forEach((name, rule) -> all.put(name, problem -> rule.apply(new PlainRules(problem))));
    all.put("iree", problem -> new PlainRules(problem, 16).iree());
    all.put("inductor-tree", problem -> PlainTree.offsets(problem, true));
    all.put("inductor-tree-none", problem -> PlainTree.offsets(problem, false));
    all.put("tflite-gpu-greedy-by-breadth", problem -> new PlainObjects(problem).greedyByBreadth());
    all.put("tflite-gpu-size-distance", problem -> new PlainObjects(problem).sizeDistance());
    all.put("somas", problem -> new PlainObjects(problem).somas());
    all.put("tpu-mlir", problem -> new PlainTpuMlir(problem).offsets());
    all.put("vela", problem -> new PlainClimbs(problem).vela());
    all.put("tvm", problem -> new PlainClimbs(problem).tvm());
    return all;
  }

  /** Holds that planners put every buffer of a problem where their rules put it. */
  static void agree(
      Map<String, Function<PackingProblem, long[]>> rules, long seed, PackingProblem problem) {
    rules.forEach(
        (planner, rule) ->
            assertArrayEquals(
                rule.apply(problem),
                plan(planner, problem).placement().offsets(),
                planner + ", seed " + seed));
  }

  private static void agree(String planner, long seed, PackingProblem problem) {
    agree(Map.of(planner, RULES.get(planner)), seed, problem);
  }

  @Test
  void everyBufferLiesWhereTheRulePutsIt() {
    for (long seed = 0; seed < Thorough.of(100, 200); seed++) {
      agree(RULES, seed, withTies(seed));
    }
  }

  /** Odd sizes up to some hundred bytes, long and short lives, so that trees grow deep and wide. */
  @Test
  void everyTreeSplitsAsTheRuleSplitsIt() {
    for (long seed = 0; seed < Thorough.of(120, 300); seed++) {
      agree("inductor-tree", seed, wide(seed, 1));
      agree("inductor-tree-none", seed, wide(seed, 1));
    }
  }

  /** Sizes so large that one stretch may beat a chain of footprints by more than its threshold. */
  @Test
  void footprintsOfLargeBuffers() {
    for (long seed = 0; seed < Thorough.of(80, 200); seed++) {
      agree("somas", seed, wide(seed, 1 << 20));
    }
  }

  /** The flow's chains cost no more than the cheapest of all ways to let buffers follow others. */
  @Test
  void noChainsCostLessThanTheFlows() {
    for (long seed = 0; seed < Thorough.of(75, 150); seed++) {
      PackingProblem problem = RandomPackingProblems.plain(seed, 3 + (int) (seed % 5), 12, 9);
      long[] offsets = plan("tflite-gpu-min-cost-flow", problem).placement().offsets();
      List<Buffer> inTime = new ArrayList<>(problem.buffers());
      inTime.sort(Comparator.comparingInt(buffer -> buffer.live().start()));
      Map<Long, Buffer> last = new HashMap<>();
      long cost = 0;
      for (Buffer buffer : inTime) {
        Buffer before = last.put(offsets[problem.buffers().indexOf(buffer)], buffer);
        cost += before == null ? buffer.size() : Math.max(0, buffer.size() - before.size());
      }
      assertEquals(leastCost(inTime, 0, new HashSet<>()), cost, "seed " + seed);
    }
  }

  private static long leastCost(List<Buffer> inTime, int next, Set<Buffer> followed) {
    if (next == inTime.size()) {
      return 0;
    }
    Buffer buffer = inTime.get(next);
    long least = buffer.size() + leastCost(inTime, next + 1, followed);
    for (Buffer before : inTime.subList(0, next)) {
      if (before.live().end() <= buffer.live().start() && followed.add(before)) {
        long growth = Math.max(0, buffer.size() - before.size());
        least = Math.min(least, growth + leastCost(inTime, next + 1, followed));
        followed.remove(before);
      }
    }
    return least;
  }

  /** A problem of few sizes and few steps, so with many ties. */
  static PackingProblem withTies(long seed) {
    Random random = new Random(seed);
    int count = 3 + random.nextInt(22);
    int steps = 3 + random.nextInt(12);
    int sizes = 1 + random.nextInt(12);
    return PackingProblem.of("seed " + seed, Buffers.drawn(random, count, steps, sizes, 5));
  }

  private static PackingProblem wide(long seed, long unit) {
    Random random = new Random(seed);
    int count = 10 + random.nextInt(70);
    int steps = 5 + random.nextInt(40);
    int sizes = 10 + random.nextInt(400);
    List<Buffer> buffers = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      int longest = random.nextInt(5) == 0 ? steps : 6;
      Buffer buffer = Buffers.drawn(random, "b" + k, steps, sizes, longest);
      buffers.add(buffer.withSize(unit * buffer.size()));
    }
    return PackingProblem.of("seed " + seed, buffers);
  }
}
