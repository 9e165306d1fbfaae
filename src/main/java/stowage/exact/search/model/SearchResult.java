package stowage.exact.search.model;

import stowage.exact.presolve.Component;

/**
 * The answer of a search.
 *
 * @param offsets an offset for every buffer in the problem's unit, or null where none was found
 * @param peak the peak of the offsets, or -1 without
 * @param bound the proven lower bound of every placement's peak; never above a feasible peak
 */
public record SearchResult(
    Status status, long[] offsets, long peak, long bound, SearchStatistics statistics) {
  /** What offsets, null where none were found, and a bound come to. */
  public static SearchResult of(
      Component problem, long[] offsets, long bound, SearchStatistics statistics) {
    long peak = offsets == null ? -1 : problem.peak(offsets);
    Status status =
        offsets == null ? Status.UNKNOWN : peak <= bound ? Status.OPTIMAL : Status.FEASIBLE;
    return new SearchResult(status, offsets, peak, bound, statistics);
  }

  /** What a search can know in the end. */
  public enum Status {
    /** The offsets fit, and no lower peak exists. */
    OPTIMAL,
    /** The offsets fit. */
    FEASIBLE,
    /** Proven: nothing fits. */
    INFEASIBLE,
    /** Ended before either was known. */
    UNKNOWN
  }
}
