package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.LoadProfile;
import stowage.rewrite.RandomRuns;
import stowage.rewrite.Recomputation;
import stowage.rewrite.Rewriting;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/** Live bytes of sequences, compared with the load of the buffers that are written for them. */
class RecomputeValuesTest {
  @Test
  void sequencesTakeWhatTheirNetworksTake() {
    int longer = 0;
    for (int seed = 0; seed < Thorough.of(300, 3_000); seed++) {
      Random random = new Random(seed);
      Network given = RandomChains.forked(random, random.nextBoolean(), 6, 6);
      Rewriting base = Rewriting.reordered(given, given.executionOrder());
      boolean free = random.nextBoolean();
      LivenessOptions options =
          LivenessOptions.defaults()
              .withInPlace(LivenessOptions.InPlace.NONE)
              .withInputs(free ? LivenessOptions.Inputs.FREE : LivenessOptions.Inputs.KEEP)
              .withAlignments(1, 1 + random.nextInt(16));
      RecomputeProblem problem = RecomputeValues.of(base.network(), options).problem();
      int[] sequence = RandomRuns.sequence(base.network(), random, random.nextInt(4));
      Rewriting written = base.then(Recomputation.of(base.network(), sequence));
      long load = LoadProfile.of(Liveness.of(written.network(), options).problem()).maxLoad();
      assertEquals(load, new Timeline(problem, sequence).peak, "seed " + seed);
      longer += sequence.length > problem.ops ? 1 : 0;
    }
    assertTrue(longer > 100, longer + " with ops computed again");
  }
}
