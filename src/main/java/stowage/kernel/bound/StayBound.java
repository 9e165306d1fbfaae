package stowage.kernel.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.kernel.model.KernelOps;

/**
 * Lower bound of the spill traffic over all orders, by sums that stay in their cache from their
 * first product to their last, or are spilled.
 *
 * <p>Milestones are ops of one name, say the products of a kernel. Those that use the same buffer,
 * the <em>state</em>, run one after another. A <em>stay</em> is such a chain of milestones. Where
 * the state is spilled between the first and the last milestone of a stay, that costs its price,
 * for each such stay. The other stays are <em>kept</em>: while one of their milestones runs, the
 * states of all others under way are in the cache. Here there is room for one more at most.
 *
 * <p><b>Phases.</b> Cut the time where every g-th kept stay ends, while its last milestone runs. In
 * a phase g kept stays end. All of them are whole in it except for one, if that was under way at
 * the cut before, and one may be under way at its end. Let X be the units of items ({@link
 * PhaseNeeds}) that the milestones of these stays in the phase need. As the caches of the items
 * hold K units, spills of items bring back at least the sum of X - K over the phases, and K, less A
 * units of all items, which come in for the first time. The first phase is the one of fewer ends.
 *
 * <p><b>Prices.</b> Let each stay have a price of which a part of a stay has its share by
 * milestones, such that for each set of stays and parts of which a phase may consist X - K is at
 * least the price of the set. Then kept stays cost what their prices add up to, and K - A. In the
 * first phase, with fewer ends, prices exceed X - K by d at most. With any rate u from 0 to 1 for
 * items
 *
 * <p>spilled >= sum over stays of min(price of its state, u x price of the stay) - u (A - K + d),
 *
 * <p>whichever stays are kept. {@link StaySets} finds prices: those of all types of stays are
 * raised together, until a set of some types has no more units; then the others go on. g and u are
 * those that give most.
 *
 * <p><b>Milestones begun before.</b> An item that a milestone needs by a link need not be at hand
 * where the link's first op ran before the cut. At a cut a cache holds only so many links alongside
 * those of the milestone that runs, and each of them serves one milestone; so of the items needed
 * no more often than that, the dearest are not counted. Beyond these a link was spilled at its
 * price, which is no less than the item, as u is taken no larger than that.
 *
 * <p><b>Example.</b> The product of 16 x 16 by 16 x 16 blocks of 128 units in L1, which holds 32;
 * L0C holds one sum of 512, which costs 1,024 to spill. A sum needs 32 blocks, three sums need 64
 * or more. So with g = 3 a sum has the price of (64 - 32) / 3 blocks, some 1,365 units, less what
 * two links save, which leaves 1,280. Either a sum is spilled or it is kept, and with u = 0.8 each
 * costs 1,024. All blocks are 65,536 units, and a first phase of one sum loses 1,280. So 262,144 -
 * 0.8 x (65,536 - 4,096 + 1,280) = 211,968 units are spilled at least.
 *
 * <p>Not thread-safe.
 */
public final class StayBound {
  private static final int FEWEST_STAYS = 2;
  private static final int MOST_ENDS = 12;
  private static final int PATIENCE = 3;
  private static final long WORK = 40_000_000;
  private static final double SURE = 1e-6;

  /**
   * What proves a bound.
   *
   * @param stays the milestones of each, in order
   * @param states the buffer of each that is kept or spilled
   * @param items buffers of each
   * @param needs by stay and milestone, the items needed
   * @param links by stay and milestone
   * @param prices of stays in units of items
   * @param ends of stays in a phase
   * @param rate what a unit of items counts
   * @param lost by the first phase, in units
   */
  record Proof(
      int[][] stays,
      int[] states,
      int[][] items,
      int[][][] needs,
      List<List<List<PhaseNeeds.Link>>> links,
      double[] prices,
      int ends,
      double rate,
      double lost,
      long bound) {}

  private final KernelOps graph;
  private final BooleanSupplier stopped;
  private final KernelSymmetry symmetry;
  private final Map<Integer, KernelSymmetry.Labelling> labels = new HashMap<>();
  private Proof best;

  /**
   * @param stopped ends the work early; the bound is then weaker
   */
  public StayBound(KernelOps graph, BooleanSupplier stopped) {
    this.graph = graph;
    this.stopped = stopped;
    symmetry = new KernelSymmetry(graph);
  }

  private KernelSymmetry.Labelling label(int op) {
    byte[] marks = new byte[graph.ops];
    marks[op] = 1;
    return symmetry.label(marks);
  }

  /** The best bound found, in units, rounded up to a sum of prices; 0 where there is none. */
  public long traffic() {
    Proof proof = prove();
    return proof == null ? 0 : KernelBounds.whole(graph, proof.bound);
  }

  /** The same with what proves it; null for a bound of 0. */
  Proof prove() {
    for (int[] milestones : graph.opsByName()) {
      if (milestones.length >= FEWEST_STAYS && !stopped.getAsBoolean()) {
        PhaseNeeds found = new PhaseNeeds(graph, milestones);
        for (int c = 0; c < found.classes.size(); c++) {
          StayChains chains = StayChains.of(graph, found, milestones, c);
          if (chains != null) {
            ask(chains);
          }
        }
      }
    }
    return best;
  }

  private void ask(StayChains chains) {
    int[] cell = symmetry.cellsOfOps();
    List<List<Integer>> kinds =
        chains.milestones().stream()
            .map(own -> List.of(cell[own[own.length - 1]], own.length))
            .toList();
    long most = 0;
    int idle = 0;
    for (int ends = 1; ends <= MOST_ENDS && idle < PATIENCE && !stopped.getAsBoolean(); ends++) {
      List<Integer> left = new ArrayList<>(IntStream.range(0, kinds.size()).boxed().toList());
      Phases phases = null;
      boolean[] out = new boolean[0];
      while (out != null && left.size() >= Math.max(FEWEST_STAYS, ends)) {
        List<List<Integer>> own = left.stream().map(kinds::get).distinct().toList();
        int[] type = left.stream().mapToInt(r -> own.indexOf(kinds.get(r))).toArray();
        phases = new Phases(chains, left.stream().mapToInt(r -> r).toArray(), type, ends);
        out = phases.ask();
        for (int k = left.size() - 1; k >= 0 && out != null; k--) {
          if (out[type[k]]) { // these stays may fit into the room and have no price
            left.remove(k);
          }
        }
      }
      if (phases != null && phases.over) {
        return; // more ends take longer still
      }
      long found = phases == null ? 0 : phases.bound;
      idle = found > most || most == 0 ? 0 : idle + 1;
      most = Math.max(most, found);
    }
  }

  /** Prices of stays for phases of so many ends. */
  private final class Phases {
    private final StayChains chains;
    private final int[][] stays;
    private final int[] states;
    private final int[] type;
    private final int ends;
    private final int[][][] needs;
    private final int[] stayOf;
    private final int[] itemOf;
    private final long[] cost;
    private final StaySets sets;
    private final long all;

    /** Whether the work ended first. */
    private boolean over;

    private long bound;

    Phases(StayChains chains, int[] chosen, int[] type, int ends) {
      this.chains = chains;
      this.type = type;
      this.ends = ends;
      stays = Arrays.stream(chosen).mapToObj(chains.milestones()::get).toArray(int[][]::new);
      states = Arrays.stream(chosen).map(r -> chains.states()[r]).toArray();
      needs = new int[stays.length][][];
      boolean[] used = new boolean[chains.items().length];
      for (int r = 0; r < stays.length; r++) {
        needs[r] = Arrays.stream(stays[r]).mapToObj(chains.needs()::get).toArray(int[][]::new);
        Arrays.stream(needs[r]).flatMapToInt(Arrays::stream).forEach(i -> used[i] = true);
      }
      stayOf = new int[graph.ops];
      Arrays.fill(stayOf, -1);
      for (int r = 0; r < stays.length; r++) {
        for (int v : stays[r]) {
          stayOf[v] = r;
        }
      }
      itemOf = new int[graph.buffers];
      Arrays.fill(itemOf, -1);
      for (int i = 0; i < chains.items().length; i++) {
        for (int b : chains.items()[i]) {
          itemOf[b] = i;
        }
      }
      cost =
          Arrays.stream(chains.items()).mapToLong(item -> StayChains.units(graph, item)).toArray();
      int[] image = new int[stays.length];
      int[] first = firsts(image);
      all = IntStream.range(0, cost.length).filter(i -> used[i]).mapToLong(i -> cost[i]).sum();
      sets = new StaySets(needs, type, cost, chains, first, image, stopped);
    }

    /** The first stays of which all others are images; which of them each is an image of. */
    private int[] firsts(int[] image) {
      List<Integer> first = new ArrayList<>();
      List<KernelSymmetry.Labelling> seen = new ArrayList<>();
      for (int r = 0; r < stays.length; r++) {
        KernelSymmetry.Labelling own = labels.computeIfAbsent(stays[r][0], StayBound.this::label);
        int k = 0;
        while (k < seen.size()
            && (stays[first.get(k)].length != stays[r].length
                || !maps(first.get(k), r, seen.get(k).order(), own.order()))) {
          k++;
        }
        if (k == seen.size()) {
          first.add(r);
          seen.add(own);
        }
        image[r] = k;
      }
      return first.stream().mapToInt(r -> r).toArray();
    }

    /** Whether orders of ops and buffers map stays onto stays, one onto another; exact. */
    private boolean maps(int one, int another, int[] from, int[] to) {
      int[] image = new int[from.length];
      for (int i = 0; i < from.length; i++) {
        image[from[i]] = to[i];
      }
      if (image[stays[one][0]] != stays[another][0]) {
        return false;
      }
      for (int r = 0; r < stays.length; r++) {
        int[] stay = stays[r];
        int other = image[stay[0]] < graph.ops ? stayOf[image[stay[0]]] : -1;
        for (int p = 0; p < stay.length; p++) {
          if (other < 0
              || type[other] != type[r]
              || stays[other].length != stay.length
              || stays[other][p] != image[stay[p]]
              || !needsAlong(stay[p], image)) {
            return false;
          }
        }
      }
      return true;
    }

    private boolean needsAlong(int v, int[] image) {
      int[] own = chains.needs().get(v);
      int[] others = chains.needs().get(image[v]);
      for (int i : own) {
        int b = image[graph.ops + chains.items()[i][0]] - graph.ops;
        int j = b < 0 ? -1 : itemOf[b];
        if (j < 0
            || cost[i] != cost[j]
            || chains.via()[i] != chains.via()[j]
            || Arrays.stream(others).noneMatch(other -> other == j)) {
          return false;
        }
      }
      return own.length == others.length;
    }

    /** Offers bounds; the types that have no price where there are such, else null. */
    private boolean[] ask() {
      Arrays.fill(sets.raised, true);
      for (boolean open = true; open; ) {
        double level = sets.lower(ends, 2.0 * all, WORK);
        if (Double.isNaN(level)) {
          over = true;
          return null;
        }
        boolean[] tight = sets.tight();
        if (level < 0) {
          return tight;
        }
        open = false;
        for (int t = 0; t < sets.raised.length; t++) {
          sets.raised[t] &= tight != null && !tight[t];
          open |= sets.raised[t];
        }
      }
      offer();
      return null;
    }

    /** Offers the bound of the prices found at its best rate. */
    private void offer() {
      double lost = sets.lost(ends, WORK);
      double[] prices = Arrays.stream(type).mapToDouble(t -> sets.price[t] * (1 - SURE)).toArray();
      double[] rates =
          IntStream.range(0, prices.length)
              .mapToDouble(r -> prices[r] > 0 ? graph.price[states[r]] / prices[r] : 1)
              .map(rate -> Math.min(rate, chains.mostRate()))
              .sorted()
              .distinct()
              .toArray();
      double found = 0;
      double of = 0;
      for (double rate : rates) {
        double sum = -rate * (Math.max(0, all - chains.room()) + lost);
        for (int r = 0; r < prices.length; r++) {
          sum += Math.min(graph.price[states[r]], rate * prices[r]);
        }
        if (sum > found) {
          found = sum;
          of = rate;
        }
      }
      bound = (long) Math.ceil(found - SURE * all);
      if (bound > (best == null ? 0 : best.bound)) {
        List<List<List<PhaseNeeds.Link>>> links =
            Arrays.stream(stays)
                .map(own -> Arrays.stream(own).mapToObj(chains.links()::get).toList())
                .toList();
        best =
            new Proof(stays, states, chains.items(), needs, links, prices, ends, of, lost, bound);
      }
    }
  }
}
