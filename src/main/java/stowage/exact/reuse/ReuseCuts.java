package stowage.exact.reuse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.packing.ReuseCut;
import stowage.packing.Rounding;

/**
 * Finder of {@linkplain ReuseCut cuts} that prices of reuse satisfy: sets of items of which every
 * two are either apart or paid for, and that are larger together than their memory.
 *
 * <p>Given the share x of every pair that a relaxation pays (0 to 1), a set is grown item by item
 * from every item as the first: always the item that adds most bytes that are not yet hidden, an
 * item being hidden by the pairs with larger members as far as x says; where that finds little,
 * again with some noise and with a power of the bytes, down to the number of items, since a cut's
 * factors are rounded up. What is left visible beyond the memory is how far the cut is violated.
 * O(n^2) for each first item, with bit sets for the neighbours, where each item pays with few.
 */
public final class ReuseCuts {
  private static final double LEAST_VIOLATION = 1e-4;
  private static final int MOST_DIVISORS = 30;

  /** Shares from which a member is taken as given. */
  private static final double[] GIVEN = {Double.MAX_VALUE, 0.999, 0.85, 0.7, 0.55, 0.4, 0.25, 0.1};

  private static final int TRIES = 20;

  /** With so many cuts found, no further tries are made. */
  private static final int FEW = 10;

  private final ReuseItems part;
  private final int memory;
  private final long room;
  private final long[] size;
  private final int[] items;
  private final BitSet[] related;

  /** For each item those that it pays with, in part or in full, while cuts are looked for. */
  private final int[][] paidWith;

  /** What it counts that an item is not hidden, while a set is grown. */
  private final double[] worth;

  private final SplittableRandom random = new SplittableRandom(1);

  /** Finds cuts of the items that can be in one memory alone. */
  public ReuseCuts(ReuseItems part, int memory) {
    this(
        part,
        memory,
        IntStream.range(0, part.count)
            .filter(i -> part.mask[i] == 1L << memory && part.size[i] > 0 && part.buffer(i) >= 0)
            .toArray());
  }

  private ReuseCuts(ReuseItems part, int memory, int[] here) {
    this.part = part;
    this.memory = memory;
    long unit = ReuseCut.unit(part.problem(), memory, part.buffers(here));
    room = ReuseCut.room(part.problem(), memory, unit);
    size = new long[part.count];
    for (int i : here) {
      size[i] = Rounding.up(part.size[i], 0, unit, 0);
    }
    items = IndexOrder.of(Arrays.stream(here), Comparator.comparingLong((Integer i) -> -size[i]));
    related = new BitSet[part.count];
    paidWith = new int[part.count][];
    worth = new double[part.count];
    for (int i : items) {
      related[i] = new BitSet(part.count);
      for (int j : items) {
        if (i != j && part.weight[i][j] > 0) {
          related[i].set(j);
        }
      }
    }
  }

  /** Whether there is nothing to cut: the memory has no limit, or all fits side by side. */
  public boolean isIdle() {
    long sum = Arrays.stream(items).mapToLong(i -> size[i]).sum();
    return room == Long.MAX_VALUE || sum <= room;
  }

  /**
   * Cuts that the paid shares violate, the most violated one of each set found.
   *
   * @param x for every two items the share that is paid
   */
  public List<ReuseCut> violated(double[][] x, int most, BooleanSupplier stopped) {
    for (int i : items) {
      paidWith[i] = related[i].stream().filter(j -> x[i][j] > 0).toArray();
    }
    List<Found> found = new ArrayList<>();
    Set<BitSet> seen = new HashSet<>();
    for (int attempt = 0; attempt < TRIES && found.size() < FEW; attempt++) {
      double power = attempt == 0 ? 1 : random.nextDouble();
      for (int i : items) {
        worth[i] = StrictMath.pow(size[i], power);
      }
      for (int first : items) {
        if (stopped.getAsBoolean()) {
          break;
        }
        BitSet set = grown(first, x, attempt == 0 ? 0 : 0.5);
        if (seen.add(set)) {
          // A cut counts in the unit of its own buffers, which may be larger than that of all.
          Found best = new ReuseCuts(part, memory, set.stream().toArray()).best(set, x);
          if (best != null) {
            found.add(best);
          }
        }
      }
    }
    found.sort((a, b) -> Double.compare(b.violation, a.violation));
    return found.stream().limit(most).map(Found::cut).toList();
  }

  private record Found(ReuseCut cut, double violation) {}

  /** Grows a set from one item; gains are lowered at random, by at most the share {@code noise}. */
  private BitSet grown(int first, double[][] x, double noise) {
    BitSet set = new BitSet(part.count);
    set.set(first);
    BitSet open = (BitSet) related[first].clone();
    double[] hidden = new double[part.count];
    hide(first, hidden, x);
    while (!open.isEmpty()) {
      int chosen = -1;
      double most = 1e-9;
      for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(i + 1)) {
        double gain = gain(i, set, hidden, x);
        if (noise > 0) {
          gain *= 1 - noise * random.nextDouble();
        }
        if (gain > most) {
          most = gain;
          chosen = i;
        }
      }
      if (chosen < 0) {
        break;
      }
      set.set(chosen);
      open.and(related[chosen]);
      hide(chosen, hidden, x);
    }
    return set;
  }

  private void hide(int chosen, double[] hidden, double[][] x) {
    for (int i : paidWith[chosen]) {
      hidden[i] += precedes(chosen, i) ? x[chosen][i] : 0;
    }
  }

  /** What a set gains with an item: the worth of what is not hidden. */
  private double gain(int i, BitSet set, double[] hidden, double[][] x) {
    double gain = worth[i] * (1 - Math.min(1, hidden[i]));
    for (int j : paidWith[i]) {
      if (set.get(j) && precedes(i, j)) {
        gain -= worth[j] * (Math.min(1, hidden[j] + x[i][j]) - Math.min(1, hidden[j]));
      }
    }
    return gain;
  }

  /** Whether an item comes before another in the order of a cut: larger, or of equal size first. */
  private boolean precedes(int i, int j) {
    return size[i] != size[j] ? size[i] > size[j] : i < j;
  }

  /** The most violated cut of a set over a few divisors, and the Turan cuts; null if none is. */
  private Found best(BitSet set, double[][] x) {
    int[] members = Arrays.stream(items).filter(set::get).toArray();
    long excess = Arrays.stream(members).mapToLong(i -> size[i]).sum() - room;
    if (excess <= 0) {
      return null;
    }
    double[] share = new double[members.length];
    int[] priced = new int[members.length];
    for (int k = 0; k < members.length; k++) {
      for (int earlier = 0; earlier < k; earlier++) {
        share[k] += x[members[earlier]][members[k]];
        priced[k] += part.weight[members[earlier]][members[k]] < ReuseItems.HARD ? 1 : 0;
      }
    }
    Found best = null;
    for (double given : GIVEN) {
      long left = excess;
      for (int k = 0; k < members.length; k++) {
        left -= share[k] >= given ? size[members[k]] : 0;
      }
      if (left <= 0) {
        continue;
      }
      for (long divisor : divisors(members, left)) {
        best = better(best, hide(members, share, priced, given, left, divisor));
      }
    }
    for (int k = 1; k < members.length; k++) {
      best = better(best, turan(members, share, priced, k));
    }
    return best;
  }

  private static Found better(Found one, Found other) {
    return other == null || one != null && one.violation >= other.violation ? one : other;
  }

  private long[] divisors(int[] members, long excess) {
    long[] found = new long[MOST_DIVISORS + 1];
    found[0] = 1;
    found[1] = excess;
    int count = 2;
    for (int k = members.length - 1; k >= 0 && count < found.length; k--) {
      long candidate = Math.min(excess, size[members[k]]);
      if (candidate != found[count - 1]) {
        found[count++] = candidate;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** The cut that takes as given what is hidden by at least a share. */
  private Found hide(
      int[] members, double[] share, int[] priced, double given, long excess, long divisor) {
    long right = (excess + divisor - 1) / divisor;
    double left = 0;
    double norm = 0;
    int[] taken = new int[members.length];
    int count = 0;
    for (int k = 0; k < members.length; k++) {
      if (share[k] >= given) {
        taken[count++] = members[k];
        continue;
      }
      long factor = (Math.min(size[members[k]], excess) + divisor - 1) / divisor;
      left += factor * share[k];
      norm += (double) factor * factor * priced[k];
    }
    if (left >= right - LEAST_VIOLATION * right) {
      return null;
    }
    ReuseCut cut =
        new ReuseCut.Hide(
            memory, part.buffers(members), part.buffers(Arrays.copyOf(taken, count)), divisor);
    return new Found(cut, (right - left) / Math.sqrt(Math.max(1, norm)));
  }

  private Found turan(int[] members, double[] share, int[] priced, int k) {
    int m = 0;
    double left = 0;
    long pairs = 0;
    while (m < members.length && size[members[m]] > room / (k + 1)) {
      left += share[m];
      pairs += priced[m++];
    }
    if (m <= k) {
      return null;
    }
    long least = ReuseCut.turan(m, k);
    if (left >= least - LEAST_VIOLATION * least) {
      return null;
    }
    int[] chosen = Arrays.copyOf(members, m);
    ReuseCut cut = new ReuseCut.Turan(memory, part.buffers(chosen), k);
    return new Found(cut, (least - left) / Math.sqrt(Math.max(1, pairs)));
  }
}
