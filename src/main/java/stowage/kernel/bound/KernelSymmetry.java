package stowage.kernel.bound;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;
import stowage.packing.IndexOrder;

/**
 * Symmetries of a kernel graph with marked ops. Kernels repeat one piece of work over blocks, so
 * many sets of ops are images of each other under a renaming of ops and buffers that keeps edges,
 * uses, caches, sizes and prices.
 *
 * <p>Ops and buffers are parted into cells by what they are, then cells are split by the number of
 * neighbours in other cells until nothing splits (colour refinement). While a cell has several
 * members, its first one gets a cell of its own and refinement goes on. The order that results is
 * not canonical, since the first member is any, but in graphs whose cells are orbits the orders of
 * two equivalent sets show an isomorphism position by position. {@link #maps} checks it exactly, so
 * a wrong guess costs strength and never correctness (refinement: McKay and Piperno 2014, doi
 * 10.1016/j.jsc.2013.09.003). O(edges log size) a labelling; not thread-safe.
 */
final class KernelSymmetry {
  /**
   * An order of ops and buffers.
   *
   * @param hash equal for orders that an isomorphism maps onto each other
   * @param order ops, then buffers as ops + index, by position
   * @param marks of the ops
   */
  record Labelling(long hash, int[] order, byte[] marks) {}

  private final KernelOps graph;
  private final int count;
  private final int[] kind;

  private final int[] plainOrder;
  private final int[] plainStart;

  private final int[] order;
  private final int[] place;
  private final int[] start;
  private final int[] length;
  private final int[] queue;
  private int queueBegin;
  private int queueEnd;
  private final boolean[] queued;
  private final int[] hits;
  private final int[] touched;
  private final int[] touchedIn;
  private final int[] cells;
  private final int[] members;
  private final long[] keys;
  private final int[] stamps;
  private int stamp;

  KernelSymmetry(KernelOps graph) {
    this.graph = graph;
    count = graph.ops + graph.buffers;
    order = new int[count];
    place = new int[count];
    start = new int[count];
    length = new int[count];
    queue = new int[count + 1];
    queued = new boolean[count];
    hits = new int[count];
    touched = new int[count];
    touchedIn = new int[count];
    cells = new int[count];
    members = new int[count];
    keys = new long[count];
    stamps = new int[count];
    kind = kinds(graph);
    for (int x = 0; x < count; x++) {
      order[x] = x;
    }
    if (count > 0) {
      split(0, count, kind);
      refine();
    }
    plainOrder = order.clone();
    plainStart = start.clone();
  }

  /** What each op and buffer is by itself: 0 for an op, the rank of its fields for a buffer. */
  private static int[] kinds(KernelOps graph) {
    Comparator<Integer> fields =
        Comparator.comparingInt((Integer b) -> graph.cache[b])
            .thenComparingLong(b -> graph.size[b])
            .thenComparingLong(b -> graph.price[b]);
    int[] kinds = new int[graph.ops + graph.buffers];
    int rank = 0;
    int before = -1;
    for (int b : IndexOrder.of(IntStream.range(0, graph.buffers), fields)) {
      rank += before < 0 || fields.compare(before, b) < 0 ? 1 : 0;
      kinds[graph.ops + b] = rank;
      before = b;
    }
    return kinds;
  }

  /** The cell of each op when nothing is marked; ops of different cells are never equivalent. */
  int[] cellsOfOps() {
    int[] cell = new int[graph.ops];
    for (int i = 0; i < count; i++) {
      if (plainOrder[i] < graph.ops) {
        cell[plainOrder[i]] = plainStart[plainOrder[i]];
      }
    }
    return cell;
  }

  /** Orders ops and buffers, given a mark of each op. */
  Labelling label(byte[] marks) {
    System.arraycopy(plainOrder, 0, order, 0, count);
    System.arraycopy(plainStart, 0, start, 0, count);
    Arrays.fill(length, 0);
    for (int i = 0; i < count; i++) {
      place[order[i]] = i;
      length[start[order[i]]]++;
    }
    queueBegin = 0;
    queueEnd = 0;
    Arrays.fill(queued, false);
    int[] value = new int[count];
    for (int v = 0; v < graph.ops; v++) {
      value[v] = marks[v];
    }
    for (int at = 0; at < count; ) {
      int end = at + length[at];
      if (order[at] < graph.ops && length[at] > 1) {
        split(at, end, value);
      }
      at = end;
    }
    refine();
    for (int at = 0; at < count; at++) {
      if (length[at] > 1) { // the cell at this position: its first member goes alone
        Arrays.fill(value, at, at + length[at], 0);
        int alone = order[at];
        int rest = length[at] - 1;
        length[at] = 1;
        length[at + 1] = rest;
        for (int i = at + 1; i <= at + rest; i++) {
          start[order[i]] = at + 1;
        }
        start[alone] = at;
        enqueue(at);
        refine();
      }
    }
    return new Labelling(hash(marks), order.clone(), marks);
  }

  private void enqueue(int cell) {
    if (!queued[cell]) {
      queued[cell] = true;
      queue[queueEnd] = cell;
      queueEnd = queueEnd + 1 == queue.length ? 0 : queueEnd + 1;
    }
  }

  /** Splits a range of positions into cells of equal values, ascending, and queues them. */
  private void split(int from, int to, int[] value) {
    for (int i = from; i < to; i++) {
      keys[i] = ((long) value[order[i]] << 32) | order[i];
    }
    Arrays.sort(keys, from, to);
    int cell = from;
    for (int i = from; i < to; i++) {
      int x = (int) keys[i];
      if (i > from && keys[i] >> 32 != keys[i - 1] >> 32) {
        length[cell] = i - cell;
        enqueue(cell);
        cell = i;
      }
      order[i] = x;
      place[x] = i;
      start[x] = cell;
    }
    length[cell] = to - cell;
    if (cell > from || to - from == count) {
      enqueue(cell);
    }
  }

  private void refine() {
    while (queueBegin != queueEnd) {
      int cell = queue[queueBegin];
      queueBegin = queueBegin + 1 == queue.length ? 0 : queueBegin + 1;
      queued[cell] = false;
      int size = length[cell];
      System.arraycopy(order, cell, members, 0, size);
      if (members[0] < graph.ops) {
        splitBy(size, graph.preds, 0, 0);
        splitBy(size, graph.succs, 0, 0);
        splitBy(size, graph.uses, 0, graph.ops);
      } else {
        splitBy(size, graph.users, graph.ops, 0);
      }
    }
  }

  /** Splits cells by how many of the members are neighbours in one relation. */
  private void splitBy(int size, int[][] neighbours, int base, int shift) {
    int found = 0;
    for (int m = 0; m < size; m++) {
      for (int neighbour : neighbours[members[m] - base]) {
        int x = neighbour + shift;
        if (hits[x]++ == 0) {
          touched[found++] = x;
        }
      }
    }
    int cellCount = 0;
    for (int k = 0; k < found; k++) {
      int cell = start[touched[k]];
      if (touchedIn[cell]++ == 0) {
        cells[cellCount++] = cell;
      }
    }
    Arrays.sort(cells, 0, cellCount);
    for (int k = 0; k < cellCount; k++) {
      int cell = cells[k];
      int end = cell + length[cell];
      boolean differs = touchedIn[cell] < length[cell];
      for (int i = cell + 1; !differs && i < end; i++) {
        differs = hits[order[i]] != hits[order[cell]];
      }
      if (differs) {
        split(cell, end, hits);
      }
      touchedIn[cell] = 0;
    }
    for (int k = 0; k < found; k++) {
      hits[touched[k]] = 0;
    }
  }

  private long hash(byte[] marks) {
    long hash = 0;
    for (int i = 0; i < count; i++) {
      int x = order[i];
      long sum = kind[x];
      if (x < graph.ops) {
        sum += 1_000_003L * (marks[x] + 1);
        sum += sum(graph.preds[x], 0, 0x9E3779B97F4A7C15L);
        sum += sum(graph.uses[x], graph.ops, 0xC2B2AE3D27D4EB4FL);
      }
      hash = mix(hash * 31 + sum);
    }
    return hash;
  }

  private long sum(int[] neighbours, int shift, long salt) {
    long sum = 0;
    for (int x : neighbours) {
      sum += mix(place[x + shift] + salt);
    }
    return sum;
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Whether the second order is the image of the first under an isomorphism; exact. */
  boolean maps(Labelling from, Labelling to) {
    if (from.hash() != to.hash()) {
      return false;
    }
    int[] image = new int[count];
    for (int i = 0; i < count; i++) {
      image[from.order()[i]] = to.order()[i];
    }
    return IntStream.range(0, count).allMatch(x -> kind[x] == kind[image[x]])
        && IntStream.range(0, graph.ops)
            .allMatch(
                v ->
                    image[v] < graph.ops
                        && from.marks()[v] == to.marks()[image[v]]
                        && same(graph.preds, v, image, 0)
                        && same(graph.uses, v, image, graph.ops));
  }

  private boolean same(int[][] neighbours, int v, int[] image, int shift) {
    if (neighbours[v].length != neighbours[image[v]].length) {
      return false;
    }
    stamp++;
    for (int x : neighbours[image[v]]) {
      stamps[x + shift] = stamp;
    }
    for (int x : neighbours[v]) {
      if (stamps[image[x + shift]] != stamp) {
        return false;
      }
    }
    return true;
  }
}
