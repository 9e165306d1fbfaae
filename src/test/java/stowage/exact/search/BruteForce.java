package stowage.exact.search;

import java.util.List;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentProblem;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/** Components written down as problems, which trying everything and the verifier know. */
public final class BruteForce {
  private BruteForce() {}

  private static PackingProblem within(Component component, long capacity) {
    return ComponentProblem.of(component).withCapacity(0, capacity);
  }

  /**
   * The lowest peak.
   *
   * @param highest where to give up
   * @return the peak, or -1 where no placement has a peak of at most {@code highest}
   */
  public static long optimum(Component component, long highest) {
    long[] peaks = stowage.exact.BruteForce.peaks(within(component, highest));
    return peaks == null ? -1 : peaks[0];
  }

  /** What is wrong with a placement, or null. */
  public static String fault(Component component, long[] offsets, long capacity) {
    List<Violation> faults =
        Verifier.violations(within(component, capacity), Placement.of(offsets));
    return faults.isEmpty() ? null : faults.get(0).text();
  }
}
