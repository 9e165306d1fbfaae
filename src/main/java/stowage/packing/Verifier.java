package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Verifier of placements against the problem definition, and of bounds against their certificates.
 * It shares no code with any planner and uses none of the structures they use.
 *
 * <p>Overlap is found by a sweep over the steps: the live spans are in a set by the rank of their
 * lowest address among all, and as long as no two have overlapped, a new one can only clash with
 * its neighbours in that set. O(n log n) for n spans, plus the extra pairs.
 *
 * <p>Example: A is at [0, 8) during [0, 5), B at [4, 12) during [3, 9); the ranks are 0 and 1. At
 * step 3 the set holds rank 0; B's lower neighbour A ends at 8 > 4, so the violation is A and B at
 * step 3, bytes [4, 8).
 */
public final class Verifier {
  private Verifier() {}

  /**
   * {@return what is wrong with a placement; empty when it is valid} Stops at the first overlap,
   * since the sweep's order is lost there; other faults are all listed, up to 20.
   */
  public static List<Violation> violations(PackingProblem problem, Placement placement) {
    List<Violation> found = new ArrayList<>();
    if (placement.size() != problem.size()) {
      String text = "the placement has %s buffers, the problem %s";
      text = text.formatted(placement.size(), problem.size());
      found.add(new Violation(Violation.Kind.SHAPE, List.of(), -1, -1, -1, text));
      return found;
    }
    for (int i = 0; i < problem.size() && found.size() < 20; i++) {
      checkAlone(problem, placement, i, found);
    }
    if (found.isEmpty()) {
      if (problem.relations().exclusive().isEmpty() && problem.relations().together().isEmpty()) {
        checkOverlaps(problem, placement, found);
      } else {
        RelationVerifier.checkOverlaps(problem, placement, found);
      }
      checkConflicts(problem, placement, found);
      RelationVerifier.checkRelations(problem, placement, found);
    }
    return found;
  }

  /** {@return whether a placement is valid} */
  public static boolean isValid(PackingProblem problem, Placement placement) {
    return violations(problem, placement).isEmpty();
  }

  private static void checkAlone(
      PackingProblem problem, Placement placement, int index, List<Violation> found) {
    Buffer buffer = problem.buffer(index);
    int memoryIndex = placement.memory(index);
    long offset = placement.offset(index);
    Alone alone = new Alone(index, buffer, found);
    boolean known = memoryIndex >= 0 && memoryIndex < problem.memories().size();
    if (!known || !problem.allows(index, memoryIndex)) {
      String name =
          known
              ? "\"" + problem.memories().get(memoryIndex).name() + "\""
              : "number " + memoryIndex;
      alone.wrong(Violation.Kind.MEMORY, offset, offset, "must not be in memory " + name);
      return;
    }
    Memory memory = problem.memories().get(memoryIndex);
    if (offset < 0 || offset > Long.MAX_VALUE - buffer.size()) {
      String what =
          "is at offset " + offset + ", which should be 0 or more and leave room for its size";
      alone.wrong(Violation.Kind.OFFSET, offset, offset, what);
      return;
    }
    long end = offset + buffer.size();
    if (buffer.fixedOffset() >= 0 && offset != buffer.fixedOffset()) {
      String what = "is at offset " + offset + " but is fixed at " + buffer.fixedOffset();
      alone.wrong(Violation.Kind.FIXED, offset, end, what);
    }
    if (offset % buffer.alignment() != 0 || offset % memory.alignment() != 0) {
      long broken = offset % buffer.alignment() != 0 ? buffer.alignment() : memory.alignment();
      String what = "is at offset " + offset + ", no multiple of its alignment " + broken;
      alone.wrong(Violation.Kind.ALIGNMENT, offset, end, what);
    }
    if (end > memory.capacity() && buffer.needsMemory()) {
      String what =
          "ends at "
              + end
              + ", beyond the capacity "
              + memory.capacity()
              + " of memory \""
              + memory.name()
              + "\"";
      alone.wrong(Violation.Kind.CAPACITY, offset, end, what);
    }
    for (ReservedRange range : memory.reserved()) {
      if (buffer.needsMemory() && offset < range.to() && range.from() < end) {
        long low = Math.max(offset, range.from());
        long high = Math.min(end, range.to());
        String what =
            "is at [%s, %s), in the reserved range [%s, %s) of memory \"%s\""
                .formatted(offset, end, range.from(), range.to(), memory.name());
        alone.wrong(Violation.Kind.RESERVED, low, high, what);
        break;
      }
    }
    if (buffer.withinBank()
        && memory.bankSize() > 0
        && buffer.size() > 0
        && offset / memory.bankSize() != (end - 1) / memory.bankSize()) {
      String what =
          "is at [%s, %s), across a border of the banks of %s bytes"
              .formatted(offset, end, memory.bankSize());
      alone.wrong(Violation.Kind.BANK, offset, end, what);
    }
  }

  /** What is wrong with one buffer, whatever the others do. */
  private record Alone(int index, Buffer buffer, List<Violation> found) {
    void wrong(Violation.Kind kind, long low, long high, String what) {
      String text = "buffer \"" + buffer.id() + "\" " + what;
      found.add(new Violation(kind, List.of(index), buffer.live().start(), low, high, text));
    }
  }

  private static void checkOverlaps(
      PackingProblem problem, Placement placement, List<Violation> found) {
    Extents extents = new Extents(problem, placement);
    long[] events = new long[2 * extents.count];
    for (int k = 0; k < extents.count; k++) {
      // Ends sort before starts at one step: ranges are half-open.
      events[2 * k] = key(extents.start[k], extents.count + k);
      events[2 * k + 1] = key(extents.end[k], k);
    }
    Arrays.parallelSort(events);
    long[] lows = extents.low.clone();
    Arrays.parallelSort(lows);
    int memories = problem.memories().size();
    int[] ranks = new int[extents.count];
    Arrays.parallelSetAll(ranks, k -> Arrays.binarySearch(lows, extents.low[k]));
    RankSet[] live = new RankSet[memories];
    int[][] at = new int[memories][];
    for (int m = 0; m < memories; m++) {
      live[m] = new RankSet(extents.count);
      at[m] = new int[extents.count];
    }
    for (long event : events) {
      int which = (int) event;
      int entering = which % extents.count;
      int memory = placement.memory(extents.owner[entering]);
      int rank = ranks[entering];
      if (which < extents.count) {
        live[memory].remove(rank);
        continue;
      }
      int clash = extents.clashing(entering, rank, live[memory], at[memory]);
      if (clash >= 0) {
        found.add(overlap(problem, placement, extents, entering, clash));
        return;
      }
      live[memory].add(rank);
      at[memory][rank] = entering;
    }
  }

  private static long key(int step, int rest) {
    return ((long) step << 32) | rest;
  }

  private static final class Extents {
    final int count;
    final int[] owner;
    final int[] start;
    final int[] end;
    final long[] low;
    final long[] high;

    Extents(PackingProblem problem, Placement placement) {
      int spans = problem.buffers().stream().mapToInt(buffer -> buffer.spans().size()).sum();
      count = spans;
      owner = new int[count];
      start = new int[count];
      end = new int[count];
      low = new long[count];
      high = new long[count];
      int k = 0;
      for (int i = 0; i < problem.size(); i++) {
        for (Buffer.Span span : problem.buffer(i).spans()) {
          owner[k] = i;
          start[k] = span.start();
          end[k] = span.end();
          low[k] = placement.offset(i) + span.low();
          high[k++] = placement.offset(i) + span.high();
        }
      }
    }

    /** The live span that one overlaps, or -1. */
    int clashing(int entering, int rank, RankSet live, int[] at) {
      int below = live.floor(rank);
      if (below >= 0 && high[at[below]] > low[entering]) {
        return at[below];
      }
      int above = live.higher(rank);
      return above >= 0 && low[at[above]] < high[entering] ? at[above] : -1;
    }
  }

  private static Violation overlap(
      PackingProblem problem, Placement placement, Extents extents, int later, int earlier) {
    long low = Math.max(extents.low[later], extents.low[earlier]);
    long high = Math.min(extents.high[later], extents.high[earlier]);
    Buffer first = problem.buffer(extents.owner[earlier]);
    Buffer second = problem.buffer(extents.owner[later]);
    return new Violation(
        Violation.Kind.OVERLAP,
        List.of(extents.owner[earlier], extents.owner[later]),
        extents.start[later],
        low,
        high,
        "buffers \"%s\" and \"%s\" overlap at step %s in bytes [%s, %s): %s, %s"
            .formatted(
                first.id(),
                second.id(),
                extents.start[later],
                low,
                high,
                describe(first, placement.offset(extents.owner[earlier])),
                describe(second, placement.offset(extents.owner[later]))));
  }

  private static String describe(Buffer buffer, long offset) {
    return "\"%s\" is live %s at [%s, %s)"
        .formatted(buffer.id(), buffer.live(), offset, offset + buffer.size());
  }

  private static void checkConflicts(
      PackingProblem problem, Placement placement, List<Violation> found) {
    if (problem.conflicts().isEmpty()) {
      return;
    }
    for (int i = 0; i < problem.size() && found.size() < 20; i++) {
      for (int j : problem.conflicts().of(i)) {
        long low = Math.max(placement.offset(i), placement.offset(j));
        Buffer one = problem.buffer(i);
        Buffer other = problem.buffer(j);
        long high = Math.min(placement.offset(i) + one.size(), placement.offset(j) + other.size());
        boolean together =
            placement.memory(i) == placement.memory(j) && one.needsMemory() && other.needsMemory();
        if (i < j && low < high && together) {
          String text =
              "buffers \"%s\" and \"%s\" are an extra conflict but share bytes [%s, %s)"
                  .formatted(one.id(), other.id(), low, high);
          found.add(new Violation(Violation.Kind.CONFLICT, List.of(i, j), -1, low, high, text));
        }
      }
    }
  }
}
