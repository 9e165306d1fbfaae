package stowage.compiler.vela;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.compiler.core.LoadEstimate;
import stowage.compiler.core.PlacedByAddress;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * Vela's default allocator, a hill climb over the order of placing.
 *
 * <p>Source: ethosu/vela/hillclimb_allocation.py (version of December 2023). Each live range in
 * turn takes the lowest address that is free of its neighbours, those alive with it: starting at 0
 * the address is raised to the end of every neighbour met that it would overlap, in the neighbours'
 * order (by first common time, then by file order), repeatedly until a pass raises nothing. The
 * last neighbour that raised it is its <em>predecessor</em>. The first order is by urgency, the
 * largest load over the range; then the longer, the earlier, the larger, file order.
 *
 * <p><b>A step of the climb.</b> The bottleneck is the range that ends highest, the first in the
 * file of equal ones. What affects it are its own chain of predecessors, and each neighbour with
 * its chain; the turns at which these were placed form a list without repetition. Two turns are
 * drawn and the ranges placed at them change turns: the first, with a probability of 30 in 101,
 * from those that are not the bottleneck's neighbours. After more than {@value #STUCK} steps
 * without gain the list is enlarged by the turns of the neighbours of those that are not the
 * bottleneck's, as they are after the first change, and a second pair changes turns as well. An
 * order is kept if it is not worse. Placing stops as soon as the best size is exceeded, and then
 * only the order is restored: addresses, predecessors and turns of the failed attempt stay and feed
 * the next step, as in the original.
 *
 * <p>The climb ends when it reaches the largest load, or {@value #PATIENCE} steps after the last
 * gain. Drawing is that of CPython seeded with 1 ({@link PythonRandom}); other seeds of a run
 * change nothing. Times are ranked over all first and last steps, since durations break ties.
 *
 * <p>Addresses are found by one walk ({@link PlacedByAddress}); the original's passes are run again
 * only where several neighbours end at the address found, to identify the predecessor. What comes
 * before the first change of the order keeps its place. O(n) a range, so O(n²) a step, in practice
 * a small part of it. A run that is stopped gives the best so far.
 *
 * @see <a
 *     href="https://github.com/nxp-imx/ethos-u-vela/blob/bc6ee58dbbd50fe83adfb1726c868898e5cfb491/ethosu/vela/hillclimb_allocation.py">nxp-imx/ethos-u-vela@bc6ee58d:hillclimb_allocation.py</a>
 */
public final class VelaHillClimb extends ListRule {
  private static final int PATIENCE = 500;
  private static final int STUCK = 50;

  public VelaHillClimb() {
    super(
        "vela",
        "as of December 2023",
        "Vela's hill climb over orders, lowest free address, bottleneck first");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    if (all.count() == 0) {
      return CasePlan.arena(all.placement(new long[0]));
    }
    Climb climb = new Climb(all);
    climb.run(control);
    return CasePlan.searched(all.placement(climb.bestAddresses), climb.cutShort);
  }

  /** The state of one run. */
  public static final class Climb {
    private final HullList all;
    private final int[] first;
    private final int[] last;
    private final int[][] neighbours;
    private final long[] endAddress;
    private final int[] predecessor;
    private final int[] turn;
    private final PythonRandom random = new PythonRandom(1);
    private long leastPossible;
    private long best;
    private final int[] turns;
    private int turnCount;
    private final boolean[] inTurns;
    private final PlacedByAddress placed;
    private final boolean[] isPlaced;
    private final int[] placedOrder;
    private final long[] sizeUpTo;
    private int placedCount;

    long[] bestAddresses;
    boolean cutShort;

    /** The size of the first order; for tests. */
    public long startSize;

    public Climb(HullList all) {
      this.all = all;
      int n = all.count();
      this.first = new int[n];
      this.last = new int[n];
      rankTimes();
      this.neighbours = neighbours();
      this.endAddress = new long[n];
      this.predecessor = new int[n];
      this.turn = new int[n];
      this.turns = new int[n];
      this.inTurns = new boolean[n];
      this.placed = new PlacedByAddress(n);
      this.isPlaced = new boolean[n];
      this.placedOrder = new int[n];
      this.sizeUpTo = new long[n];
    }

    /** Ranks first and inclusive last steps among each other. */
    private void rankTimes() {
      IntStream ends = Arrays.stream(all.end).map(end -> end - 1);
      int[] distinct =
          IntStream.concat(Arrays.stream(all.start), ends).sorted().distinct().toArray();
      for (int r = 0; r < first.length; r++) {
        first[r] = Arrays.binarySearch(distinct, all.start[r]);
        last[r] = Arrays.binarySearch(distinct, all.end[r] - 1);
      }
    }

    private int[][] neighbours() {
      int[][] found = all.conflictLists("vela keeps lists of all pairs alive together");
      for (int r = 0; r < found.length; r++) {
        sortByCommonTime(r, found[r]);
      }
      return found;
    }

    private void sortByCommonTime(int r, int[] list) {
      long[] keys = new long[list.length];
      for (int k = 0; k < list.length; k++) {
        keys[k] = ((long) Math.max(first[r], first[list[k]]) << 32) | list[k];
      }
      Arrays.sort(keys);
      for (int k = 0; k < list.length; k++) {
        list[k] = (int) keys[k];
      }
    }

    public void run(RunControl control) {
      int[] order = byUrgency();
      best = Long.MAX_VALUE;
      best = place(order);
      startSize = best;
      bestAddresses = addresses();
      int[] bestOrder = order.clone();
      int lastGain = 0;
      for (int i = 0; best > leastPossible && i - lastGain < PATIENCE; i++) {
        if (control.isStopped()) {
          cutShort = true;
          return;
        }
        if (!swapTurns(order, i - lastGain)) {
          return;
        }
        long size = place(order);
        if (size <= best) {
          if (size < best) {
            lastGain = i;
          }
          best = size;
          bestOrder = order.clone();
          bestAddresses = addresses();
        } else {
          order = bestOrder.clone();
        }
      }
    }

    private int[] byUrgency() {
      LoadEstimate load = new LoadEstimate(all);
      leastPossible = load.largest();
      long[] urgency = new long[all.count()];
      Arrays.setAll(urgency, r -> load.largest(all.start[r], all.end[r]));
      return all.sorted(
          Comparator.comparingLong((Integer r) -> -urgency[r])
              .thenComparingInt(r -> first[r] - last[r])
              .thenComparingInt(r -> first[r])
              .thenComparingLong(r -> -all.size[r]));
    }

    /** Places in an order until the best size is exceeded; gives the highest end so far. */
    private long place(int[] order) {
      // What was placed alike last time is as it were.
      int same = 0;
      while (same < placedCount && order[same] == placedOrder[same]) {
        same++;
      }
      placed.keepBefore(same, turn);
      for (int t = same; t < placedCount; t++) {
        isPlaced[placedOrder[t]] = false;
      }
      long size = same == 0 ? 0 : sizeUpTo[same - 1];
      placedCount = same;
      for (int t = same; t < order.length && size <= best; t++) {
        int r = order[t];
        placeOne(r);
        turn[r] = t;
        placed.add(r, endAddress[r] - all.size[r], endAddress[r]);
        isPlaced[r] = true;
        size = Math.max(size, endAddress[r]);
        placedOrder[t] = r;
        sizeUpTo[t] = size;
        placedCount = t + 1;
      }
      return size;
    }

    private void placeOne(int r) {
      endAddress[r] = placed.lowestFree(neighbours[r], all.size[r]) + all.size[r];
      int raisedBy = placed.raisedBy();
      predecessor[r] = raisedBy == PlacedByAddress.SEVERAL ? lastToRaise(r) : raisedBy;
    }

    /** Who raises a range last when its neighbours are looked at in the original's order. */
    private int lastToRaise(int r) {
      long at = 0;
      int raisedBy = PlacedByAddress.NONE;
      boolean raised = true;
      while (raised) {
        raised = false;
        for (int other : neighbours[r]) {
          if (isPlaced[other]
              && endAddress[other] > at
              && endAddress[other] - all.size[other] < at + all.size[r]) {
            raised = true;
            at = endAddress[other];
            raisedBy = other;
          }
        }
      }
      return raisedBy;
    }

    private long[] addresses() {
      return IntStream.range(0, endAddress.length)
          .mapToLong(r -> endAddress[r] - all.size[r])
          .toArray();
    }

    /** Changes the order; false when there is nothing to change. */
    private boolean swapTurns(int[] order, int stuck) {
      int bottleneck = 0;
      for (int r = 1; r < order.length; r++) {
        if (endAddress[r] > endAddress[bottleneck]) {
          bottleneck = r;
        }
      }
      turnCount = 0;
      Arrays.fill(inTurns, false);
      addChain(bottleneck);
      for (int other : neighbours[bottleneck]) {
        addChain(other);
      }
      if (turnCount < 2) {
        return false; // the original would fail here, drawing from an empty range
      }
      int highest = bottleneck;
      int[] distant =
          Arrays.stream(turns, 0, turnCount).filter(t -> !alive(order[t], highest)).toArray();
      int one =
          random.between(0, 100) < 30 && distant.length > 0
              ? distant[random.between(0, distant.length - 1)]
              : turns[random.between(0, turnCount - 1)];
      int two = turns[random.between(0, turnCount - 2)];
      if (one == two) {
        two = turns[turnCount - 1];
      }
      swap(order, one, two);
      if (stuck > STUCK) {
        for (int k = 0; k < distant.length && turnCount < order.length; k++) {
          for (int other : neighbours[order[distant[k]]]) {
            addTurn(turn[other]);
          }
        }
        one = turns[random.between(0, turnCount - 1)];
        two = turns[random.between(0, turnCount - 1)];
        swap(order, one, two);
      }
      return true;
    }

    private boolean alive(int a, int b) {
      return first[a] <= last[b] && first[b] <= last[a];
    }

    private void addChain(int r) {
      for (int at = r; at != PlacedByAddress.NONE; at = predecessor[at]) {
        addTurn(turn[at]);
      }
    }

    private void addTurn(int t) {
      if (!inTurns[t]) {
        inTurns[t] = true;
        turns[turnCount++] = t;
      }
    }

    private static void swap(int[] order, int one, int two) {
      int kept = order[one];
      order[one] = order[two];
      order[two] = kept;
    }
  }
}
