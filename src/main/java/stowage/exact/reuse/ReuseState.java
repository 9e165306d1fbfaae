package stowage.exact.reuse;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The present places of the items of a {@link ReuseItems}, their cost, and what a move changes.
 *
 * <p>An item goes to a position that is exactly best given the others. The cost as a function of
 * the position is a step function: an item j of weight w at [o, t) adds w on (o - s, t). The items
 * of a memory are kept sorted by their bottoms, and each knows its rank, so that a set of ranks
 * gives the hard ones in order; a pass over them gives the gaps between them. As a rule these are
 * few and little longer than the item: of each, one sum over the priced items is the cost at its
 * first position, and the few steps within it are sorted.
 *
 * <p>A move takes items {@link #out} and puts them at {@link #put new positions}; until it is
 * {@linkplain #commit kept} the sorted lists stay as they were, with a mask for what is out and a
 * short list of what was put. So a move that is {@linkplain #undo given up}, as most are, leaves
 * nothing to repair. O(hard pairs of the item + priced ones in each gap + n / 64) for each look,
 * without allocation.
 */
final class ReuseState {
  private static final long FAR = Long.MAX_VALUE / 4;

  private final ReuseItems part;
  private final SplittableRandom random;
  final long[] at;
  final int[] in;
  final boolean[] placed;
  private final RankedItems[] byBottom;

  // Where the items of each memory begin and end; FAR and -1 for those that are not there.
  private final long[][] bottom;
  private final long[][] top;
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

  // The steps of the cost of one item within a gap: where a weight begins, and where it ends.
  private final CostSteps begins;
  private final CostSteps ends;

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
    bottom = new long[memories][part.all];
    top = new long[memories][part.all];
    Arrays.setAll(byBottom, memory -> new RankedItems(part.all));
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
    begins = new CostSteps(part.all, FAR);
    ends = new CostSteps(part.all, FAR);
    clear();
  }

  /** Takes all items away but the reserved ranges. */
  void clear() {
    Arrays.fill(placed, false);
    Arrays.stream(byBottom).forEach(RankedItems::clear);
    Arrays.stream(bottom).forEach(all -> Arrays.fill(all, FAR));
    Arrays.stream(top).forEach(all -> Arrays.fill(all, -1));
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
      show(i);
      count(i, 1);
    }
    newCost = cost;
  }

  /** Lets others meet an item at its place; see {@link #hide}. */
  private void show(int i) {
    if (part.size[i] > 0) {
      bottom[in[i]][i] = at[i];
      top[in[i]][i] = at[i] + part.size[i];
    }
  }

  private void hide(int i) {
    bottom[in[i]][i] = FAR;
    top[in[i]][i] = -1;
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

  /** Takes an item out, before any is put back. O(items that are out). */
  void out(int i) {
    long less = own[i];
    for (int k = 0; k < outs; k++) {
      less -= overlap(i, moved[k]) ? priced(i, moved[k]) : 0;
    }
    newCost -= less;
    stays[i] = 0;
    hide(i);
    moved[outs++] = i;
  }

  /** What two items pay for sharing, where they may. */
  private long priced(int i, int j) {
    long weight = part.weight[i][j];
    return weight < ReuseItems.HARD ? weight : 0;
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
      show(moved[k]);
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
      } else {
        show(item);
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
      }
    }
  }

  private void count(int i, int sign) {
    if (i >= part.count) {
      return;
    }
    int[] soft = part.soft[i];
    for (int k = 0; k < soft.length; k++) {
      int j = soft[k];
      if (placed[j] && overlap(i, j)) {
        long change = sign * part.price[i][k];
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
    boolean endsAlone = part.endsAlone(i, memory);
    for (int gap = 0; gap < gaps; gap++) {
      long to = gapTo[gap];
      long sum = gather(i, memory, gapFrom[gap], to);
      int p = 0;
      int q = 0;
      // The cost falls only where a weight ends. Where every such place is admissible, no other is
      // ever better than the one before it.
      for (long from = gapFrom[gap]; from <= to; from = endsAlone ? ends.keys[q] : next(p, q)) {
        while (ends.keys[q] <= from) {
          sum -= ends.weights[q++];
        }
        while (begins.keys[p] <= from) {
          sum += begins.weights[p++];
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
    return Math.min(begins.keys[p], ends.keys[q]);
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
   * The cost of an item at the first position of a gap. Gathers where within the gap weights begin
   * and end, both in order: as a rule few do. Hard pairs are there only where a move has put
   * something: of the others there are the gaps.
   */
  private long gather(int i, int memory, long from, long to) {
    begins.clear();
    ends.clear();
    long size = part.size[i];
    long after = from + size;
    long last = to + size;
    int[] soft = part.soft[i];
    long[] price = part.price[i];
    long[] bottoms = bottom[memory];
    long[] tops = top[memory];
    long sum = 0;
    for (int k = 0; k < soft.length; k++) {
      long low = bottoms[soft[k]];
      long high = tops[soft[k]];
      // By sign bits: a processor would mispredict branches here.
      sum += price[k] & (low - after & from - high) >> 63;
      if ((~(low - after) & low - last | from - high & high - to - 1) < 0) {
        meet(low - size + 1, high, price[k], from, to);
      }
    }
    for (int k = 0; k < puts; k++) {
      long low = newAt[k];
      long high = low + part.size[moved[k]];
      if (newIn[k] == memory && low < last && high > from) {
        long weight = part.weight[i][moved[k]];
        sum += low < after ? weight : 0;
        if (weight > 0) {
          meet(low - size + 1, high, weight, from, to);
        }
      }
    }
    return sum;
  }

  /** Notes where a weight begins and ends, if that is after the first position of a gap. */
  private void meet(long begin, long end, long weight, long from, long to) {
    if (begin > from && begin <= to) {
      begins.add(begin, weight);
    }
    if (end > from && end <= to) {
      ends.add(end, weight);
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
    if (!lowest && to > low && random.nextBoolean() && to < FAR) {
      long unit = part.step[i][memory];
      long high = unit == 1 ? to : to / unit * unit;
      foundAt = part.admissible(i, memory, high) == high ? high : low;
    }
  }
}
