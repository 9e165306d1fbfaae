package stowage.exact.presolve;

import java.util.Comparator;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;

/**
 * Enumeration of the ways to spread a part's buffers over its memories, largest choice first,
 * leaving out those whose loads alone rule them out.
 *
 * <p>Buffers with one memory are set beforehand. The others are decided by falling size; after each
 * decision the load of every memory at every section is known exactly for what is decided, and an
 * assignment is given up when a load exceeds its memory's ceiling. Complete: what is left out
 * cannot lead to a placement below the ceilings. Exponential in the number of buffers that have a
 * choice; memory linear.
 *
 * <p>Two memories are alike where their capacities, banks and alignments are the same, each buffer
 * may be in both or in neither, and neither is the one whose peak counts. To exchange the contents
 * of two such memories changes nothing, so a buffer goes into an empty one only if no memory like
 * it with a smaller index is empty too. Example: five buffers over three like memories are spread
 * in 41 ways in place of 243.
 */
public final class MemoryAssignment {
  private final Component part;
  private final IntToLongFunction ceiling;
  private final Predicate<int[]> visitor;
  private final BooleanSupplier stop;
  private final int[] choices;
  private final int[] places;
  private final long[][] load;

  /** For each memory the largest index below it of one that is like it, or -1. */
  private final int[] like;

  private final int[] inside;

  private boolean stopped;

  private MemoryAssignment(
      Component part,
      int target,
      IntToLongFunction ceiling,
      Predicate<int[]> visitor,
      BooleanSupplier stop) {
    this.part = part;
    this.ceiling = ceiling;
    this.visitor = visitor;
    this.stop = stop;
    this.places = new int[part.count()];
    this.load = new long[part.memories()][part.sections()];
    this.choices = choices(part);
    this.inside = new int[part.memories()];
    this.like = new int[part.memories()];
    for (int memory = 0; memory < like.length; memory++) {
      like[memory] = memory - 1;
      while (like[memory] >= 0
          && (memory == target || like[memory] == target || !alike(part, like[memory], memory))) {
        like[memory]--;
      }
    }
  }

  private static boolean alike(Component part, int one, int other) {
    boolean same =
        part.capacity(one) == part.capacity(other) && part.bankSize(one) == part.bankSize(other);
    for (int i = 0; same && i < part.count(); i++) {
      same =
          part.allows(i, one) == part.allows(i, other)
              && part.alignment(i, one) == part.alignment(i, other);
    }
    return same;
  }

  private static int[] choices(Component part) {
    return IndexOrder.of(
        IntStream.range(0, part.count()).filter(i -> Long.bitCount(part.allowed(i)) > 1),
        Comparator.comparingLong(i -> -part.sizes()[i]));
  }

  /**
   * Visits every assignment that the loads admit.
   *
   * @param target the memory whose peak counts, or -1 where any placement will do
   * @param ceiling the largest useful peak of a memory, in units, asked at each step: it may fall
   * @param visitor is given the part's memory of each buffer, which must not be kept or changed;
   *     answers whether to go on
   * @param stop whether to end the walk, asked at every decision: the loads can refuse assignments
   *     for longer than a run lasts without one to visit
   * @return whether all were visited; false when the visitor or the stop ended the walk
   */
  public static boolean walk(
      Component part,
      int target,
      IntToLongFunction ceiling,
      Predicate<int[]> visitor,
      BooleanSupplier stop) {
    MemoryAssignment walk = new MemoryAssignment(part, target, ceiling, visitor, stop);
    for (int i = 0; i < part.count(); i++) {
      if (Long.bitCount(part.allowed(i)) == 1) {
        int memory = Long.numberOfTrailingZeros(part.allowed(i));
        walk.places[i] = memory;
        walk.inside[memory]++;
        if (!walk.add(i, memory)) {
          return true; // what has no choice alone is too much: nothing to visit
        }
      }
    }
    walk.decide(0);
    return !walk.stopped;
  }

  private void decide(int depth) {
    if (depth == choices.length || stop.getAsBoolean()) {
      stopped = depth < choices.length || !visitor.test(places);
      return;
    }
    int buffer = choices[depth];
    for (int memory = 0; memory < part.memories() && !stopped; memory++) {
      boolean repeats = inside[memory] == 0 && like[memory] >= 0 && inside[like[memory]] == 0;
      if (part.allows(buffer, memory) && !repeats) {
        places[buffer] = memory;
        inside[memory]++;
        if (add(buffer, memory)) {
          decide(depth + 1);
        }
        change(buffer, memory, -1);
        inside[memory]--;
      }
    }
  }

  /** Adds a buffer's load; false when some section then exceeds the memory's ceiling. */
  private boolean add(int buffer, int memory) {
    change(buffer, memory, 1);
    long limit = ceiling.applyAsLong(memory);
    if (part.sizes()[buffer] > limit) {
      return false;
    }
    for (int s = part.firstSpans()[buffer]; s < part.firstSpans()[buffer + 1]; s++) {
      for (int section = part.spanStarts()[s]; section < part.spanEnds()[s]; section++) {
        if (load[memory][section] > limit) {
          return false;
        }
      }
    }
    return true;
  }

  private void change(int buffer, int memory, int sign) {
    for (int s = part.firstSpans()[buffer]; s < part.firstSpans()[buffer + 1]; s++) {
      long height = sign * (part.spanHighs()[s] - part.spanLows()[s]);
      for (int section = part.spanStarts()[s]; section < part.spanEnds()[s]; section++) {
        load[memory][section] += height;
      }
    }
  }
}
