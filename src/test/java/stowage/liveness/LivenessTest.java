package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.network.Graphs;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.InvalidProblemException;
import stowage.packing.LoadProfile;

/** How long tensors live, where weights are, and which sizes and orders are refused. */
class LivenessTest {
  private static final LivenessOptions EXACT =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.NONE);

  private static Graphs chain() {
    return Graphs.of("x:10; y:20 = Conv x; z:30 = Conv y; -> z");
  }

  @Test
  void sizesAreRoundedUpAndOffsetsAligned() {
    PlanningCase planning = Liveness.of(chain().network(), EXACT.withAlignments(16, 64));
    assertEquals(
        List.of(16L, 32L, 32L), planning.problem().buffers().stream().map(Buffer::size).toList());
    assertTrue(planning.problem().buffers().stream().allMatch(buffer -> buffer.alignment() == 16));
  }

  @Test
  void weightsLieOneAfterTheOtherBefore() {
    Network network = Graphs.of("x:1; weight w:5 v:64 u:1; y:1 = Conv x w v u; -> y").network();
    PlanningCase planning = Liveness.of(network, EXACT.withAlignments(1, 64));
    assertEquals(
        List.of(
            new PlanningCase.WeightPlace("w", 0, 5),
            new PlanningCase.WeightPlace("v", 64, 64),
            new PlanningCase.WeightPlace("u", 128, 1)),
        planning.weights());
    assertEquals(192, planning.weightBytes());
  }

  @Test
  void anotherOrderMustBeOne() {
    Network network = chain().network();
    for (int[] order : new int[][] {{1, 0}, {0}, {0, 0}}) {
      assertThrows(InvalidNetworkException.class, () -> Liveness.of(network, order, EXACT));
    }
  }

  @Test
  void sizesBeyondALongAreRefused() {
    Network network = chain().network();
    for (long alignment : new long[] {Long.MAX_VALUE / 2, Long.MAX_VALUE - 5}) {
      LivenessOptions huge = EXACT.withAlignments(alignment, 1);
      assertThrows(InvalidProblemException.class, () -> Liveness.of(network, huge));
    }
  }

  @Test
  void theLoadOfAChainIsWhatTwoNeighboursTake() {
    assertEquals(50, LoadProfile.of(Liveness.of(chain().network(), EXACT).problem()).maxLoad());
  }
}
