package stowage.kernel.bound;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/**
 * Lower bound of the spill traffic over all orders, by phases with equally many milestones each
 * (after Hong and Kung 1981, doi 10.1145/800076.802486).
 *
 * <p>Milestones are ops of one name, say the products of a kernel; {@link PhaseNeeds} says which
 * items each needs at hand. Whatever the order, cut the time while every W-th milestone runs, which
 * is the last of its phase. In each of the phases all items needed are resident at its begin or
 * come in during it. A cache of K units holds K at the begin. So, with X(k) the units of items
 * needed in phase k of m:
 *
 * <p>units that come in >= sum of X(k) - (m - 1) K,
 *
 * <p>and they are the first units of each item, once, and what spills bring back. Each X(k) is at
 * least g(W), the least units of items that W milestones need ({@link PhaseCount}). Hence
 *
 * <p>spilled >= m g(W) - (m - 1) K - units of all items.
 *
 * <p><b>Several caches.</b> The same holds for the sum over caches of any rates a(c) times the
 * units, as long as no item counts more than the price of its spill; rates in halves up to the
 * prices are tried, then in eighths.
 *
 * <p><b>Milestones begun before.</b> A milestone whose links ran in part before the phase needs
 * less. One of its links was then used before the phase and in it, and it was spilled, at its
 * price, or was resident at the phase's begin. A cache without a rate holds so many links of the
 * least size; in a cache with a rate a link takes the place of items and counts as they do. The
 * milestone that runs at the cut has its own links at hand as well, and no other one needs them, so
 * a cache has only what these leave. So with z such milestones in a phase g(W) becomes g(W - z)
 * plus the least of these prices for each of the z beyond those that have room, and the least over
 * z counts.
 *
 * <p><b>Example.</b> The product of 16 x 16 by 16 x 16 blocks of 128 units, results of 512 that
 * cost 1,024 to spill. L1 holds 32 blocks and L0C one result. In phases of 98 of the 4,096 products
 * a phase needs q, r, s blocks with q r s >= 98^2, where results count 8 times as much as blocks;
 * the least is about 128 x 3 x (8 x 98^2)^(1/3) = 16,300 units. 42 phases need 684,000; they begin
 * with 41 x 5,120 and the blocks are 65,536 + 262,144 units. So some 145,000 units are spilled. The
 * code, which counts whole blocks and the moves that ran before a phase, takes phases of 96 and a
 * rate of 1.5 for results, and proves 162,944.
 *
 * <p>O(levels squared) for each g, with at most some 200 levels of numbers of items. Not
 * thread-safe.
 */
public final class PhaseBound {
  /** Rates and costs are in eighths of a unit. */
  static final int SCALE = 8;

  private static final int FEWEST_MILESTONES = 4;
  private static final int BLOCKS = 32;
  private static final long NEVER = Long.MAX_VALUE / 8;

  /**
   * What proves a bound.
   *
   * @param milestones the ops that phases count
   * @param items by class, the buffers of each item
   * @param needs by class, the item of each milestone
   * @param rates of each cache in eighths; 0 where it does not count
   * @param phase milestones of a phase
   */
  record Proof(
      int[] milestones,
      List<List<PhaseNeeds.Link>> links,
      int[][][] items,
      int[][] needs,
      int[] rates,
      int phase,
      long bound) {}

  private final KernelOps graph;
  private final BooleanSupplier stopped;
  private Proof best;
  private int rateStep;
  private double phaseStep;

  /**
   * @param stopped ends the work early; the bound is then weaker
   */
  public PhaseBound(KernelOps graph, BooleanSupplier stopped) {
    this.graph = graph;
    this.stopped = stopped;
  }

  /**
   * The best bound of all kinds of milestones and classes of items, in units, rounded up to a sum
   * of prices; 0 where there is none.
   */
  public long traffic() {
    Proof proof = prove();
    return proof == null ? 0 : KernelBounds.whole(graph, proof.bound);
  }

  /** The same with what proves it; null for a bound of 0. */
  Proof prove() {
    List<int[]> kinds = graph.opsByName();
    for (boolean coarse : new boolean[] {true, false}) {
      rateStep = coarse ? SCALE / 2 : 1;
      phaseStep = coarse ? 1.12 : 1.01;
      for (int[] kind : kinds) {
        if (kind.length >= FEWEST_MILESTONES && !stopped.getAsBoolean()) {
          kind(kind);
        }
      }
    }
    return best;
  }

  private void kind(int[] milestones) {
    PhaseNeeds found = new PhaseNeeds(graph, milestones);
    int classes = found.classes.size();
    for (int set = 0; set < 1 << classes; set++) {
      int[] chosen =
          IntStream.range(0, classes).filter(BitSet.valueOf(new long[] {set})::get).toArray();
      if (chosen.length == 2 || chosen.length == 3) {
        int[] with =
            IntStream.range(0, milestones.length)
                .filter(k -> Arrays.stream(chosen).allMatch(c -> found.needs.get(c)[k] >= 0))
                .toArray();
        if (with.length >= FEWEST_MILESTONES && !stopped.getAsBoolean()) {
          int[][][] items = new int[chosen.length][][];
          int[][] needs = new int[chosen.length][];
          for (int c = 0; c < chosen.length; c++) {
            int[] need = found.needs.get(chosen[c]);
            int[] own = Arrays.stream(with).map(k -> need[k]).toArray();
            int[] used = Arrays.stream(own).sorted().distinct().toArray();
            int[][] members = found.classes.get(chosen[c]);
            items[c] = Arrays.stream(used).mapToObj(item -> members[item]).toArray(int[][]::new);
            needs[c] = Arrays.stream(own).map(item -> Arrays.binarySearch(used, item)).toArray();
          }
          int[] ops = Arrays.stream(with).map(k -> milestones[k]).toArray();
          ask(ops, Arrays.stream(with).mapToObj(found.links::get).toList(), items, needs);
        }
      }
    }
  }

  private void ask(
      int[] milestones, List<List<PhaseNeeds.Link>> links, int[][][] items, int[][] needs) {
    PhaseCount count =
        new PhaseCount(needs, Arrays.stream(items).mapToInt(members -> members.length).toArray());
    int[] most = new int[graph.caches];
    for (int[][] members : items) {
      for (int[] item : members) {
        for (int b : item) {
          int rate = graph.price[b] > graph.size[b] ? 2 * SCALE : SCALE;
          most[graph.cache[b]] = Math.max(most[graph.cache[b]], rate);
        }
      }
    }
    int[] rates = most.clone();
    do {
      // with the rates of all caches below their most, each could be raised
      if (IntStream.range(0, graph.caches).anyMatch(c -> most[c] > 0 && rates[c] == most[c])) {
        PhaseCosts costs = new PhaseCosts(graph, items, rates, milestones, links);
        int n = milestones.length;
        for (int w = n / 2; w >= 1 && !stopped.getAsBoolean(); w = (int) (w / phaseStep)) {
          long found = best == null ? 0 : best.bound;
          long bound = bound(n, w, count, costs, false);
          bound = bound <= found ? 0 : bound(n, w, count, costs, true);
          if (bound > found) {
            best = new Proof(milestones, links, items, needs, rates.clone(), w, bound);
          }
        }
      }
    } while (!stopped.getAsBoolean() && next(rates, most));
  }

  /** Goes on to the next rates, from the most of each cache down to 0. */
  private boolean next(int[] rates, int[] most) {
    for (int c = 0; c < rates.length; c++) {
      if (rates[c] > 0) {
        rates[c] -= rateStep;
        return true;
      }
      rates[c] = most[c];
    }
    return false;
  }

  /**
   * The bound of phases of {@code w} of {@code n} milestones.
   *
   * @param begun whether any number of milestones may have begun before a phase; else as many as
   *     cost nothing, which never gives less
   */
  private static long bound(int n, int w, PhaseCount count, PhaseCosts costs, boolean begun) {
    int whole = n / w;
    int rest = n % w;
    long sum = whole * phase(w, count, costs, begun);
    sum += rest > 0 ? phase(rest, count, costs, begun) : 0;
    int moments = whole - (rest > 0 ? 0 : 1);
    long scaled = sum - moments * costs.room - costs.all;
    return Math.floorDiv(scaled + SCALE - 1, SCALE);
  }

  /** The least that a phase of so many milestones costs, over all numbers of those begun before. */
  private static long phase(int w, PhaseCount count, PhaseCosts costs, boolean begun) {
    int free = (int) Math.min(w, costs.free);
    long least = items(w - free, count, costs);
    if (!begun || costs.link == Long.MAX_VALUE) {
      return least;
    }
    int block;
    for (int z = free + 1; z <= w; z += block) { // z to z + block - 1 are begun before
      block = 1 + (z - free) / BLOCKS;
      long paid = (z - free) * costs.link;
      if (paid >= least) {
        break;
      }
      int asked = Math.max(0, w - z - block + 1);
      least = Math.min(least, paid + items(asked, count, costs));
    }
    return least;
  }

  /** The least cost of items that may suffice for so many milestones. */
  private static long items(int milestones, PhaseCount count, PhaseCosts costs) {
    if (milestones == 0) {
      return 0;
    }
    boolean three = count.classes() == 3;
    int last = count.classes() - 1;
    int[] outer = three ? costs.levels[0] : new int[] {1};
    int[] inner = costs.levels[last - 1];
    double[] ofInner = new double[inner.length];
    for (int j = 0; three && j < inner.length; j++) {
      ofInner[j] = count.others(1, milestones, inner[j]);
    }
    long least = NEVER;
    for (int i = 0; i < outer.length; i++) {
      // from the fewest of a level to its most: the cost of the one, the use of the other
      long first = three ? costs.of(0, i == 0 ? 1 : outer[i - 1] + 1) : 0;
      if (first >= least) {
        break;
      }
      double ofOuter = three ? count.others(0, milestones, outer[i]) : 0;
      for (int j = 0; j < inner.length; j++) {
        long second = first + costs.of(last - 1, j == 0 ? 1 : inner[j - 1] + 1);
        if (second >= least) {
          break;
        }
        long fewest = count.fewest(milestones, outer[i], inner[j]);
        double product = Math.max(ofOuter / inner[j], ofInner[j] / outer[i]);
        fewest = Math.max(fewest, (long) Math.ceil(product));
        if (fewest <= costs.items(last) && second + costs.of(last, (int) fewest) < least) {
          fewest = count.hub(milestones, (long) outer[i] * inner[j], fewest);
          if (fewest <= costs.items(last)) {
            least = Math.min(least, second + costs.of(last, (int) fewest));
          }
        }
      }
    }
    return least;
  }

  /**
   * Costs of items and links under rates of caches, for {@link PhaseBound}; in parts of a unit, as
   * the rates are.
   */
  private static final class PhaseCosts {
    /** Numbers of items up to this are looked at one by one, higher ones by levels. */
    private static final int ONE_BY_ONE = 96;

    private static final double GROWTH = 1.02;

    /** By class and number, the least cost of so many items. */
    private final long[][] least;

    /** The numbers of items of a class that are looked at, the last being all. */
    private final int[][] levels;

    /** What the caches hold at a moment, at most. */
    private final long room;

    /** The cost of all items. */
    private final long all;

    /** How many links the caches without a rate hold at a moment, at most. */
    private final long free;

    /** The least cost of a link that is held at a rate or spilled; the largest number for none. */
    private final long link;

    PhaseCosts(
        KernelOps graph,
        int[][][] items,
        int[] rates,
        int[] milestones,
        List<List<PhaseNeeds.Link>> links) {
      least = new long[items.length][];
      levels = new int[items.length][];
      long sum = 0;
      for (int c = 0; c < items.length; c++) {
        long[] costs =
            Arrays.stream(items[c])
                .mapToLong(item -> Arrays.stream(item).mapToLong(b -> cost(graph, rates, b)).sum())
                .sorted()
                .toArray();
        least[c] = new long[costs.length + 1];
        for (int i = 0; i < costs.length; i++) {
          least[c][i + 1] = least[c][i] + costs[i];
        }
        sum += least[c][costs.length];
        levels[c] =
            IntStream.iterate(
                    1,
                    i -> i < costs.length,
                    i -> i < ONE_BY_ONE ? i + 1 : (int) Math.ceil(i * GROWTH))
                .toArray();
        levels[c] = Arrays.copyOf(levels[c], levels[c].length + 1);
        levels[c][levels[c].length - 1] = costs.length;
      }
      all = sum;
      long[] left = new long[graph.caches]; // by the own links of the milestone at the cut
      for (int k = 0; k < milestones.length; k++) {
        int ends = milestones[k];
        int[] own =
            links.get(k).stream()
                .filter(link -> link.to() == ends)
                .mapToInt(PhaseNeeds.Link::buffer)
                .distinct()
                .toArray();
        for (int c = 0; c < graph.caches; c++) {
          int cache = c;
          long taken =
              Arrays.stream(own)
                  .filter(b -> graph.cache[b] == cache)
                  .mapToLong(b -> graph.size[b])
                  .sum();
          left[c] = Math.max(left[c], graph.capacity[c] * graph.unit[c] - taken);
        }
      }
      long held = 0;
      for (int c = 0; c < graph.caches; c++) {
        held += rates[c] * left[c];
      }
      room = held;
      long[] smallest = new long[graph.caches];
      long paid = Long.MAX_VALUE;
      for (List<PhaseNeeds.Link> own : links) {
        for (PhaseNeeds.Link next : own) {
          int b = next.buffer();
          int c = graph.cache[b];
          long price = PhaseBound.SCALE * graph.price[b];
          paid = Math.min(paid, rates[c] > 0 ? Math.min(price, rates[c] * graph.size[b]) : price);
          smallest[c] = smallest[c] == 0 ? graph.size[b] : Math.min(smallest[c], graph.size[b]);
        }
      }
      link = paid;
      long fit = 0;
      for (int c = 0; c < graph.caches; c++) {
        if (rates[c] == 0 && smallest[c] > 0) {
          fit += left[c] / smallest[c];
        }
      }
      free = fit;
    }

    private static long cost(KernelOps graph, int[] rates, int b) {
      return Math.min(rates[graph.cache[b]] * graph.size[b], PhaseBound.SCALE * graph.price[b]);
    }

    /** The least cost of some items of a class. */
    long of(int c, int items) {
      return least[c][items];
    }

    int items(int c) {
      return least[c].length - 1;
    }
  }
}
