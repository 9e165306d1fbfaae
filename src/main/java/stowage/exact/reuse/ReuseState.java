package stowage.exact.reuse;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The present places of the items of a {@link ReuseItems}, their cost, and what a move changes.
 *
 * <p>An item goes to a position that is exactly best given the others. The cost as a function of
 * the position is a step function: an item j of weight w at [o, t) adds w on (o - s, t). The items
 * of a memory are kept sorted by their bottoms and by their tops, and each knows its rank in both
 * lists, so that a set of ranks gives what matters to an item in order. A pass over the hard ones
 * gives the gaps between them; in the gaps one merge meets every step of the priced ones, with the
 * sum of the weights at hand.
 *
 * <p>A move takes items {@link #out} and puts them at {@link #put new positions}; until it is
 * {@linkplain #commit kept} the sorted lists stay as they were, with a mask for what is out and a
 * short list of what was put. So a move that is {@linkplain #undo given up}, as most are, leaves
 * nothing to repair. O(pairs of the item + n / 64) for each position looked for, without
 * allocation.
 */
final class ReuseState {
  private static final long FAR = Long.MAX_VALUE / 4;

  private final ReuseItems part;
  private final SplittableRandom random;
  final long[] at;
  final int[] in;
  final boolean[] placed;
  private final RankedItems[] byBottom;
  private final RankedItems[] byTop;
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

  private final int[] order;

  // Where one item is apart from all hard ones: from a position to another one.
  private final long[] gapFrom;
  private final long[] gapTo;

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
    byBottom = new RankedItems[memories];
    byTop = new RankedItems[memories];
    Arrays.setAll(byBottom, memory -> new RankedItems(part.all));
    Arrays.setAll(byTop, memory -> new RankedItems(part.all));
    own = new long[part.count];
    active = new int[part.count];
    activeAt = new int[part.count];
    stays = new long[part.all];
    moved = new int[part.count];
    newAt = new long[part.count];
    newIn = new int[part.count];
    order = new int[part.all];
    gapFrom = new long[part.all + 1];
    gapTo = new long[part.all + 1];
    beginKey = new long[part.all + 1];
    beginWeight = new long[part.all + 1];
    endKey = new long[part.all + 1];
    endWeight = new long[part.all + 1];
    clear();
  }

  /** Takes all items away but the reserved ranges. */
  void clear() {
    Arrays.fill(placed, false);
    Arrays.stream(byBottom).forEach(RankedItems::clear);
    Arrays.stream(byTop).forEach(RankedItems::clear);
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

  /** Puts an item that is not placed somewhere for good; no move is under way. */
  void place(int i, int memory, long offset) {
    at[i] = offset;
    in[i] = memory;
    placed[i] = true;
    if (part.size[i] > 0) {
      byBottom[memory].put(i, offset);
      byTop[memory].put(i, offset + part.size[i]);
      count(i, 1);
    }
    newCost = cost;
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
        leave(item, newIn[k]);
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

  /** Takes an item from its place; it keeps its ranks where it stays in its memory. */
  private void leave(int i, int next) {
    placed[i] = false;
    if (part.size[i] > 0) {
      count(i, -1);
      if (in[i] != next) {
        byBottom[in[i]].remove(i);
        byTop[in[i]].remove(i);
      }
    }
  }

  private void count(int i, int sign) {
    if (i >= part.count) {
      return;
    }
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
    for (int memory = 0; memory < byBottom.length; memory++) {
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
    int gaps = gaps(i, memory, first, last);
    if (gaps == 0) {
      return;
    }
    gather(i, memory, size);
    long[] begins = beginKey;
    long[] more = beginWeight;
    long[] ends = endKey;
    long[] less = endWeight;
    boolean endsAlone = part.endsAlone(i, memory);
    int p = 0;
    int q = 0;
    long sum = 0;
    for (int gap = 0; gap < gaps; gap++) {
      long to = gapTo[gap];
      // The cost falls only where a weight ends. Where every such place is admissible, no other is
      // ever better than the one before it.
      for (long from = gapFrom[gap]; from <= to; from = endsAlone ? ends[q] : next(p, q)) {
        while (ends[q] <= from) {
          sum -= less[q++];
        }
        while (begins[p] <= from) {
          sum += more[p++];
        }
        if (sum < foundCost || sum == foundCost && ties > 0 && !lowest) {
          take(i, memory, from, Math.min(next(p, q) - 1, to), sum, lowest);
          if (any && ties > 0) {
            return;
          }
        }
      }
    }
  }

  private long next(int p, int q) {
    return Math.min(beginKey[p], endKey[q]);
  }

  /** Finds the gaps between an item's hard pairs in a memory, a move's new places aside. */
  private int gaps(int i, int memory, long first, long last) {
    RankedItems here = byBottom[memory];
    int hard = here.sort(part.hard[i], stays, order);
    long size = part.size[i];
    long free = first;
    int gaps = 0;
    for (int k = 0; k < hard; k++) {
      long bottom = here.keys[order[k]];
      if (bottom - size >= free && free <= last) {
        gapFrom[gaps] = free;
        gapTo[gaps++] = Math.min(bottom - size, last);
      }
      free = Math.max(free, bottom + part.size[here.items[order[k]]]);
    }
    gapFrom[gaps] = free;
    gapTo[gaps] = last;
    return free <= last ? gaps + 1 : gaps;
  }

  /**
   * Gathers where the weights of an item begin and end, both in order. Hard pairs are there only
   * where a move has put something: of the others there are the gaps.
   */
  private void gather(int i, int memory, long size) {
    long[] weights = part.weight[i];
    int count = gather(i, byBottom[memory], beginKey, beginWeight, 1 - size);
    gather(i, byTop[memory], endKey, endWeight, 0);
    for (int k = 0; k < puts; k++) {
      long weight = weights[moved[k]];
      if (newIn[k] == memory && weight > 0) {
        insert(beginKey, beginWeight, count, newAt[k] - size + 1, weight);
        insert(endKey, endWeight, count++, newAt[k] + part.size[moved[k]], weight);
      }
    }
    beginKey[count] = FAR;
    endKey[count] = FAR;
  }

  private int gather(int i, RankedItems from, long[] key, long[] into, long shift) {
    int found = from.sort(part.soft[i], stays, order);
    for (int k = 0; k < found; k++) {
      key[k] = from.keys[order[k]] + shift;
      into[k] = part.weight[i][from.items[order[k]]];
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
