package stowage.heuristic;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Placer of buffers one by one, each into a gap that those placed before it leave: the engine of
 * all greedy planners and of the searches over orders.
 *
 * <p><b>Method.</b> A placed span of another buffer forbids an open interval of offsets: if it
 * needs the bytes [l, h) of memory and the new buffer needs [a, b) of itself at a common step, an
 * offset x clashes exactly when l - b &lt; x &lt; h - a. An extra conflict forbids in the same way
 * with both whole extents. Sorted by their lower ends, the intervals leave gaps; the buffer takes
 * the lowest gap, or the tightest, in which an admissible offset is (see {@link Fit}), else the
 * space above them all. With windows and gaps in a live range a buffer has several spans, and
 * nothing else changes.
 *
 * <p>Example: A of 8 bytes is at 0 during [0, 5), C of 4 bytes at 12 during [0, 9). B, 4 bytes
 * during [3, 9), may not be in (-4, 8) or (8, 16): its lowest offset is 8.
 *
 * <p><b>Constraints.</b> Offsets are multiples of the buffer's and its memory's alignment; a buffer
 * kept within one bank is raised to the next border where it would cross one. Buffers with fixed
 * offsets are placed first. A buffer takes the memory it prefers most among those whose capacity
 * admits it, and where none does, the one it exceeds least.
 *
 * <p>Complexity: a buffer with k overlapping spans placed takes O(k log n + k log k), without
 * allocation. Not thread-safe.
 */
public final class GapPlacer {
  private final PackingProblem problem;
  private final PlacedSpans spans;
  private final ForbiddenOffsets forbidden = new ForbiddenOffsets();
  private final int[][] preferences;
  private final long[] offsets;
  private final int[] memories;
  private final boolean[] placed;
  private final int[] fixed;
  private long work;

  /** A placer with the buffers of fixed offset alone; fails where two of them clash. */
  public GapPlacer(PackingProblem problem) {
    this.problem = problem;
    this.spans = new PlacedSpans(problem);
    this.preferences = preferences(problem);
    this.offsets = new long[problem.size()];
    this.memories = new int[problem.size()];
    this.placed = new boolean[problem.size()];
    this.fixed = fixed(problem);
    reset();
  }

  /** {@return all buffers placed in an order; fails where fixed ones clash, and at a stop} */
  public static Placement inOrder(
      PackingProblem problem, int[] order, Fit fit, RunControl control) {
    return new GapPlacer(problem).placeAll(order, fit, control);
  }

  /**
   * {@return all buffers placed in an order, except for those that are already; fails at a stop}
   */
  Placement placeAll(int[] order, Fit fit, RunControl control) {
    for (int k = 0; k < order.length; k++) {
      NotPlannableException.throwIfStopped(control, k, order.length);
      place(order[k], fit);
    }
    return placement();
  }

  static int[] fixed(PackingProblem problem) {
    return IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).isFixed()).toArray();
  }

  private static int[][] preferences(PackingProblem problem) {
    int[] all = new int[problem.memories().size()];
    Arrays.setAll(all, m -> m);
    int[][] preferences = new int[problem.size()][];
    Arrays.setAll(preferences, i -> preferences(problem, i, all));
    return preferences;
  }

  /** The memories a buffer may be in, the most wanted first; all where it names none. */
  static int[] preferences(PackingProblem problem, int buffer, int[] all) {
    List<String> names = problem.buffer(buffer).memories();
    return all.length == 1 || names.isEmpty()
        ? all
        : names.stream()
            .mapToInt(name -> Memory.indexOf(problem.memories(), name))
            .distinct()
            .toArray();
  }

  /** Takes all buffers away but those of fixed offset. */
  public void reset() {
    Arrays.fill(placed, false);
    spans.clear();
    for (int buffer : fixed) {
      placeFixed(buffer);
    }
  }

  private void placeFixed(int buffer) {
    long offset = problem.buffer(buffer).fixedOffset();
    for (int m : preferences[buffer]) {
      if (isFree(buffer, m, offset)
          && (preferences[buffer].length == 1 || admits(buffer, m, offset))) {
        put(buffer, m, offset);
        return;
      }
    }
    throw new NotPlannableException(
        ("buffer \"%s\" is fixed at %s, which overlaps another fixed buffer "
                + "or is outside every allowed memory")
            .formatted(problem.buffer(buffer).id(), offset));
  }

  /** {@return the offset in bytes of one buffer, which is placed unless it is already} */
  public long place(int buffer, Fit fit) {
    if (placed[buffer]) {
      return offsets[buffer];
    }
    if (!problem.buffer(buffer).needsMemory()) {
      put(buffer, preferences[buffer][0], 0);
      return 0;
    }
    long size = problem.buffer(buffer).size();
    long leastExcess = Long.MAX_VALUE;
    long offset = 0;
    int chosen = 0;
    for (int m : preferences[buffer]) {
      long here = find(buffer, m, fit);
      if (here < 0) {
        continue;
      }
      long excess = Math.max(0, here + size - problem.memories().get(m).capacity());
      if (excess < leastExcess) {
        leastExcess = excess;
        offset = here;
        chosen = m;
      }
      if (excess == 0) {
        break;
      }
    }
    if (leastExcess == Long.MAX_VALUE) {
      throw noOffset(problem, buffer);
    }
    put(buffer, chosen, offset);
    return offset;
  }

  /**
   * Places one buffer at an offset, in the memory it prefers most of those in which the offset is
   * free, admitted and within the capacity; leaves it unplaced where there is none.
   *
   * @return whether it is placed now, there or elsewhere before
   */
  boolean placeAt(int buffer, long offset) {
    return placeAt(buffer, offset, preferences[buffer]);
  }

  /** The same with the memories to try, in order. */
  boolean placeAt(int buffer, long offset, int... memories) {
    for (int k = 0; k < memories.length && !placed[buffer]; k++) {
      if (admits(buffer, memories[k], offset) && isFree(buffer, memories[k], offset)) {
        put(buffer, memories[k], offset);
      }
    }
    return placed[buffer];
  }

  /** Whether a memory's capacity, alignments and banks admit a buffer at an offset. */
  private boolean admits(int buffer, int where, long offset) {
    return problem.memories().get(where).capacity() - problem.buffer(buffer).size() >= offset
        && problem.roundUp(buffer, where, offset) == offset;
  }

  private boolean isFree(int buffer, int where, long offset) {
    collect(buffer, where);
    boolean free = true;
    for (int k = 0; k < forbidden.count(); k++) {
      free &= offset <= forbidden.low(k) || offset >= forbidden.high(k);
    }
    return free;
  }

  /** What is thrown where alignment and banks leave a buffer no offset above what is there. */
  static NotPlannableException noOffset(PackingProblem problem, int buffer) {
    return new NotPlannableException(
        ("buffer \"%s\" of %s bytes has no offset left that suits its "
                + "alignment and is within one bank")
            .formatted(problem.buffer(buffer).id(), problem.buffer(buffer).size()));
  }

  private void put(int buffer, int where, long offset) {
    offsets[buffer] = offset;
    memories[buffer] = where;
    placed[buffer] = true;
    if (problem.buffer(buffer).needsMemory()) {
      spans.place(buffer, where, offset);
    }
  }

  private long find(int buffer, int where, Fit fit) {
    work += 1 + collect(buffer, where) / 8;
    forbidden.sort();
    long free = 0;
    long best = -1;
    long leastLeft = Long.MAX_VALUE;
    for (int k = 0; k < forbidden.count(); k++) {
      long last = forbidden.low(k);
      if (free <= last && (k > 0 || fit != Fit.BEST_BETWEEN)) {
        long candidate = problem.roundUp(buffer, where, free);
        if (candidate >= 0 && candidate <= last) {
          if (fit == Fit.FIRST) {
            return candidate;
          }
          if (last - (fit == Fit.BEST_ABOVE_ALIGNED ? candidate : free) < leastLeft) {
            leastLeft = last - free;
            best = candidate;
          }
        }
      }
      free = Math.max(free, forbidden.high(k));
    }
    return best >= 0 ? best : problem.roundUp(buffer, where, free);
  }

  /** Collects what is forbidden, and counts the spans and the extra conflicts that forbid it. */
  private long collect(int buffer, int where) {
    forbidden.clear();
    long found = spans.forbid(buffer, where, forbidden);
    if (problem.conflicts().isEmpty() || !problem.buffer(buffer).needsMemory()) {
      return found;
    }
    for (int other : problem.conflicts().of(buffer)) {
      if (placed[other] && memories[other] == where && problem.buffer(other).needsMemory()) {
        forbidden.add(
            offsets[other] - problem.buffer(buffer).size(),
            offsets[other] + problem.buffer(other).size());
        found++;
      }
    }
    return found;
  }

  /** What all placing so far has cost, in work units of about a microsecond. */
  public long work() {
    return work;
  }

  public int memory(int buffer) {
    return memories[buffer];
  }

  /** Where everything is now; buffers not placed are at 0. */
  public Placement placement() {
    return Placement.of(offsets, memories);
  }
}
