package stowage.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Heavy sets of neighbours, against all subsets of small random graphs. */
class CliqueSearchTest {
  @Test
  void agreesWithAllSubsets() {
    int above = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      int n = 1 + random.nextInt(9);
      boolean equal = random.nextBoolean();
      long[] weight = new long[n];
      Arrays.setAll(weight, i -> equal ? 1 : random.nextInt(8));
      int share = 1 + random.nextInt(9);
      boolean[][] edges = new boolean[n][n];
      BitSet[] graph =
          CliqueSearch.graph(n, (a, b) -> edges[a][b] = edges[b][a] = random.nextInt(10) < share);
      BitSet among = new BitSet(n);
      for (int i = 0; i < n; i++) {
        among.set(i, random.nextInt(4) > 0);
      }
      long heaviest = heaviest(weight, edges, among);
      long known = random.nextInt((int) heaviest + 2) - 1L;
      CliqueSearch search = new CliqueSearch(weight, graph);
      int[] found = search.heavier(among, known, 0, Long.MAX_VALUE, 100_000);
      String label = "seed " + seed;
      if (heaviest <= known) {
        assertNull(found, label);
      } else {
        above++;
        assertNotNull(found, label);
        assertEquals(heaviest, Arrays.stream(found).mapToLong(i -> weight[i]).sum(), label);
        assertTrue(Arrays.stream(found).allMatch(among::get), label);
        for (int a : found) {
          assertTrue(Arrays.stream(found).allMatch(b -> a == b || edges[a][b]), label);
        }
      }
      assertTrue(search.nodesLeft() > 0, label);
    }
    assertTrue(above > 1_000, "searches with something to find: " + above);
  }

  @Test
  void endsWithItsNodesAndWithWhatIsEnough() {
    int n = 30;
    long[] weight = new long[n];
    Arrays.fill(weight, 1);
    BitSet every = new BitSet();
    every.set(0, n);
    CliqueSearch search = new CliqueSearch(weight, CliqueSearch.graph(n, (a, b) -> true));
    assertEquals(7, search.heavier(every, 0, 0, 7, 1_000).length);
    assertEquals(993, search.nodesLeft());
    assertEquals(3, search.heavier(every, 0, 0, Long.MAX_VALUE, 3).length);
    assertEquals(0, search.nodesLeft());
    assertEquals(n, search.heavier(every, 0, 1, Long.MAX_VALUE, 0).length, "the greedy set");
  }

  @Test
  void aNodeOfManyVerticesCountsAsSeveral() {
    int n = 2_000;
    long[] weight = new long[n];
    Arrays.fill(weight, 1);
    BitSet every = new BitSet();
    every.set(0, n);
    CliqueSearch search = new CliqueSearch(weight, CliqueSearch.graph(n, (a, b) -> false));
    assertEquals(1, search.heavier(every, 0, 0, Long.MAX_VALUE, 1_000).length);
    assertEquals(1_000 - 2 - n * n / 64 / 256, search.nodesLeft());
  }

  private static long heaviest(long[] weight, boolean[][] edges, BitSet among) {
    long best = 0;
    for (int set = 0; set < 1 << weight.length; set++) {
      long sum = 0;
      boolean holds = true;
      for (int a = 0; a < weight.length; a++) {
        if ((set >> a & 1) != 0) {
          sum += weight[a];
          holds &= among.get(a);
          for (int b = 0; b < a; b++) {
            holds &= (set >> b & 1) == 0 || edges[a][b];
          }
        }
      }
      best = holds ? Math.max(best, sum) : best;
    }
    return best;
  }
}
