package stowage.exact.presolve;

import java.util.Arrays;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Rounding;

/**
 * An independent component of a packing problem, in the only form that engines, searches and bounds
 * work on: sizes and offsets in units of {@link #unit()} bytes above the buffers stacked at the
 * bottom, time in sections, primitive arrays, and buffers and memories numbered from 0. Immutable;
 * arrays that the accessors return are shared and not to be written to.
 *
 * <p>Sections are the maximal live sets in their order: two spans meet in time if and only if their
 * half-open section ranges share a section. A buffer whose needs change over time has a span for
 * each stretch with the same need: a gap leaves two spans, a window makes a span of its own that
 * needs only {@code [low, high)} of the buffer.
 *
 * <p>A component is cut out of a problem by the {@link Presolver} or of another component by {@link
 * #restrict}, or made with a {@link ComponentBuilder}. A placement of it gives every buffer an
 * offset in units and, where it has several memories, a memory. {@link #expand} carries it back to
 * what it was cut from; {@link #project} brings one from there into it and raises no peak.
 */
public final class Component {
  public static final long UNBOUNDED = Long.MAX_VALUE;

  private final PackingProblem problem;
  private final int[] buffers;
  private final int[] stacked;
  private final long unit;
  private final long base;
  private final int sections;
  private final int[] firstSpan;
  private final int[] spanStart;
  private final int[] spanEnd;
  private final long[] spanLow;
  private final long[] spanHigh;
  private final long[] size;
  private final long[] fixedOffset;
  private final boolean[] withinBank;
  private final int[] memories;
  private final long[] capacity;
  private final long[] bankSize;
  private final long[][] alignment;
  private final long[] allowed;
  private final int[][] extraConflicts;
  private final boolean windows;
  private int[] twins;

  /** Takes over the builder's arrays, which are in units already. */
  Component(ComponentBuilder from, long unit, int sections, int[] spanStart, int[] spanEnd) {
    this.problem = from.problem;
    this.buffers = from.buffers;
    this.stacked = from.stacked;
    this.unit = unit;
    this.base = from.base;
    this.sections = sections;
    this.firstSpan = from.firstSpan;
    this.spanStart = spanStart;
    this.spanEnd = spanEnd;
    this.spanLow = from.spanLow;
    this.spanHigh = from.spanHigh;
    this.size = from.size;
    this.fixedOffset = from.fixedOffset;
    this.withinBank = from.withinBank;
    this.memories = from.memories;
    this.capacity = from.capacity;
    this.bankSize = from.bankSize;
    this.alignment = from.alignment;
    this.allowed = from.allowed;
    this.extraConflicts = from.extraConflicts;
    this.windows = !IntStream.range(0, size.length).allMatch(this::isWhole);
  }

  /**
   * The buffers of a component with one memory, or those that are in one of several, as a component
   * with that memory alone, in the largest unit and the fewest sections of its own. A buffer that
   * needs nothing at any step still ends at its size and may be in extra conflicts; there it has a
   * section of its own after all others. O(n log n).
   *
   * @param memory the index of the memory
   * @param members the indices of its buffers, ascending
   */
  public Component restrict(int memory, int[] members) {
    return ComponentBuilder.restrict(this, memory, members).build();
  }

  /** As {@link #restrict(int, int[])}, with the buffers that a placement puts into the memory. */
  public Component restrictTo(int memory, int[] places) {
    IntStream all = IntStream.range(0, count());
    return restrict(memory, all.filter(i -> places == null || places[i] == memory).toArray());
  }

  public int count() {
    return buffers.length;
  }

  /** The index of a buffer in what the component was cut from. */
  public int buffer(int index) {
    return buffers[index];
  }

  /** A buffer as the problem has it that the component was cut from. */
  public Buffer original(int index) {
    return problem.buffer(buffers[index]);
  }

  /** Bytes of one unit. */
  public long unit() {
    return unit;
  }

  /** Problem indices of the buffers that fill the bytes below the part, lowest first. */
  public int[] stackedBuffers() {
    return stacked;
  }

  public int sections() {
    return sections;
  }

  /** Size of each buffer in units, positive. */
  public long[] sizes() {
    return size;
  }

  /** The spans of buffer i are {@code [firstSpans()[i], firstSpans()[i + 1])}, if any. */
  public int[] firstSpans() {
    return firstSpan;
  }

  /** First section of each span. */
  public int[] spanStarts() {
    return spanStart;
  }

  /** First section after each span. */
  public int[] spanEnds() {
    return spanEnd;
  }

  /** First unit that each span needs, relative to its buffer's offset. */
  public long[] spanLows() {
    return spanLow;
  }

  /** First unit after what each span needs, relative to its buffer's offset. */
  public long[] spanHighs() {
    return spanHigh;
  }

  /** The offset in units that a buffer must have, -1 where it is free. */
  public long[] fixedOffsets() {
    return fixedOffset;
  }

  /** Whether a buffer must not cross a bank border in memories that have banks. */
  public boolean[] withinBanks() {
    return withinBank;
  }

  /** The number of memories that buffers of this part may be in. */
  public int memories() {
    return memories.length;
  }

  /** The problem's index of a memory of the part; ascending. */
  public int memory(int index) {
    return memories[index];
  }

  /** The part's index of a memory of the problem, or -1. */
  public int indexOfMemory(int memory) {
    return Math.max(Arrays.binarySearch(memories, memory), -1);
  }

  /** Capacity of a memory in units above the base; negative when the base alone is too high. */
  public long capacity(int memory) {
    return capacity[memory];
  }

  /** Size of a bank of a memory in units, 0 where no buffer of the part minds banks there. */
  public long bankSize(int memory) {
    return bankSize[memory];
  }

  /** In units, what a buffer's offset must be a multiple of in a memory; at least 1. */
  public long alignment(int buffer, int memory) {
    return alignment[memory][buffer];
  }

  /** The memories that a buffer may be in, as a bit set over the part's memories; never empty. */
  public long allowed(int buffer) {
    return allowed[buffer];
  }

  public boolean allows(int buffer, int memory) {
    return (allowed[buffer] >> memory & 1) != 0;
  }

  /** Buffers that must share no address with this one, whatever their time; ascending. */
  public int[] extraConflicts(int buffer) {
    return extraConflicts[buffer];
  }

  /**
   * For each buffer an earlier one that it could be exchanged with, or -1. Among placements that
   * differ only by such exchanges, one has the buffers of a chain of twins in the order of (memory,
   * offset), the twin first: {@link Interchangeable#order}. Found when it is first asked for, O(n).
   */
  public synchronized int[] twins() {
    if (twins == null) {
      twins = Interchangeable.of(this);
    }
    return twins;
  }

  /** Whether some span needs only a window of its buffer. */
  public boolean hasWindows() {
    return windows;
  }

  /** Whether a buffer needs all of its bytes whenever it needs some. O(spans). */
  public boolean isWhole(int i) {
    return IntStream.range(firstSpan[i], firstSpan[i + 1])
        .allMatch(s -> spanHigh[s] - spanLow[s] == size[i]);
  }

  /** Whether two buffers conflict when they are in one memory. O(spans). */
  public boolean conflict(int one, int other) {
    int p = firstSpan[one];
    int q = firstSpan[other];
    while (p < firstSpan[one + 1] && q < firstSpan[other + 1]) {
      if (spanStart[p] < spanEnd[q] && spanStart[q] < spanEnd[p]) {
        return true;
      }
      boolean first = spanEnd[p] <= spanEnd[q];
      p += first ? 1 : 0;
      q += first ? 0 : 1;
    }
    return extraConflict(one, other);
  }

  /** Whether two buffers must share no address although they need not meet in time. */
  public boolean extraConflict(int one, int other) {
    return Arrays.binarySearch(extraConflicts[one], other) >= 0;
  }

  /** Whether some two buffers conflict whatever their time. */
  public boolean hasExtraConflicts() {
    return Arrays.stream(extraConflicts).anyMatch(others -> others.length > 0);
  }

  /** As {@link #roundUp(int, int, long)}, in a component with one memory. */
  public long roundUp(int buffer, long offset) {
    return roundUp(buffer, 0, offset);
  }

  /** The smallest offset not below {@code offset} that a buffer may have, or -1. */
  public long roundUp(int buffer, int memory, long offset) {
    if (fixedOffset[buffer] >= 0) {
      return offset <= fixedOffset[buffer] ? fixedOffset[buffer] : -1;
    }
    return Rounding.up(
        offset, size[buffer], alignment[memory][buffer], withinBank[buffer] ? bankSize[memory] : 0);
  }

  /** The largest offset not above {@code offset} that a buffer may have, or -1. */
  public long roundDown(int buffer, int memory, long offset) {
    if (fixedOffset[buffer] >= 0) {
      return offset >= fixedOffset[buffer] ? fixedOffset[buffer] : -1;
    }
    return Rounding.down(
        offset, size[buffer], alignment[memory][buffer], withinBank[buffer] ? bankSize[memory] : 0);
  }

  /** Units within which every placement can be lowered: all stacked above every fixed one. */
  public long horizon() {
    long top = IntStream.range(0, count()).mapToLong(i -> fixedOffset[i] + size[i]).max().orElse(0);
    for (int i = 0; i < buffers.length; i++) {
      long widest = size[i];
      for (int m = 0; m < memories.length; m++) {
        if (allows(i, m)) {
          long padded = size[i] + alignment[m][i] - 1;
          if (withinBank[i] && bankSize[m] > 0) {
            // Every offset that is a multiple of both is at a border, where the buffer fits.
            padded = size[i] + Rounding.lcm(alignment[m][i], bankSize[m]);
          }
          widest = Math.max(widest, padded);
        }
      }
      top = Math.min(Long.MAX_VALUE / 4, top + widest);
    }
    return top;
  }

  /** The height that a number of bytes reaches above the base, rounded down to units. */
  public long unitsBelow(long bytes) {
    return bytes == Long.MAX_VALUE ? UNBOUNDED : Math.floorDiv(bytes - base, unit);
  }

  /** The bytes of a height in units, the base included. */
  public long bytes(long units) {
    return base + unit * units;
  }

  /** The peak of a memory in units under a placement of the part; 0 when nothing is there. */
  public long peak(int memory, long[] offsets, int[] places) {
    return IntStream.range(0, count())
        .filter(i -> places == null || places[i] == memory)
        .mapToLong(i -> offsets[i] + size[i])
        .max()
        .orElse(0);
  }

  /** The peak of a placement of a component with one memory, in units. */
  public long peak(long[] offsets) {
    return peak(0, offsets, null);
  }

  /** The buffer of each span. O(spans). */
  public int[] spanOwners() {
    int[] owner = new int[spanStart.length];
    for (int i = 0; i < count(); i++) {
      Arrays.fill(owner, firstSpan[i], firstSpan[i + 1], i);
    }
    return owner;
  }

  /** The spans of each section, ascending. O(sections + lengths of all spans). */
  public int[][] spansBySection() {
    return bySection(spanStart, spanEnd, sections);
  }

  /** The ranges that hold each section, ascending. O(sections + lengths of all ranges). */
  public static int[][] bySection(int[] start, int[] end, int sections) {
    int[] many = new int[sections];
    for (int i = 0; i < start.length; i++) {
      IntStream.range(start[i], end[i]).forEach(section -> many[section]++);
    }
    int[][] ranges = new int[sections][];
    Arrays.setAll(ranges, section -> new int[many[section]]);
    for (int i = start.length - 1; i >= 0; i--) {
      for (int section = start[i]; section < end[i]; section++) {
        ranges[section][--many[section]] = i;
      }
    }
    return ranges;
  }

  /** Load of each section, whatever memory it is in, in units. O(spans + sections). */
  public long[] loads() {
    return loads(-1);
  }

  /** Load of each section by buffers that can be in one memory alone; -1 for all buffers. */
  private long[] loads(int memory) {
    long[] loads = new long[sections + 1];
    for (int i = 0; i < buffers.length; i++) {
      for (int s = firstSpan[i]; s < firstSpan[i + 1]; s++) {
        if (memory < 0 || allowed[i] == 1L << memory) {
          loads[spanStart[s]] += spanHigh[s] - spanLow[s];
          loads[spanEnd[s]] -= spanHigh[s] - spanLow[s];
        }
      }
    }
    for (int section = 1; section < loads.length; section++) {
      loads[section] += loads[section - 1];
    }
    return Arrays.copyOf(loads, sections);
  }

  /**
   * The largest load of a section by buffers that can be in one memory alone, and no less than what
   * the size of each of them takes: no placement has a lower peak there. O(spans + sections).
   */
  public long maxLoad(int memory) {
    long highest = Arrays.stream(loads(memory)).max().orElse(0);
    for (int i = 0; i < buffers.length; i++) {
      highest = allowed[i] == 1L << memory ? Math.max(highest, size[i]) : highest;
    }
    return highest;
  }

  /** The largest load of a component with one memory. */
  public long maxLoad() {
    return maxLoad(0);
  }

  /** Writes a placement in units into a whole problem's arrays; places are null for one memory. */
  public void expand(long[] offsets, int[] places, long[] allOffsets, int[] allMemories) {
    for (int i = 0; i < buffers.length; i++) {
      allOffsets[buffers[i]] = base + unit * offsets[i];
      allMemories[buffers[i]] = memories[places == null ? 0 : places[i]];
    }
  }

  /**
   * The offsets in units that a placement of the whole problem gives the part's buffers, once the
   * stacked buffers have been moved to the bottom; null where some would fall below it. If the
   * placement is valid, so is the result, and no peak rises. O(n log n).
   */
  public long[] project(Placement placement) {
    // Each stacked buffer has the addresses it is at for itself, so all that is below it, and
    // nothing else, makes room by its size when it moves to the bottom.
    long[] sorted = Arrays.stream(stacked).mapToLong(placement::offset).sorted().toArray();
    long[] above = new long[sorted.length + 1];
    for (int buffer : stacked) {
      above[Arrays.binarySearch(sorted, placement.offset(buffer))] += problem.buffer(buffer).size();
    }
    for (int k = sorted.length - 1; k >= 0; k--) {
      above[k] += above[k + 1];
    }
    long[] offsets = new long[buffers.length];
    for (int i = 0; i < offsets.length; i++) {
      long own = placement.offset(buffers[i]);
      int below = Arrays.binarySearch(sorted, own);
      long raised = own + above[below < 0 ? -below - 1 : below + 1];
      if (raised < base) {
        return null;
      }
      offsets[i] = (raised - base) / unit;
    }
    return offsets;
  }

  /** The part's memory of each buffer under a placement of the whole problem; null if not its. */
  public int[] projectMemories(Placement placement) {
    int[] places = new int[buffers.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = indexOfMemory(placement.memory(buffers[i]));
      if (places[i] < 0 || !allows(i, places[i])) {
        return null;
      }
    }
    return places;
  }

  /** Writes a placement of a component with one memory into one of what it was cut from. */
  public void expand(long[] offsets, long[] outer) {
    for (int i = 0; i < buffers.length; i++) {
      outer[buffers[i]] = base + unit * offsets[i];
    }
  }
}
