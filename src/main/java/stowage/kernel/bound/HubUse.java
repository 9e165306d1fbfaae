package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The most milestones that one item of a class, the hub, serves with some items of two others, as a
 * concave function of their product.
 *
 * <p>The milestones of an item of the hub are edges between items of the two others. With a items
 * of the one and b of the other it serves as many as there are edges between them, at most; for
 * small items of the hub the largest number over all choices is counted, over all subsets of the
 * smaller side with the best of the other side for each. Else it is at most a dR and b dS, with the
 * most edges at an item of either side, and so at most the root of a b dR dS. The points (a b,
 * edges) of all items of the hub, and (0, 0), have a least concave function above them.
 */
final class HubUse {
  private static final int MOST_SIDE = 16;
  private static final long MOST_WORK = 20_000_000;

  private final long[] at;
  private final long[] value;

  /**
   * Counts the edges of each item of the hub.
   *
   * @param hub the hub's item of each milestone
   * @param r the item of the one class of each milestone
   * @param s of the other
   * @param items of the hub
   */
  HubUse(int[] hub, int[] r, int[] s, int items) {
    List<List<int[]>> edges = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      edges.add(new ArrayList<>());
    }
    for (int k = 0; k < hub.length; k++) {
      edges.get(hub[k]).add(new int[] {r[k], s[k]});
    }
    Map<Long, Long> points = new HashMap<>();
    Set<String> seen = new HashSet<>();
    long work = 0;
    for (List<int[]> own : edges) {
      int[][] count = matrix(own);
      if (seen.add(Arrays.deepToString(count)) && count.length > 0) {
        work += ((long) count[0].length << Math.min(MOST_SIDE, count.length)) * 4;
        boolean small = count.length <= MOST_SIDE && work <= MOST_WORK;
        long[][] most = small ? counted(count) : bounded(count);
        for (int a = 1; a < most.length; a++) {
          for (int b = 1; b < most[a].length; b++) {
            points.merge((long) a * b, most[a][b], Math::max);
          }
        }
      }
    }
    long[] sorted = points.keySet().stream().mapToLong(x -> x).sorted().toArray();
    long[] x = new long[sorted.length + 1];
    long[] y = new long[sorted.length + 1];
    int end = 0; // of the hull so far, which begins at (0, 0)
    for (long p : sorted) {
      long most = points.get(p);
      if (most <= y[end]) {
        continue;
      }
      while (end > 0
          && (y[end] - y[end - 1]) * (p - x[end]) <= (most - y[end]) * (x[end] - x[end - 1])) {
        end--;
      }
      x[++end] = p;
      y[end] = most;
    }
    at = Arrays.copyOf(x, end + 1);
    value = Arrays.copyOf(y, end + 1);
  }

  /** How many edges each two items have, the smaller side first. */
  private static int[][] matrix(List<int[]> edges) {
    int[] rows = edges.stream().mapToInt(e -> e[0]).distinct().sorted().toArray();
    int[] columns = edges.stream().mapToInt(e -> e[1]).distinct().sorted().toArray();
    boolean turned = rows.length > columns.length;
    int[][] count = new int[Math.min(rows.length, columns.length)][];
    Arrays.setAll(count, i -> new int[Math.max(rows.length, columns.length)]);
    for (int[] e : edges) {
      int i = Arrays.binarySearch(rows, e[0]);
      int j = Arrays.binarySearch(columns, e[1]);
      count[turned ? j : i][turned ? i : j]++;
    }
    return count;
  }

  private static long[][] counted(int[][] count) {
    int rows = count.length;
    int columns = count[0].length;
    long[][] most = new long[rows + 1][columns + 1];
    int[] sums = new int[columns];
    for (int set = 1; set < 1 << rows; set++) {
      Arrays.fill(sums, 0);
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns && (set >> i & 1) != 0; j++) {
          sums[j] += count[i][j];
        }
      }
      Arrays.sort(sums);
      long[] best = most[Integer.bitCount(set)];
      long sum = 0;
      for (int b = 1; b <= columns; b++) {
        sum += sums[columns - b];
        best[b] = Math.max(best[b], sum);
      }
    }
    return most;
  }

  private static long[][] bounded(int[][] count) {
    int columns = count[0].length;
    long mostOfRow = 0;
    long[] ofColumn = new long[columns];
    long all = 0;
    for (int[] row : count) {
      long sum = 0;
      for (int j = 0; j < columns; j++) {
        sum += row[j];
        ofColumn[j] += row[j];
      }
      mostOfRow = Math.max(mostOfRow, sum);
      all += sum;
    }
    long mostOfColumn = Arrays.stream(ofColumn).max().orElse(0);
    long[][] most = new long[count.length + 1][columns + 1];
    for (int a = 1; a < most.length; a++) {
      for (int b = 1; b <= columns; b++) {
        most[a][b] = Math.min(all, Math.min(a * mostOfRow, b * mostOfColumn));
      }
    }
    return most;
  }

  /** The most milestones at a product of the two other numbers. O(log of the function's corners) */
  double most(double product) {
    int k = Arrays.binarySearch(at, (long) Math.floor(product));
    int i = k >= 0 ? k : -k - 2;
    if (i == at.length - 1) {
      return value[i];
    }
    return value[i] + (product - at[i]) * (value[i + 1] - value[i]) / (at[i + 1] - at[i]);
  }

  /** The least product at which so many milestones may be served; infinite where none is. */
  double least(double milestones) {
    int k = Arrays.binarySearch(value, (long) Math.floor(milestones));
    int i = k >= 0 ? k : -k - 2;
    if (i == at.length - 1) {
      return milestones <= value[i] ? at[i] : Double.POSITIVE_INFINITY;
    }
    return at[i] + (milestones - value[i]) * (at[i + 1] - at[i]) / (value[i + 1] - value[i]);
  }
}
