package stowage.rewrite.recompute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.Cover;

/** Inequalities of covers against all sets of values that fit. */
class CoverTest {

  /** Bytes of absent values, those of two that may be there, and a row that leaves room for 10. */
  private static final long[] BYTES = {6, 5, 5, 4, -3, -7};

  private static final long LEAST = 10;
  private static final int[] LISTED = {3, 5, 8, 9, 12, 20};

  @Test
  void ofValuesThatDoNotFitOneIsNotHeld() {
    // 6 and 5 and 7 bytes: two of them never fit into 10, so of these and 5 more one is held.
    Cover cover = new Cover(0, new int[] {3, 5, 20}, new int[] {1, 1, 1}, 1);
    ClosureRows.Row row = cover.of(LEAST, LISTED, BYTES, 6);
    assertEquals(1, row.least(), "of two that may be absent one is, or more where the third is");
    assertEquals("[1, 1, -1]", Arrays.toString(row.weights()));
  }

  @ParameterizedTest
  @CsvSource({
    "5 8, 1 1, 1", // 10 bytes fit
    "3 5 20, 1 1 2, 1", // the last one alone fits
    "3 5 3, 1 1 1, 1", // one twice
    "3 5 7, 1 1 1, 1", // not of the row
    "3 5 20, 1 1, 1",
    "3 5 20, 1 1 0, 1",
    "3 5 20, 1 1 1, -1",
    "3 5 20, 1 1 1, 6",
    "3 5 20, 1 1 1, 2147483647",
  })
  void forgedOnesAreRefused(String variables, String counts, int most) {
    Cover forged = new Cover(0, numbers(variables), numbers(counts), most);
    assertThrows(IllegalArgumentException.class, () -> forged.of(LEAST, LISTED, BYTES, 6));
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  private static long sum(IntPredicate counts, long[] numbers) {
    return IntStream.range(0, numbers.length).filter(counts).mapToLong(k -> numbers[k]).sum();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void oneIsTakenExactlyWhereAllSetsThatFitSatisfyIt(long seed) {
    Random random = new Random(seed);
    int holds = 0;
    for (int round = 0; round < 2_000; round++) {
      int terms = 1 + random.nextInt(7);
      long[] weights = random.longs(terms, -9, 10).map(one -> one == 0 ? 1 : one).toArray();
      long least = random.nextLong(-20, 20);
      int[] listed = IntStream.range(0, terms).map(k -> 3 * k + 1).toArray();
      int[] some = IntStream.range(0, terms).filter(k -> random.nextInt(4) > 0).toArray();
      int[] counts = random.ints(some.length, 1, 4).toArray();
      int most = random.nextInt(terms);
      boolean follows = true;
      for (int set = 0; set < 1 << terms; set++) {
        int chosen = set;
        long sum = sum(k -> (chosen >> k & 1) == 1, weights);
        int count =
            IntStream.range(0, some.length)
                .filter(n -> (chosen >> some[n] & 1) == (weights[some[n]] > 0 ? 0 : 1))
                .map(n -> counts[n])
                .sum();
        follows &= sum < least || count <= most;
      }
      Cover cover = new Cover(0, Arrays.stream(some).map(k -> listed[k]).toArray(), counts, most);
      if (!follows) {
        assertThrows(IllegalArgumentException.class, () -> cover.of(least, listed, weights, terms));
        continue;
      }
      holds++;
      ClosureRows.Row row = cover.of(least, listed, weights, terms);
      for (int set = 0; set < 1 << terms; set++) {
        int chosen = set;
        long sum = sum(k -> (chosen >> k & 1) == 1, weights);
        long left = sum(n -> (chosen >> some[n] & 1) == 1, row.weights());
        assertTrue(sum < least || left >= row.least(), "seed " + seed + ", round " + round);
      }
    }
    assertTrue(holds > 100 && holds < 1_900, holds + " hold, seed " + seed);
  }
}
