package stowage.exact.presolve;

import java.util.Comparator;
import java.util.stream.IntStream;

/** The order in which bottom-left searches do well to take the buffers of a part. */
public final class BottomLeftOrder {
  private BottomLeftOrder() {}

  /**
   * Those that live through the most loaded section first, then the longest lived, then the largest
   * area (the ordering TWA of Moffitt, "MiniMalloc", ASPLOS 2023, doi 10.1145/3623278.3624752). O(n
   * log n + lengths of all spans in sections).
   *
   * @return every buffer's index in the part, once
   */
  public static int[] of(Component part) {
    int[] first = part.firstSpans();
    int[] starts = part.spanStarts();
    int[] ends = part.spanEnds();
    long[] size = part.sizes();
    long[] load = new long[part.sections()];
    long[] top = new long[part.count()];
    long[] width = new long[part.count()];
    for (int s = 0; s < starts.length; s++) {
      for (int section = starts[s]; section < ends[s]; section++) {
        load[section] += part.spanHighs()[s] - part.spanLows()[s];
      }
    }
    for (int i = 0; i < part.count(); i++) {
      for (int s = first[i]; s < first[i + 1]; s++) {
        width[i] += ends[s] - starts[s];
        for (int section = starts[s]; section < ends[s]; section++) {
          top[i] = Math.max(top[i], load[section]);
        }
      }
    }
    return IntStream.range(0, part.count())
        .boxed()
        .sorted(
            Comparator.comparingLong((Integer i) -> -top[i])
                .thenComparingLong(i -> -width[i])
                .thenComparingLong(i -> -size[i] * width[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
