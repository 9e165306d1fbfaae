package stowage.exact.search;

import stowage.exact.search.model.RectangleProblem;

/** Tries every allowed offset of every buffer; shares no code with any search. */
public final class BruteForce {
  private BruteForce() {}

  /**
   * The lowest peak.
   *
   * @param highest where to give up
   * @return the peak, or -1 where no placement has a peak of at most {@code highest}
   */
  public static long optimum(RectangleProblem problem, long highest) {
    long least = 0;
    for (int buffer = 0; buffer < problem.count; buffer++) {
      least = Math.max(least, problem.size[buffer] + Math.max(0, problem.fixedOffset[buffer]));
    }
    if (hopeless(problem, highest)) {
      return -1;
    }
    for (long peak = least; peak <= highest; peak++) {
      if (place(problem, new long[problem.count], 0, peak)) {
        return peak;
      }
    }
    return -1;
  }

  /** What a single buffer or a pair of fixed ones shows at once: it would take for ever to try. */
  private static boolean hopeless(RectangleProblem problem, long highest) {
    for (int one = 0; one < problem.count; one++) {
      boolean somewhere = false;
      for (long offset = 0; offset <= highest; offset++) {
        somewhere |= allowed(problem, one, offset, highest);
      }
      if (!somewhere) {
        return true;
      }
      for (int other = 0; other < one; other++) {
        if (problem.fixedOffset[one] >= 0
            && problem.fixedOffset[other] >= 0
            && clash(problem, one, problem.fixedOffset[one], other, problem.fixedOffset[other])) {
          return true;
        }
      }
    }
    return false;
  }

  /** What is wrong with a placement, or null. */
  public static String fault(RectangleProblem problem, long[] offsets, long capacity) {
    for (int one = 0; one < problem.count; one++) {
      if (!allowed(problem, one, offsets[one], capacity)) {
        return "buffer " + one + " must not lie at " + offsets[one];
      }
      for (int other = 0; other < one; other++) {
        if (clash(problem, one, offsets[one], other, offsets[other])) {
          return "buffers " + other + " and " + one + " clash";
        }
      }
    }
    return null;
  }

  private static boolean place(RectangleProblem problem, long[] offsets, int buffer, long peak) {
    if (buffer == problem.count) {
      return true;
    }
    for (long offset = 0; offset + problem.size[buffer] <= peak; offset++) {
      boolean free = allowed(problem, buffer, offset, peak);
      for (int other = 0; other < buffer && free; other++) {
        free = !clash(problem, buffer, offset, other, offsets[other]);
      }
      offsets[buffer] = offset;
      if (free && place(problem, offsets, buffer + 1, peak)) {
        return true;
      }
    }
    return false;
  }

  private static boolean allowed(RectangleProblem problem, int buffer, long offset, long capacity) {
    long size = problem.size[buffer];
    if (offset < 0 || offset + size > capacity) {
      return false;
    }
    if (problem.fixedOffset[buffer] >= 0) {
      return offset == problem.fixedOffset[buffer];
    }
    if (offset % problem.alignment[buffer] != 0) {
      return false;
    }
    return !problem.withinBank[buffer]
        || problem.bankSize == 0
        || offset / problem.bankSize == (offset + size - 1) / problem.bankSize;
  }

  private static boolean clash(
      RectangleProblem problem, int one, long offset, int other, long otherOffset) {
    if (problem.extraConflict(one, other)
        && offset < otherOffset + problem.size[other]
        && otherOffset < offset + problem.size[one]) {
      return true;
    }
    for (int p = problem.firstPiece[one]; p < problem.firstPiece[one + 1]; p++) {
      for (int q = problem.firstPiece[other]; q < problem.firstPiece[other + 1]; q++) {
        if (problem.pieceStart[p] < problem.pieceEnd[q]
            && problem.pieceStart[q] < problem.pieceEnd[p]
            && offset + problem.pieceLow[p] < otherOffset + problem.pieceHigh[q]
            && otherOffset + problem.pieceLow[q] < offset + problem.pieceHigh[p]) {
          return true;
        }
      }
    }
    return false;
  }
}
