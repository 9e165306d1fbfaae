package stowage.report;

import java.util.Optional;
import java.util.stream.IntStream;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Certificate;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;

/**
 * The bound of the first figure that a report shows, and whether its certificate was checked.
 *
 * <p>Several methods may prove the same value. A reader is served best by the simplest proof, so
 * whenever the bound equals the max load, the max load is given as its reason, whoever found it.
 *
 * @param bound the best bound known; the max load where nothing better was proven
 * @param checked whether {@link BoundVerifier} accepts its certificate
 */
record BestBound(Bound bound, boolean checked) {

  /** The best of a proven bound (or null) and the max load. O(n log n). */
  static BestBound of(PackingProblem problem, Bound proven) {
    Bound load = maxLoad(problem);
    boolean better = proven != null && proven.value() > load.value();
    Bound best = better ? proven : load;
    return new BestBound(best, BoundVerifier.fault(problem, best).isEmpty());
  }

  /** The max load of the memory whose peak counts first, over the buffers that lie there alone. */
  private static Bound maxLoad(PackingProblem problem) {
    int memory = problem.memories().size() - 1;
    LoadProfile profile =
        LoadProfile.of(problem, buffer -> problem.allowedMask(buffer) == 1L << memory);
    int step = profile.maxLoadStep();
    int[] alive =
        IntStream.range(0, problem.size())
            .filter(i -> problem.allowedMask(i) == 1L << memory)
            .filter(i -> problem.buffer(i).bytesAt(step) > 0)
            .toArray();
    return Bound.of(profile.maxLoad(), new Certificate.MaxLoad(memory, step, 0, alive));
  }

  /**
   * Whether a certificate of infeasibility is checked: it must prove a peak above the capacity of
   * the memory it speaks of.
   */
  static boolean provesInfeasible(PackingProblem problem, Certificate why) {
    int memory = why.memory();
    if (memory < 0 || !problem.memories().get(memory).isBounded()) {
      return false;
    }
    long above = problem.memories().get(memory).capacity() + 1;
    Optional<String> fault = BoundVerifier.fault(problem, Bound.of(above, why));
    return fault.isEmpty();
  }
}
