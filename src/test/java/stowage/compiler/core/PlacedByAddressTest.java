package stowage.compiler.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacedByAddressTest {
  @Test
  void theExampleOfTheEssay() {
    PlacedByAddress placed = new PlacedByAddress(5);
    placed.add(0, 0, 4);
    placed.add(1, 6, 9);
    placed.add(2, 3, 8);
    int[] conflicts = {0, 1};
    assertEquals(9, placed.lowestFree(conflicts, 3));
    assertEquals(1, placed.raisedBy());
    assertEquals(4, placed.lowestFree(conflicts, 2));
    assertEquals(0, placed.raisedBy());
    assertEquals(0, placed.lowestFree(new int[] {3}, 100));
    assertEquals(PlacedByAddress.NONE, placed.raisedBy());
    placed.add(3, 4, 9);
    // The candidate is raised to 9 by 1 or by 3, as one looks.
    assertEquals(9, placed.lowestFree(new int[] {0, 1, 3}, 3));
    assertEquals(PlacedByAddress.SEVERAL, placed.raisedBy());
  }

  @Test
  void raisingInAnyOrderEndsThere() {
    for (long seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      int count = 1 + random.nextInt(12);
      long[] start = new long[count];
      long[] end = new long[count];
      int[] turn = new int[count];
      PlacedByAddress placed = new PlacedByAddress(count);
      List<Integer> conflicts = new ArrayList<>();
      for (int r = 0; r < count; r++) {
        start[r] = random.nextInt(20);
        end[r] = start[r] + 1 + random.nextInt(6);
        turn[r] = random.nextInt(4);
        placed.add(r, start[r], end[r]);
        if (random.nextBoolean()) {
          conflicts.add(r);
        }
      }
      int[] asked = conflicts.stream().mapToInt(r -> r).toArray();
      if (seed % 3 == 0) {
        placed.keepBefore(2, turn);
        conflicts.removeIf(r -> turn[r] >= 2);
      }
      long size = 1 + random.nextInt(5);
      long found = placed.lowestFree(asked, size);
      Set<Integer> last = new HashSet<>();
      for (int shuffle = 0; shuffle < 20; shuffle++) {
        Collections.shuffle(conflicts, random);
        last.add(raise(conflicts, start, end, size, found));
      }
      if (placed.raisedBy() != PlacedByAddress.SEVERAL) {
        assertEquals(Set.of(placed.raisedBy()), last, "seed " + seed);
      } else {
        long ending = found;
        assertEquals(true, conflicts.stream().filter(r -> end[r] == ending).count() > 1);
      }
    }
  }

  /** Raises a candidate until nothing does; gives who raised it last, -1 for no one. */
  private static int raise(
      List<Integer> conflicts, long[] start, long[] end, long size, long expected) {
    long candidate = 0;
    int by = -1;
    boolean raised = true;
    while (raised) {
      raised = false;
      for (int r : conflicts) {
        if (end[r] > candidate && start[r] < candidate + size) {
          candidate = end[r];
          by = r;
          raised = true;
        }
      }
    }
    assertEquals(expected, candidate, conflicts + " " + Arrays.toString(start));
    return by;
  }
}
