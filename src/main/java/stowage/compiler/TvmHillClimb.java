package stowage.compiler;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.liveness.PlanningCase;
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
 * only while none has fitted. O(attempts · (n log n + conflicts log conflicts)).
 */
public final class TvmHillClimb implements CasePlanner {
  private static final int ATTEMPTS = 500;

  @Override
  public String name() {
    return "tvm";
  }

  @Override
  public String summary() {
    return "TVM's hill climb: swaps what lies below the top, keeps the last plan accepted";
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    TvmBuffers given = new TvmBuffers(name(), planningCase.problem());
    Climb climb = new Climb(given);
    climb.run(control);
    return CasePlan.arena(given.all.placement(climb.accepted.offsets, climb.accepted.pools));
  }

  /** A placement of all buffers. */
  private record Layout(long[] offsets, int[] pools, boolean fits) {}

  private static final class Climb {
    private final TvmBuffers given;
    private final int[] order;
    private final int[] position;
    private final GlibcRandom random = new GlibcRandom(0);
    private final long pressure;
    private Layout accepted;

    Climb(TvmBuffers given) {
      this.given = given;
      Integer[] sorted = given.all.fileOrder();
      Arrays.sort(sorted, given.bySize());
      this.order = Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
      this.position = new int[order.length];
      for (int k = 0; k < order.length; k++) {
        position[order[k]] = k;
      }
      this.pressure = new InductorReuse.LoadEstimate(given.all).largest();
      this.accepted = place();
    }

    void run(RunControl control) {
      long current = 0;
      Layout previous = null;
      int one = -1;
      int two = -1;
      for (int attempt = 0; attempt < ATTEMPTS && !control.isStopped(); attempt++) {
        Layout layout = place();
        long total = total(layout);
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
        int[] far = secondLevel(top);
        if (near.length == 0) {
          continue;
        }
        int first = near[random.next() % near.length];
        int second = first;
        while (second == first) {
          second =
              far.length > 0 && random.next() % 100 > 25
                  ? far[random.next() % far.length]
                  : near[random.next() % near.length];
          if (far.length < 2 && near.length < 2) {
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
      Arrays.fill(pools, -1);
      boolean fits = true;
      long[] keys = new long[n];
      int[] placed = new int[n];
      for (int r : order) {
        int count = 0;
        for (int other : given.conflicts[r]) {
          if (pools[other] >= 0) {
            placed[count++] = other;
          }
        }
        sortByOffset(placed, count, offsets, keys);
        long chosen = -1;
        int where = -1;
        for (int pool : given.pools[r]) {
          chosen = raised(r, pool, placed, count, offsets, pools);
          where = pool;
          if (given.fits(pool, chosen, given.all.size[r])) {
            break;
          }
          chosen = -1;
        }
        if (chosen < 0) {
          fits = false;
          chosen = raised(r, where, placed, count, offsets, pools);
        }
        offsets[r] = chosen;
        pools[r] = where;
      }
      return new Layout(offsets, pools, fits);
    }

    private long raised(int r, int pool, int[] placed, int count, long[] offsets, int[] pools) {
      long candidate = 0;
      for (int k = 0; k < count; k++) {
        int other = placed[k];
        long end = offsets[other] + given.all.size[other];
        if (pools[other] == pool
            && end > candidate
            && candidate + given.all.size[r] > offsets[other]) {
          candidate = end;
        }
      }
      return candidate;
    }

    /** Sorts rectangles by offset, then by number, through offsets ranked by the sort itself. */
    private static void sortByOffset(int[] placed, int count, long[] offsets, long[] keys) {
      for (int k = 0; k < count; k++) {
        keys[k] = offsets[placed[k]];
      }
      // Insertion suffices for the short lists, and is stable.
      if (count < 40) {
        for (int k = 1; k < count; k++) {
          int moved = placed[k];
          long key = keys[k];
          int at = k;
          while (at > 0 && keys[at - 1] > key) {
            placed[at] = placed[at - 1];
            keys[at] = keys[at - 1];
            at--;
          }
          placed[at] = moved;
          keys[at] = key;
        }
        return;
      }
      int[] sorted =
          IntStream.of(Arrays.copyOf(placed, count))
              .boxed()
              .sorted((a, b) -> Long.compare(offsets[a], offsets[b]))
              .mapToInt(Integer::intValue)
              .toArray();
      System.arraycopy(sorted, 0, placed, 0, count);
    }

    private long total(Layout layout) {
      long[] tops = tops(layout);
      return Arrays.stream(tops).sum();
    }

    private long[] tops(Layout layout) {
      int highest = Arrays.stream(layout.pools).max().orElse(0);
      long[] tops = new long[highest + 1];
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
      return byPosition(
          Arrays.stream(given.conflicts[buffer])
              .filter(other -> position[other] < position[buffer]));
    }

    /**
     * What conflicts with any conflicting buffer and is placed before that one, with repetition.
     */
    private int[] secondLevel(int buffer) {
      return byPosition(
          Arrays.stream(given.conflicts[buffer])
              .flatMap(
                  near ->
                      Arrays.stream(given.conflicts[near])
                          .filter(far -> position[far] < position[near])));
    }

    private int[] byPosition(IntStream buffers) {
      return buffers.map(r -> position[r]).sorted().map(k -> order[k]).toArray();
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
}
