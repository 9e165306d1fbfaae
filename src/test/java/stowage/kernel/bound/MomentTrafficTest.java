package stowage.kernel.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.generator.kernel.KernelGenerator;
import stowage.kernel.RandomKernels;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.kernel.spill.ExactSpillSearch;

/** The least price of a moment against all downsets, and bounds made of it against all orders. */
class MomentTrafficTest {
  private static final int MOST_STATES = 5_000;

  @Test
  void theLeastPriceOfAMomentIsThatOfAllDownsets() {
    SplittableRandom random = new SplittableRandom(31);
    int positive = 0;
    int exact = 0;
    int compared = 0;
    for (int k = 0; k < 400; k++) {
      KernelOps graph =
          KernelOps.of(
              RandomKernels.graph(random, 5 + random.nextInt(4), 2),
              new Caches(Map.of("UB", 2L + random.nextInt(4), "L1", 2L + random.nextInt(4))));
      if (graph.ops > 10) {
        continue;
      }
      int v = random.nextInt(graph.ops);
      int[] rates = MomentTraffic.rates(graph);
      MomentTraffic moments = new MomentTraffic(graph, () -> false);
      moments.cut().pinRunning(v, true);
      long least = least(graph, rates, v);
      String label = "seed 31, case " + k;
      MomentTraffic.Answer one = moments.least(-1, least, 1);
      assertTrue(one.bound() <= least, label);
      long found = moments.least(-1, least, 5000).bound();
      assertTrue(found <= least, label);
      assertEquals(least > 0, found > 0, label);
      exact += found == least ? 1 : 0;
      compared++;
      MomentTraffic.Answer more = moments.least(-1, least + 1, 5000);
      assertTrue(more.bound() <= least, label + ": " + more.bound() + " of " + least);
      positive += least > 0 ? 1 : 0;
    }
    assertTrue(positive > 100, positive + " moments overflow");
    assertTrue(exact > 0.9 * compared, exact + " of " + compared);
  }

  /** The least price over all downsets that hold an op, and none after it. */
  private static long least(KernelOps graph, int[] rates, int v) {
    long least = Long.MAX_VALUE;
    for (int set = 0; set < 1 << graph.ops; set++) {
      boolean holds = (set >> v & 1) != 0;
      for (int u = 0; u < graph.ops && holds; u++) {
        for (int before : graph.preds[u]) {
          holds &= (set >> u & 1) == 0 || (set >> before & 1) != 0;
          holds &= before != v || (set >> u & 1) == 0;
        }
      }
      if (holds) {
        least = Math.min(least, price(graph, rates, set, v));
      }
    }
    return least;
  }

  private static long price(KernelOps graph, int[] rates, int set, int v) {
    long[] live = new long[graph.caches];
    for (int b = 0; b < graph.buffers; b++) {
      boolean begun = false;
      boolean over = true;
      for (int user : graph.users[b]) {
        boolean ran = (set >> user & 1) != 0;
        begun |= ran;
        over &= ran && user != v;
      }
      live[graph.cache[b]] += begun && !over ? graph.size[b] : 0;
    }
    long price = 0;
    for (int c = 0; c < graph.caches; c++) {
      price += rates[c] * Math.max(0, live[c] - graph.capacity[c] * graph.unit[c]);
    }
    return price;
  }

  @Test
  void boundsByMilestonesNeverExceedTheLeastTraffic() {
    long seed = Thorough.of(60, 35);
    int cases = Thorough.of(80, 5000);
    SplittableRandom random = new SplittableRandom(seed);
    int positive = 0;
    int exact = 0;
    for (int k = 0; k < cases; k++) {
      KernelOps graph = RandomKernels.tight(random, 6 + random.nextInt(5), 1 + k % 2, 2);
      ExactSpillSearch.Answer least = RandomKernels.leastTraffic(graph, MOST_STATES);
      if (least.order() == null) {
        continue;
      }
      long[] turns = {0};
      long bound =
          new TrafficMilestones(
                  graph, 0, () -> Long.MAX_VALUE / 4, () -> turns[0]++ > 600, value -> {})
              .traffic();
      String label = "seed " + seed + ", case " + k;
      assertTrue(bound <= least.bound(), label + ": " + bound + " of " + least.bound());
      positive += bound > 0 ? 1 : 0;
      exact += bound > 0 && bound == least.bound() ? 1 : 0;
    }
    assertTrue(positive > cases / 80, positive + " bounds are positive");
    assertTrue(exact > 0, exact + " bounds are exact");
  }

  @Test
  void ratesOfAMixtureAreThoseOfTheTwoLoops() {
    RateProgram master = new RateProgram(2);
    master.add(new double[] {2, 0.6}); // one loop begun: 8 of 4 units, 3 of 5
    master.add(new double[] {0, 1.2}); // both: nothing, 6 of 5
    master.solve();
    assertEquals(12 / 13.0, master.value, 1e-9);
    assertEquals(1, Arrays.stream(master.rates).sum(), 1e-9);
    assertEquals(1, Arrays.stream(master.mixture).sum(), 1e-9);
  }

  @Test
  void attentionThatSharesItsBlocksMustSpill() {
    Caches caches = new Caches(Map.of("L1", 48L, "UB", 32L, "L0A", 16L, "L0B", 16L, "L0C", 8L));
    KernelOps graph = KernelOps.of(KernelGenerator.attention(4, 8, 16, 8), caches);
    long bound = new TrafficMilestones(graph, 0, () -> 1, () -> false, value -> {}).traffic();
    assertTrue(bound > 0, "bound " + bound);
    int[] quotients =
        IntStream.range(0, graph.ops)
            .filter(v -> graph.graph().nodes().get(graph.node[v]).op().equals("DIV"))
            .toArray();
    MomentTraffic moments = new MomentTraffic(graph, () -> false);
    moments.cut().pinRunning(quotients[0], true);
    for (int v : Arrays.copyOfRange(quotients, 1, quotients.length)) {
      moments.cut().pinOpen(v, true);
    }
    assertEquals(0, moments.least(-1, 1, 1).bound(), "a mixture of downsets fits");
    assertEquals(1, moments.least(-1, 1, 500).bound(), "no downset does");
  }
}
