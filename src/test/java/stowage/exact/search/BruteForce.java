package stowage.exact.search;

import stowage.exact.presolve.Component;

/** Tries every allowed offset of every buffer; shares no code with any search. */
public final class BruteForce {
  private BruteForce() {}

  /**
   * The lowest peak.
   *
   * @param highest where to give up
   * @return the peak, or -1 where no placement has a peak of at most {@code highest}
   */
  public static long optimum(Component problem, long highest) {
    long least = 0;
    for (int buffer = 0; buffer < problem.count(); buffer++) {
      least =
          Math.max(least, problem.sizes()[buffer] + Math.max(0, problem.fixedOffsets()[buffer]));
    }
    if (hopeless(problem, highest)) {
      return -1;
    }
    for (long peak = least; peak <= highest; peak++) {
      if (place(problem, new long[problem.count()], 0, peak)) {
        return peak;
      }
    }
    return -1;
  }

  /** What a single buffer or a pair of fixed ones shows at once: it would take for ever to try. */
  private static boolean hopeless(Component problem, long highest) {
    for (int one = 0; one < problem.count(); one++) {
      boolean somewhere = false;
      for (long offset = 0; offset <= highest; offset++) {
        somewhere |= allowed(problem, one, offset, highest);
      }
      if (!somewhere) {
        return true;
      }
      for (int other = 0; other < one; other++) {
        if (problem.fixedOffsets()[one] >= 0
            && problem.fixedOffsets()[other] >= 0
            && clash(
                problem, one, problem.fixedOffsets()[one], other, problem.fixedOffsets()[other])) {
          return true;
        }
      }
    }
    return false;
  }

  /** What is wrong with a placement, or null. */
  public static String fault(Component problem, long[] offsets, long capacity) {
    for (int one = 0; one < problem.count(); one++) {
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

  private static boolean place(Component problem, long[] offsets, int buffer, long peak) {
    if (buffer == problem.count()) {
      return true;
    }
    for (long offset = 0; offset + problem.sizes()[buffer] <= peak; offset++) {
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

  private static boolean allowed(Component problem, int buffer, long offset, long capacity) {
    long size = problem.sizes()[buffer];
    if (offset < 0 || offset + size > capacity) {
      return false;
    }
    if (problem.fixedOffsets()[buffer] >= 0) {
      return offset == problem.fixedOffsets()[buffer];
    }
    if (offset % problem.alignment(buffer, 0) != 0) {
      return false;
    }
    return !problem.withinBanks()[buffer]
        || problem.bankSize(0) == 0
        || offset / problem.bankSize(0) == (offset + size - 1) / problem.bankSize(0);
  }

  private static boolean clash(
      Component problem, int one, long offset, int other, long otherOffset) {
    if (problem.extraConflict(one, other)
        && offset < otherOffset + problem.sizes()[other]
        && otherOffset < offset + problem.sizes()[one]) {
      return true;
    }
    for (int p = problem.firstSpans()[one]; p < problem.firstSpans()[one + 1]; p++) {
      for (int q = problem.firstSpans()[other]; q < problem.firstSpans()[other + 1]; q++) {
        if (problem.spanStarts()[p] < problem.spanEnds()[q]
            && problem.spanStarts()[q] < problem.spanEnds()[p]
            && offset + problem.spanLows()[p] < otherOffset + problem.spanHighs()[q]
            && otherOffset + problem.spanLows()[q] < offset + problem.spanHighs()[p]) {
          return true;
        }
      }
    }
    return false;
  }
}
