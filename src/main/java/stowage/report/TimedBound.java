package stowage.report;

import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.PackingProblem;

/**
 * One of a problem's bounds, as {@code stowage bound} lists them, and whether the verifier accepts
 * it.
 */
public record TimedBound(Bound bound, double seconds, boolean checked) {
  /** Checks a bound's certificate. */
  public static TimedBound of(PackingProblem problem, Bound bound, double seconds) {
    return new TimedBound(bound, seconds, BoundVerifier.fault(problem, bound).isEmpty());
  }
}
