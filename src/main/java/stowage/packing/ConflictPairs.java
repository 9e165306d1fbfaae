package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pairs of buffers that must not share addresses although their live ranges may be disjoint, as
 * parallel branches or streams demand. Stored as sorted neighbour lists: memory linear in the
 * pairs.
 */
public final class ConflictPairs {
  private static final int[] EMPTY = new int[0];
  private static final ConflictPairs NONE = new ConflictPairs(new int[0][], 0);

  private final int[][] neighbours;
  private final long pairs;

  private ConflictPairs(int[][] neighbours, long pairs) {
    this.neighbours = neighbours;
    this.pairs = pairs;
  }

  /** {@return no extra conflicts} */
  public static ConflictPairs none() {
    return NONE;
  }

  /** {@return the pairs among buffers, by their places in an order, -1 for none} O(n + pairs). */
  ConflictPairs select(int[] order, int[] place) {
    if (pairs == 0) {
      return NONE;
    }
    List<int[]> kept = new ArrayList<>();
    for (int i : order) {
      for (int j : of(i)) {
        if (i < j && place[j] >= 0) {
          kept.add(new int[] {place[i], place[j]});
        }
      }
    }
    return of(order.length, kept);
  }

  /** Builds from pairs of two different indices; those named again count once. O(p log p). */
  public static ConflictPairs of(int buffers, List<int[]> pairs) {
    if (pairs.isEmpty()) {
      return NONE;
    }
    int[] degree = new int[buffers];
    for (int[] pair : pairs) {
      int least = Math.min(pair[0], pair[1]);
      if (pair[0] == pair[1] || least < 0 || Math.max(pair[0], pair[1]) >= buffers) {
        throw new InvalidProblemException(
            "conflict (%s, %s) should name two different buffers of %s"
                .formatted(pair[0], pair[1], buffers));
      }
      degree[pair[0]]++;
      degree[pair[1]]++;
    }
    int[][] lists = new int[buffers][];
    Arrays.setAll(lists, i -> new int[degree[i]]);
    for (int[] pair : pairs) {
      lists[pair[0]][--degree[pair[0]]] = pair[1];
      lists[pair[1]][--degree[pair[1]]] = pair[0];
    }
    return ofNeighbours(lists);
  }

  /** {@return these pairs and others of as many buffers} O(p log p). */
  public ConflictPairs and(ConflictPairs others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    int[][] lists = new int[neighbours.length][];
    Arrays.setAll(
        lists, i -> IntStream.concat(Arrays.stream(of(i)), Arrays.stream(others.of(i))).toArray());
    return ofNeighbours(lists);
  }

  /** Builds from symmetric neighbour lists, which it takes over, sorts and frees of duplicates. */
  public static ConflictPairs ofNeighbours(int[][] lists) {
    long ends = 0;
    for (int i = 0; i < lists.length; i++) {
      int[] sorted = lists[i] == null ? new int[0] : lists[i];
      Arrays.sort(sorted);
      int kept = 0;
      for (int k = 0; k < sorted.length; k++) {
        if (k == 0 || sorted[k] != sorted[k - 1]) {
          sorted[kept++] = sorted[k];
        }
      }
      lists[i] = kept == sorted.length ? sorted : Arrays.copyOf(sorted, kept);
      ends += kept;
    }
    return ends == 0 ? NONE : new ConflictPairs(lists, ends / 2);
  }

  /** {@return whether there is no pair at all} */
  public boolean isEmpty() {
    return pairs == 0;
  }

  /** {@return the number of pairs} */
  public long count() {
    return pairs;
  }

  /** {@return the buffers in conflict with one, ascending; not to be changed by the caller} */
  public int[] of(int buffer) {
    return pairs == 0 ? EMPTY : neighbours[buffer];
  }

  /** {@return whether the two buffers are a pair} O(log degree). */
  public boolean contains(int first, int second) {
    return Arrays.binarySearch(of(first), second) >= 0;
  }
}
