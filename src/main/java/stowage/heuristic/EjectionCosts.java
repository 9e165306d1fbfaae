package stowage.heuristic;

import java.util.Arrays;
import java.util.SplittableRandom;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.ReservedRange;

/**
 * Costs of putting a buffer at an offset: the weights of the buffers in its way there, times a
 * power of how often they were taken out. Holds the state of {@link EjectionSearch}, which it
 * reads.
 */
final class EjectionCosts {
  /** How much more a buffer costs at its earlier place than one that has moved. Sums are exact. */
  private static final double MOVED = 10;

  private static final double FIXED = 1e30;

  /** For each offset weighed so many slots take no longer than sorting. */
  private static final int SLOTS_EACH = 8;

  private final PackingProblem problem;
  private final EarlierPlaces earlier;
  private final MeetingPairs pairs;
  private final double[] weights;
  private final boolean steep;
  private final long[] tops;
  private final long[] sizes;
  private final boolean[] fixed;
  private final SplittableRandom random;

  // The state of the search, which it changes.
  final long[] offsets;

  /** The memory of a placed buffer; -1 while it waits. */
  final int[] memories;

  /** How often each buffer was taken out. */
  final int[] taken;

  // Neighbours in the memory that is looked at: open intervals of offsets and what they cost.
  private long[] lows = new long[256];
  private long[] highs = new long[256];
  private double[] costs = new double[256];
  private int intervals;
  private long looks;

  // Offsets that are weighed, and what changes at each slot: of all multiples of a power of two up
  // to the highest where these are not many more, else of the offsets, sorted.
  private long[] places = new long[512];
  private int candidates;
  private boolean even;
  private int shift;
  private int slots;
  private boolean[] offered = new boolean[0];
  private double[] changes = new double[0];
  private int[] walls = new int[0];

  private double bestCost;
  private long bestOffset;
  private int bestMemory;

  /**
   * @param weights what taking each buffer out costs, whole numbers
   * @param steep whether that grows with the cube of how often it was taken out, else its square
   * @param tops the highest ends admitted in each memory, in bytes
   */
  EjectionCosts(
      PackingProblem problem,
      EarlierPlaces earlier,
      MeetingPairs pairs,
      double[] weights,
      boolean steep,
      long[] tops,
      SplittableRandom random) {
    this.problem = problem;
    this.earlier = earlier;
    this.pairs = pairs;
    this.weights = weights;
    this.steep = steep;
    this.tops = tops;
    this.random = random;
    this.offsets = new long[problem.size()];
    this.memories = new int[problem.size()];
    this.sizes = problem.buffers().stream().mapToLong(Buffer::size).toArray();
    this.fixed = new boolean[problem.size()];
    for (int i = 0; i < fixed.length; i++) {
      fixed[i] = problem.buffer(i).isFixed();
    }
    this.taken = new int[problem.size()];
  }

  long offset() {
    return bestOffset;
  }

  int memory() {
    return bestMemory;
  }

  /** How many neighbours and candidate offsets have been looked at. */
  long looks() {
    return looks;
  }

  /** The weight of a buffer times one more than how often it was taken out, squared where steep. */
  double urgency(int buffer) {
    double times = 1 + taken[buffer];
    return weights[buffer] * times * (steep ? times : 1);
  }

  /** Whether a buffer may be at an offset of a memory, whatever else is there. */
  boolean admits(int buffer, long offset, int memory) {
    if (!problem.allows(buffer, memory) || offset + problem.buffer(buffer).size() > tops[memory]) {
      return false;
    }
    for (ReservedRange range : problem.memories().get(memory).reserved()) {
      if (offset < range.to() && range.from() < offset + problem.buffer(buffer).size()) {
        return false;
      }
    }
    return problem.roundUp(buffer, memory, offset) == offset;
  }

  /** Finds the offset at which what is in the way costs least; false where there is none. */
  boolean choose(int buffer) {
    bestCost = FIXED;
    for (int m = 0; m < tops.length; m++) {
      if (problem.allows(buffer, m)) {
        chooseIn(buffer, m);
      }
    }
    return bestCost < FIXED;
  }

  private void chooseIn(int buffer, int memory) {
    long size = problem.buffer(buffer).size();
    long highest = tops[memory] - size;
    if (highest < 0) {
      return;
    }
    collect(buffer, memory);
    candidates = 0;
    long there = earlier.offsets()[buffer];
    boolean back =
        earlier.knows(problem, buffer)
            && earlier.memories()[buffer] == memory
            && admits(buffer, there, memory);
    if (back) {
      offer(there);
    }
    offerUp(buffer, memory, 0, highest);
    if (tops[memory] <= PackingProblem.LARGEST_SUM) {
      offerDown(buffer, memory, highest);
    }
    for (int k = 0; k < intervals; k++) {
      offerUp(buffer, memory, highs[k], highest);
      offerDown(buffer, memory, Math.min(lows[k], highest));
    }
    weigh(
        memory,
        back ? there : -1,
        -MOVED * weights[buffer] / (1 + taken[buffer]),
        taken[buffer] * 1e-3);
  }

  private void offerUp(int buffer, int memory, long from, long highest) {
    if (from <= highest) {
      long offset = problem.roundUp(buffer, memory, Math.max(0, from));
      if (offset >= 0 && offset <= highest) {
        offer(offset);
      }
    }
  }

  private void offerDown(int buffer, int memory, long from) {
    long offset = problem.roundDown(buffer, memory, from);
    if (offset >= 0) {
      offer(offset);
    }
  }

  private void offer(long offset) {
    if (candidates == places.length) {
      places = Arrays.copyOf(places, 2 * candidates);
    }
    places[candidates++] = offset;
  }

  /**
   * Compares the candidates, with what each interval costs added where it begins and taken off
   * where it ends. O(k) for k intervals with slots of equal width, else O(k log k).
   *
   * @param back the buffer's earlier place where it may be there, else -1
   * @param forBack what that place costs besides, and {@code elsewhere} what any other does
   */
  private void weigh(int memory, long back, double forBack, double elsewhere) {
    arrange();
    for (int k = 0; k < intervals; k++) {
      int from = slot(lows[k] + 1);
      int to = slot(highs[k]);
      if (from >= to) {
        continue;
      } else if (costs[k] == FIXED) {
        walls[from]++;
        walls[to]--;
      } else {
        changes[from] += costs[k];
        changes[to] -= costs[k];
      }
    }
    looks += candidates + intervals;
    double sum = 0;
    int inside = 0;
    int equal = 1;
    for (int k = 0; k < slots; k++) {
      sum += changes[k];
      inside += walls[k];
      if (even && !offered[k]) {
        continue;
      }
      long place = even ? (long) k << shift : places[k];
      double cost = inside > 0 ? FIXED : sum + (place == back ? forBack : elsewhere);
      if (cost < bestCost || cost == bestCost && cost < FIXED && random.nextInt(++equal) == 0) {
        equal = cost < bestCost ? 1 : equal;
        bestCost = cost;
        bestOffset = place;
        bestMemory = memory;
      }
    }
  }

  /** Chooses the slots and clears them. */
  private void arrange() {
    long all = 0;
    long highest = 0;
    for (int k = 0; k < candidates; k++) {
      all |= places[k];
      highest = Math.max(highest, places[k]);
    }
    shift = Long.numberOfTrailingZeros(all) & 63;
    even = highest >> shift < (long) SLOTS_EACH * candidates;
    slots = even ? (int) (highest >> shift) + 1 : candidates;
    if (changes.length <= slots) {
      changes = new double[2 * slots + 1];
      walls = new int[2 * slots + 1];
      offered = new boolean[2 * slots + 1];
    }
    Arrays.fill(changes, 0, slots + 1, 0);
    Arrays.fill(walls, 0, slots + 1, 0);
    if (even) {
      Arrays.fill(offered, 0, slots, false);
      for (int k = 0; k < candidates; k++) {
        offered[(int) (places[k] >> shift)] = true;
      }
    } else {
      Arrays.sort(places, 0, candidates);
    }
  }

  /** The first slot of an offset not below this one. */
  private int slot(long offset) {
    if (!even) {
      return OrderKeys.lowerBound(places, candidates, offset);
    }
    long slot = offset <= 0 ? 0 : (offset - 1 >> shift) + 1;
    return (int) Math.min(slot, slots);
  }

  /** The offsets that a buffer's placed neighbours forbid, each with what taking them out costs. */
  private void collect(int buffer, int memory) {
    intervals = 0;
    long size = sizes[buffer];
    int to = pairs.to(buffer);
    for (int k = pairs.from(buffer); k < to; k++) {
      int other = pairs.at(k);
      if (memories[other] != memory) {
        continue;
      }
      boolean kept = earlier.knows(problem, other) && earlier.isKept(other, offsets[other], memory);
      double cost = fixed[other] ? FIXED : urgency(other) * (1 + taken[other]) * (kept ? MOVED : 1);
      if (!pairs.isWhole(buffer, other)) {
        addSpans(pairs.spans(buffer), pairs.spans(other), offsets[other], cost);
      } else {
        add(offsets[other] - size, offsets[other] + sizes[other], cost);
      }
    }
  }

  /** The offsets at which two buffers clash, each once. */
  private void addSpans(Buffer.Span[] self, Buffer.Span[] neighbour, long there, double cost) {
    int first = intervals;
    for (Buffer.Span x : self) {
      for (Buffer.Span y : neighbour) {
        if (MeetingPairs.areAtOnce(x, y)) {
          long low = there + y.low() - x.high();
          long high = there + y.high() - x.low();
          for (int k = first; k < intervals; k++) {
            if (lows[k] < high && low < highs[k]) {
              low = Math.min(low, lows[k]);
              high = Math.max(high, highs[k]);
              intervals--;
              lows[k] = lows[intervals];
              highs[k] = highs[intervals];
              k = first - 1;
            }
          }
          add(low, high, cost);
        }
      }
    }
  }

  private void add(long low, long high, double cost) {
    if (intervals == lows.length) {
      lows = Arrays.copyOf(lows, 2 * intervals);
      highs = Arrays.copyOf(highs, 2 * intervals);
      costs = Arrays.copyOf(costs, 2 * intervals);
    }
    lows[intervals] = low;
    highs[intervals] = high;
    costs[intervals++] = cost;
  }
}
