package stowage.packing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A non-empty range {@code [from, to)} of a memory's addresses that no buffer may ever touch. */
public record ReservedRange(long from, long to) {
  /** Checks that the range is not empty. */
  public ReservedRange {
    if (from < 0 || to <= from) {
      throw new InvalidProblemException(
          "reserved range [" + from + ", " + to + ") should satisfy 0 <= from < to");
    }
  }

  /** The ranges in order, those that touch or overlap joined. */
  static List<ReservedRange> joined(List<ReservedRange> ranges) {
    List<ReservedRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(ReservedRange::from));
    List<ReservedRange> joined = new ArrayList<>();
    for (ReservedRange range : sorted) {
      ReservedRange last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
      if (last != null && range.from <= last.to) {
        joined.set(joined.size() - 1, new ReservedRange(last.from, Math.max(last.to, range.to)));
      } else {
        joined.add(range);
      }
    }
    return List.copyOf(joined);
  }
}
