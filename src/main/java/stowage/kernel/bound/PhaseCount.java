package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inequalities between the numbers of items of two or three classes and the number of milestones
 * for which these items suffice.
 *
 * <p><b>Two classes.</b> With r and s items of two classes there are r s pairs, and each pair is
 * needed by at most mu milestones: at most mu r s milestones.
 *
 * <p><b>Three classes.</b> Let q, r, s items be at hand. Of one class, the hub, item i is needed
 * together with r(i) of the r items and with s(i) of the s. It serves at most e(r(i) s(i))
 * milestones, where e is any concave function, 0 at 0, that is at least what some item of the hub
 * serves with a items and b ({@link HubUse}), at a b. The sum of r(i) s(i) over the hub counts
 * triples: an item of either class and one of the hub that is needed with each of the two. Of the
 * latter a pair has at most mu, so the sum is at most mu r s, and, since e is concave,
 *
 * <p>milestones <= q e(mu r s / q).
 *
 * <p>In a blocked matrix product an item of the hub serves min(a, b), at most the root of a b, and
 * mu is 1: this is the inequality of Loomis and Whitney (1949), milestones squared <= q r s. In a
 * convolution over bands of rows with one band of reach on either side the weights, as the hub,
 * serve 1, 4, 7, 10 with as many rows as sums, 1, 2, 3, 4: e is 7 at 9. Each class is taken as the
 * hub in turn.
 */
final class PhaseCount {
  private static final long MOST_TRIPLES = 4_000_000;
  private static final double SURE = 1e-9;

  private final int classes;
  private final int[] sizes;

  /** By class, the most milestones that need the same items of the two others. */
  private final long[] pairs = new long[3];

  /** By class, the most milestones that need the same item. */
  private final long[] most = new long[3];

  /** By class as the hub, what its items serve; null where it is not known. */
  private final HubUse[] hubs = new HubUse[3];

  /** By class as the hub, the most of its items that are needed with the same two others. */
  private final long[] common = new long[3];

  /**
   * Counts what milestones have in common.
   *
   * @param needs by class, two or three of them, the item of each milestone; all have one
   * @param sizes the number of items of each class
   */
  PhaseCount(int[][] needs, int[] sizes) {
    classes = needs.length;
    this.sizes = sizes;
    for (int c = 0; c < classes; c++) {
      long[] count = new long[sizes[c]];
      for (int item : needs[c]) {
        most[c] = Math.max(most[c], ++count[item]);
      }
    }
    if (classes == 2) {
      pairs[2] = max(pairs(needs[0], needs[1]));
      return;
    }
    for (int c = 0; c < 3; c++) {
      pairs[c] = max(pairs(needs[(c + 1) % 3], needs[(c + 2) % 3]));
    }
    for (int hub = 0; hub < 3; hub++) {
      int[] r = needs[(hub + 1) % 3];
      int[] s = needs[(hub + 2) % 3];
      common[hub] = common(needs[hub], r, s, sizes[hub]);
      if (common[hub] > 0) {
        hubs[hub] = new HubUse(needs[hub], r, s, sizes[hub]);
      }
    }
  }

  int classes() {
    return classes;
  }

  private static Map<Long, Integer> pairs(int[] one, int[] other) {
    Map<Long, Integer> count = new HashMap<>();
    for (int k = 0; k < one.length; k++) {
      count.merge((long) one[k] << 32 | other[k], 1, Integer::sum);
    }
    return count;
  }

  private static long max(Map<Long, Integer> count) {
    return count.values().stream().mapToInt(n -> n).max().orElse(0);
  }

  /** The most items of the hub that are needed with both of a pair; 0 where that is too much. */
  private static long common(int[] hub, int[] r, int[] s, int items) {
    int[][] withR = with(hub, r, items);
    int[][] withS = with(hub, s, items);
    long triples = 0;
    for (int i = 0; i < items; i++) {
      triples += (long) withR[i].length * withS[i].length;
    }
    if (triples > MOST_TRIPLES) {
      return 0;
    }
    Map<Long, Integer> count = new HashMap<>();
    for (int i = 0; i < items; i++) {
      for (int a : withR[i]) {
        for (int b : withS[i]) {
          count.merge((long) a << 32 | b, 1, Integer::sum);
        }
      }
    }
    return max(count);
  }

  private static int[][] with(int[] hub, int[] other, int items) {
    int[][] with = new int[items][0];
    for (long key : pairs(hub, other).keySet()) {
      int i = (int) (key >> 32);
      with[i] = Arrays.copyOf(with[i], with[i].length + 1);
      with[i][with[i].length - 1] = (int) key;
    }
    return with;
  }

  /**
   * The fewest items of the last class that so many milestones need at least, given the others,
   * without what the hubs say.
   *
   * @param q items of the first of three classes; of two classes this is not asked
   * @param r items of the last class but one
   * @return more than there are where they do not suffice
   */
  long fewest(long milestones, long q, long r) {
    long fewest = Math.max(1, up(milestones, most[classes - 1]));
    if (classes == 2) {
      return Math.max(fewest, up(milestones, pairs[2] * r));
    }
    if (pairs[2] * q * r < milestones) {
      return Long.MAX_VALUE;
    }
    fewest = Math.max(fewest, up(milestones, pairs[0] * r));
    return Math.max(fewest, up(milestones, pairs[1] * q));
  }

  /** The least product of the numbers of items of the two others, given the hub's. */
  double others(int hub, long milestones, long items) {
    return hubs[hub] == null
        ? 0
        : hubs[hub].least((double) milestones / items) * items / common[hub] * (1 - SURE);
  }

  /**
   * The fewest items of the last class, as the hub.
   *
   * @param product of the numbers of items of the two others
   * @param from as many are needed at least
   */
  long hub(long milestones, long product, long from) {
    if (classes == 2 || hubs[2] == null) {
      return from;
    }
    long low = from;
    long high = sizes[2] + 1L;
    while (low < high) {
      long middle = (low + high) >>> 1;
      double served = middle * hubs[2].most((double) common[2] * product / middle);
      if (served * (1 + SURE) >= milestones) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private static long up(long a, long b) {
    return (a + b - 1) / b;
  }

  /**
   * The most milestones that one item of a class, the hub, serves with some items of two others, as
   * a concave function of their product.
   *
   * <p>The milestones of an item of the hub are edges between items of the two others. With a items
   * of the one and b of the other it serves as many as there are edges between them, at most; for
   * small items of the hub the largest number over all choices is counted, over all subsets of the
   * smaller side with the best of the other side for each. Else it is at most a dR and b dS, with
   * the most edges at an item of either side, and so at most the root of a b dR dS. The points (a
   * b, edges) of all items of the hub, and (0, 0), have a least concave function above them.
   */
  private static final class HubUse {
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

    /**
     * The most milestones at a product of the two other numbers. O(log of the function's corners)
     */
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
}
