package stowage.exact.bound.sweep;

import java.util.Arrays;

/**
 * The arrangements of the pieces that outlive a section: of each its order from the bottom up, and
 * for every two nodes the distance that what came before demands between them. Only arrangements
 * that no other of the same order beats in every distance are kept.
 *
 * <p>The nodes are the floor, the pieces in their order, and the ceiling; a matrix of distances is
 * kept above its diagonal, row by row.
 */
final class Layer {
  private static final int NONE = -1;

  /** Pieces that outlive the section. */
  final int width;

  private final int cells;
  private final long mostCells;
  private int count;
  private int[] pieces;
  private long[] distances;
  private boolean[] beaten;
  private int[] parents;
  private long[] insertions;
  private int[] inBucket;
  private int[] buckets = new int[256];
  private int live;

  /**
   * @param width pieces that outlive the section
   * @param mostCells figures that may be kept
   */
  Layer(int width, long mostCells) {
    this.width = width;
    this.cells = (width + 2) * (width + 1) / 2;
    this.mostCells = mostCells;
    int room = 64;
    pieces = new int[room * width];
    distances = new long[room * cells];
    beaten = new boolean[room];
    parents = new int[room];
    insertions = new long[room];
    inBucket = new int[room];
    Arrays.fill(buckets, NONE);
  }

  int count() {
    return count;
  }

  boolean isEmpty() {
    return live == 0;
  }

  boolean isBeaten(int state) {
    return beaten[state];
  }

  /** Where an entry came from in the layer before. */
  int parent(int state) {
    return parents[state];
  }

  /** How an entry came about; see {@link ArrangementSweep}. */
  long insertion(int state) {
    return insertions[state];
  }

  /** Writes an entry's order and distances out. */
  void read(int state, int[] order, long[] matrix, int stride) {
    System.arraycopy(pieces, state * width, order, 0, width);
    int at = state * cells;
    for (int a = 0; a < width + 1; a++) {
      int length = width + 1 - a;
      System.arraycopy(distances, at, matrix, a * stride + a + 1, length);
      at += length;
    }
  }

  /**
   * Adds an arrangement unless one of the same order is as good in every distance; takes out those
   * that it beats.
   *
   * @param order the pieces, each by the first of its class
   * @param figures the distances, as kept
   * @return the number of arrangements it was compared with; -1 when the layer is full
   */
  int add(int[] order, long[] figures, int parent, long insertion) {
    int bucket = hash(order) & buckets.length - 1;
    int compared = 0;
    for (int state = buckets[bucket]; state != NONE; state = inBucket[state]) {
      if (!beaten[state]
          && Arrays.equals(pieces, state * width, (state + 1) * width, order, 0, width)) {
        compared++;
        int sign = compare(state, figures);
        if (sign <= 0) {
          return compared;
        } else if (sign == 1) {
          beaten[state] = true;
          live--;
        }
      }
    }
    if ((long) (count + 1) * cells > mostCells) {
      return -1;
    }
    store(order, figures, parent, insertion);
    link(count - 1, bucket);
    if (count > buckets.length) {
      rehash();
    }
    return compared;
  }

  private void store(int[] order, long[] figures, int parent, long insertion) {
    if (count == parents.length) {
      int room = 2 * count;
      pieces = Arrays.copyOf(pieces, room * width);
      distances = Arrays.copyOf(distances, room * cells);
      beaten = Arrays.copyOf(beaten, room);
      parents = Arrays.copyOf(parents, room);
      insertions = Arrays.copyOf(insertions, room);
      inBucket = Arrays.copyOf(inBucket, room);
    }
    System.arraycopy(order, 0, pieces, count * width, width);
    System.arraycopy(figures, 0, distances, count * cells, cells);
    parents[count] = parent;
    insertions[count] = insertion;
    count++;
    live++;
  }

  /** Frees all but what says how an arrangement came about. */
  void forget() {
    pieces = null;
    distances = null;
    inBucket = null;
    buckets = null;
  }

  private void link(int state, int bucket) {
    inBucket[state] = buckets[bucket];
    buckets[bucket] = state;
  }

  private void rehash() {
    buckets = new int[4 * buckets.length];
    Arrays.fill(buckets, NONE);
    int[] order = new int[width];
    for (int state = 0; state < count; state++) {
      if (!beaten[state]) {
        System.arraycopy(pieces, state * width, order, 0, width);
        link(state, hash(order) & buckets.length - 1);
      }
    }
  }

  private int hash(int[] order) {
    int hash = 17;
    for (int k = 0; k < width; k++) {
      hash = (hash ^ order[k]) * 0x9e3779b1;
      hash ^= hash >>> 15;
    }
    return hash;
  }

  /** 0 or -1 where the kept one is as good, 1 where it is beaten, 2 where neither is. */
  private int compare(int state, long[] figures) {
    boolean better = false;
    boolean worse = false;
    for (int k = 0, at = state * cells; k < cells; k++, at++) {
      better |= distances[at] < figures[k];
      worse |= distances[at] > figures[k];
      if (better && worse) {
        return 2;
      }
    }
    return worse ? 1 : better ? -1 : 0;
  }
}
