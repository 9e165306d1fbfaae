package stowage.exact.reuse;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The present places of the items of a {@link ReuseItems}, their cost, and what a move changes.
 *
 * <p>An item goes to a position that is exactly best given the others. The cost as a function of
 * the position is a step function: an item j of weight w at [o, t) adds w on (o - s, t). So the
 * items of a memory are kept sorted by their bottoms and by their tops. What matters to an item is
 * gathered from both lists without branches, and one merge meets every step in order, with the sum
 * of the weights at hand.
 *
 * <p>A move takes items {@link #out} and puts them at {@link #put new positions}; until it is
 * {@linkplain #commit kept} the sorted lists stay as they were, with a mask for what is out and a
 * short list of what was put. So a move that is {@linkplain #undo given up}, as most are, leaves
 * nothing to repair. O(n) for each position looked for, without allocation.
 */
final class ReuseState {
  private static final long FAR = Long.MAX_VALUE / 4;

  private final ReuseItems part;
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

  /** All ones for items that are where {@link #at} says, 0 for those that a move took out. */
  private final long[] stays;

  private final int[] moved;
  private int outs;

  /** How many of the items taken out have been put somewhere: the first ones of them. */
  private int puts;

  private final long[] newAt;
  private final int[] newIn;
  private long newCost;

  // The steps of the cost of one item, gathered: where a weight begins, and where it ends.
  private final long[] beginKey;
  private final long[] beginWeight;
  private final long[] endKey;
  private final long[] endWeight;

  /** The best position that {@link #look} found, and its memory and cost. */
  long foundAt;

  int foundIn;
  long foundCost;
  private int ties;

  /** Whether the first position without a hard pair is good enough. */
  private boolean any;

  ReuseState(ReuseItems part, SplittableRandom random) {
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
    stays = new long[part.all];
    moved = new int[part.count];
    newAt = new long[part.count];
    newIn = new int[part.count];
    beginKey = new long[part.all + 1];
    beginWeight = new long[part.all + 1];
    endKey = new long[part.all + 1];
    endWeight = new long[part.all + 1];
    clear();
  }

  /** Takes all items away but the reserved ranges. */
  void clear() {
    Arrays.fill(placed, false);
    Arrays.fill(counts, 0);
    Arrays.fill(own, 0);
    Arrays.fill(activeAt, -1);
    Arrays.fill(stays, -1);
    outs = 0;
    puts = 0;
    actives = 0;
    cost = 0;
    newCost = 0;
    for (int i = part.count; i < part.all; i++) {
      place(i, part.reservedIn[i], part.fixed[i]);
    }
  }

  /** The cost with what a move under way has done so far. */
  long cost() {
    return newCost;
  }

  /** The number of items that are in a pair that is paid for. */
  int actives() {
    return actives;
  }

  int active(int index) {
    return active[index];
  }

  /** Whether two items share addresses, a move under way aside. */
  boolean overlap(int i, int j) {
    return in[i] == in[j] && at[i] < at[j] + part.size[j] && at[j] < at[i] + part.size[i];
  }

  /** Puts an item that is nowhere somewhere for good; no move is under way. */
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
    newCost = cost;
  }

  private void take(int i) {
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

  /** How many items the move under way has taken out. */
  int outs() {
    return outs;
  }

  /** An item that the move under way took out. */
  int moved(int index) {
    return moved[index];
  }

  /** Changes the order of the items that were taken out and are to be put somewhere yet. */
  void swap(int one, int other) {
    int item = moved[one];
    moved[one] = moved[other];
    moved[other] = item;
  }

  boolean isOut(int i) {
    return stays[i] == 0;
  }

  /** Takes an item out. O(items that are out). */
  void out(int i) {
    long less = own[i];
    long[] weights = part.weight[i];
    for (int k = 0; k < outs; k++) {
      long weight = weights[moved[k]];
      if (weight > 0 && weight < ReuseItems.HARD && overlap(i, moved[k])) {
        less -= weight;
      }
    }
    for (int k = 0; k < puts; k++) {
      long weight = weights[moved[k]];
      if (weight > 0 && weight < ReuseItems.HARD && meets(k, in[i], at[i], part.size[i])) {
        less += weight;
      }
    }
    newCost -= less;
    stays[i] = 0;
    moved[outs++] = i;
  }

  /** Whether an item that was put somewhere shares addresses with a range. */
  private boolean meets(int k, int memory, long offset, long size) {
    return newIn[k] == memory
        && newAt[k] < offset + size
        && offset < newAt[k] + part.size[moved[k]];
  }

  /** Puts the next of the items that are out somewhere, which costs so much. */
  void put(int memory, long offset, long more) {
    newIn[puts] = memory;
    newAt[puts++] = offset;
    newCost += more;
  }

  /** Gives the move up. */
  void undo() {
    for (int k = 0; k < outs; k++) {
      stays[moved[k]] = -1;
    }
    outs = 0;
    puts = 0;
    newCost = cost;
  }

  /** Keeps the move, in which all that was taken out has been put somewhere. */
  void commit() {
    int all = 0;
    for (int k = 0; k < outs; k++) {
      int item = moved[k];
      stays[item] = -1;
      if (newAt[k] != at[item] || newIn[k] != in[item]) {
        take(item);
        moved[all] = item;
        newAt[all] = newAt[k];
        newIn[all++] = newIn[k];
      }
    }
    outs = 0;
    puts = 0;
    for (int k = 0; k < all; k++) {
      place(moved[k], newIn[k], newAt[k]);
    }
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
   * Looks for a best position of an item that is out, or has not been placed.
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
    boolean found = look(i, ReuseItems.HARD, true);
    any = false;
    return found;
  }

  private void look(int i, int memory, boolean lowest) {
    long size = part.size[i];
    long first = part.fixed[i] >= 0 ? part.fixed[i] : 0;
    long last = part.fixed[i] >= 0 ? first : Math.min(part.capacity[memory], FAR - 1) - size;
    if (size == 0 || part.fixed[i] >= 0 && first > part.capacity[memory] - size) {
      if (size == 0 && part.admissible(i, memory, first) == first) {
        take(i, memory, first, first, 0, lowest);
      }
      return;
    }
    gather(i, memory, size);
    long[] begins = beginKey;
    long[] more = beginWeight;
    long[] ends = endKey;
    long[] less = endWeight;
    int p = 0;
    int q = 0;
    long sum = 0;
    while (begins[p] <= first) {
      sum += more[p++];
    }
    while (ends[q] <= first) {
      sum -= less[q++];
    }
    long from = first;
    if (from > last) {
      return;
    }
    boolean endsAlone = part.endsAlone(i, memory);
    while (true) {
      long next = Math.min(begins[p], ends[q]);
      if (sum < foundCost || sum == foundCost && ties > 0 && !lowest) {
        take(i, memory, from, Math.min(next - 1, last), sum, lowest);
        if (any && ties > 0) {
          return;
        }
      }
      // The cost falls only where a weight ends. Where every such place is admissible, no other is
      // ever better than the one before it.
      from = endsAlone ? ends[q] : next;
      if (from > last) {
        return;
      }
      while (ends[q] <= from) {
        sum -= less[q++];
      }
      while (begins[p] <= from) {
        sum += more[p++];
      }
    }
  }

  /** Gathers where the weights of an item's pairs in a memory begin and end, both in order. */
  private void gather(int i, int memory, long size) {
    long[] weights = part.weight[i];
    long[] mask = stays;
    int held = counts[memory];
    int begins = gather(bottoms[memory], byBottom[memory], held, weights, mask, true, 1 - size);
    int ends = gather(tops[memory], byTop[memory], held, weights, mask, false, 0);
    for (int k = 0; k < puts; k++) {
      long weight = weights[moved[k]];
      if (newIn[k] == memory && weight > 0) {
        insert(beginKey, beginWeight, begins++, newAt[k] - size + 1, weight);
        insert(endKey, endWeight, ends++, newAt[k] + part.size[moved[k]], weight);
      }
    }
    beginKey[begins] = FAR;
    endKey[ends] = FAR;
  }

  /** Copies what has a weight, without a branch for each item. */
  private int gather(
      long[] keys, int[] items, int held, long[] weights, long[] mask, boolean begin, long shift) {
    long[] key = begin ? beginKey : endKey;
    long[] into = begin ? beginWeight : endWeight;
    int found = 0;
    for (int p = 0; p < held; p++) {
      int item = items[p];
      long weight = weights[item] & mask[item];
      key[found] = keys[p] + shift;
      into[found] = weight;
      found += (int) (-weight >>> 63);
    }
    return found;
  }

  private static void insert(long[] keys, long[] weights, int count, long key, long weight) {
    int k = count;
    while (k > 0 && keys[k - 1] > key) {
      keys[k] = keys[k - 1];
      weights[k] = weights[k - 1];
      k--;
    }
    keys[k] = key;
    weights[k] = weight;
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
    if (!lowest && to > low && random.nextBoolean() && to < FAR) {
      long unit = part.step[i][memory];
      long high = unit == 1 ? to : to / unit * unit;
      foundAt = part.admissible(i, memory, high) == high ? high : low;
    }
  }
}
