package stowage.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Lists of indices: sorted by a rule, turned into places, or renumbered. */
public final class IndexOrder {
  private IndexOrder() {}

  /** {@return the indices sorted by a rule; equal ones stay in their order} O(n log n). */
  public static int[] of(IntStream indices, Comparator<Integer> rule) {
    return indices.boxed().sorted(rule).mapToInt(Integer::intValue).toArray();
  }

  /** {@return the place in an order of each index below a count, -1 if it is not in it} O(n). */
  public static int[] places(int[] order, int count) {
    int[] place = new int[count];
    Arrays.fill(place, -1);
    for (int k = 0; k < order.length; k++) {
      place[order[k]] = k;
    }
    return place;
  }

  /**
   * {@return a part of the indices for which a test holds as it does for all: blocks of half as
   * many each time are left out while it holds for the rest} The test is not asked for no indices
   * at all, nor once the search is stopped. At most about 2 n tests.
   */
  public static int[] shrunk(int[] indices, Predicate<int[]> test, BooleanSupplier stopped) {
    int[] kept = indices;
    for (int block = Math.max(1, kept.length / 2); ; block /= 2) {
      for (int at = 0; at < kept.length && !stopped.getAsBoolean(); ) {
        int to = Math.min(kept.length, at + block);
        int[] fewer =
            IntStream.concat(Arrays.stream(kept, 0, at), Arrays.stream(kept, to, kept.length))
                .toArray();
        if (fewer.length > 0 && test.test(fewer)) {
          kept = fewer;
        } else {
          at = to;
        }
      }
      if (block == 1) {
        return kept;
      }
    }
  }

  /** Moves the index at one place of an order to another one; those between close up. O(n). */
  public static void move(int[] order, int from, int to) {
    int moved = order[from];
    if (from < to) {
      System.arraycopy(order, from + 1, order, from, to - from);
    } else {
      System.arraycopy(order, to, order, to + 1, from - to);
    }
    order[to] = moved;
  }

  static int[] renumbered(int[] indices, IntUnaryOperator number) {
    return Arrays.stream(indices).map(number).toArray();
  }
}
