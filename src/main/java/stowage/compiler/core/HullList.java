package stowage.compiler.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import stowage.heuristic.Fit;
import stowage.heuristic.GapPlacer;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Buffer;
import stowage.packing.IndexOrder;
import stowage.packing.LiveRange;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Rounding;
import stowage.packing.RunControl;

/**
 * A packing problem as the planners of real systems see it: sizes and hulls of live ranges, in file
 * order, without the buffers that need no memory.
 *
 * <p><b>What is lost.</b> Gaps in a live range are not used: a buffer holds its bytes from its
 * first step to its last, which is always valid. What a system has no word for is refused with
 * {@link NotPlannableException}: fixed offsets, extra conflicts, banks that must not be crossed,
 * several memories; each planner says which of these it knows.
 *
 * <p><b>Alignment.</b> The systems round sizes up beforehand so that stacking keeps every offset
 * aligned. Here likewise: all sizes are rounded up to the least common multiple of all alignments
 * in the problem, 1 when there are none. Peaks are then counted from the sizes as they are.
 */
public final class HullList {
  /** Kinds of constraints that only some systems know. */
  public enum ConstraintKind {
    FIXED("fixed offsets"),
    CONFLICTS("extra conflict pairs"),
    MEMORIES("several memories");

    private final String text;

    ConstraintKind(String text) {
      this.text = text;
    }
  }

  /** Least common multiples beyond this are refused, so that rounding keeps within a long. */
  private static final long LARGEST_ALIGNMENT = 1L << 40;

  private static final long LARGEST_CONFLICTS = 60_000_000;

  private final PackingProblem problem;
  private final int[] buffers;
  private final long alignment;

  /** Rounded sizes in bytes, first steps, and first steps after the live range. */
  public final long[] size;

  public final int[] start;
  public final int[] end;

  private HullList(PackingProblem problem, long granule) {
    this.problem = problem;
    this.buffers =
        IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).needsMemory()).toArray();
    this.alignment = leastCommonMultiple(commonAlignment(problem), granule);
    this.size = new long[buffers.length];
    this.start = new int[buffers.length];
    this.end = new int[buffers.length];
    for (int k = 0; k < buffers.length; k++) {
      Buffer buffer = problem.buffer(buffers[k]);
      size[k] = roundUp(buffer.size(), alignment);
      start[k] = buffer.live().start();
      end[k] = buffer.live().end();
    }
  }

  /**
   * The rectangles of a problem whose constraints are all of known kinds; else a {@link
   * NotPlannableException} names the planner.
   */
  public static HullList of(String planner, PackingProblem problem, ConstraintKind... known) {
    return of(planner, problem, 1, known);
  }

  /**
   * The rectangles of a problem for a planner that itself rounds sizes up, to multiples of both the
   * granule and the problem's alignments.
   */
  public static HullList of(
      String planner, PackingProblem problem, long granule, ConstraintKind... known) {
    Set<ConstraintKind> words = Set.of(known);
    for (Buffer buffer : problem.buffers()) {
      if (buffer.isFixed() && buffer.needsMemory()) {
        require(words, ConstraintKind.FIXED, planner);
      }
      if (buffer.withinBank()) {
        throw new NotPlannableException(
            planner + " knows no banks, but buffer \"" + buffer.id() + "\" must not cross one");
      }
    }
    if (!problem.conflicts().isEmpty()) {
      require(words, ConstraintKind.CONFLICTS, planner);
    }
    if (problem.memories().size() > 1) {
      require(words, ConstraintKind.MEMORIES, planner);
    }
    return new HullList(problem, granule);
  }

  private static void require(Set<ConstraintKind> known, ConstraintKind word, String planner) {
    if (!known.contains(word)) {
      throw new NotPlannableException(planner + " knows no " + word.text);
    }
  }

  /** The least common multiple of all alignments, unless it is beyond all sizes. */
  public static long commonAlignment(PackingProblem problem) {
    return LongStream.concat(
            problem.memories().stream().mapToLong(Memory::alignment),
            problem.buffers().stream().mapToLong(Buffer::alignment))
        .reduce(1, HullList::leastCommonMultiple);
  }

  private static long leastCommonMultiple(long a, long b) {
    long multiple = Rounding.lcm(a, b);
    if (multiple > LARGEST_ALIGNMENT) {
      throw new NotPlannableException(
          "the alignments " + a + " and " + b + " have no common multiple that sizes can take");
    }
    return multiple;
  }

  public static long roundUp(long value, long multiple) {
    long rest = value % multiple;
    return rest == 0 ? value : value + multiple - rest;
  }

  public int count() {
    return buffers.length;
  }

  /** What all sizes are rounded up to, and all offsets are to be multiples of. */
  public long alignment() {
    return alignment;
  }

  public Buffer buffer(int rectangle) {
    return problem.buffer(buffers[rectangle]);
  }

  /** The index of a rectangle's buffer in the problem. */
  public int index(int rectangle) {
    return buffers[rectangle];
  }

  /** The highest end of the rectangles in a placement, their sizes rounded up. */
  public long extent(Placement placement) {
    return IntStream.range(0, buffers.length)
        .mapToLong(k -> placement.offset(buffers[k]) + size[k])
        .max()
        .orElse(0);
  }

  /** What the offset of a rectangle must be a multiple of by itself, whatever the others ask. */
  public long alignment(int rectangle) {
    return problem.alignment(buffers[rectangle], 0);
  }

  /** The number of steps of a rectangle's live range. */
  public long length(int rectangle) {
    return (long) end[rectangle] - start[rectangle];
  }

  /** Whether two rectangles are alive at a common step. */
  public boolean overlap(int a, int b) {
    return start[a] < end[b] && start[b] < end[a];
  }

  /** Whether two rectangles may not share addresses: by time, or as an extra pair. */
  public boolean conflict(int a, int b) {
    return overlap(a, b) || problem.conflicts().contains(buffers[a], buffers[b]);
  }

  /** The extra pairs of a rectangle's buffer, by index in the problem. */
  public int[] extraConflicts(int rectangle) {
    return problem.conflicts().of(buffers[rectangle]);
  }

  /** The steps at which some rectangle starts or is over, ascending, each once. */
  public int[] moments() {
    return IntStream.concat(Arrays.stream(start), Arrays.stream(end)).sorted().distinct().toArray();
  }

  /** All rectangles in an order, equal ones as in the file. */
  public int[] sorted(Comparator<Integer> by) {
    return IndexOrder.of(IntStream.range(0, count()), by);
  }

  /**
   * For each rectangle those it conflicts with, ascending, {@value #LARGEST_CONFLICTS} at most; a
   * refusal names the planner that keeps these lists. O(n log n + conflicts).
   */
  public int[][] conflictLists(String planner) {
    if (LiveRange.meetings(start.clone(), end.clone()) > LARGEST_CONFLICTS) {
      throw new NotPlannableException(planner + "; here there are more than " + LARGEST_CONFLICTS);
    }
    int[] ofBuffer = rectangleOfBuffer();
    int[][] lists = new int[count()][4];
    int[] counts = new int[count()];
    int[] live = new int[count()];
    int liveCount = 0;
    for (int r : sorted(Comparator.comparingInt(r -> start[r]))) {
      int kept = 0;
      for (int k = 0; k < liveCount; k++) {
        if (end[live[k]] > start[r]) {
          live[kept++] = live[k];
          add(lists, counts, r, live[k]);
          add(lists, counts, live[k], r);
        }
      }
      liveCount = kept;
      live[liveCount++] = r;
      for (int other : extraConflicts(r)) {
        if (ofBuffer[other] >= 0 && !overlap(r, ofBuffer[other])) {
          add(lists, counts, r, ofBuffer[other]);
        }
      }
    }
    for (int r = 0; r < lists.length; r++) {
      lists[r] = Arrays.copyOf(lists[r], counts[r]);
      Arrays.sort(lists[r]);
    }
    return lists;
  }

  private static void add(int[][] lists, int[] counts, int to, int value) {
    if (counts[to] == lists[to].length) {
      lists[to] = Arrays.copyOf(lists[to], 2 * counts[to]);
    }
    lists[to][counts[to]++] = value;
  }

  /**
   * What a program that makes and releases the rectangles does, in time: {@code r} where rectangle
   * r is made, {@code ~r} where it is released. What ends at a step is released before what starts
   * there is made, which is in file order.
   *
   * @param released the order of what is released at one step; ties are in file order
   */
  public int[] events(Comparator<Integer> released) {
    int[] made = sorted(Comparator.comparingInt(r -> start[r]));
    int[] over = sorted(Comparator.comparingInt((Integer r) -> end[r]).thenComparing(released));
    int[] events = new int[2 * count()];
    int gone = 0;
    for (int k = 0; k < made.length; k++) {
      while (end[over[gone]] <= start[made[k]]) {
        events[k + gone] = ~over[gone++];
      }
      events[k + gone] = made[k];
    }
    for (; gone < over.length; gone++) {
      events[over.length + gone] = ~over[gone];
    }
    return events;
  }

  /** The plan that places the rectangles one by one, each into a gap between those before it. */
  public CasePlan placedInOrder(int[] order, Fit fit, RunControl control) {
    return CasePlan.arena(placement(GapPlacer.inOrder(asProblem(), order, fit, control).offsets()));
  }

  /** The rectangle of each buffer of the problem, -1 where it needs no memory. */
  public int[] rectangleOfBuffer() {
    int[] of = new int[problem.size()];
    Arrays.fill(of, -1);
    for (int k = 0; k < buffers.length; k++) {
      of[buffers[k]] = k;
    }
    return of;
  }

  /** A placement from offsets by rectangle; what needs no memory is at its fixed offset or 0. */
  public Placement placement(long[] offsets) {
    return placement(offsets, null);
  }

  /** A placement from offsets and memories by rectangle. */
  public Placement placement(long[] offsets, int[] memories) {
    long[] all = new long[problem.size()];
    int[] where = new int[problem.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = problem.buffer(i).isFixed() ? problem.buffer(i).fixedOffset() : 0;
      where[i] = problem.preferredMemory(i);
    }
    for (int k = 0; k < buffers.length; k++) {
      all[buffers[k]] = offsets[k];
      if (memories != null) {
        where[buffers[k]] = memories[k];
      }
    }
    return Placement.of(all, where);
  }

  /**
   * The rectangles alone as a problem, one buffer a rectangle: rounded sizes, no gaps, fixed
   * offsets kept, one memory without limit.
   */
  public PackingProblem asProblem() {
    List<Buffer> plain = new ArrayList<>(count());
    for (int k = 0; k < count(); k++) {
      plain.add(
          new Buffer(buffer(k).id(), size[k], start[k], end[k])
              .withFixedOffset(buffer(k).fixedOffset()));
    }
    return PackingProblem.of(problem.name(), plain);
  }
}
