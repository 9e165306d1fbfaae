package stowage.exact.search.model;

import stowage.packing.Rounding;

/**
 * A problem as the canonical search reads it: in the largest unit that divides everything, with the
 * conflicts as rows of bits. Built once, shared by all workers, never written to again.
 */
public final class SearchModel {
  /** The largest number of buffers for which a model is built: its bit rows take n^2 / 8 bytes. */
  public static final int LARGEST = 1 << 14;

  public final RectangleProblem problem;

  /** Everything below is counted in this many units of the problem. */
  public final long unit;

  public final int count;
  public final int sections;
  public final long[] size;
  public final int[] firstPiece;
  public final int[] pieceStart;
  public final int[] pieceEnd;

  /** Hull of a buffer's pieces in sections, half-open. */
  public final int[] hullStart;

  public final int[] hullEnd;

  /** Hull of a buffer and of all it extra-conflicts with: what time decomposition must not cut. */
  public final int[] spanStart;

  public final int[] spanEnd;

  /** Number of sections a buffer is live in. */
  public final int[] width;

  /** Words of a conflict row. */
  public final int words;

  /** Row b, words {@code [b * words, (b + 1) * words)}: the buffers that conflict with b. */
  public final long[] conflicts;

  /** The largest load of a section. */
  public final long maxLoad;

  /** Whether every offset is allowed for every buffer. */
  public final boolean plain;

  /** Whether every order of the buffers can be stacked: no offset is fixed, every buffer fits. */
  public final boolean stackable;

  private final long[] alignment;
  private final long[] fixedOffset;
  private final long[] bank;

  /**
   * @throws IllegalArgumentException where the problem has windows (bottom-left placements are not
   *     complete for those) or more than {@link #LARGEST} buffers
   */
  public SearchModel(RectangleProblem problem) {
    if (problem.windowed || problem.count > LARGEST) {
      throw new IllegalArgumentException(
          "count(" + problem.count + ") must be at most " + LARGEST + ", without windows");
    }
    this.problem = problem;
    this.unit = unit(problem);
    this.count = problem.count;
    this.sections = problem.sections;
    this.firstPiece = problem.firstPiece;
    this.pieceStart = problem.pieceStart;
    this.pieceEnd = problem.pieceEnd;
    this.size = new long[count];
    this.alignment = new long[count];
    this.fixedOffset = new long[count];
    this.bank = new long[count];
    this.width = new int[count];
    this.hullStart = new int[count];
    this.hullEnd = new int[count];
    boolean free = true;
    for (int b = 0; b < count; b++) {
      size[b] = problem.size[b] / unit;
      // An alignment that divides the unit asks for nothing: every offset is a multiple of the
      // unit.
      alignment[b] = Math.max(1, problem.alignment[b] / unit);
      fixedOffset[b] = problem.fixedOffset[b] < 0 ? -1 : problem.fixedOffset[b] / unit;
      bank[b] = problem.withinBank[b] ? problem.bankSize / unit : 0;
      free &= alignment[b] == 1 && fixedOffset[b] < 0 && bank[b] == 0;
      for (int piece = firstPiece[b]; piece < firstPiece[b + 1]; piece++) {
        width[b] += pieceEnd[piece] - pieceStart[piece];
      }
      if (firstPiece[b] < firstPiece[b + 1]) {
        hullStart[b] = pieceStart[firstPiece[b]];
        hullEnd[b] = pieceEnd[firstPiece[b + 1] - 1];
      }
    }
    this.plain = free;
    boolean orders = true;
    for (int b = 0; b < count; b++) {
      orders &= fixedOffset[b] < 0 && roundUp(b, 0) >= 0;
    }
    this.stackable = orders;
    this.maxLoad = problem.maxLoad() / unit;
    this.spanStart = hullStart.clone();
    this.spanEnd = hullEnd.clone();
    this.words = count + 63 >>> 6;
    this.conflicts = new long[count * words];
    fillConflicts();
  }

  /** The smallest allowed offset of a buffer that is not below the given one, or -1. */
  public long roundUp(int buffer, long offset) {
    if (plain) {
      return offset;
    }
    long fixed = fixedOffset[buffer];
    if (fixed >= 0) {
      return offset <= fixed ? fixed : -1;
    }
    return Rounding.up(offset, size[buffer], alignment[buffer], bank[buffer]);
  }

  /** The peak of a placement in units. */
  public long peak(long[] offsets) {
    long peak = 0;
    for (int buffer = 0; buffer < count; buffer++) {
      peak = Math.max(peak, offsets[buffer] + size[buffer]);
    }
    return peak;
  }

  /** Whether two buffers conflict. */
  public boolean conflict(int one, int other) {
    return (conflicts[one * words + (other >> 6)] >>> other & 1) != 0;
  }

  private void fillConflicts() {
    for (int one = 0; one < count; one++) {
      int start = hullStart[one];
      int end = hullEnd[one];
      boolean single = firstPiece[one + 1] - firstPiece[one] == 1;
      for (int other = one + 1; other < count; other++) {
        if (hullStart[other] < end && start < hullEnd[other]) {
          if (single && firstPiece[other + 1] - firstPiece[other] == 1
              || problem.conflict(one, other)) {
            join(one, other);
          }
        }
      }
    }
    if (problem.extraConflicts == null) {
      return;
    }
    for (int one = 0; one < count; one++) {
      if (problem.extraConflicts[one] != null) {
        for (int other : problem.extraConflicts[one]) {
          join(one, other);
          spanStart[one] = Math.min(spanStart[one], hullStart[other]);
          spanEnd[one] = Math.max(spanEnd[one], hullEnd[other]);
        }
      }
    }
  }

  private void join(int one, int other) {
    conflicts[one * words + (other >> 6)] |= 1L << other;
    conflicts[other * words + (one >> 6)] |= 1L << one;
  }

  /** The largest figure that divides sizes, fixed offsets, banks and the alignments it must. */
  private static long unit(RectangleProblem problem) {
    long unit = problem.bankSize;
    for (int buffer = 0; buffer < problem.count; buffer++) {
      unit = Rounding.gcd(unit, problem.size[buffer]);
      if (problem.fixedOffset[buffer] > 0) {
        unit = Rounding.gcd(unit, problem.fixedOffset[buffer]);
      }
    }
    boolean stable;
    do {
      stable = true;
      for (long alignment : problem.alignment) {
        if (unit % alignment != 0 && alignment % unit != 0) {
          unit = Rounding.gcd(unit, alignment);
          stable = false;
        }
      }
    } while (!stable);
    return Math.max(1, unit);
  }
}
