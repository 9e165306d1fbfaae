package stowage.report;

import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.PackingProblem;

/**
 * One of several bounds of a problem, as {@code stowage bound} lists them.
 *
 * @param checked whether the verifier accepts its certificate
 */
public record TimedBound(Bound bound, double seconds, boolean checked) {

  /** Checks a bound's certificate. */
  public static TimedBound of(PackingProblem problem, Bound bound, double seconds) {
    return new TimedBound(bound, seconds, BoundVerifier.fault(problem, bound).isEmpty());
  }
}
