package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import stowage.network.Network;
import stowage.packing.Buffer;

/**
 * Runs random networks on a real array of memory, laid out as a planning case allows: every byte an
 * op reads must be what was made for it, whoever runs beside it.
 */
class LivenessSimulationTest {
  @Test
  void everyOperandIsWholeWhenItIsRead() {
    for (int seed = 0; seed < RandomNetworks.rounds(4000); seed++) {
      Random random = new Random(seed);
      Network network = RandomNetworks.network(random, 1 + random.nextInt(14));
      LivenessOptions options = RandomNetworks.options(random, network);
      try {
        PlanningCase planning = Liveness.of(network, options);
        checkContents(planning);
        for (int run = 0; run < 3; run++) {
          new SimulatedRun(planning, random).go();
        }
      } catch (RuntimeException | AssertionError wrong) {
        throw new AssertionError(
            "seed " + seed + ", " + options + ": " + wrong.getMessage(), wrong);
      }
    }
  }

  private static void checkContents(PlanningCase planning) {
    Set<String> named = new HashSet<>();
    for (int i = 0; i < planning.problem().size(); i++) {
      Buffer buffer = planning.problem().buffer(i);
      assertEquals(0, buffer.size() % planning.options().alignment());
      for (PlanningCase.Part part : planning.contents().get(i).parts()) {
        assertTrue(named.add(part.tensor()), part.tensor() + " is named twice");
        long bytes = planning.network().tensor(part.tensor()).bytes();
        assertTrue(
            buffer.size() == 0 || part.offset() + bytes <= buffer.size(), part + " in " + buffer);
      }
    }
    Set<String> wanted = new HashSet<>(planning.network().tensors().keySet());
    wanted.removeIf(name -> planning.network().tensor(name).isWeight());
    assertEquals(wanted, named);
  }
}
