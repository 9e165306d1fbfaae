package stowage.exact.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RankedItemsTest {
  private static final int ITEMS = 150;

  @Test
  void keepsItemsInOrderOfTheirKeys() {
    long seed = 26;
    Random random = new Random(seed);
    RankedItems ranked = new RankedItems(ITEMS);
    ranked.clear();
    Map<Integer, Long> keys = new TreeMap<>();
    for (int change = 0; change < 2_000; change++) {
      int item = random.nextInt(ITEMS);
      if (keys.containsKey(item) && random.nextInt(3) == 0) {
        ranked.remove(item);
        keys.remove(item);
      } else {
        long key = random.nextInt(60);
        ranked.put(item, key);
        keys.put(item, key);
      }
      int[] among = random.ints(0, ITEMS).distinct().limit(random.nextInt(40)).toArray();
      long[] mask = random.ints(ITEMS, 0, 2).asLongStream().map(bit -> -bit).toArray();
      int[] order = new int[ITEMS];
      int found = ranked.sort(among, mask, order);
      List<Integer> wanted =
          Arrays.stream(among)
              .boxed()
              .filter(i -> keys.containsKey(i) && mask[i] != 0)
              .sorted(Comparator.comparing((Integer i) -> keys.get(i)))
              .toList();
      assertEquals(wanted.size(), found, "seed " + seed + ", change " + change);
      for (int k = 0; k < found; k++) {
        assertEquals(keys.get(wanted.get(k)), ranked.keys[order[k]]);
        assertEquals(ranked.keys[order[k]], keys.get(ranked.items[order[k]]));
      }
    }
  }
}
