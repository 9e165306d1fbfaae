package stowage.packing;

import java.util.stream.IntStream;

/** Disjoint sets of the numbers from 0 on, each under one of its own; paths are halved. */
public final class DisjointSets {
  private final int[] parent;

  /** Each of so many numbers by itself. */
  public DisjointSets(int count) {
    parent = IntStream.range(0, count).toArray();
  }

  /** The number that a number's set is under. Amortised O(log count). */
  public int root(int of) {
    int at = of;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Puts a number's set under the root of another's; whether they were two. */
  public boolean join(int number, int other) {
    int below = root(number);
    parent[below] = root(other);
    return parent[below] != below;
  }
}
