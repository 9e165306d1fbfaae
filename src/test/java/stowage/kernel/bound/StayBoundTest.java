package stowage.kernel.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.generator.kernel.KernelGenerator;
import stowage.generator.kernel.KernelSketch;
import stowage.kernel.RandomKernels;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.kernel.spill.ExactSpillSearch;

/** Bounds by stays against all orders, and what proves them against all sets of stays. */
class StayBoundTest {
  private static final int MOST_STATES = 60_000;

  @Test
  void boundsNeverExceedTheLeastTraffic() {
    long seed = Thorough.of(51, 52);
    int cases = Thorough.of(40, 1_500);
    SplittableRandom random = new SplittableRandom(seed);
    int positive = 0;
    int compared = 0;
    int tight = 0;
    for (int k = 0; k < cases; k++) {
      KernelOps graph = k % 4 == 0 ? grid(random) : products(random);
      StayBound.Proof proof = new StayBound(graph, () -> false).prove();
      String label = "seed " + seed + ", case " + k;
      if (proof == null) {
        continue;
      }
      positive++;
      check(graph, proof, label);
      ExactSpillSearch.Answer least = RandomKernels.leastTraffic(graph, MOST_STATES);
      if (least.order() != null) {
        assertTrue(proof.bound() <= least.bound(), label + ": " + proof.bound() + " of " + least);
        compared++;
        tight += proof.bound() == least.bound() ? 1 : 0;
      }
    }
    String counts = positive + " positive, " + compared + " compared, " + tight + " tight";
    assertTrue(positive > cases / 10 && compared > cases / 50, counts);
  }

  /** A small blocked matrix product. */
  private static KernelOps grid(SplittableRandom random) {
    int depth = 1 + random.nextInt(2);
    long result = 1 + random.nextInt(3);
    Map<String, Long> units =
        Map.of(
            "L1", 2L + random.nextInt(3), "L0A", 1L + random.nextInt(2), "L0B", 1L, "L0C", result);
    return KernelOps.of(
        KernelGenerator.matmul(2, 2 + random.nextInt(2), depth + 1, 1, 1, result),
        new Caches(units).with(Map.of("L0C", result * (1 + random.nextInt(2)))));
  }

  /** Sums, each over some pairs of blocks; blocks in L1, sums in UB, some moved before. */
  private static KernelOps products(SplittableRandom random) {
    KernelSketch draft = new KernelSketch();
    int[][] blocks = new int[2][];
    boolean moved = random.nextInt(5) == 0;
    for (int c = 0; c < 2; c++) {
      blocks[c] = new int[3];
      for (int i = 0; i < blocks[c].length; i++) {
        blocks[c][i] = draft.buffer("L1", random.nextInt(8) == 0 ? 2 : 1);
        draft.op("COPY_IN", "MTE2", 1, blocks[c][i]);
      }
    }
    int sums = 3 + random.nextInt(2);
    long state = 1 + random.nextInt(3);
    for (int r = 0; r < sums; r++) {
      int sum = draft.buffer("UB", state);
      int products = 3;
      for (int p = 0; p < products; p++) {
        int left = blocks[0][(random.nextInt(4) == 0 ? 1 : p) % 3];
        int right = blocks[1][random.nextInt(4) == 0 ? r % 3 : (r + p) % 3];
        if (moved) {
          int a = draft.buffer("L0A", 1);
          draft.op("MOVE", "MTE1", 1, a, left);
          left = a;
          if (random.nextInt(8) > 0) {
            int b = draft.buffer("L0B", 1);
            draft.op("MOVE", "MTE1", 1, b, right);
            right = b;
          }
        }
        draft.op("MATMUL", "CUBE", 1, sum, left, right);
      }
    }
    long room = state * (1 + random.nextInt(2));
    Map<String, Long> units =
        Map.of("UB", room, "L1", 2L + random.nextInt(3), "L0A", 1L + random.nextInt(2), "L0B", 1L);
    return KernelOps.of(draft.graph(), Caches.DEFAULT.with(units));
  }

  /** What a proof says, by plain loops over all sets of stays and parts. */
  private static void check(KernelOps graph, StayBound.Proof proof, String label) {
    Set<Integer> taken = new HashSet<>();
    for (int[] item : proof.items()) {
      for (int b : item) {
        assertTrue(taken.add(b), label + ": buffer " + b + " is in two items");
      }
    }
    int count = proof.stays().length;
    Set<Integer> milestones = new HashSet<>();
    Set<Integer> linked = new HashSet<>();
    Map<Integer, Integer> last = new HashMap<>();
    for (int r = 0; r < count; r++) {
      assertTrue(!taken.contains(proof.states()[r]), label + ": a state is an item");
      for (int p = 0; p < proof.stays()[r].length; p++) {
        int v = proof.stays()[r][p];
        assertTrue(milestones.add(v), label + ": a milestone of two stays");
        assertTrue(graph.uses(v, proof.states()[r]), label + ": no state");
        Integer before = last.put(proof.states()[r], v);
        assertTrue(before == null || graph.leads(before, v), label + ": no order");
        Set<Integer> ops = new HashSet<>(Set.of(v));
        for (PhaseNeeds.Link link : proof.links().get(r).get(p)) {
          assertEquals(v, link.to(), label);
          assertTrue(graph.leads(link.from(), v), label + ": no edge");
          assertTrue(graph.uses(link.from(), link.buffer()), label);
          assertTrue(graph.uses(v, link.buffer()), label);
          assertTrue(linked.add(link.buffer()) && !taken.contains(link.buffer()), label);
          ops.add(link.from());
        }
        for (int i : proof.needs()[r][p]) {
          for (int b : proof.items()[i]) {
            assertTrue(ops.stream().anyMatch(u -> graph.uses(u, b)), label + ": not needed");
          }
        }
      }
    }
    double sum = 0;
    for (int r = 0; r < count; r++) {
      sum += Math.min(graph.price[proof.states()[r]], proof.rate() * proof.prices()[r]);
    }
    StayCheck sets = new StayCheck(graph, proof);
    assertTrue(sets.most(proof.ends()) <= 1e-6, label + ": " + sets.most(proof.ends()));
    for (int ends = 1; ends < proof.ends(); ends++) {
      assertTrue(sets.first(ends) <= proof.lost() + 1e-6, label + ": " + sets.first(ends));
    }
    double bound = sum - proof.rate() * (sets.beyond() + proof.lost());
    assertTrue(proof.bound() <= Math.ceil(bound - 1e-9), label + ": " + bound);
    assertTrue(proof.rate() <= sets.mostRate() + 1e-12, label + ": rate " + proof.rate());
  }

  @Test
  void sumsThatNeedMoreThanACacheHoldsAreSpilledOrLoadMuch() {
    Caches caches = new Caches(Map.of("L1", 32L, "UB", 8L, "L0A", 2L, "L0B", 2L, "L0C", 4L));
    KernelOps product = KernelOps.of(KernelGenerator.matmul(4, 4, 4, 4, 1, 2), caches);
    KernelOps bands = KernelOps.of(KernelGenerator.convolution(8, 1, 4, 4, 3, 2, 1, 2), caches);
    long ofProduct = new StayBound(product, () -> false).traffic();
    long ofBands = new StayBound(bands, () -> false).traffic();
    assertTrue(ofProduct >= 1 && ofBands >= 1, ofProduct + ", " + ofBands);
    assertTrue(ofProduct > new PhaseBound(product, () -> false).traffic(), "" + ofProduct);
    assertTrue(ofBands > new PhaseBound(bands, () -> false).traffic(), "" + ofBands);
  }
}
