package stowage.exact.search.local;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the descents of one worker got stuck, and which of these placements is worth another kick
 * rather than a new descent.
 *
 * <p>A placement is worth its peak plus a little for every kick that brought nothing lower, and a
 * new descent what descents have come to on average before their first kick. So the lowest ones are
 * kicked most, and one that is no better than the average only once in its turn. Example: with a
 * target of 1,000, descents that ended at 980 and 990, and {@link #COST_OF_A_KICK} of half a
 * thousandth, 980 is kicked eleven times (then it is worth 985.5, more than the 985 of a new
 * descent); if the last kick leads to 976, that one is kicked 19 times before a third descent.
 */
public final class PlacementPool {
  /** What a kick without success adds to a placement's worth, as a share of the target. */
  static final double COST_OF_A_KICK = 0.0005;

  /** Placements kept. */
  private static final int MOST = 8;

  private final List<PoolEntry> elites = new ArrayList<>();
  private double sumOfEnds;
  private long ends;

  /** A placement that a descent got stuck at. */
  public static final class PoolEntry {
    private long[] offsets;
    private long peak;
    private int kicks;

    private PoolEntry(long[] offsets, long peak) {
      this.offsets = offsets;
      this.peak = peak;
    }

    /** The placement; not to be changed. */
    public long[] offsets() {
      return offsets;
    }

    public long peak() {
      return peak;
    }

    private double worth(double costOfKick) {
      return peak + kicks * costOfKick;
    }
  }

  /** Takes in the end of a descent that has not been kicked yet; the offsets are copied. */
  public void add(long[] offsets, long peak) {
    elites.add(new PoolEntry(offsets.clone(), peak));
    sumOfEnds += peak;
    ends++;
  }

  /** Takes in where a kick of this placement has led, unless that is higher. */
  public void replace(PoolEntry elite, long[] offsets, long peak) {
    if (peak <= elite.peak) {
      elite.kicks = peak < elite.peak ? 0 : elite.kicks;
      elite.peak = peak;
      elite.offsets = offsets.clone();
    }
  }

  /** The placement to kick next, counted; null where a new descent is worth more. O(placements). */
  public PoolEntry next(long target) {
    double cost = COST_OF_A_KICK * target;
    elites.sort((one, other) -> Double.compare(one.worth(cost), other.worth(cost)));
    while (elites.size() > MOST) {
      elites.remove(MOST);
    }
    if (elites.isEmpty() || elites.get(0).worth(cost) > sumOfEnds / ends) {
      return null;
    }
    PoolEntry next = elites.get(0);
    next.kicks++;
    return next;
  }
}
