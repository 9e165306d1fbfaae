package stowage.compiler.tvm;

import java.util.Arrays;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.LoadEstimate;
import stowage.compiler.core.PlacedByAddress;
import stowage.compiler.core.SystemPlanner;
import stowage.liveness.PlanningCase;
import stowage.packing.IndexOrder;
import stowage.packing.RunControl;

/**
 * TVM's hill climb over the order of placing.
 *
 * <p>Source: src/tir/usmp/algo/hill_climb.cc of apache/tvm before a531d170b9. The start order is
 * that of greedy by size. Placing fills gaps: conflicting buffers are walked by offset, and the
 * candidate is raised above each that it would run into. At most {@value #ATTEMPTS} attempts; each
 * places everything and compares the total t with that of the last plan <em>accepted</em>, c. It is
 * accepted at once if t &lt; c, else with a probability that grows with the loss: a number drawn
 * modulo 100 below 50 · (t - c) / t / attempt in whole numbers. A refusal swaps the last pair back
 * and returns to the previous plan, even if this attempt had swapped nothing. Then a buffer is
 * drawn from those at the top of a pool; one of its conflicting buffers that were placed earlier
 * changes places with another such one, or, with 74 in 100, with one conflicting with any of its
 * conflicting buffers and placed earlier than that. The answer is the last plan accepted, which may
 * be worse than the best seen. It ends early at the memory pressure, the largest load.
 *
 * <p>Numbers are drawn as glibc's rand_r does from seed 0. With several pools a buffer takes the
 * first, in its order of preference, in which it fits; an attempt in which one fits nowhere counts
 * only while none has fitted. Each attempt takes O(conflicts) and for each buffer a walk by address
 * ({@link PlacedByAddress}), O(n²) at worst.
 *
 * @see <a
 *     href="https://github.com/apache/tvm/blob/91fadacc37c7d269b4df59d4bb9e36fdfa0c3da5/src/tir/usmp/algo/hill_climb.cc">apache/tvm@91fadacc:hill_climb.cc</a>
 */
public final class TvmHillClimb extends SystemPlanner {
  private static final int ATTEMPTS = 500;

  public TvmHillClimb() {
    super(
        "tvm",
        "until February 2025",
        "TVM's hill climb: swaps buffers below the peak, keeps the last accepted plan");
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    TvmBuffers given = new TvmBuffers(name(), planningCase.problem());
    Climb climb = new Climb(given);
    climb.run(control);
    return CasePlan.searched(
        given.all.placement(climb.accepted.offsets, climb.accepted.pools), climb.cutShort);
  }

  private record Layout(long[] offsets, int[] pools, boolean fits) {}

  private static final class Climb {
    private final TvmBuffers given;
    private final int[] order;
    private final int[] position;
    private final GlibcRandom random = new GlibcRandom(0);
    private final long pressure;
    private final PlacedByAddress[] placed;
    private final int[] secondLevel;
    private Layout accepted;
    private boolean cutShort;

    Climb(TvmBuffers given) {
      this.given = given;
      this.order = given.all.sorted(given.bySize());
      this.position = IndexOrder.places(order, order.length);
      this.pressure = new LoadEstimate(given.all).largest();
      this.secondLevel = new int[order.length];
      this.placed = new PlacedByAddress[given.memories()];
      Arrays.setAll(placed, pool -> new PlacedByAddress(order.length));
      this.accepted = place();
    }

    void run(RunControl control) {
      long current = 0;
      Layout previous = null;
      int one = -1;
      int two = -1;
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (control.isStopped()) {
          cutShort = true;
          return;
        }
        Layout layout = attempt == 0 ? accepted : place();
        long total = Arrays.stream(tops(layout)).sum();
        if (current == 0
            || (layout.fits
                && (current > total
                    || random.next() % 100 < 50 * (total - current) / total / attempt))) {
          accepted = layout;
          if (layout.fits) {
            current = total;
            if (total <= pressure) {
              return;
            }
          }
        } else {
          swap(two, one);
          layout = previous;
        }
        previous = layout;
        int top = topBuffer(layout);
        if (top < 0) {
          return;
        }
        int[] near = earlier(top);
        if (near.length == 0) {
          continue;
        }
        int farCount = countSecondLevel(top);
        int first = near[random.next() % near.length];
        int second = first;
        while (second == first) {
          second =
              farCount > 0 && random.next() % 100 > 25
                  ? ofSecondLevel(random.next() % farCount)
                  : near[random.next() % near.length];
          if (farCount < 2 && near.length < 2) {
            break;
          }
        }
        if (first != second) {
          one = position[first];
          two = position[second];
          swap(one, two);
        }
      }
    }

    private Layout place() {
      int n = order.length;
      long[] offsets = new long[n];
      int[] pools = new int[n];
      boolean fits = true;
      for (PlacedByAddress pool : placed) {
        pool.clear();
      }
      for (int r : order) {
        long size = given.all.size[r];
        long chosen = 0;
        int where = -1;
        boolean found = false;
        for (int pool : given.pools[r]) {
          chosen = placed[pool].lowestFree(given.conflicts[r], size);
          where = pool;
          if (given.fits(pool, chosen, size)) {
            found = true;
            break;
          }
        }
        fits &= found;
        offsets[r] = chosen;
        pools[r] = where;
        placed[where].add(r, chosen, chosen + size);
      }
      return new Layout(offsets, pools, fits);
    }

    private long[] tops(Layout layout) {
      long[] tops = new long[Arrays.stream(layout.pools).max().orElse(0) + 1];
      for (int r = 0; r < order.length; r++) {
        int pool = layout.pools[r];
        tops[pool] = Math.max(tops[pool], layout.offsets[r] + given.all.size[r]);
      }
      return tops;
    }

    /** One of the buffers that reach the top of their pool, drawn in order of placing. */
    private int topBuffer(Layout layout) {
      if (order.length == 0) {
        return -1;
      }
      long[] tops = tops(layout);
      int[] found =
          Arrays.stream(order)
              .filter(r -> layout.offsets[r] + given.all.size[r] == tops[layout.pools[r]])
              .toArray();
      return found[random.next() % found.length];
    }

    private int[] earlier(int buffer) {
      return Arrays.stream(given.conflicts[buffer])
          .map(other -> position[other])
          .filter(at -> at < position[buffer])
          .sorted()
          .map(at -> order[at])
          .toArray();
    }

    /**
     * Counts, for each turn, as what of how many of a buffer's conflicting buffers its buffer is
     * placed before and conflicts with; gives their sum, the length of the original's list, which
     * holds each so often.
     */
    private int countSecondLevel(int buffer) {
      Arrays.fill(secondLevel, 0);
      int sum = 0;
      for (int near : given.conflicts[buffer]) {
        for (int far : given.conflicts[near]) {
          if (position[far] < position[near]) {
            secondLevel[position[far]]++;
            sum++;
          }
        }
      }
      return sum;
    }

    /** The buffer at a place of the original's list, which is sorted by turn. */
    private int ofSecondLevel(int place) {
      int turn = 0;
      for (int left = place; left >= secondLevel[turn]; turn++) {
        left -= secondLevel[turn];
      }
      return order[turn];
    }

    private void swap(int one, int two) {
      if (one >= 0 && one != two) {
        int kept = order[one];
        order[one] = order[two];
        order[two] = kept;
        position[order[one]] = one;
        position[order[two]] = two;
      }
    }
  }

  /**
   * The numbers of the C library function rand_r, as glibc draws them: three steps of a linear
   * congruential generator for 11, 10 and 10 bits.
   *
   * <p>Source: the documented behaviour of POSIX rand_r with glibc's constants (1103515245 and
   * 12345). Example: from seed 0 the first numbers are 1012484, 1716955679 and 1792309082.
   */
  public static final class GlibcRandom {
    private int state;

    public GlibcRandom(int seed) {
      state = seed;
    }

    /** The next number, from 0 to 2^31 - 1. */
    public int next() {
      int drawn = bits(2048);
      drawn = (drawn << 10) ^ bits(1024);
      return (drawn << 10) ^ bits(1024);
    }

    private int bits(int range) {
      state = state * 1103515245 + 12345;
      return (state >>> 16) % range;
    }
  }
}
