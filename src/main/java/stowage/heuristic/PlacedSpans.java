package stowage.heuristic;

import java.util.Arrays;
import java.util.function.IntConsumer;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * The live spans of a problem's buffers, indexed by time: which spans of placed buffers overlap a
 * range of steps.
 *
 * <p>Spans are sorted by their start in flat arrays. A tree over the positions holds the latest end
 * of the placed spans below each node, so that a search among those that start early enough passes
 * over all that end too early: O(k log n) for k spans found, no allocation. Example: spans [0, 9),
 * [2, 4), [6, 8), all placed; those that overlap [5, 6) start before 6, so they are among the first
 * two, and of these only the first ends after 5.
 */
final class PlacedSpans {
  private final int[] starts;
  private final int[] ends;
  private final long[] lows;
  private final long[] highs;
  private final int[] owners;
  private final int[] firstOf;
  private final int[] byOwner;
  private final int[] latestEnd;
  private final int leaves;

  /** Indexes all spans of a problem, none of them placed. O(n log n) for n spans. */
  PlacedSpans(PackingProblem problem) {
    firstOf = new int[problem.size() + 1];
    Buffer.Span[][] spans = new Buffer.Span[problem.size()][];
    int count = 0;
    for (int i = 0; i < spans.length; i++) {
      spans[i] = problem.buffer(i).spans().toArray(Buffer.Span[]::new);
      firstOf[i] = count;
      count += spans[i].length;
    }
    firstOf[spans.length] = count;
    long[] order = new long[count];
    int at = 0;
    for (Buffer.Span[] own : spans) {
      for (Buffer.Span span : own) {
        order[at] = ((long) span.start() << 32) | at;
        at++;
      }
    }
    Arrays.sort(order);
    byOwner = new int[count];
    for (int position = 0; position < count; position++) {
      byOwner[(int) order[position]] = position;
    }
    starts = new int[count];
    ends = new int[count];
    lows = new long[count];
    highs = new long[count];
    owners = new int[count];
    at = 0;
    for (int i = 0; i < spans.length; i++) {
      for (Buffer.Span span : spans[i]) {
        int position = byOwner[at++];
        starts[position] = span.start();
        ends[position] = span.end();
        lows[position] = span.low();
        highs[position] = span.high();
        owners[position] = i;
      }
    }
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, count - 1)) * 2);
    latestEnd = new int[2 * leaves];
    clear();
  }

  void clear() {
    Arrays.fill(latestEnd, Integer.MIN_VALUE);
  }

  /** Counts a buffer's spans among the placed. */
  void place(int buffer) {
    for (int k = firstOf[buffer]; k < firstOf[buffer + 1]; k++) {
      int node = leaves + byOwner[k];
      int end = ends[byOwner[k]];
      for (; node > 0 && latestEnd[node] < end; node /= 2) {
        latestEnd[node] = end;
      }
    }
  }

  /** Names the spans of placed buffers that overlap [start, end), by position. */
  void overlapping(int start, int end, IntConsumer found) {
    visit(1, 0, leaves, start, OrderKeys.lowerBound(starts, starts.length, end), found);
  }

  private void visit(int node, int from, int to, int start, int limit, IntConsumer found) {
    if (from >= limit || latestEnd[node] <= start) {
      return;
    }
    if (to - from == 1) {
      found.accept(from);
      return;
    }
    int middle = (from + to) >>> 1;
    visit(2 * node, from, middle, start, limit, found);
    visit(2 * node + 1, middle, to, start, limit, found);
  }

  int spansOf(int buffer) {
    return firstOf[buffer + 1] - firstOf[buffer];
  }

  /** The position of a buffer's k-th span. */
  int positionOf(int buffer, int k) {
    return byOwner[firstOf[buffer] + k];
  }

  int start(int position) {
    return starts[position];
  }

  int end(int position) {
    return ends[position];
  }

  /** The first byte needed, from the buffer's offset. */
  long low(int position) {
    return lows[position];
  }

  /** The first byte after those needed, from the buffer's offset. */
  long high(int position) {
    return highs[position];
  }

  int owner(int position) {
    return owners[position];
  }
}
