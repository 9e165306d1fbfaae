package stowage.exact.reuse;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Where the items of a {@link ReusePart} are now, and what that costs.
 *
 * <p>An item goes to a position that is exactly best given the others. The cost as a function of
 * the position is a step function: an item j of weight w at [o, t) adds w on (o - s, t). So the
 * items of a memory are kept sorted by their bottoms and by their tops, and one merge of both lists
 * meets every step in order, with the sum of the weights. Taking and adding an item shifts two
 * short arrays. O(n) for each, without allocation.
 */
final class ReuseState {
  private final ReusePart part;
  private final SplittableRandom random;
  final long[] at;
  final int[] in;
  final boolean[] placed;
  private final int[][] byBottom;
  private final long[][] bottoms;
  private final int[][] byTop;
  private final long[][] tops;
  private final int[] counts;
  private final long[] own;
  private final int[] active;
  private final int[] activeAt;
  private int actives;
  private long cost;

  /** The best position that {@link #look} found, and its memory and cost. */
  long foundAt;

  int foundIn;
  long foundCost;
  private int ties;

  /** Whether the first position without a hard pair is good enough. */
  private boolean any;

  ReuseState(ReusePart part, SplittableRandom random) {
    this.part = part;
    this.random = random;
    int memories = part.capacity.length;
    at = new long[part.all];
    in = new int[part.all];
    placed = new boolean[part.all];
    byBottom = new int[memories][part.all];
    bottoms = new long[memories][part.all];
    byTop = new int[memories][part.all];
    tops = new long[memories][part.all];
    counts = new int[memories];
    own = new long[part.count];
    active = new int[part.count];
    activeAt = new int[part.count];
    clear();
  }

  /** Takes all items away but the reserved ranges. */
  void clear() {
    Arrays.fill(placed, false);
    Arrays.fill(counts, 0);
    Arrays.fill(own, 0);
    Arrays.fill(activeAt, -1);
    actives = 0;
    cost = 0;
    for (int i = part.count; i < part.all; i++) {
      place(i, part.reservedIn[i], part.fixed[i]);
    }
  }

  long cost() {
    return cost;
  }

  /** The number of items that are in a pair that is paid for. */
  int actives() {
    return actives;
  }

  int active(int index) {
    return active[index];
  }

  boolean overlap(int i, int j) {
    return in[i] == in[j] && at[i] < at[j] + part.size[j] && at[j] < at[i] + part.size[i];
  }

  void place(int i, int memory, long offset) {
    at[i] = offset;
    in[i] = memory;
    placed[i] = true;
    if (part.size[i] == 0) {
      return;
    }
    int held = counts[memory]++;
    insert(bottoms[memory], byBottom[memory], held, offset, i);
    insert(tops[memory], byTop[memory], held, offset + part.size[i], i);
    if (i < part.count) {
      count(i, 1);
    }
  }

  void take(int i) {
    placed[i] = false;
    if (part.size[i] == 0) {
      return;
    }
    int memory = in[i];
    int held = counts[memory]--;
    remove(bottoms[memory], byBottom[memory], held, at[i], i);
    remove(tops[memory], byTop[memory], held, at[i] + part.size[i], i);
    count(i, -1);
  }

  private void count(int i, int sign) {
    long[] weights = part.weight[i];
    for (int j : part.soft[i]) {
      if (placed[j] && overlap(i, j)) {
        long change = sign * weights[j];
        cost += change;
        change(i, change);
        change(j, change);
      }
    }
  }

  private void change(int i, long by) {
    own[i] += by;
    if (own[i] > 0 && activeAt[i] < 0) {
      activeAt[i] = actives;
      active[actives++] = i;
    } else if (own[i] == 0 && activeAt[i] >= 0) {
      int last = active[--actives];
      active[activeAt[i]] = last;
      activeAt[last] = activeAt[i];
      activeAt[i] = -1;
    }
  }

  private static void insert(long[] keys, int[] items, int count, long key, int item) {
    int k = position(keys, count, key);
    System.arraycopy(keys, k, keys, k + 1, count - k);
    System.arraycopy(items, k, items, k + 1, count - k);
    keys[k] = key;
    items[k] = item;
  }

  private static void remove(long[] keys, int[] items, int count, long key, int item) {
    int k = position(keys, count, key);
    while (items[k] != item) {
      k++;
    }
    System.arraycopy(keys, k + 1, keys, k, count - k - 1);
    System.arraycopy(items, k + 1, items, k, count - k - 1);
  }

  /** The first index whose key is not below a key. */
  private static int position(long[] keys, int count, long key) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Looks for a best position of an item that is not placed.
   *
   * @param below only positions that cost less are good enough
   * @param lowest whether the lowest of the best positions is taken; else a random one
   * @return whether there is one; then it is in the {@code found} fields
   */
  boolean look(int i, long below, boolean lowest) {
    foundCost = below;
    ties = 0;
    for (int memory = 0; memory < counts.length; memory++) {
      if ((part.mask[i] >> memory & 1) != 0) {
        look(i, memory, lowest);
      }
    }
    return ties > 0;
  }

  /** Looks for the lowest position of an item with no hard pair, whatever it costs. */
  boolean lookFree(int i) {
    any = true;
    boolean found = look(i, ReusePart.HARD, true);
    any = false;
    return found;
  }

  private void look(int i, int memory, boolean lowest) {
    long size = part.size[i];
    long first = part.fixed[i] >= 0 ? part.fixed[i] : 0;
    long last = part.fixed[i] >= 0 ? first : part.capacity[memory] - size;
    if (size == 0 || part.fixed[i] >= 0 && first > part.capacity[memory] - size) {
      if (size == 0 && part.admissible(i, memory, first) == first) {
        take(i, memory, first, first, 0, lowest);
      }
      return;
    }
    long[] weights = part.weight[i];
    long[] bottom = bottoms[memory];
    long[] top = tops[memory];
    int[] lower = byBottom[memory];
    int[] upper = byTop[memory];
    int held = counts[memory];
    int p = 0;
    int q = 0;
    long sum = 0;
    long from = first;
    while (p < held && bottom[p] - size < from) {
      sum += weights[lower[p++]];
    }
    while (q < held && top[q] <= from) {
      sum -= weights[upper[q++]];
    }
    while (true) {
      while (p < held && weights[lower[p]] == 0) {
        p++;
      }
      while (q < held && weights[upper[q]] == 0) {
        q++;
      }
      long start = p < held ? bottom[p] - size + 1 : Long.MAX_VALUE;
      long end = q < held ? top[q] : Long.MAX_VALUE;
      long next = Math.min(start, end);
      if (sum < foundCost || sum == foundCost && ties > 0 && !lowest) {
        take(i, memory, from, Math.min(next - 1, last), sum, lowest);
        if (any && ties > 0) {
          return;
        }
      }
      if (next > last) {
        return;
      }
      from = next;
      while (p < held && bottom[p] - size < from) {
        sum += weights[lower[p++]];
      }
      while (q < held && top[q] <= from) {
        sum -= weights[upper[q++]];
      }
    }
  }

  private void take(int i, int memory, long from, long to, long sum, boolean lowest) {
    long low = part.admissible(i, memory, from);
    if (low > to) {
      return;
    }
    ties = sum < foundCost || ties == 0 ? 1 : ties + 1;
    if (ties > 1 && random.nextInt(ties) > 0) {
      return;
    }
    foundCost = sum;
    foundIn = memory;
    foundAt = low;
    if (!lowest && random.nextBoolean() && to < Long.MAX_VALUE / 4) {
      long high = to / part.step[i][memory] * part.step[i][memory];
      foundAt = part.admissible(i, memory, high) == high ? high : low;
    }
  }
}
