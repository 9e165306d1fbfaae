package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RankSetTest {
  @Test
  void findsTheNeighboursThatATreeFinds() {
    Random random = new Random(5);
    for (int limit : new int[] {1, 2, 63, 64, 65, 128, 4_095, 4_096, 4_097, 300_000}) {
      RankSet set = new RankSet(limit);
      TreeSet<Integer> expected = new TreeSet<>();
      for (int step = 0; step < 3_000; step++) {
        int number = random.nextInt(limit);
        if (random.nextBoolean()) {
          set.add(number);
          expected.add(number);
        } else if (expected.contains(number)) {
          set.remove(number);
          expected.remove(number);
        }
        int asked = step % 7 == 0 ? limit - 1 : random.nextInt(limit);
        String about = asked + " below " + limit;
        assertEquals(orNone(expected.floor(asked)), set.floor(asked), about);
        assertEquals(orNone(expected.higher(asked)), set.higher(asked), about);
      }
    }
  }

  private static int orNone(Integer found) {
    return found == null ? -1 : found;
  }
}
