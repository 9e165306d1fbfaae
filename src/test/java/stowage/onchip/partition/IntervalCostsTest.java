package stowage.onchip.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import stowage.network.Chip;
import stowage.onchip.Chips;
import stowage.onchip.RandomNets;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupBounds;
import stowage.onchip.search.GroupOptions;
import stowage.onchip.slice.GroupModel;

class IntervalCostsTest {
  private static final Chip CHIP = Chips.chip("small", 4, 16, 8192, 4, 1, true);

  @Test
  void equalsTheBoundsOfEachGroup() {
    CostModel cost = new CostModel(CHIP);
    GroupBounds bounds = new GroupBounds(cost);
    for (long seed = 1; seed <= 20; seed++) {
      LayerGraph graph = RandomNets.layers(seed, CHIP);
      for (GroupOptions.GroupObjective objective : GroupOptions.GroupObjective.values()) {
        IntervalCosts costs = new IntervalCosts(graph, cost, objective);
        for (int last = 0; last < graph.size(); last++) {
          double[] least = costs.endingIn(last);
          for (int first = 0; first <= last; first++) {
            GroupModel group = new GroupModel(graph, Partitioner.interval(first, last));
            double expected = bounds.of(group, objective);
            assertEquals(expected, least[first], expected * 1e-12, first + " to " + last);
          }
        }
      }
    }
  }
}
