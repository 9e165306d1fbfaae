package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks placements against the problem's own words, and bounds against their certificates. It
 * shares no code with any planner and uses none of the structures they use.
 *
 * <p>Overlap is found by a sweep over the steps: the live spans stand in a map by their lowest
 * address, and as long as no two have overlapped, a new one can only clash with its neighbours in
 * that map. O(n log n) for n spans, plus the extra pairs.
 *
 * <p>Example: A lies at [0, 8) during [0, 5), B at [4, 12) during [3, 9). At step 3 the map holds
 * {0: A}; B's lower neighbour A ends at 8 > 4, so the violation is A and B at step 3, bytes [4, 8).
 */
public final class Verifier {
  private Verifier() {}

  /**
   * What is wrong with a placement; empty when it is valid. Stops at the first overlap, since the
   * sweep's order is lost there; other faults are all listed, up to 20.
   */
  public static List<Violation> violations(PackingProblem problem, Placement placement) {
    List<Violation> found = new ArrayList<>();
    if (placement.size() != problem.size()) {
      found.add(
          new Violation(
              Violation.Kind.SHAPE,
              List.of(),
              -1,
              -1,
              -1,
              "the placement has " + placement.size() + " buffers, the problem " + problem.size()));
      return found;
    }
    for (int i = 0; i < problem.size() && found.size() < 20; i++) {
      checkAlone(problem, placement, i, found);
    }
    if (found.isEmpty()) {
      checkOverlaps(problem, placement, found);
      checkConflicts(problem, placement, found);
    }
    return found;
  }

  /** Whether a placement is valid. */
  public static boolean isValid(PackingProblem problem, Placement placement) {
    return violations(problem, placement).isEmpty();
  }

  private static void checkAlone(
      PackingProblem problem, Placement placement, int index, List<Violation> found) {
    Buffer buffer = problem.buffer(index);
    int memoryIndex = placement.memory(index);
    long offset = placement.offset(index);
    if (memoryIndex < 0
        || memoryIndex >= problem.memories().size()
        || !problem.allows(index, memoryIndex)) {
      add(
          found,
          Violation.Kind.MEMORY,
          index,
          offset,
          offset,
          "may not lie in memory "
              + (memoryIndex >= 0 && memoryIndex < problem.memories().size()
                  ? "\"" + problem.memories().get(memoryIndex).name() + "\""
                  : "number " + memoryIndex),
          buffer);
      return;
    }
    Memory memory = problem.memories().get(memoryIndex);
    if (offset < 0 || offset > Long.MAX_VALUE - buffer.size()) {
      add(
          found,
          Violation.Kind.OFFSET,
          index,
          offset,
          offset,
          "lies at offset " + offset + ", which should be 0 or more and leave room for its size",
          buffer);
      return;
    }
    long end = offset + buffer.size();
    if (buffer.fixedOffset() >= 0 && offset != buffer.fixedOffset()) {
      add(
          found,
          Violation.Kind.FIXED,
          index,
          offset,
          end,
          "lies at offset " + offset + " but is fixed at " + buffer.fixedOffset(),
          buffer);
    }
    if (offset % buffer.alignment() != 0 || offset % memory.alignment() != 0) {
      add(
          found,
          Violation.Kind.ALIGNMENT,
          index,
          offset,
          end,
          "lies at offset "
              + offset
              + ", no multiple of its alignment "
              + (offset % buffer.alignment() != 0 ? buffer.alignment() : memory.alignment()),
          buffer);
    }
    if (end > memory.capacity() && buffer.needsMemory()) {
      add(
          found,
          Violation.Kind.CAPACITY,
          index,
          offset,
          end,
          "ends at "
              + end
              + ", beyond the capacity "
              + memory.capacity()
              + " of memory \""
              + memory.name()
              + "\"",
          buffer);
    }
    if (buffer.withinBank()
        && memory.bankSize() > 0
        && buffer.size() > 0
        && offset / memory.bankSize() != (end - 1) / memory.bankSize()) {
      add(
          found,
          Violation.Kind.BANK,
          index,
          offset,
          end,
          "lies at ["
              + offset
              + ", "
              + end
              + "), across a border of the banks of "
              + memory.bankSize()
              + " bytes",
          buffer);
    }
  }

  private static void add(
      List<Violation> found,
      Violation.Kind kind,
      int index,
      long low,
      long high,
      String what,
      Buffer buffer) {
    found.add(
        new Violation(
            kind,
            List.of(index),
            buffer.live().start(),
            low,
            high,
            "buffer \"" + buffer.id() + "\" " + what));
  }

  private record LiveSpan(int buffer, Buffer.Span span) {}

  private static void checkOverlaps(
      PackingProblem problem, Placement placement, List<Violation> found) {
    int count = 0;
    for (int i = 0; i < problem.size(); i++) {
      count += problem.buffer(i).spans().size();
    }
    LiveSpan[] spans = new LiveSpan[count];
    long[] events = new long[2 * count];
    int at = 0;
    for (int i = 0; i < problem.size(); i++) {
      for (Buffer.Span span : problem.buffer(i).spans()) {
        spans[at] = new LiveSpan(i, span);
        // Ends sort before starts at one step: ranges are half-open.
        events[2 * at] = key(span.start(), count + at);
        events[2 * at + 1] = key(span.end(), at);
        at++;
      }
    }
    Arrays.sort(events);
    List<TreeMap<Long, LiveSpan>> live = new ArrayList<>();
    problem.memories().forEach(memory -> live.add(new TreeMap<>()));
    for (long event : events) {
      int which = (int) event;
      LiveSpan entering = spans[which % count];
      TreeMap<Long, LiveSpan> map = live.get(placement.memory(entering.buffer));
      long low = placement.offset(entering.buffer) + entering.span.low();
      if (which < count) {
        map.remove(low);
        continue;
      }
      LiveSpan clash = clashing(map, placement, low, entering);
      if (clash != null) {
        found.add(overlap(problem, placement, entering, clash));
        return;
      }
      map.put(low, entering);
    }
  }

  private static long key(int step, int rest) {
    return ((long) step << 32) | rest;
  }

  private static LiveSpan clashing(
      TreeMap<Long, LiveSpan> map, Placement placement, long low, LiveSpan entering) {
    Map.Entry<Long, LiveSpan> below = map.floorEntry(low);
    if (below != null
        && placement.offset(below.getValue().buffer) + below.getValue().span.high() > low) {
      return below.getValue();
    }
    Map.Entry<Long, LiveSpan> above = map.higherEntry(low);
    long high = placement.offset(entering.buffer) + entering.span.high();
    return above != null && above.getKey() < high ? above.getValue() : null;
  }

  private static Violation overlap(
      PackingProblem problem, Placement placement, LiveSpan later, LiveSpan earlier) {
    long low =
        Math.max(
            placement.offset(later.buffer) + later.span.low(),
            placement.offset(earlier.buffer) + earlier.span.low());
    long high =
        Math.min(
            placement.offset(later.buffer) + later.span.high(),
            placement.offset(earlier.buffer) + earlier.span.high());
    Buffer first = problem.buffer(earlier.buffer);
    Buffer second = problem.buffer(later.buffer);
    return new Violation(
        Violation.Kind.OVERLAP,
        List.of(earlier.buffer, later.buffer),
        later.span.start(),
        low,
        high,
        "buffers \""
            + first.id()
            + "\" and \""
            + second.id()
            + "\" overlap at step "
            + later.span.start()
            + " in bytes ["
            + low
            + ", "
            + high
            + "): "
            + describe(first, placement.offset(earlier.buffer))
            + ", "
            + describe(second, placement.offset(later.buffer)));
  }

  private static String describe(Buffer buffer, long offset) {
    return "\""
        + buffer.id()
        + "\" lives "
        + buffer.live()
        + " at ["
        + offset
        + ", "
        + (offset + buffer.size())
        + ")";
  }

  private static void checkConflicts(
      PackingProblem problem, Placement placement, List<Violation> found) {
    if (problem.conflicts().isEmpty()) {
      return;
    }
    for (int i = 0; i < problem.size() && found.size() < 20; i++) {
      for (int j : problem.conflicts().of(i)) {
        long low = Math.max(placement.offset(i), placement.offset(j));
        long high =
            Math.min(
                placement.offset(i) + problem.buffer(i).size(),
                placement.offset(j) + problem.buffer(j).size());
        if (i < j
            && low < high
            && placement.memory(i) == placement.memory(j)
            && problem.buffer(i).needsMemory()
            && problem.buffer(j).needsMemory()) {
          found.add(
              new Violation(
                  Violation.Kind.CONFLICT,
                  List.of(i, j),
                  -1,
                  low,
                  high,
                  "buffers \""
                      + problem.buffer(i).id()
                      + "\" and \""
                      + problem.buffer(j).id()
                      + "\" are an extra conflict but share bytes ["
                      + low
                      + ", "
                      + high
                      + ")"));
        }
      }
    }
  }
}
