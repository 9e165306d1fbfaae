package stowage.exact.bound.sweep;

/**
 * What is to be placed, piece by piece: a buffer without gaps is one piece. Heights are counted in
 * one unit, time in sections.
 *
 * <p>A piece is at a position p, its lowest address. It demands {@code p >= lowest}, {@code p <=
 * highest}, and {@code p + height + tail <= ceiling}: its tail is room that its buffer needs above
 * the piece. What is directly above a piece is {@code step} above its position or more: the height
 * rounded up to what all offsets are multiples of.
 *
 * @param start first section of each piece
 * @param end first section after it, later than the start
 * @param height positive
 * @param step at least the height
 * @param lowest 0 or more
 * @param highest {@link Long#MAX_VALUE} where it is free
 * @param tail 0 or more
 */
public record SweepRectangles(
    int[] start,
    int[] end,
    long[] height,
    long[] step,
    long[] lowest,
    long[] highest,
    long[] tail) {

  /** The number of pieces. */
  public int count() {
    return start.length;
  }

  /** Whether a placement turned upside down is a placement: no piece minds where it is. */
  boolean isSymmetric() {
    for (int i = 0; i < count(); i++) {
      if (lowest[i] != 0 || tail[i] != 0 || highest[i] != Long.MAX_VALUE || step[i] != height[i]) {
        return false;
      }
    }
    return true;
  }

  /** The chosen pieces, with what is left of them during sections {@code [from, to)}, from 0 on. */
  public SweepRectangles select(int[] chosen, int from, int to) {
    int[] starts = new int[chosen.length];
    int[] ends = new int[chosen.length];
    for (int k = 0; k < chosen.length; k++) {
      starts[k] = Math.max(from, start[chosen[k]]) - from;
      ends[k] = Math.min(to, end[chosen[k]]) - from;
    }
    return new SweepRectangles(
        starts,
        ends,
        pick(height, chosen),
        pick(step, chosen),
        pick(lowest, chosen),
        pick(highest, chosen),
        pick(tail, chosen));
  }

  /** The same pieces with time running backwards, from section {@code sections - 1} to 0. */
  public SweepRectangles backwards(int sections) {
    int[] starts = new int[count()];
    int[] ends = new int[count()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = sections - end[i];
      ends[i] = sections - start[i];
    }
    return new SweepRectangles(starts, ends, height, step, lowest, highest, tail);
  }

  private static long[] pick(long[] figures, int[] chosen) {
    long[] picked = new long[chosen.length];
    for (int k = 0; k < picked.length; k++) {
      picked[k] = figures[chosen[k]];
    }
    return picked;
  }

  /** For each piece the first one that is its equal but for its start. O(n^2) at worst. */
  int[] classes() {
    int[] first = new int[count()];
    java.util.Map<java.util.List<Long>, Integer> seen = new java.util.HashMap<>();
    for (int i = 0; i < first.length; i++) {
      java.util.List<Long> key =
          java.util.List.of((long) end[i], height[i], step[i], lowest[i], highest[i], tail[i]);
      Integer known = seen.putIfAbsent(key, i);
      first[i] = known == null ? i : known;
    }
    return first;
  }
}
