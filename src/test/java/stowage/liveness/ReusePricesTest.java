package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Order;
import stowage.liveness.LivenessOptions.Sharing;
import stowage.network.Network;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

class ReusePricesTest {
  private static final LivenessOptions OPTIONS =
      LivenessOptions.defaults()
          .withInPlace(InPlace.NONE)
          .withOrder(Order.OUT_OF_ORDER)
          .withAlignments(1, 1)
          .withSharing(Sharing.PRICED);

  private static Map<String, Long> prices(Network network, LivenessOptions options) {
    PackingProblem problem = Liveness.of(network, options).problem();
    Map<String, Long> prices = new HashMap<>();
    for (Relations.Reuse pair : problem.relations().reuse()) {
      String ids = problem.buffer(pair.first()).id() + problem.buffer(pair.second()).id();
      prices.put(ids, pair.weight());
    }
    return prices;
  }

  /** Two chains: p of one is read by q; r of the other waits for q when it takes p's place. */
  @Test
  void pricesTheWaitAndTheSlackItDestroys() {
    Network network = PrecedenceTest.network("p", "q p", "r", "s r");
    Map<String, Long> prices = prices(network, OPTIONS);
    assertEquals(1 + 2, prices.get("pr"), "r could start at once and now waits for two ops");
    assertEquals(1 + 1, prices.get("ps"), "s could start at step 1");
    assertEquals(null, prices.get("pq"), "alive at once");
    assertEquals(Map.of(), prices(network, OPTIONS.withOrder(Order.IN_ORDER)));
  }

  @Test
  void onStreamsOnlyWaitsBetweenStreamsCost() {
    Network network = PrecedenceTest.network("p", "q p", "r", "s r");
    Map<String, String> one = Map.of("p", "0", "q", "0", "r", "0", "s", "0");
    assertEquals(Map.of(), prices(network, OPTIONS.withStreams(one)));
    Map<String, String> two = Map.of("p", "0", "q", "0", "r", "1", "s", "1");
    assertEquals(3, prices(network, OPTIONS.withStreams(two)).get("pr"));
  }

  /** Pairs with a price are those that are forbidden otherwise, less those that no wait helps. */
  @Test
  void pricesWhatIsForbiddenOtherwise() {
    Random random = new Random(7);
    for (int k = 0; k < 200; k++) {
      Network network = RandomNetworks.network(random, 2 + random.nextInt(12));
      LivenessOptions strict = RandomNetworks.options(random, network);
      PackingProblem forbidden = Liveness.of(network, strict).problem();
      PackingProblem priced = Liveness.of(network, strict.withSharing(Sharing.PRICED)).problem();
      assertEquals(forbidden.buffers(), priced.buffers());
      long pairs = priced.relations().reuse().size();
      assertEquals(forbidden.conflicts().count(), priced.conflicts().count() + pairs, "seed " + k);
      for (Relations.Reuse pair : priced.relations().reuse()) {
        assertTrue(forbidden.conflicts().contains(pair.first(), pair.second()));
        assertTrue(pair.reason().contains(" waits for "), pair.reason());
      }
    }
  }
}
