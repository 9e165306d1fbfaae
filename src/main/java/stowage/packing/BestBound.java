package stowage.packing;

import java.util.Optional;

/**
 * The bound of the first figure that a report shows, and whether its certificate was checked.
 *
 * <p>Several methods may prove the same value. The simplest proof serves readers best, so a bound
 * equal to the max load has it as its reason, whichever method found it.
 *
 * @param bound the best bound known; the max load where nothing better was proven
 * @param checked whether {@link BoundVerifier} accepts its certificate
 */
public record BestBound(Bound bound, boolean checked) {
  /** {@return the best of a proven bound (or null) and the max load} O(n log n). */
  public static BestBound of(PackingProblem problem, Bound proven) {
    Bound load = LoadBound.of(problem, problem.memories().size() - 1);
    boolean better = proven != null && proven.value() > load.value();
    Bound best = better ? proven : load;
    return new BestBound(best, BoundVerifier.fault(problem, best).isEmpty());
  }

  /** {@return whether a certificate of infeasibility holds: it proves a peak above a capacity} */
  public static boolean provesInfeasible(PackingProblem problem, Certificate why) {
    int memory = why.memory();
    if (memory < 0 || !problem.memories().get(memory).isBounded()) {
      return false;
    }
    long above = problem.memories().get(memory).capacity() + 1;
    Optional<String> fault = BoundVerifier.fault(problem, Bound.of(above, why));
    return fault.isEmpty();
  }
}
