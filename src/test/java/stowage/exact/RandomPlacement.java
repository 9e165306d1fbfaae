package stowage.exact;

import java.util.Random;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;

/** Valid placements found by throwing buffers at random offsets; for tests alone. */
public final class RandomPlacement {
  private RandomPlacement() {}

  /** A valid placement, or null when none turned up in a few thousand throws. */
  public static Placement of(PackingProblem problem, long seed) {
    Random random = new Random(seed);
    int n = problem.size();
    for (int attempt = 0; attempt < 3000; attempt++) {
      long[] offsets = new long[n];
      int[] memories = new int[n];
      for (int i = 0; i < n; i++) {
        do {
          memories[i] = random.nextInt(problem.memories().size());
        } while (!problem.allows(i, memories[i]));
        long step = problem.alignment(i, memories[i]);
        offsets[i] =
            problem.buffer(i).isFixed()
                ? problem.buffer(i).fixedOffset()
                : step * random.nextInt((int) (80 / step) + 1);
      }
      Placement placement = Placement.of(offsets, memories);
      if (Verifier.isValid(problem, placement)) {
        return placement;
      }
    }
    return null;
  }
}
