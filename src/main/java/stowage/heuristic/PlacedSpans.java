package stowage.heuristic;

import java.util.Arrays;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * The live spans of a problem's buffers, indexed by time: what those placed in one memory forbid to
 * a span of another buffer.
 *
 * <p>Time is cut into stretches in which a quarter as many spans start as are alive at a step. Each
 * stretch has what is placed in it in a list by address, and each node of a tree over the stretches
 * the bytes that any span below it takes. A span that overlaps a few stretches looks at the lists
 * of the first and the last and at the nodes that make up the rest. Example: stretches [0, 4), [4,
 * 8), [8, 12), [12, 16); the span [3, 13) looks at the lists of the first and the fourth for what
 * overlaps it, and at all that is alive in the second and the third.
 *
 * <p>With n spans, m of them alive at a step in the mean, placing one takes O(m) in the mean, and
 * so does a search, which allocates nothing. Not thread-safe.
 */
final class PlacedSpans {
  /** A stretch has at least so many starts. */
  private static final int LEAST_STARTS = 32;

  private final int[] starts;
  private final int[] ends;
  private final long[] lows;
  private final long[] highs;
  private final int[] firstOf;

  /** The first steps of all stretches but the first. */
  private final long[] borders;

  private final int leaves;
  private final SpanList[][] nodes;

  /** Indexes all spans of a problem, none of them placed. O(n log n) for n spans. */
  PlacedSpans(PackingProblem problem) {
    firstOf = new int[problem.size() + 1];
    for (int i = 0; i < problem.size(); i++) {
      firstOf[i + 1] = firstOf[i] + problem.buffer(i).spans().size();
    }
    int count = firstOf[problem.size()];
    starts = new int[count];
    ends = new int[count];
    lows = new long[count];
    highs = new long[count];
    int at = 0;
    for (Buffer buffer : problem.buffers()) {
      for (Buffer.Span span : buffer.spans()) {
        starts[at] = span.start();
        ends[at] = span.end();
        lows[at] = span.low();
        highs[at++] = span.high();
      }
    }
    long[] sorted = Arrays.stream(starts).asLongStream().sorted().toArray();
    leaves = stretches(sorted);
    borders = new long[leaves - 1];
    Arrays.setAll(borders, k -> sorted[(int) ((k + 1L) * count / leaves)]);
    nodes = new SpanList[problem.memories().size()][2 * leaves];
    for (SpanList[] tree : nodes) {
      Arrays.setAll(tree, node -> new SpanList());
    }
  }

  /** The number of stretches, a power of two. */
  private int stretches(long[] sorted) {
    long meetings = 0;
    for (int k = 0; k < starts.length; k++) {
      meetings +=
          OrderKeys.lowerBound(sorted, sorted.length, ends[k])
              - OrderKeys.lowerBound(sorted, sorted.length, starts[k]);
    }
    long live = meetings / Math.max(1, starts.length);
    long wanted = starts.length / Math.max(LEAST_STARTS, live / 4);
    return Integer.highestOneBit((int) Math.max(1, wanted));
  }

  void clear() {
    for (SpanList[] tree : nodes) {
      for (SpanList node : tree) {
        node.clear();
      }
    }
  }

  /** Counts a buffer's spans among the placed, at an offset in bytes of a memory. */
  void place(int buffer, int memory, long offset) {
    for (int span = firstOf[buffer]; span < firstOf[buffer + 1]; span++) {
      long low = offset + lows[span];
      long high = offset + highs[span];
      int from = leaves + stretchOf(starts[span]);
      int to = leaves + stretchOf(ends[span] - 1);
      for (int leaf = from; leaf <= to; leaf++) {
        int first = leaf == from ? starts[span] : Integer.MIN_VALUE;
        int last = leaf == to ? ends[span] : Integer.MAX_VALUE;
        nodes[memory][leaf].insert(low, high, first, last);
      }
      nodes[memory][from].begun++;
      while (from > 1) {
        from /= 2;
        to /= 2;
        nodes[memory][from].begun++;
        for (int node = from; node <= to; node++) {
          nodes[memory][node].insert(low, high, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
      }
    }
  }

  /**
   * Adds the offsets that placed spans forbid to a buffer in a memory.
   *
   * @return the number of pairs of a span of the buffer and a placed one that overlap in time
   */
  long forbid(int buffer, int memory, ForbiddenOffsets forbidden) {
    SpanList[] tree = nodes[memory];
    long pairs = 0;
    for (int span = firstOf[buffer]; span < firstOf[buffer + 1]; span++) {
      int start = starts[span];
      int end = ends[span];
      int first = stretchOf(start);
      int last = stretchOf(end - 1);
      forbidden.setOwnBytes(lows[span], highs[span]);
      pairs += tree[leaves + first].forbid(start, end, Integer.MIN_VALUE, forbidden);
      if (first == last) {
        continue;
      }
      int from = leaves + first + 1;
      int to = leaves + last;
      for (; from < to; from /= 2, to /= 2) {
        if (from % 2 == 1) {
          pairs += tree[from].begun;
          tree[from++].forbid(start, end, 0, forbidden);
        }
        if (to % 2 == 1) {
          pairs += tree[--to].begun;
          tree[to].forbid(start, end, 0, forbidden);
        }
      }
      pairs += tree[leaves + last].forbid(start, end, (int) borders[last - 1], forbidden);
    }
    return pairs;
  }

  private int stretchOf(int step) {
    return OrderKeys.lowerBound(borders, borders.length, step + 1L);
  }
}
