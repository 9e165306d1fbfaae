package stowage.packing;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Lists of indices: in the order of a rule, by place, by other numbers. */
public final class IndexOrder {
  private IndexOrder() {}

  /** {@return the indices sorted by a rule; equal ones stay in their order} O(n log n). */
  public static int[] of(IntStream indices, Comparator<Integer> rule) {
    return indices.boxed().sorted(rule).mapToInt(Integer::intValue).toArray();
  }
}
