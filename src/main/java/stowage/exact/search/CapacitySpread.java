package stowage.exact.search;

import stowage.exact.search.model.SharedIncumbent;

/**
 * Capacities between the target and the best peak, evenly spread in whatever order and number they
 * are asked for, low ones more often than high ones.
 */
final class CapacitySpread {
  /** The golden ratio's multiples fill an interval evenly. */
  private static final double STEP = 0.6180339887498949;

  private double phase;

  /** The next capacity: at least the target, below the best peak, at most twice the target. */
  long next(SharedIncumbent incumbent) {
    long target = incumbent.target();
    long span = Math.max(1, Math.min(incumbent.best(), 2 * target) - target);
    phase += STEP;
    phase -= (long) phase;
    return target + (long) (span * phase * phase);
  }
}
