package stowage.packing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * One rectangle: a run of bytes needed during a live range. Its place in time is given; planning
 * chooses its offset, and its memory where several are allowed.
 *
 * @param id the user's name of the buffer, unique in its problem
 * @param size bytes, 0 or more
 * @param live the steps during which it is alive
 * @param alignment its offset is a multiple of it; 1 when free
 * @param fixedOffset the offset it must have, or {@link #NONE}
 * @param hint an offset that some planners may try first, or {@link #NONE}; never binding
 * @param gaps parts of its live range in which it needs nothing or only a window, in order and
 *     disjoint
 * @param memories names of the memories it may be in, in order of preference; empty means any
 * @param withinBank whether it must not cross a border between two banks of its memory
 * @param holdsPlace whether its bytes are its own at every step, in its live range or not: no other
 *     buffer may touch them, not even one that is kept together with it
 */
public record Buffer(
    String id,
    long size,
    LiveRange live,
    long alignment,
    long fixedOffset,
    long hint,
    List<Gap> gaps,
    List<String> memories,
    boolean withinBank,
    boolean holdsPlace) {

  /** Marks an absent fixed offset or hint. */
  public static final long NONE = -1;

  /** Checks the fields and sorts the gaps. */
  public Buffer {
    if (id == null || id.isEmpty()) {
      throw new InvalidProblemException("a buffer needs an id that is not empty");
    }
    require(size >= 0, id, "size", size, "0 or more");
    require(alignment >= 1, id, "alignment", alignment, "1 or more");
    require(fixedOffset >= NONE, id, "offset", fixedOffset, "0 or more, or -1 for none");
    require(hint >= NONE, id, "hint", hint, "0 or more, or -1 for none");
    if (fixedOffset != NONE) {
      String right = "a multiple of the alignment " + alignment;
      require(fixedOffset % alignment == 0, id, "offset", fixedOffset, right);
      require(
          fixedOffset <= Long.MAX_VALUE / 2 - size, id, "offset", fixedOffset, "below 2^62 - size");
    }
    gaps = checkedGaps(id, size, live, gaps);
    memories = List.copyOf(memories);
  }

  /** A buffer that holds its place during its live range alone. */
  public Buffer(
      String id,
      long size,
      LiveRange live,
      long alignment,
      long fixedOffset,
      long hint,
      List<Gap> gaps,
      List<String> memories,
      boolean withinBank) {
    this(id, size, live, alignment, fixedOffset, hint, gaps, memories, withinBank, false);
  }

  /** A buffer without constraints of its own, alive in the steps {@code [start, end)}. */
  public Buffer(String id, long size, int start, int end) {
    this(id, size, new LiveRange(start, end), 1, NONE, NONE, List.of(), List.of(), false);
  }

  private static void require(boolean holds, String id, String field, long value, String right) {
    if (!holds) {
      throw new InvalidProblemException(
          "buffer \"" + id + "\": " + field + " " + value + " should be " + right);
    }
  }

  private static List<Gap> checkedGaps(String id, long size, LiveRange live, List<Gap> gaps) {
    if (gaps.isEmpty()) {
      return List.of();
    }
    List<Gap> sorted = new ArrayList<>(gaps);
    sorted.sort(Comparator.comparing(Gap::range));
    int free = live.start();
    for (Gap gap : sorted) {
      if (gap.range().start() < free || gap.range().end() > live.end()) {
        throw new InvalidProblemException(
            ("buffer \"%s\": gap %s should be inside the live range %s and "
                    + "overlap no other gap")
                .formatted(id, gap.range(), live));
      }
      if (gap.windowEnd() > size) {
        throw new InvalidProblemException(
            "buffer \"%s\": window %s:%s should end within the size %s"
                .formatted(id, gap.windowStart(), gap.windowEnd(), size));
      }
      free = gap.range().end();
    }
    return List.copyOf(sorted);
  }

  /** {@return whether the offset is given beforehand} */
  public boolean isFixed() {
    return fixedOffset != NONE;
  }

  /** {@return whether any gap leaves a window of bytes in use} */
  public boolean hasWindows() {
    return gaps.stream().anyMatch(Gap::hasWindow);
  }

  /** {@return whether it needs memory at some step} */
  public boolean needsMemory() {
    return size > 0 && (holdsPlace || !live.isEmpty());
  }

  /**
   * {@return the live range cut at its gaps: spans, in order and disjoint, each with the bytes
   * needed throughout} Spans that need nothing are left out. A buffer that holds its place has one
   * span of all steps. O(gaps).
   */
  public List<Span> spans() {
    if (!needsMemory()) {
      return List.of();
    }
    if (holdsPlace) {
      return List.of(new Span(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, size));
    }
    if (gaps.isEmpty()) {
      return List.of(new Span(live.start(), live.end(), 0, size));
    }
    List<Span> spans = new ArrayList<>(2 * gaps.size() + 1);
    int at = live.start();
    for (Gap gap : gaps) {
      if (at < gap.range().start()) {
        spans.add(new Span(at, gap.range().start(), 0, size));
      }
      if (gap.hasWindow()) {
        spans.add(
            new Span(gap.range().start(), gap.range().end(), gap.windowStart(), gap.windowEnd()));
      }
      at = gap.range().end();
    }
    if (at < live.end()) {
      spans.add(new Span(at, live.end(), 0, size));
    }
    return spans;
  }

  /**
   * {@return bytes needed at a step: 0 outside the live range and in gaps without a window}
   * O(gaps).
   */
  public long bytesAt(int step) {
    Span span = spanAt(step);
    return span == null ? 0 : span.high - span.low;
  }

  /**
   * {@return the span of its live range that has a step; null where it needs nothing then} O(gaps).
   */
  public Span spanAt(int step) {
    for (Span span : spans()) {
      if (span.start <= step && step < span.end) {
        return span;
      }
    }
    return null;
  }

  /**
   * A stretch of a buffer's live range during which the same of its bytes are needed.
   *
   * @param start first step
   * @param end first step after it
   * @param low first byte needed, relative to the buffer's offset
   * @param high first byte after it
   */
  public record Span(int start, int end, long low, long high) {}

  /**
   * {@return whether this buffer and another have spans, alive at a common step, that are such}
   * O(spans * spans).
   */
  public boolean anyAtOnce(Buffer other, BiPredicate<Span, Span> such) {
    for (Span a : spans()) {
      for (Span b : other.spans()) {
        if (Math.max(a.start, b.start) < Math.min(a.end, b.end) && such.test(a, b)) {
          return true;
        }
      }
    }
    return false;
  }

  /** {@return whether this buffer at an offset and another at its own need one byte at a step} */
  public boolean clashes(long at, Buffer other, long there) {
    return anyAtOnce(other, (a, b) -> at + a.low < there + b.high && there + b.low < at + a.high);
  }

  /** {@return the same buffer under another id} */
  public Buffer withId(String other) {
    return new Buffer(
        other, size, live, alignment, fixedOffset, hint, gaps, memories, withinBank, holdsPlace);
  }

  /** {@return the same buffer alive in {@code [start, end)}; its gaps must be inside it} */
  public Buffer withLive(int start, int end) {
    LiveRange other = new LiveRange(start, end);
    return new Buffer(
        id, size, other, alignment, fixedOffset, hint, gaps, memories, withinBank, holdsPlace);
  }

  /** {@return the same buffer with another size} */
  public Buffer withSize(long bytes) {
    return new Buffer(
        id, bytes, live, alignment, fixedOffset, hint, gaps, memories, withinBank, holdsPlace);
  }

  /** {@return the same buffer with another alignment} */
  public Buffer withAlignment(long bytes) {
    return new Buffer(
        id, size, live, bytes, fixedOffset, hint, gaps, memories, withinBank, holdsPlace);
  }

  /** {@return the same buffer fixed at an offset, or freed with {@link #NONE}} */
  public Buffer withFixedOffset(long offset) {
    return new Buffer(
        id, size, live, alignment, offset, hint, gaps, memories, withinBank, holdsPlace);
  }

  /** {@return the same buffer with a hint, or without one ({@link #NONE})} */
  public Buffer withHint(long offset) {
    return new Buffer(
        id, size, live, alignment, fixedOffset, offset, gaps, memories, withinBank, holdsPlace);
  }

  /** {@return the same buffer with other gaps} */
  public Buffer withGaps(List<Gap> others) {
    return new Buffer(
        id, size, live, alignment, fixedOffset, hint, others, memories, withinBank, holdsPlace);
  }

  /** {@return the same buffer allowed in the named memories, in order of preference} */
  public Buffer withMemories(List<String> names) {
    return new Buffer(
        id, size, live, alignment, fixedOffset, hint, gaps, names, withinBank, holdsPlace);
  }

  /** {@return the same buffer, kept within one bank or not} */
  public Buffer withinBank(boolean kept) {
    return new Buffer(
        id, size, live, alignment, fixedOffset, hint, gaps, memories, kept, holdsPlace);
  }

  /** {@return the same buffer, holding its place at every step or not} */
  public Buffer holdsPlace(boolean always) {
    return new Buffer(
        id, size, live, alignment, fixedOffset, hint, gaps, memories, withinBank, always);
  }
}
