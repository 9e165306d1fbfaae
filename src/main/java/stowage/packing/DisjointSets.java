package stowage.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Disjoint sets of the numbers from 0 on, as trees whose paths are halved on the way. */
public final class DisjointSets {
  private final int[] parent;

  /** So many sets of one number each. */
  public DisjointSets(int count) {
    parent = IntStream.range(0, count).toArray();
  }

  /** The root of a number's set, one of its numbers. Amortised O(log count). */
  public int root(int of) {
    int at = of;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Joins the sets of two numbers under the root of the other; whether they were two. */
  public boolean join(int number, int other) {
    int below = root(number);
    parent[below] = root(other);
    return parent[below] != below;
  }

  /** The sets, each ascending, ordered by their least number. O(count log count). */
  public List<int[]> sets() {
    int[] size = new int[parent.length];
    for (int number = 0; number < parent.length; number++) {
      size[root(number)]++;
    }
    int[][] members = new int[parent.length][];
    List<int[]> sets = new ArrayList<>();
    for (int number = 0; number < parent.length; number++) {
      int root = root(number);
      if (members[root] == null) {
        members[root] = new int[size[root]];
        size[root] = 0;
        sets.add(members[root]);
      }
      members[root][size[root]++] = number;
    }
    return sets;
  }
}
