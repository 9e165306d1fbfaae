package stowage.exact.presolve;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.ConflictPairs;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;
import stowage.packing.Rounding;
import stowage.packing.StepOrder;

/**
 * Builder of a {@link Component}: takes sizes in any unit and times in any integers, and builds the
 * component in the largest unit and with time compressed to the maximal live sets.
 *
 * <p>Made by {@link #ofOneMemory}, buffers are numbered 0, 1, ... in the order they are added; gaps
 * of a buffer must be added directly after it, in time order.
 *
 * <p><b>Unit.</b> With u the greatest common divisor of the sizes, windows, fixed offsets and,
 * where some buffer minds them, banks, every valid placement stays valid when its offsets are
 * rounded down to multiples of u: differences that were at least a multiple of u still are. An
 * alignment that divides u then holds by itself; one that is no multiple of u joins the divisor,
 * which may call back an alignment that had vanished, so this continues until it is stable.
 */
public final class ComponentBuilder {
  private int count;
  private int spans;
  private int[] start;
  private int[] end;
  private final List<int[]> extras = new ArrayList<>();

  final PackingProblem problem;
  int[] buffers;
  final int[] stacked;
  final long base;
  int[] firstSpan;
  long[] spanLow;
  long[] spanHigh;
  long[] size;
  long[] fixedOffset;
  boolean[] withinBank;
  final int[] memories;
  final long[] capacity;
  final long[] bankSize;
  final long[][] alignment;
  long[] allowed;
  int[][] extraConflicts;

  private ComponentBuilder(
      PackingProblem problem, int[] memories, int[] stacked, long base, int buffers, int spans) {
    this.problem = problem;
    this.memories = memories;
    this.stacked = stacked;
    this.base = base;
    this.capacity = new long[memories.length];
    Arrays.fill(capacity, Component.UNBOUNDED);
    this.bankSize = new long[memories.length];
    this.alignment = new long[memories.length][buffers];
    this.size = new long[buffers];
    this.fixedOffset = new long[buffers];
    this.withinBank = new boolean[buffers];
    this.allowed = new long[buffers];
    this.firstSpan = new int[buffers + 1];
    this.start = new int[spans];
    this.end = new int[spans];
    this.spanLow = new long[spans];
    this.spanHigh = new long[spans];
  }

  /** A builder of a component with one memory of no capacity, for buffers added by hand. */
  public static ComponentBuilder ofOneMemory() {
    return new ComponentBuilder(null, new int[] {0}, new int[0], 0, 16, 16);
  }

  /**
   * Buffers of a problem above others stacked at the bottom.
   *
   * @param buffers problem indices, ascending
   * @param memories the memories they may be in, problem indices, ascending
   * @param stacked buffers at the bottom, lowest first
   * @param base bytes that the stacked buffers fill
   */
  static ComponentBuilder of(
      ReducedBuffers reduced, int[] buffers, int[] memories, int[] stacked, long base) {
    int spans = Arrays.stream(buffers).map(i -> Math.max(1, reduced.spanCount(i))).sum();
    ComponentBuilder made =
        new ComponentBuilder(reduced.problem, memories, stacked, base, buffers.length, spans);
    made.buffers = buffers;
    for (int buffer : buffers) {
      int i = made.count++;
      made.size[i] = reduced.size(buffer);
      made.fixedOffset[i] = Math.max(-1, reduced.fixedOffset(buffer));
      made.withinBank[i] = reduced.withinBank(buffer);
      int first = reduced.firstSpan(buffer);
      for (int s = first; s < first + reduced.spanCount(buffer); s++) {
        made.addSpan(
            i, reduced.spanStart[s], reduced.spanEnd[s], reduced.spanLow[s], reduced.spanHigh[s]);
      }
      made.ensureSpan(i);
      for (int m = 0; m < memories.length; m++) {
        made.alignment[m][i] = 1;
        if ((reduced.allowed(buffer) >> memories[m] & 1) != 0) {
          made.allowed[i] |= 1L << m;
          made.alignment[m][i] = reduced.alignment(buffer, memories[m]);
          if (made.withinBank[i]) {
            made.bankSize[m] = reduced.problem.memories().get(memories[m]).bankSize();
          }
        }
      }
    }
    for (int m = 0; m < memories.length; m++) {
      made.capacity[m] = reduced.problem.memories().get(memories[m]).capacity();
    }
    made.extraConflicts = localConflicts(reduced, buffers);
    return made;
  }

  private static int[][] localConflicts(ReducedBuffers reduced, int[] buffers) {
    int[][] lists = new int[buffers.length][];
    for (int i = 0; i < buffers.length; i++) {
      int[] all = reduced.problem.conflicts().of(buffers[i]);
      int[] own = new int[all.length];
      int kept = 0;
      for (int other : all) {
        int at = Arrays.binarySearch(buffers, other);
        if (at >= 0 && (reduced.allowed(other) & reduced.allowed(buffers[i])) != 0) {
          own[kept++] = at;
        }
      }
      lists[i] = kept == all.length ? own : Arrays.copyOf(own, kept);
    }
    return lists;
  }

  /** Some buffers of a component in one of its memories, each with a span at least. */
  static ComponentBuilder restrict(Component whole, int memory, int[] members) {
    int[] from = whole.firstSpans();
    int spans = Arrays.stream(members).map(i -> Math.max(1, from[i + 1] - from[i])).sum();
    ComponentBuilder made =
        new ComponentBuilder(null, new int[] {memory}, new int[0], 0, members.length, spans);
    made.buffers = members;
    made.capacity[0] = whole.capacity(memory);
    int[] local = IndexOrder.places(members, whole.count());
    made.extraConflicts = new int[members.length][];
    for (int i : members) {
      int k = made.count++;
      made.allowed[k] = 1;
      made.size[k] = whole.sizes()[i];
      made.fixedOffset[k] = whole.fixedOffsets()[i];
      made.alignment[0][k] = whole.alignment(i, memory);
      made.withinBank[k] = whole.withinBanks()[i];
      made.bankSize[0] = made.withinBank[k] ? whole.bankSize(memory) : made.bankSize[0];
      for (int s = from[i]; s < from[i + 1]; s++) {
        made.addSpan(
            k,
            whole.spanStarts()[s],
            whole.spanEnds()[s],
            whole.spanLows()[s],
            whole.spanHighs()[s]);
      }
      made.ensureSpan(k);
      int[] extra = whole.extraConflicts(i);
      made.extraConflicts[k] =
          extra.length == 0
              ? extra
              : Arrays.stream(extra).map(j -> local[j]).filter(j -> j >= 0).toArray();
    }
    return made;
  }

  private void addSpan(int buffer, int from, int to, long low, long high) {
    if (spans == start.length) {
      start = Arrays.copyOf(start, 2 * spans);
      end = Arrays.copyOf(end, 2 * spans);
      spanLow = Arrays.copyOf(spanLow, 2 * spans);
      spanHigh = Arrays.copyOf(spanHigh, 2 * spans);
    }
    start[spans] = from;
    end[spans] = to;
    spanLow[spans] = low;
    spanHigh[spans++] = high;
    firstSpan[buffer + 1] = spans;
  }

  /** Gives a buffer that needs nothing at any step an empty span, which gets its own section. */
  private void ensureSpan(int buffer) {
    if (spans == firstSpan[buffer]) {
      addSpan(buffer, 0, 0, 0, size[buffer]);
    }
  }

  /** Adds a buffer alive during {@code [from, to)}; fails on no size and on an empty range. */
  public int add(long bytes, int from, int to) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("size(" + bytes + ") must be positive");
    }
    requireRange(from, to);
    if (count == size.length) {
      size = Arrays.copyOf(size, 2 * count);
      alignment[0] = Arrays.copyOf(alignment[0], 2 * count);
      fixedOffset = Arrays.copyOf(fixedOffset, 2 * count);
      withinBank = Arrays.copyOf(withinBank, 2 * count);
      allowed = Arrays.copyOf(allowed, 2 * count);
      firstSpan = Arrays.copyOf(firstSpan, 2 * count + 1);
    }
    size[count] = bytes;
    alignment[0][count] = 1;
    fixedOffset[count] = -1;
    allowed[count] = 1;
    addSpan(count, from, to, 0, bytes);
    return count++;
  }

  /** Lets the buffer added last need nothing during {@code [from, to)}. */
  public ComponentBuilder gap(int from, int to) {
    return window(from, to, 0, 0);
  }

  /**
   * Lets the buffer added last occupy only {@code [offset + low, offset + high)} during {@code
   * [from, to)}; {@code low == high} is a gap without a window.
   *
   * @throws IllegalArgumentException where the gap is not in what is left of the buffer's live
   *     range after the gaps before it, or the window not in the buffer
   */
  public ComponentBuilder window(int from, int to, long low, long high) {
    requireRange(from, to);
    int buffer = count - 1;
    if (low < 0 || low > high || high > size[buffer]) {
      throw new IllegalArgumentException(
          "window [" + low + ", " + high + ") must be in [0, " + size[buffer] + ")");
    }
    int last = spans - 1;
    boolean rest = last >= firstSpan[buffer];
    if (!rest || from < start[last] || to > end[last]) {
      throw new IllegalArgumentException(
          "gap [" + from + ", " + to + ") must lie in the buffer's live range, gaps in time order");
    }
    int before = start[last];
    int after = end[last];
    spans--;
    firstSpan[count] = spans;
    if (before < from) {
      addSpan(buffer, before, from, 0, size[buffer]);
    }
    if (low < high) {
      addSpan(buffer, from, to, low, high);
    }
    if (to < after) {
      addSpan(buffer, to, after, 0, size[buffer]);
    }
    return this;
  }

  /** Adds a pair that must not overlap in address even where it never meets in time. */
  public ComponentBuilder conflict(int one, int other) {
    if (one == other) {
      throw new IllegalArgumentException("buffer(" + one + ") cannot conflict with itself");
    }
    extras.add(new int[] {one, other});
    return this;
  }

  private static void requireRange(int from, int to) {
    if (from >= to) {
      throw new IllegalArgumentException("range [" + from + ", " + to + ") must not be empty");
    }
  }

  /** Builds the component; the builder is of no use afterwards. O(n log n). */
  public Component build() {
    if (buffers == null) {
      trim();
    }
    long unit = unit();
    divide(unit);
    int[] spanStart = new int[spans];
    int[] spanEnd = new int[spans];
    int sections = compressTime(spanStart, spanEnd);
    return new Component(this, unit, sections, spanStart, spanEnd);
  }

  private void trim() {
    buffers = IntStream.range(0, count).toArray();
    size = Arrays.copyOf(size, count);
    alignment[0] = Arrays.copyOf(alignment[0], count);
    fixedOffset = Arrays.copyOf(fixedOffset, count);
    withinBank = Arrays.copyOf(withinBank, count);
    allowed = Arrays.copyOf(allowed, count);
    firstSpan = Arrays.copyOf(firstSpan, count + 1);
    spanLow = Arrays.copyOf(spanLow, spans);
    spanHigh = Arrays.copyOf(spanHigh, spans);
    extraConflicts = new int[count][];
    Arrays.setAll(extraConflicts, ConflictPairs.of(count, extras)::of);
  }

  /**
   * The largest unit in which everything is a whole number, except for alignments that divide it.
   */
  long unit() {
    long unit = 0;
    for (int i = 0; i < count; i++) {
      unit = Rounding.gcd(size[i], unit);
      unit = Rounding.gcd(Math.max(0, fixedOffset[i]), unit);
      for (int s = firstSpan[i]; s < firstSpan[i + 1]; s++) {
        if (spanHigh[s] - spanLow[s] != size[i]) {
          unit = Rounding.gcd(Rounding.gcd(unit, spanLow[s]), spanHigh[s]);
        }
      }
      for (int m = 0; m < memories.length && withinBank[i]; m++) {
        unit = (allowed[i] >> m & 1) != 0 ? Rounding.gcd(unit, bankSize[m]) : unit;
      }
    }
    unit = Math.max(1, unit);
    long before;
    do {
      before = unit;
      for (long[] ofMemory : alignment) {
        for (int i = 0; i < count; i++) {
          unit = unit % ofMemory[i] == 0 ? unit : Rounding.gcd(unit, ofMemory[i]);
        }
      }
    } while (unit != before);
    return unit;
  }

  private void divide(long unit) {
    for (int i = 0; i < count; i++) {
      size[i] /= unit;
      fixedOffset[i] = fixedOffset[i] < 0 ? -1 : fixedOffset[i] / unit;
      for (long[] ofMemory : alignment) {
        ofMemory[i] = Math.max(1, ofMemory[i] / unit);
      }
    }
    for (int s = 0; s < spans; s++) {
      spanLow[s] /= unit;
      spanHigh[s] /= unit;
    }
    for (int m = 0; m < memories.length; m++) {
      int memory = m;
      boolean minded =
          IntStream.range(0, count).anyMatch(i -> withinBank[i] && (allowed[i] >> memory & 1) != 0);
      bankSize[m] = minded ? bankSize[m] / unit : 0;
      capacity[m] =
          capacity[m] == Component.UNBOUNDED
              ? Component.UNBOUNDED
              : Math.floorDiv(capacity[m] - base, unit);
    }
  }

  /**
   * Numbers the maximal live sets: a start followed by an end before the next start makes one.
   * Empty spans have a section each after all others.
   */
  private int compressTime(int[] spanStart, int[] spanEnd) {
    int[] byStart = StepOrder.of(start, spans);
    int[] byEnd = StepOrder.of(end, spans);
    int sections = 0;
    boolean grown = false;
    int ended = 0;
    for (int s : byStart) {
      if (start[s] == end[s]) {
        continue;
      }
      // What ends at a step ends before what starts there: ranges are half-open.
      while (end[byEnd[ended]] <= start[s]) {
        int before = byEnd[ended++];
        sections += grown && start[before] < end[before] ? 1 : 0;
        grown &= start[before] == end[before];
        spanEnd[before] = sections;
      }
      spanStart[s] = sections;
      grown = true;
    }
    sections += grown ? 1 : 0;
    for (; ended < spans; ended++) {
      spanEnd[byEnd[ended]] = sections;
    }
    for (int s = 0; s < spans; s++) {
      if (start[s] == end[s]) {
        spanStart[s] = sections;
        spanEnd[s] = ++sections;
      }
    }
    return sections;
  }
}
