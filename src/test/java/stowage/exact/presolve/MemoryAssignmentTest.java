package stowage.exact.presolve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

class MemoryAssignmentTest {

  @Test
  void likeMemoriesAreExchangedNowhere() {
    Component part = part(5, 3, 1);
    assertEquals(41, ways(part, -1).size()); // partitions of five into at most three sets
    // With the last one apart: for each set in it, the partitions of the others into at most two.
    assertEquals(122, ways(part, 2).size());
    assertEquals(243, ways(part(5, 3, 0), -1).size());
  }

  @Test
  void everyWayIsThereOnceUpToExchange() {
    Component part = part(6, 3, 1);
    Set<List<Integer>> seen = new HashSet<>();
    for (List<Integer> way : ways(part, -1)) {
      assertTrue(seen.add(canonical(way)), way.toString());
    }
    for (int code = 0; code < 729; code++) {
      List<Integer> way = new ArrayList<>();
      for (int i = 0, rest = code; i < 6; i++, rest /= 3) {
        way.add(rest % 3);
      }
      assertTrue(seen.contains(canonical(way)), way.toString());
    }
  }

  @Test
  void aLocalSearchKeepsToMemoriesAndLimits() {
    int settled = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<Memory> memories = memories(3, 0);
      List<Buffer> buffers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        List<String> allowed = random.nextInt(4) == 0 ? List.of("m1", "m2") : List.of();
        buffers.add(Buffers.drawn(random, "b" + i, 10, 9, 5).withMemories(allowed));
      }
      Component part = largest(problem(buffers, memories));
      long[] limits = new long[part.memories()];
      Arrays.fill(limits, 20 + random.nextInt(10));
      AssignmentSearch search = new AssignmentSearch(part, null, seed);
      boolean within = search.settle(limits, 2_000, () -> false);
      settled += within ? 1 : 0;
      long[][] load = new long[part.memories()][part.sections()];
      int[] places = search.places();
      for (int i = 0; i < part.count(); i++) {
        assertTrue(part.allows(i, places[i]), "seed " + seed);
        for (int s = part.spanStarts()[i]; s < part.spanEnds()[i]; s++) {
          load[places[i]][s] += part.sizes()[i];
        }
      }
      for (int m = 0; within && m < limits.length; m++) {
        assertTrue(Arrays.stream(load[m]).max().orElse(0) <= limits[m], "seed " + seed);
      }
    }
    assertTrue(settled > 50, settled + " of 200 settled");
    assertFalse(settled == 200, "limits that no way keeps are refused");
  }

  private static List<List<Integer>> ways(Component part, int target) {
    List<List<Integer>> ways = new ArrayList<>();
    MemoryAssignment.walk(
        part,
        target,
        memory -> Long.MAX_VALUE / 2,
        places -> {
          ways.add(Arrays.stream(places).boxed().toList());
          return true;
        },
        () -> false);
    return ways;
  }

  private static List<Integer> canonical(List<Integer> way) {
    List<Integer> names = new ArrayList<>();
    List<Integer> canonical = new ArrayList<>();
    for (int memory : way) {
      if (!names.contains(memory)) {
        names.add(memory);
      }
      canonical.add(names.indexOf(memory));
    }
    return canonical;
  }

  /** Buffers alive at once over memories of one capacity, or of different ones. */
  private static Component part(int count, int memories, int like) {
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(new Buffer("b" + i, 3 + i, 0, 4));
    }
    return largest(problem(buffers, memories(memories, like)));
  }

  private static PackingProblem problem(List<Buffer> buffers, List<Memory> memories) {
    return new PackingProblem("spread", buffers, memories, ConflictPairs.none());
  }

  private static List<Memory> memories(int count, int like) {
    List<Memory> memories = new ArrayList<>();
    for (int m = 0; m < count; m++) {
      memories.add(new Memory("m" + m, 100 + (1 - like) * m, 1, 0, 0));
    }
    return memories;
  }

  private static Component largest(PackingProblem problem) {
    return Presolver.presolve(problem).components().get(0);
  }
}
