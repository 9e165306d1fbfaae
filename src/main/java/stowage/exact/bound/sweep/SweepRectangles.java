package stowage.exact.bound.sweep;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  public int count() {
    return start.length;
  }

  /** Whether a placement turned upside down is a placement: no piece minds where it is. */
  boolean isSymmetric() {
    return Arrays.equals(step, height)
        && Arrays.stream(lowest).allMatch(bound -> bound == 0)
        && Arrays.stream(tail).allMatch(room -> room == 0)
        && Arrays.stream(highest).allMatch(bound -> bound == Long.MAX_VALUE);
  }

  /** The chosen pieces, with what is left of them during sections {@code [from, to)}, from 0 on. */
  public SweepRectangles select(int[] chosen, int from, int to) {
    return new SweepRectangles(
        Arrays.stream(chosen).map(i -> Math.max(from, start[i]) - from).toArray(),
        Arrays.stream(chosen).map(i -> Math.min(to, end[i]) - from).toArray(),
        pick(height, chosen),
        pick(step, chosen),
        pick(lowest, chosen),
        pick(highest, chosen),
        pick(tail, chosen));
  }

  /** The same pieces with time running backwards, from section {@code sections - 1} to 0. */
  public SweepRectangles backwards(int sections) {
    return new SweepRectangles(
        Arrays.stream(end).map(after -> sections - after).toArray(),
        Arrays.stream(start).map(first -> sections - first).toArray(),
        height,
        step,
        lowest,
        highest,
        tail);
  }

  private static long[] pick(long[] figures, int[] chosen) {
    return Arrays.stream(chosen).mapToLong(i -> figures[i]).toArray();
  }

  /** For each piece the first one that is its equal except for its start. O(n^2) at worst. */
  int[] classes() {
    int[] first = new int[count()];
    Map<List<Long>, Integer> seen = new HashMap<>();
    for (int i = 0; i < first.length; i++) {
      List<Long> key = List.of((long) end[i], height[i], step[i], lowest[i], highest[i], tail[i]);
      Integer known = seen.putIfAbsent(key, i);
      first[i] = known == null ? i : known;
    }
    return first;
  }
}
