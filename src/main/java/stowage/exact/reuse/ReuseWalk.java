package stowage.exact.reuse;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;

/**
 * A walk of simulated annealing to a low price of reuse, where all hard pairs stay apart.
 *
 * <p>A move takes a few items out and puts them back one by one, each at its exactly best position
 * (see {@link ReuseState}). Mostly it begins at an item of a pair that is paid for; with it go some
 * random neighbours, or what it shares addresses with and their neighbours, or random items; or it
 * is put right above, below or on a neighbour, and what is in its way there goes out (ejection).
 * How much dearer the outcome may be is drawn before the move, as old cost - T ln u, so that a move
 * that will not be accepted ends early.
 *
 * <p>With n items a move takes O(k n) for k items moved.
 */
final class ReuseWalk {
  private static final int MOST_MOVED = 7;

  private final ReuseItems part;
  private final SplittableRandom random;
  private final ReuseState state;
  private final int[][] neighbours;
  private final int[][] immovable;
  private final int[] movable;
  private final double unit;
  private long best = Long.MAX_VALUE;
  private final long[] bestAt;
  private final int[] bestIn;

  ReuseWalk(ReuseItems part, SplittableRandom random) {
    this.part = part;
    this.random = random;
    this.state = new ReuseState(part, random);
    this.neighbours = neighbours(part, false);
    this.immovable = neighbours(part, true);
    this.movable =
        IntStream.range(0, part.count).filter(i -> part.fixed[i] < 0 && part.size[i] > 0).toArray();
    this.bestAt = new long[part.count];
    this.bestIn = new int[part.count];
    double sum = 0;
    long pairs = 0;
    for (int i = 0; i < part.count; i++) {
      for (int j : part.soft[i]) {
        sum += part.weight[i][j];
        pairs++;
      }
    }
    this.unit = pairs == 0 ? 1 : sum / pairs;
  }

  /** For each item those in a pair with it, hard or priced, that are fixed or not. */
  private static int[][] neighbours(ReuseItems part, boolean fixed) {
    int[][] lists = new int[part.count][];
    Arrays.setAll(
        lists,
        i ->
            IntStream.range(0, part.count)
                .filter(j -> i != j && part.weight[i][j] > 0 && part.fixed[j] >= 0 == fixed)
                .toArray());
    return lists;
  }

  long best() {
    return best;
  }

  long[] bestAt() {
    return bestAt;
  }

  int[] bestIn() {
    return bestIn;
  }

  /** Goes back to given places. */
  void restart(long[] at, int[] in) {
    state.clear();
    for (int i = 0; i < part.count; i++) {
      state.place(i, in[i], at[i]);
    }
    note();
  }

  /**
   * Places all items in an order, the fixed ones first, each at its best position, or where {@code
   * blind} at the lowest free one, without regard to prices. Returns whether all hard pairs are
   * apart.
   */
  boolean decode(int[] order, boolean blind) {
    state.clear();
    for (int pass = 0; pass < 2; pass++) {
      for (int i : order) {
        if (part.fixed[i] >= 0 == (pass == 0)) {
          if (!(blind ? state.lookFree(i) : state.look(i, ReuseItems.HARD, true))) {
            return false;
          }
          state.place(i, state.foundIn, state.foundAt);
        }
      }
    }
    note();
    return true;
  }

  private void note() {
    if (state.cost() < best) {
      best = state.cost();
      System.arraycopy(state.at, 0, bestAt, 0, part.count);
      System.arraycopy(state.in, 0, bestIn, 0, part.count);
    }
  }

  /** Tries some orders and begins at the cheapest placement found; returns whether there is one. */
  boolean start(int tries, BooleanSupplier stopped) {
    double[] key = new double[part.count];
    for (int k = 0; k < tries && !(stopped.getAsBoolean() && k > 0); k++) {
      double noise = k < 4 ? 0 : 0.1 + 0.5 * random.nextDouble();
      int rule = k % 4;
      for (int i = 0; i < part.count; i++) {
        double degree = neighbours[i].length + 1;
        double value =
            switch (rule) {
              case 0 -> part.size[i];
              case 1 -> part.size[i] * degree;
              case 2 -> degree;
              default -> part.size[i] * Math.sqrt(degree);
            };
        key[i] = value * (1 + noise * (random.nextDouble() - 0.5) * 2);
      }
      decode(
          IndexOrder.of(IntStream.range(0, part.count), Comparator.comparingDouble(i -> -key[i])),
          k % 3 == 2);
      if (best == 0) {
        break;
      }
    }
    if (best < Long.MAX_VALUE) {
      restart(bestAt.clone(), bestIn.clone());
    }
    return best < Long.MAX_VALUE;
  }

  /** Walks for some moves, or to a cost of {@code enough}, at a temperature in mean weights. */
  void walk(int moves, double temperature, long enough) {
    double heat = temperature * unit;
    for (int k = 0; k < moves && best > enough; k++) {
      move(heat);
    }
  }

  private void move(double heat) {
    if (movable.length == 0) {
      return;
    }
    long old = state.cost();
    double draw = Math.max(1e-12, random.nextDouble());
    // The new cost has to be below this; at worst equal costs are let through.
    long below = old + 1 + (long) Math.floor(-heat * Math.log(draw));
    int first =
        state.actives() > 0 && random.nextInt(5) > 0
            ? state.active(random.nextInt(state.actives()))
            : movable[random.nextInt(movable.length)];
    if (part.fixed[first] >= 0) {
      first = movable[random.nextInt(movable.length)];
    }
    int kind = random.nextInt(4);
    int more = random.nextInt(MOST_MOVED);
    if (kind == 2 && neighbours[first].length > 0) {
      if (eject(first, below)) {
        note();
      }
      return;
    }
    out(first);
    int[] around = neighbours[first];
    if (kind == 1) {
      addPartners(first, more);
    } else {
      for (int k = 0; k < more; k++) {
        boolean near = kind == 0 && around.length > 0;
        int[] from = near ? around : movable;
        int next = from[random.nextInt(from.length)];
        if (part.size[next] > 0) {
          out(next);
        }
      }
    }
    if (putBack(0, below)) {
      note();
    }
  }

  /** Takes out what an item is paid for with, and neighbours of those. */
  private void addPartners(int first, int more) {
    for (int j : part.soft[first]) {
      if (state.outs() <= more && part.fixed[j] < 0 && state.overlap(first, j)) {
        out(j);
      }
    }
    int others = state.outs();
    for (int k = 0; state.outs() <= more && k < 2 * more; k++) {
      int[] around = neighbours[state.moved(random.nextInt(others))];
      if (around.length > 0) {
        int next = around[random.nextInt(around.length)];
        if (part.size[next] > 0) {
          out(next);
        }
      }
    }
  }

  /** Puts an item next to or on a neighbour, and what is in its way elsewhere. */
  private boolean eject(int first, long below) {
    int[] around = neighbours[first];
    int other = around[random.nextInt(around.length)];
    int memory = state.in[other];
    if ((part.mask[first] >> memory & 1) == 0) {
      return false;
    }
    long wanted =
        switch (random.nextInt(3)) {
          case 0 -> state.at[other] + part.size[other];
          case 1 -> state.at[other] - part.size[first];
          default -> state.at[other];
        };
    long unit = part.step[first][memory];
    long target = Math.max(0, wanted) / unit * unit;
    if (target > part.capacity[memory] - part.size[first]
        || part.admissible(first, memory, target) != target
        || target == state.at[first] && memory == state.in[first]) {
      return false;
    }
    for (int i = part.count; i < part.all; i++) {
      if (covers(i, memory, target, first)) {
        return false;
      }
    }
    out(first);
    long price = 0;
    long[] weights = part.weight[first];
    for (int j : neighbours[first]) {
      if (covers(j, memory, target, first)) {
        boolean hard = weights[j] >= ReuseItems.HARD;
        if (hard && state.outs() > 3 * MOST_MOVED) {
          state.undo();
          return false;
        }
        if (hard || random.nextBoolean()) {
          out(j);
        } else {
          price += weights[j];
        }
      }
    }
    for (int j : immovable[first]) {
      if (covers(j, memory, target, first)) {
        if (weights[j] >= ReuseItems.HARD) {
          state.undo();
          return false;
        }
        price += weights[j];
      }
    }
    state.put(memory, target, price);
    if (state.cost() >= below) {
      state.undo();
      return false;
    }
    return putBack(1, below);
  }

  /** Whether an item is in the way of another one's new place. */
  private boolean covers(int i, int memory, long target, int newcomer) {
    return state.in[i] == memory
        && part.size[i] > 0
        && state.at[i] < target + part.size[newcomer]
        && target < state.at[i] + part.size[i];
  }

  private void out(int i) {
    if (!state.isOut(i) && part.fixed[i] < 0) {
      state.out(i);
    }
  }

  /** Puts back the items taken out from an index on; undoes the move where that costs too much. */
  private boolean putBack(int from, long below) {
    boolean largestFirst = random.nextBoolean();
    int count = state.outs();
    for (int k = from; k < count; k++) {
      int chosen = k;
      if (largestFirst) {
        for (int other = k + 1; other < count; other++) {
          boolean larger = part.size[state.moved(other)] > part.size[state.moved(chosen)];
          chosen = larger ? other : chosen;
        }
      } else {
        chosen = k + random.nextInt(count - k);
      }
      state.swap(k, chosen);
      long allowed = below - state.cost();
      int item = state.moved(k);
      if (allowed <= 0 || !state.look(item, Math.min(allowed, ReuseItems.HARD), false)) {
        state.undo();
        return false;
      }
      state.put(state.foundIn, state.foundAt, state.foundCost);
    }
    state.commit();
    return true;
  }
}
