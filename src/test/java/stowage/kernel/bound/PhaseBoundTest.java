package stowage.kernel.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.generator.kernel.KernelGenerator;
import stowage.generator.kernel.KernelSketch;
import stowage.kernel.RandomKernels;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelOps;
import stowage.kernel.order.Replay;
import stowage.kernel.spill.ExactSpillSearch;
import stowage.network.kernel.KernelGraph;

/** Bounds by phases against all orders, and what proves them against plain counts. */
class PhaseBoundTest {
  private static final int MOST_STATES = 100_000;

  @Test
  void noSetOfMilestonesNeedsFewerItemsThanTheCountSays() {
    long seed = Thorough.of(41, 42);
    int cases = Thorough.of(400, 20_000);
    SplittableRandom random = new SplittableRandom(seed);
    int tight = 0;
    for (int k = 0; k < cases; k++) {
      int milestones = 1 + random.nextInt(9);
      int classes = 2 + random.nextInt(2);
      int[] sizes = new int[classes];
      int[][] needs = new int[classes][milestones];
      for (int c = 0; c < classes; c++) {
        sizes[c] = 1 + random.nextInt(4);
        for (int m = 0; m < milestones; m++) {
          needs[c][m] = random.nextInt(sizes[c]);
        }
      }
      PhaseCount count = new PhaseCount(needs, sizes);
      for (int set = 1; set < 1 << milestones; set++) {
        long[] used = new long[classes];
        for (int c = 0; c < classes; c++) {
          int chosen = set;
          int[] items = needs[c];
          used[c] =
              IntStream.range(0, milestones)
                  .filter(m -> (chosen >> m & 1) != 0)
                  .map(m -> items[m])
                  .distinct()
                  .count();
        }
        long fewest = fewest(count, Integer.bitCount(set), used);
        assertTrue(
            fewest <= used[classes - 1],
            "seed " + seed + ", case " + k + ", set " + set + ": " + fewest);
        tight += fewest == used[classes - 1] && fewest > 1 ? 1 : 0;
      }
    }
    assertTrue(tight > cases, tight + " counts are exact");
  }

  private static long fewest(PhaseCount count, int milestones, long[] used) {
    long fewest = count.fewest(milestones, used[0], used[used.length - 2]);
    if (used.length == 2) {
      return fewest;
    }
    double product = count.others(0, milestones, used[0]) / used[1];
    product = Math.max(product, count.others(1, milestones, used[1]) / used[0]);
    fewest = Math.max(fewest, (long) Math.ceil(product));
    return count.hub(milestones, used[0] * used[1], fewest);
  }

  @Test
  void boundsNeverExceedTheLeastTraffic() {
    long seed = Thorough.of(46, 44);
    int cases = Thorough.of(100, 6_000);
    SplittableRandom random = new SplittableRandom(seed);
    int positive = 0;
    int compared = 0;
    for (int k = 0; k < cases; k++) {
      KernelGraph kernel =
          k % 4 == 0
              ? RandomKernels.graph(random, 6 + random.nextInt(5), 2)
              : k % 4 == 1 ? products(random) : pairs(random);
      KernelOps graph = KernelOps.of(kernel, tight(kernel, random));
      PhaseBound.Proof proof = new PhaseBound(graph, () -> false).prove();
      String label = "seed " + seed + ", case " + k;
      if (proof == null) {
        continue;
      }
      check(graph, proof, label);
      ExactSpillSearch.Answer least = RandomKernels.leastTraffic(graph, MOST_STATES);
      if (least.order() != null) {
        assertTrue(proof.bound() <= least.bound(), label + ": " + proof.bound() + " of " + least);
        compared++;
      }
      positive++;
    }
    assertTrue(positive > cases / 10, positive + " bounds are positive");
    assertTrue(compared > cases / 20, compared + " are compared");
  }

  /** Ops that read one of each of two classes, most pairs in turn. */
  private static KernelGraph pairs(SplittableRandom random) {
    KernelSketch draft = new KernelSketch();
    int[][] items = {new int[4], new int[3]};
    long size = 1 + random.nextInt(2);
    for (int[] members : items) {
      for (int i = 0; i < members.length; i++) {
        members[i] = draft.buffer(members == items[0] ? "L1" : "UB", size);
        draft.op(random.nextInt(4) == 0 ? "DUP" : "COPY_IN", "MTE2", 1, members[i]);
      }
    }
    for (int left : items[0]) {
      for (int right : items[1]) {
        if (random.nextInt(12) > 0) {
          draft.op("MATMUL", "CUBE", 1, -1, left, right);
        }
      }
    }
    return draft.graph();
  }

  /** Ops that read one of each of two classes and add to one of a third, at random. */
  private static KernelGraph products(SplittableRandom random) {
    KernelSketch draft = new KernelSketch();
    int[][] items = new int[3][];
    int staged = random.nextInt(3);
    for (int c = 0; c < 3; c++) {
      items[c] = new int[2 + random.nextInt(2)];
      long size = 1 + random.nextInt(3);
      for (int i = 0; i < items[c].length; i++) {
        items[c][i] = draft.buffer(c < 2 ? "L1" : "UB", random.nextInt(5) == 0 ? 1 : size);
        draft.op(c < 2 ? "COPY_IN" : "DUP", "MTE2", 1, items[c][i]);
      }
    }
    int count = 6 + random.nextInt(7);
    for (int k = 0; k < count; k++) {
      int[] read = new int[2];
      for (int c = 0; c < 2; c++) {
        read[c] = items[c][random.nextInt(items[c].length)];
        if (c < staged) {
          int moved = draft.buffer(c == 0 ? "L0A" : "L0B", 1 + random.nextInt(2));
          int other = random.nextInt(4) == 0 ? items[c][0] : read[c];
          if (other == read[c]) {
            draft.op("MOVE", "MTE1", 1, moved, read[c]);
          } else {
            draft.op("MOVE", "MTE1", 1, moved, read[c], other);
          }
          read[c] = moved;
        }
      }
      draft.op("MATMUL", "CUBE", 1, items[2][random.nextInt(items[2].length)], read);
    }
    return draft.graph();
  }

  private static Caches tight(KernelGraph graph, SplittableRandom random) {
    return RandomKernels.tight(graph, random.nextInt(2))
        .with(Map.of("L0A", 2L + random.nextInt(2), "L0B", 2L));
  }

  /** What a proof says, counted again by other code that loops over everything. */
  private static void check(KernelOps graph, PhaseBound.Proof proof, String label) {
    Set<Integer> taken = new HashSet<>();
    for (int[][] members : proof.items()) {
      for (int[] item : members) {
        for (int b : item) {
          assertTrue(taken.add(b), label + ": buffer " + b + " is in two items");
        }
      }
    }
    for (int k = 0; k < proof.milestones().length; k++) {
      Set<Integer> ops = new HashSet<>(Set.of(proof.milestones()[k]));
      Set<Integer> own = new HashSet<>();
      for (PhaseNeeds.Link link : proof.links().get(k)) {
        assertTrue(ops.contains(link.to()), label + ": a link leads nowhere");
        assertTrue(graph.leads(link.from(), link.to()), label + ": no edge");
        assertTrue(uses(graph, link.from(), link.buffer()), label);
        assertTrue(uses(graph, link.to(), link.buffer()), label);
        boolean fresh = own.add(link.buffer()) && !taken.add(link.buffer());
        assertFalse(fresh, label + ": a link of two milestones, or an item");
        ops.add(link.from());
      }
      for (int c = 0; c < proof.items().length; c++) {
        for (int b : proof.items()[c][proof.needs()[c][k]]) {
          assertTrue(ops.stream().anyMatch(v -> uses(graph, v, b)), label + ": not needed");
        }
      }
    }
    long counted = PhaseCheck.bound(graph, proof);
    assertTrue(proof.bound() <= counted, label + ": " + proof.bound() + " of " + counted);
  }

  /** Whether an op uses a buffer, by the buffer's list of users; the op's own list agrees. */
  private static boolean uses(KernelOps graph, int op, int buffer) {
    boolean used = IntStream.of(graph.users[buffer]).anyMatch(v -> v == op);
    assertEquals(used, graph.uses(op, buffer), "op " + op + ", buffer " + buffer);
    return used;
  }

  @Test
  void kernelsThatReadTheirBlocksOverAndOverMustSpillMuch() {
    Caches caches = new Caches(Map.of("L1", 64L, "UB", 16L, "L0A", 4L, "L0B", 4L, "L0C", 8L));
    int bands = Thorough.of(4, 8);
    spills(
        KernelOps.of(KernelGenerator.convolution(bands, 1, 4, 4, 12, 8, 2, 4), caches),
        Thorough.of(45, 200));
    int blocks = Thorough.of(4, 6);
    spills(
        KernelOps.of(KernelGenerator.matmul(blocks, blocks, blocks, 8, 4, 8), caches),
        Thorough.of(24, 250));
  }

  private static void spills(KernelOps graph, long least) {
    PhaseBound bound = new PhaseBound(graph, () -> false);
    PhaseBound.Proof proof = bound.prove();
    assertNotNull(proof);
    check(graph, proof, "a kernel of " + graph.ops + " ops");
    assertEquals(2, proof.links().get(0).size(), "moves into L0A and L0B");
    long traffic = bound.traffic();
    assertTrue(traffic >= least, "bound " + traffic);
    Replay replay = new Replay(graph);
    SplittableRandom random = new SplittableRandom(45);
    for (int k = 0; k < 20; k++) {
      replay.run(RandomKernels.order(graph, random), null, Replay.Fit.BEST);
      long found = IntStream.range(0, graph.caches).mapToLong(replay::traffic).sum();
      assertTrue(traffic <= found, "seed 45: " + traffic + " of " + found);
    }
  }

  /** Hubs whose both sides are too large to count over subsets. */
  @Test
  void largeHubsServeNoMoreThanTheCountSays() {
    SplittableRandom random = new SplittableRandom(43);
    int above = 0;
    for (int k = 0; k < 60; k++) {
      int milestones = 60 + random.nextInt(60);
      int[] sizes = {1 + random.nextInt(2), 17 + random.nextInt(9), 17 + random.nextInt(9)};
      int turn = random.nextInt(3);
      int[][] needs = new int[3][milestones];
      int[] turned = new int[3];
      for (int c = 0; c < 3; c++) {
        turned[(c + turn) % 3] = sizes[c];
        needs[(c + turn) % 3] =
            random
                .ints(milestones, 0, sizes[c])
                .map(i -> Math.min(i, random.nextInt(40)))
                .toArray();
      }
      PhaseCount count = new PhaseCount(needs, turned);
      for (int round = 0; round < 200; round++) {
        long[] most = new long[3];
        Arrays.setAll(most, c -> 1 + random.nextInt(turned[c]));
        int[] served =
            IntStream.range(0, milestones)
                .filter(m -> IntStream.range(0, 3).allMatch(c -> needs[c][m] < most[c]))
                .toArray();
        long[] used = new long[3];
        Arrays.setAll(used, c -> Arrays.stream(served).map(m -> needs[c][m]).distinct().count());
        if (served.length > 0) {
          long fewest = fewest(count, served.length, used);
          assertTrue(fewest <= used[2], "case " + k + ": " + fewest + " of " + used[2]);
          above += fewest > 1 ? 1 : 0;
        }
      }
    }
    assertTrue(above > 1000, above + " above 1");
  }
}
