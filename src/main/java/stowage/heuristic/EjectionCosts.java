package stowage.heuristic;

import java.util.Arrays;
import java.util.SplittableRandom;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.ReservedRange;

/**
 * Costs of putting a buffer at an offset: the bytes of the buffers in its way there, weighted for
 * {@link EjectionSearch}, whose state this class holds and reads.
 */
final class EjectionCosts {
  private static final double MOVED_ALREADY = 0.1;
  private static final double FIXED = 1e30;
  private static final int MOST_CANDIDATES = 600;

  private final PackingProblem problem;
  private final EarlierPlaces earlier;
  private final MeetingPairs pairs;
  private final long[] tops;
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

  private double bestCost;
  private long bestOffset;
  private int bestMemory;

  EjectionCosts(
      PackingProblem problem,
      EarlierPlaces earlier,
      MeetingPairs pairs,
      long[] tops,
      SplittableRandom random) {
    this.problem = problem;
    this.earlier = earlier;
    this.pairs = pairs;
    this.tops = tops;
    this.random = random;
    this.offsets = new long[problem.size()];
    this.memories = new int[problem.size()];
    this.taken = new int[problem.size()];
  }

  long offset() {
    return bestOffset;
  }

  int memory() {
    return bestMemory;
  }

  /** How many neighbours have been looked at, over all candidate offsets. */
  long looks() {
    return looks;
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
    collect(buffer, memory);
    long size = problem.buffer(buffer).size();
    long highest = tops[memory] - size;
    long there = earlier.offsets()[buffer];
    if (highest < 0) {
      return;
    }
    if (earlier.knows(problem, buffer)
        && earlier.memories()[buffer] == memory
        && admits(buffer, there, memory)) {
      weigh(there, memory, -(double) size / (1 + taken[buffer]));
    }
    double elsewhere = taken[buffer] * 1e-3;
    weighUp(buffer, memory, 0, highest, elsewhere);
    if (tops[memory] <= PackingProblem.LARGEST_SUM) {
      weighDown(buffer, memory, highest, elsewhere);
    }
    int skip = intervals <= MOST_CANDIDATES ? 1 : intervals / MOST_CANDIDATES + 1;
    for (int k = skip == 1 ? 0 : random.nextInt(skip); k < intervals; k += skip) {
      weighUp(buffer, memory, highs[k], highest, elsewhere);
      weighDown(buffer, memory, Math.min(lows[k], highest), elsewhere);
    }
  }

  private void weighUp(int buffer, int memory, long from, long highest, double extra) {
    if (from <= highest) {
      long offset = problem.roundUp(buffer, memory, Math.max(0, from));
      if (offset >= 0 && offset <= highest) {
        weigh(offset, memory, extra);
      }
    }
  }

  private void weighDown(int buffer, int memory, long from, double extra) {
    long offset = problem.roundDown(buffer, memory, from);
    if (offset >= 0) {
      weigh(offset, memory, extra);
    }
  }

  private void weigh(long offset, int memory, double extra) {
    double cost = extra;
    int k = 0;
    for (; k < intervals && cost <= bestCost; k++) {
      if (lows[k] < offset && offset < highs[k]) {
        cost += costs[k];
      }
    }
    looks += k + 1;
    if (cost < bestCost || cost == bestCost && random.nextBoolean()) {
      bestCost = cost;
      bestOffset = offset;
      bestMemory = memory;
    }
  }

  /** The offsets that a buffer's placed neighbours forbid, each with what taking them out costs. */
  private void collect(int buffer, int memory) {
    intervals = 0;
    Buffer self = problem.buffer(buffer);
    for (int k = pairs.from(buffer); k < pairs.to(buffer); k++) {
      int other = pairs.at(k);
      if (memories[other] != memory) {
        continue;
      }
      Buffer neighbour = problem.buffer(other);
      boolean kept = earlier.knows(problem, other) && earlier.isKept(other, offsets[other], memory);
      double cost =
          neighbour.isFixed()
              ? FIXED
              : neighbour.size() * (kept ? 1 : MOVED_ALREADY) * (1 + taken[other]);
      boolean windows = self.hasWindows() || neighbour.hasWindows();
      if (windows && !problem.conflicts().contains(buffer, other)) {
        addSpans(self, neighbour, offsets[other], cost);
      } else {
        add(offsets[other] - self.size(), offsets[other] + neighbour.size(), cost);
      }
    }
  }

  private void addSpans(Buffer self, Buffer neighbour, long there, double cost) {
    for (Buffer.Span x : self.spans()) {
      for (Buffer.Span y : neighbour.spans()) {
        if (Math.max(x.start(), y.start()) < Math.min(x.end(), y.end())) {
          add(there + y.low() - x.high(), there + y.high() - x.low(), cost);
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
