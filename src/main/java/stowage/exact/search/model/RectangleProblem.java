package stowage.exact.search.model;

import java.util.Arrays;
import stowage.packing.Rounding;

/**
 * A packing problem reduced to primitive arrays: rectangles whose place in time is fixed and whose
 * address is to be chosen.
 *
 * <p>Time is counted in <em>sections</em>, the maximal live sets in their order: two pieces
 * conflict if and only if their half-open section ranges {@code [start, end)} share a section, so
 * nothing is lost and every load bound needs one figure a section. Sizes, offsets and alignments
 * share one unit (bytes, or any common divisor of them). The arrays are immutable by convention:
 * nobody writes to them once the problem is built.
 *
 * <p>A buffer consists of pieces in time order. Most buffers have one. A gap in which the buffer
 * needs nothing leaves two pieces; a gap with a window makes a piece of its own that occupies only
 * {@code [offset + low, offset + high)}. Pieces never overlap in time with other pieces of the same
 * buffer.
 */
public final class RectangleProblem {
  /** Number of buffers. */
  public final int count;

  /** Number of sections; every section index lies in {@code [0, sections)}. */
  public final int sections;

  /** Size of each buffer, positive. */
  public final long[] size;

  /** Alignment of each buffer's offset, at least 1. */
  public final long[] alignment;

  /** The offset a buffer must have, or -1 where it is free. */
  public final long[] fixedOffset;

  /** Size of a bank, or 0 where the memory has none. */
  public final long bankSize;

  /** Whether a buffer must not cross a multiple of {@link #bankSize}. */
  public final boolean[] withinBank;

  /** The pieces of buffer {@code b} are {@code [firstPiece[b], firstPiece[b + 1])}. */
  public final int[] firstPiece;

  /** First section of each piece. */
  public final int[] pieceStart;

  /** End (exclusive) of each piece in sections. */
  public final int[] pieceEnd;

  /** Lowest address of each piece relative to its buffer's offset. */
  public final long[] pieceLow;

  /** End (exclusive) of each piece's addresses relative to its buffer's offset. */
  public final long[] pieceHigh;

  /**
   * Per buffer, the buffers it must not overlap in address whatever their time; null where none.
   */
  public final int[][] extraConflicts;

  /** Whether some piece occupies only a window of its buffer. */
  public final boolean windowed;

  private RectangleProblem(Builder builder, int pieces, int sections, int[] start, int[] end) {
    this.count = builder.count;
    this.sections = sections;
    this.size = Arrays.copyOf(builder.size, count);
    this.alignment = Arrays.copyOf(builder.alignment, count);
    this.fixedOffset = Arrays.copyOf(builder.fixedOffset, count);
    this.bankSize = builder.bankSize;
    this.withinBank = Arrays.copyOf(builder.withinBank, count);
    this.firstPiece = builder.firstPiece(pieces);
    this.pieceStart = start;
    this.pieceEnd = end;
    this.pieceLow = Arrays.copyOf(builder.pieceLow, pieces);
    this.pieceHigh = Arrays.copyOf(builder.pieceHigh, pieces);
    this.extraConflicts = builder.extraConflicts();
    boolean partial = false;
    for (int buffer = 0; buffer < count; buffer++) {
      for (int piece = firstPiece[buffer]; piece < firstPiece[buffer + 1]; piece++) {
        partial |= pieceLow[piece] != 0 || pieceHigh[piece] != size[buffer];
      }
    }
    this.windowed = partial;
  }

  /** A builder for problems given in arbitrary time. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Whether two different buffers may not overlap in address at some time, or at all.
   *
   * @return true where some of their pieces share a section or the pair is an extra conflict
   */
  public boolean conflict(int one, int other) {
    for (int p = firstPiece[one]; p < firstPiece[one + 1]; p++) {
      for (int q = firstPiece[other]; q < firstPiece[other + 1]; q++) {
        if (pieceStart[p] < pieceEnd[q] && pieceStart[q] < pieceEnd[p]) {
          return true;
        }
      }
    }
    return extraConflict(one, other);
  }

  /** Whether the pair must not overlap in address although it need not meet in time. */
  public boolean extraConflict(int one, int other) {
    if (extraConflicts != null && extraConflicts[one] != null) {
      for (int extra : extraConflicts[one]) {
        if (extra == other) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * The smallest offset not below {@code offset} that the buffer may have: aligned, inside one bank
   * where it must be, and its fixed offset where it has one.
   *
   * @return the offset, or -1 where there is none
   */
  public long roundUp(int buffer, long offset) {
    if (fixedOffset[buffer] >= 0) {
      return offset <= fixedOffset[buffer] ? fixedOffset[buffer] : -1;
    }
    return Rounding.up(offset, size[buffer], alignment[buffer], withinBank[buffer] ? bankSize : 0);
  }

  /** The peak of a placement: the highest offset + size, 0 for no buffers. */
  public long peak(long[] offsets) {
    long peak = 0;
    for (int buffer = 0; buffer < count; buffer++) {
      peak = Math.max(peak, offsets[buffer] + size[buffer]);
    }
    return peak;
  }

  /** The load of each section: the sum of what its live pieces occupy. O(pieces + sections). */
  public long[] loads() {
    long[] loads = new long[sections + 1];
    for (int piece = 0; piece < pieceStart.length; piece++) {
      loads[pieceStart[piece]] += pieceHigh[piece] - pieceLow[piece];
      loads[pieceEnd[piece]] -= pieceHigh[piece] - pieceLow[piece];
    }
    for (int section = 1; section < sections; section++) {
      loads[section] += loads[section - 1];
    }
    return Arrays.copyOf(loads, sections);
  }

  /** The largest load of a section: no placement has a lower peak. */
  public long maxLoad() {
    long highest = 0;
    for (long load : loads()) {
      highest = Math.max(highest, load);
    }
    for (int buffer = 0; buffer < count; buffer++) {
      highest = Math.max(highest, size[buffer]);
    }
    return highest;
  }

  /**
   * Builds a problem from arbitrary integer times and compresses time to the maximal live sets.
   *
   * <p>Buffers are numbered 0, 1, ... in the order they are added; gaps of a buffer must be added
   * directly after it, in time order.
   */
  public static final class Builder {
    private int count;
    private long[] size = new long[16];
    private long[] alignment = new long[16];
    private long[] fixedOffset = new long[16];
    private boolean[] withinBank = new boolean[16];
    private int pieces;
    private int[] pieceBuffer = new int[16];
    private int[] pieceFrom = new int[16];
    private int[] pieceTo = new int[16];
    private long[] pieceLow = new long[16];
    private long[] pieceHigh = new long[16];
    private long bankSize;
    private int extras;
    private int[] extraOne = new int[0];
    private int[] extraOther = new int[0];

    private Builder() {}

    /**
     * Adds a buffer alive during {@code [start, end)}.
     *
     * @return its index
     * @throws IllegalArgumentException where the size is not positive or the range is empty
     */
    public int add(long bufferSize, int start, int end) {
      if (bufferSize <= 0) {
        throw new IllegalArgumentException("size(" + bufferSize + ") must be positive");
      }
      requireRange(start, end);
      if (count == size.length) {
        size = Arrays.copyOf(size, 2 * count);
        alignment = Arrays.copyOf(alignment, 2 * count);
        fixedOffset = Arrays.copyOf(fixedOffset, 2 * count);
        withinBank = Arrays.copyOf(withinBank, 2 * count);
      }
      size[count] = bufferSize;
      alignment[count] = 1;
      fixedOffset[count] = -1;
      addPiece(count, start, end, 0, bufferSize);
      return count++;
    }

    /** Sets the alignment of a buffer's offset, at least 1. */
    public Builder align(int buffer, long multiple) {
      if (multiple < 1) {
        throw new IllegalArgumentException("alignment(" + multiple + ") must be at least 1");
      }
      alignment[buffer] = multiple;
      return this;
    }

    /**
     * Fixes a buffer's offset, at least 0. A fixed offset stands as it is given: the alignment and
     * the banks of the buffer no longer matter.
     */
    public Builder fix(int buffer, long offset) {
      if (offset < 0) {
        throw new IllegalArgumentException("offset(" + offset + ") must not be negative");
      }
      fixedOffset[buffer] = offset;
      return this;
    }

    /** Sets the size of a bank; 0 for none. */
    public Builder banks(long bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("bankSize(" + bytes + ") must not be negative");
      }
      bankSize = bytes;
      return this;
    }

    /** Demands that a buffer lies within one bank. */
    public Builder withinBank(int buffer) {
      withinBank[buffer] = true;
      return this;
    }

    /** Lets the buffer added last need nothing during {@code [start, end)}. */
    public Builder gap(int start, int end) {
      return window(start, end, 0, 0);
    }

    /**
     * Lets the buffer added last occupy only {@code [offset + low, offset + high)} during {@code
     * [start, end)}; {@code low == high} is a gap without a window.
     *
     * @throws IllegalArgumentException where the gap does not lie in what is left of the buffer's
     *     life after the gaps before it, or the window not in the buffer
     */
    public Builder window(int start, int end, long low, long high) {
      requireRange(start, end);
      int buffer = count - 1;
      if (low < 0 || low > high || high > size[buffer]) {
        throw new IllegalArgumentException(
            "window [" + low + ", " + high + ") must be in [0, " + size[buffer] + ")");
      }
      int last = pieces - 1;
      boolean rest = pieces > 0 && pieceBuffer[last] == buffer;
      if (!rest || start < pieceFrom[last] || end > pieceTo[last]) {
        throw new IllegalArgumentException(
            "gap [" + start + ", " + end + ") must lie in the buffer's life, gaps in time order");
      }
      int from = pieceFrom[last];
      int to = pieceTo[last];
      pieces--;
      if (from < start) {
        addPiece(buffer, from, start, 0, size[buffer]);
      }
      if (low < high) {
        addPiece(buffer, start, end, low, high);
      }
      if (end < to) {
        addPiece(buffer, end, to, 0, size[buffer]);
      }
      return this;
    }

    /** Adds a pair that must not overlap in address even where it never meets in time. */
    public Builder conflict(int one, int other) {
      if (one == other) {
        throw new IllegalArgumentException("buffer(" + one + ") cannot conflict with itself");
      }
      if (extras == extraOne.length) {
        extraOne = Arrays.copyOf(extraOne, Math.max(16, 2 * extras));
        extraOther = Arrays.copyOf(extraOther, extraOne.length);
      }
      extraOne[extras] = one;
      extraOther[extras++] = other;
      return this;
    }

    /** Compresses time to the maximal live sets and builds the problem. O(n log n). */
    public RectangleProblem build() {
      long[] events = new long[2 * pieces];
      for (int piece = 0; piece < pieces; piece++) {
        events[2 * piece] = ((long) pieceFrom[piece] << 32) | 1L << 31 | piece;
        events[2 * piece + 1] = ((long) pieceTo[piece] << 32) | piece;
      }
      Arrays.sort(events);
      int[] start = new int[pieces];
      int[] end = new int[pieces];
      int sections = 0;
      boolean grown = false;
      for (long event : events) {
        int piece = (int) (event & 0x7fffffffL);
        if ((event & 1L << 31) != 0) {
          start[piece] = sections;
          grown = true;
        } else {
          if (grown) {
            sections++;
            grown = false;
          }
          end[piece] = sections;
        }
      }
      return new RectangleProblem(this, pieces, sections, start, end);
    }

    private static void requireRange(int start, int end) {
      if (start >= end) {
        throw new IllegalArgumentException("range [" + start + ", " + end + ") must not be empty");
      }
    }

    private void addPiece(int buffer, int from, int to, long low, long high) {
      if (pieces == pieceFrom.length) {
        pieceBuffer = Arrays.copyOf(pieceBuffer, 2 * pieces);
        pieceFrom = Arrays.copyOf(pieceFrom, 2 * pieces);
        pieceTo = Arrays.copyOf(pieceTo, 2 * pieces);
        pieceLow = Arrays.copyOf(pieceLow, 2 * pieces);
        pieceHigh = Arrays.copyOf(pieceHigh, 2 * pieces);
      }
      pieceBuffer[pieces] = buffer;
      pieceFrom[pieces] = from;
      pieceTo[pieces] = to;
      pieceLow[pieces] = low;
      pieceHigh[pieces++] = high;
    }

    private int[] firstPiece(int total) {
      int[] first = new int[count + 1];
      for (int piece = 0; piece < total; piece++) {
        first[pieceBuffer[piece] + 1]++;
      }
      for (int buffer = 0; buffer < count; buffer++) {
        first[buffer + 1] += first[buffer];
      }
      return first;
    }

    private int[][] extraConflicts() {
      if (extras == 0) {
        return null;
      }
      int[][] adjacency = new int[count][];
      int[] degree = new int[count];
      for (int pair = 0; pair < extras; pair++) {
        degree[extraOne[pair]]++;
        degree[extraOther[pair]]++;
      }
      for (int buffer = 0; buffer < count; buffer++) {
        if (degree[buffer] > 0) {
          adjacency[buffer] = new int[degree[buffer]];
        }
      }
      for (int pair = 0; pair < extras; pair++) {
        int one = extraOne[pair];
        int other = extraOther[pair];
        adjacency[one][--degree[one]] = other;
        adjacency[other][--degree[other]] = one;
      }
      return adjacency;
    }
  }
}
