package stowage.heuristic;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * A search for the placement below given peaks that leaves the most bytes where an {@linkplain
 * EarlierPlaces earlier plan} has them.
 *
 * <p><b>Start.</b> Buffers are put at their earlier places, those that did not change first, as far
 * as these are still free and below the peaks. The others wait.
 *
 * <p><b>Ejections.</b> The waiting buffer of the largest weight times one more than the number of
 * times that it was taken out since the start takes the offset at which what is in its way costs
 * least, and that is taken out and waits in turn. What has moved already costs its weight times the
 * square of that number, so that no two buffers push each other out for ever; what is at its
 * earlier place ten times as much. A weight is the buffer's bytes. A descent, which keeps no
 * places, has other weights and one power more of both. Offsets that are weighed: the earlier one,
 * and those just above and just below each buffer in the way. When nothing waits, the placement is
 * valid.
 *
 * <p><b>Descent.</b> From a valid placement a moved buffer is put back to its earlier place, and
 * what was there ejected as before, for some steps. Where that ends with fewer bytes moved, or as
 * many, the search continues from there, else from where it was.
 *
 * <p>Example: peak 12; a [0, 4) bytes, b [4, 8) and c [8, 12) are alive at once, and b is to be 5
 * bytes long while d, which was never at once with c, leaves [8, 12) free earlier. Nothing is free
 * for b; at 4 it meets c alone, which costs 4 and goes to where d was.
 *
 * <p>Source: ejection pools with counts as in guided ejection search (Nagata and Bräysy 2009, doi
 * 10.1016/j.orl.2009.04.006), here on offsets. A step takes O(k²) at worst for k neighbours.
 */
public final class EjectionSearch {
  /** Pairs that meet, beyond which no search is begun: some hundred megabytes. */
  static final long MOST_PAIRS = 20_000_000;

  /** Steps of one try to put a buffer back, at least and a waiting buffer. */
  private static final int STEPS_BACK = 40;

  /** Work of one look at a neighbour or a candidate offset, in units of about a microsecond. */
  private static final double UNITS_PER_LOOK = 0.3;

  private final PackingProblem problem;
  private final EarlierPlaces earlier;
  private final MeetingPairs pairs;
  private final long[] tops;
  private final SplittableRandom random;

  private final EjectionCosts costs;

  // The state, which the costs hold.
  private final long[] offsets;
  private final int[] memories;
  private final int[] taken;
  private final int[] waiting;
  private int waitingCount;
  private long movedBytes;

  // Changes since the last mark, to be undone.
  private int[] changed = new int[64];
  private long[] changedOffsets = new long[64];
  private int[] changedMemories = new int[64];
  private int changes;

  /** A search below the highest ends admitted in each memory, in bytes. */
  public EjectionSearch(PackingProblem problem, EarlierPlaces earlier, long[] tops, long seed) {
    this(
        problem,
        MeetingPairs.of(problem, MOST_PAIRS),
        earlier,
        problem.buffers().stream().mapToDouble(Buffer::size).toArray(),
        false,
        tops,
        seed);
  }

  /**
   * The same with the pairs that meet, what taking each buffer out costs, whole numbers, and
   * whether that grows steeply, see {@link EjectionCosts}.
   */
  EjectionSearch(
      PackingProblem problem,
      MeetingPairs pairs,
      EarlierPlaces earlier,
      double[] weights,
      boolean steep,
      long[] tops,
      long seed) {
    this.problem = problem;
    this.earlier = earlier;
    this.pairs = pairs;
    this.tops = tops.clone();
    this.random = new SplittableRandom(seed);
    this.waiting = new int[problem.size()];
    this.costs = new EjectionCosts(problem, earlier, pairs, weights, steep, this.tops, random);
    this.offsets = costs.offsets;
    this.memories = costs.memories;
    this.taken = costs.taken;
  }

  /** The capacities of a problem's memories, in bytes. */
  public static long[] capacities(PackingProblem problem) {
    return problem.memories().stream().mapToLong(Memory::capacity).toArray();
  }

  /** Whether the problem has too many pairs for it; nothing else may be called then. */
  public boolean isTooLarge() {
    return pairs == null;
  }

  /** Which buffers the start leaves at their earlier places. */
  boolean[] keepable() {
    start();
    boolean[] kept = new boolean[problem.size()];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = earlier.knows(problem, i) && memories[i] >= 0;
    }
    return kept;
  }

  /** Puts buffers at their earlier places, as far as these are free. */
  private void start() {
    Arrays.fill(memories, -1);
    Arrays.fill(taken, 0);
    waitingCount = 0;
    movedBytes = 0;
    int[] order = OrderKeys.sorted(problem, OrderKeys.bySize(problem));
    for (int round = 0; round < 3; round++) {
      for (int buffer : order) {
        startAt(buffer, round);
      }
    }
    for (int buffer : order) {
      if (memories[buffer] < 0) {
        waiting[waitingCount++] = buffer;
        movedBytes += earlier.knows(problem, buffer) ? problem.buffer(buffer).size() : 0;
      }
    }
    changes = 0;
  }

  /** Round 0 places what is fixed or needs nothing, 1 what did not change, 2 the rest. */
  private void startAt(int buffer, int round) {
    Buffer self = problem.buffer(buffer);
    int first = Long.numberOfTrailingZeros(problem.allowedMask(buffer));
    if (round == 0 && !self.needsMemory()) {
      long there = earlier.offsets()[buffer];
      boolean stays =
          there >= 0
              && problem.allows(buffer, earlier.memories()[buffer])
              && problem.roundUp(buffer, earlier.memories()[buffer], there) == there;
      long free = stays ? there : 0;
      put(
          buffer,
          self.isFixed() ? self.fixedOffset() : free,
          stays && !self.isFixed() ? earlier.memories()[buffer] : first);
    } else if (round == 0 && self.isFixed()) {
      putFixed(buffer);
    } else if (round > 0
        && memories[buffer] < 0
        && earlier.knows(problem, buffer)
        && earlier.changed()[buffer] == (round == 2)
        && costs.admits(buffer, earlier.offsets()[buffer], earlier.memories()[buffer])
        && isFree(buffer, earlier.offsets()[buffer], earlier.memories()[buffer], false)) {
      put(buffer, earlier.offsets()[buffer], earlier.memories()[buffer]);
    }
  }

  private void putFixed(int buffer) {
    long offset = problem.buffer(buffer).fixedOffset();
    int chosen = Long.numberOfTrailingZeros(problem.allowedMask(buffer));
    for (int m = tops.length - 1; m >= 0; m--) {
      if (problem.allows(buffer, m) && isFree(buffer, offset, m, false)) {
        chosen = m;
      }
    }
    put(buffer, offset, chosen);
    movedBytes +=
        earlier.knows(problem, buffer) && !earlier.isKept(buffer, offset, chosen)
            ? problem.buffer(buffer).size()
            : 0;
  }

  private void put(int buffer, long offset, int memory) {
    offsets[buffer] = offset;
    memories[buffer] = memory;
  }

  private boolean isFree(int buffer, long offset, int memory, boolean ofFixed) {
    for (int k = pairs.from(buffer); k < pairs.to(buffer); k++) {
      int other = pairs.at(k);
      if (memories[other] == memory
          && (!ofFixed || problem.buffer(other).isFixed())
          && pairs.clash(buffer, offset, other, offsets[other])) {
        return false;
      }
    }
    return true;
  }

  /**
   * What no placement below the peaks can leave in place, in bytes: buffers whose earlier place is
   * above the peaks or not admitted, and of the others that conflict a bound of the least that
   * covers every such pair. That bound takes from both of a pair the smaller of what is left of
   * their bytes, pair by pair, and adds it up: whichever of the two moves pays it, and none pays
   * more than its size. O(pairs).
   */
  public long movedAtLeast() {
    long[] left = new long[problem.size()];
    long sum = 0;
    for (int i = 0; i < left.length; i++) {
      if (!earlier.knows(problem, i)) {
        continue;
      }
      Buffer self = problem.buffer(i);
      boolean possible =
          costs.admits(i, earlier.offsets()[i], earlier.memories()[i])
              && (!self.isFixed() || self.fixedOffset() == earlier.offsets()[i]);
      left[i] = possible ? self.size() : 0;
      sum += possible ? 0 : self.size();
    }
    for (int i = 0; i < left.length; i++) {
      for (int k = pairs.from(i); k < pairs.to(i) && left[i] > 0; k++) {
        int j = pairs.at(k);
        if (j < i
            && left[j] > 0
            && earlier.memories()[i] == earlier.memories()[j]
            && pairs.clash(i, earlier.offsets()[i], j, earlier.offsets()[j])) {
          long least = Math.min(left[i], left[j]);
          left[i] -= least;
          left[j] -= least;
          sum += least;
        }
      }
    }
    return sum;
  }

  /** Looks for a placement from the earlier plan on; null where so many ejections find none. */
  public Placement repair(int steps, RunControl control) {
    start();
    return settle(steps, Long.MAX_VALUE, control) ? placement() : null;
  }

  /**
   * Looks for a placement from another one on, whatever was earlier; null where so many ejections
   * find none.
   *
   * @param from a valid placement, or null to begin with nothing placed
   */
  Placement repair(Placement from, int steps, RunControl control) {
    Arrays.fill(memories, -1);
    Arrays.fill(taken, 0);
    waitingCount = 0;
    changes = 0;
    for (int buffer : OrderKeys.sorted(problem, OrderKeys.bySize(problem))) {
      Buffer self = problem.buffer(buffer);
      if (!self.needsMemory() || self.isFixed()) {
        startAt(buffer, 0);
      } else if (from != null && costs.admits(buffer, from.offset(buffer), from.memory(buffer))) {
        put(buffer, from.offset(buffer), from.memory(buffer));
      } else {
        waiting[waitingCount++] = buffer;
      }
    }
    movedBytes = 0;
    return settle(steps, Long.MAX_VALUE, control) ? placement() : null;
  }

  /** Work so far, in units. */
  long work() {
    return (long) (costs.looks() * UNITS_PER_LOOK);
  }

  private Placement placement() {
    return Placement.of(offsets, memories);
  }

  /** Puts moved buffers back, down to {@code least} bytes, until so many rounds gain nothing. */
  public Placement descend(Placement from, long least, int rounds, RunControl control) {
    System.arraycopy(from.offsets(), 0, offsets, 0, offsets.length);
    System.arraycopy(from.memories(), 0, memories, 0, memories.length);
    waitingCount = 0;
    movedBytes = earlier.moves(problem, from).movedBytes();
    long best = movedBytes;
    Placement found = from;
    int[] moved = moved();
    int fruitless = 0;
    while (moved.length > 0
        && best > least
        && fruitless < rounds * (moved.length + 4)
        && !isOver(control)) {
      int buffer = moved[random.nextInt(moved.length)];
      long before = movedBytes;
      changes = 0;
      Arrays.fill(taken, 0);
      boolean better = putBack(buffer, before, control);
      if (!better) {
        undo();
        movedBytes = before;
      }
      fruitless++;
      if (better && movedBytes < best) {
        best = movedBytes;
        found = placement();
        fruitless = 0;
      }
      if (better) {
        moved = moved();
      }
    }
    return found;
  }

  private int[] moved() {
    return IntStream.range(0, offsets.length)
        .filter(i -> earlier.knows(problem, i) && !problem.buffer(i).isFixed())
        .filter(i -> !earlier.isKept(i, offsets[i], memories[i]))
        .filter(i -> costs.admits(i, earlier.offsets()[i], earlier.memories()[i]))
        .toArray();
  }

  private boolean putBack(int buffer, long before, RunControl control) {
    long offset = earlier.offsets()[buffer];
    int memory = earlier.memories()[buffer];
    if (!isFree(buffer, offset, memory, true)) {
      return false;
    }
    change(buffer);
    movedBytes -= problem.buffer(buffer).size();
    put(buffer, offset, memory);
    taken[buffer] += 3; // it is to stay, unless all else costs more
    eject(buffer);
    return settle(STEPS_BACK + 4 * waitingCount, before, control);
  }

  /** Whether nothing waits after so many steps, with at most so many bytes moved. */
  private boolean settle(int steps, long most, RunControl control) {
    for (int step = 0; waitingCount > 0; step++) {
      if (step >= steps || movedBytes > most && !mayFall() || isOver(control)) {
        return false;
      }
      int buffer = nextWaiting();
      if (!costs.choose(buffer)) {
        return false;
      }
      change(buffer);
      put(buffer, costs.offset(), costs.memory());
      if (earlier.knows(problem, buffer)
          && earlier.isKept(buffer, costs.offset(), costs.memory())) {
        movedBytes -= problem.buffer(buffer).size();
      }
      eject(buffer);
    }
    return movedBytes <= most;
  }

  /** Whether a waiting buffer may still come to its earlier place. */
  private boolean mayFall() {
    for (int k = 0; k < waitingCount; k++) {
      if (earlier.knows(problem, waiting[k])) {
        return true;
      }
    }
    return false;
  }

  private boolean isOver(RunControl control) {
    return control.isStopped()
        || control.isDeterministic() && costs.looks() * UNITS_PER_LOOK >= control.workLimit();
  }

  private int nextWaiting() {
    int best = 0;
    double most = 0;
    for (int k = 0; k < waitingCount; k++) {
      double urgency = costs.urgency(waiting[k]);
      if (urgency > most) {
        most = urgency;
        best = k;
      }
    }
    int buffer = waiting[best];
    waiting[best] = waiting[--waitingCount];
    return buffer;
  }

  private void eject(int buffer) {
    for (int k = pairs.from(buffer); k < pairs.to(buffer); k++) {
      int other = pairs.at(k);
      if (memories[other] == memories[buffer]
          && pairs.clash(buffer, offsets[buffer], other, offsets[other])) {
        change(other);
        if (earlier.knows(problem, other)
            && earlier.isKept(other, offsets[other], memories[other])) {
          movedBytes += problem.buffer(other).size();
        }
        memories[other] = -1;
        taken[other]++;
        waiting[waitingCount++] = other;
      }
    }
  }

  private void change(int buffer) {
    if (changes == changed.length) {
      changed = Arrays.copyOf(changed, 2 * changes);
      changedOffsets = Arrays.copyOf(changedOffsets, 2 * changes);
      changedMemories = Arrays.copyOf(changedMemories, 2 * changes);
    }
    changed[changes] = buffer;
    changedOffsets[changes] = offsets[buffer];
    changedMemories[changes++] = memories[buffer];
  }

  private void undo() {
    while (changes > 0) {
      changes--;
      put(changed[changes], changedOffsets[changes], changedMemories[changes]);
    }
    waitingCount = 0;
  }
}
