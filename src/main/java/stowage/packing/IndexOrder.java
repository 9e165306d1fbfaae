package stowage.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntUnaryOperator;
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

  static int[] renumbered(int[] indices, IntUnaryOperator number) {
    return Arrays.stream(indices).map(number).toArray();
  }
}
