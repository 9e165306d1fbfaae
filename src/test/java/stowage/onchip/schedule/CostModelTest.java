package stowage.onchip.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.onchip.Chips;
import stowage.onchip.Groups;
import stowage.onchip.RandomNets;
import stowage.onchip.layer.Layer;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;

/** Worked by hand, and group costs against their definition, round by round. */
class CostModelTest {
  private static final double EXACT = 1e-9;

  @Test
  void transfersAreASetupAndWholeUnits() {
    // 64 GB/s at 1000 MHz are 64 bytes a cycle; a unit of cv184x is 256 bytes.
    CostModel cost = new CostModel(Chips.cv184x());
    assertEquals(0, cost.transferCycles(0));
    assertEquals(300 + 4, cost.transferCycles(1), EXACT);
    assertEquals(300 + 4, cost.transferCycles(256), EXACT);
    assertEquals(300 + 8, cost.transferCycles(257), EXACT);
  }

  @Test
  void productsGoByTheirOperationsAndAllElseByItsPasses() {
    LayerGraph graph =
        Groups.layers(
            Chips.bm1684x(),
            "x:1x64x28x28; c:1x65x28x28 = Conv x window=1,1,0; r:1x65x28x28 = Relu c; " + "-> r");
    CostModel cost = new CostModel(Chips.bm1684x());
    // 65 channels fill the 64 lanes twice; each element takes 64 products at 8192 a cycle.
    assertEquals(128 * 784 * 64 / 8192.0, cost.wholeCycles(graph, graph.layer(0)), EXACT);
    // A vector of 64 bytes holds 32 elements of 2 bytes.
    double passes = graph.layer(1).work().perElement();
    assertEquals(passes * 128 * 784 / (64 * 32), cost.wholeCycles(graph, graph.layer(1)), EXACT);
    long weights = cost.layerTraffic(graph, graph.layer(0)) - 2 * 784 * (64 + 65);
    assertTrue(weights >= 2 * 64 * 65, "the constants are counted once: " + weights);
    assertEquals(2 * 2 * 784 * 65, cost.layerTraffic(graph, graph.layer(1)));
  }

  @Test
  void aGroupSavesWhatStaysInside() throws SlicingException {
    for (long seed = 1; seed <= 40; seed++) {
      LayerGraph graph = RandomNets.layers(seed, Chips.bm1684x());
      CostModel cost = new CostModel(graph.chip());
      GroupModel group = Groups.whole(graph);
      SlicedGroup sliced = Groups.sliced(group, Slicing.WHOLE);
      long alone = 0;
      long inside = 0;
      for (Layer layer : graph.layers()) {
        alone += cost.layerTraffic(graph, layer);
        for (Layer.Operand operand : layer.operands()) {
          int activation = group.numberOf(operand.tensor());
          // Each read of it is saved, and each but the first of what comes from outside.
          inside += group.isInput(activation) ? 0 : graph.tensor(operand.tensor()).bytes();
        }
      }
      for (int t = 0; t < group.tensorCount(); t++) {
        long bytes = graph.tensor(group.tensor(t)).bytes();
        inside += group.isInput(t) ? bytes * (group.readers(t).length - 1) : 0;
        inside += group.isInput(t) || group.isStored(t) ? 0 : bytes;
      }
      Staying weights = Staying.nothing(sliced).withWeights(Groups.all(group.weightCount()));
      assertEquals(alone - inside, cost.groupTraffic(sliced, weights), "seed " + seed);
    }
  }

  @Test
  void cyclesOfAGroupAreThoseOfItsRounds() {
    int cut = 0;
    for (long seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      LayerGraph graph = LayerGraph.of(RandomNets.chain(random), Chips.bm1684x());
      CostModel cost = new CostModel(graph.chip());
      GroupModel group = Groups.whole(graph);
      for (int slices = 1; slices <= 7; slices++) {
        SlicedGroup sliced = Groups.rows(group, slices);
        if (sliced == null) {
          continue;
        }
        boolean[] inputs = new boolean[group.tensorCount()];
        boolean[] weights = new boolean[group.weightCount()];
        for (int k = 0; k < weights.length; k++) {
          weights[k] = random.nextBoolean();
        }
        for (boolean pipelined : new boolean[] {false, true}) {
          TimeTable table = new TimeSteps(sliced, cost).table(pipelined);
          double expected = byRounds(cost, sliced, table, inputs, weights);
          Staying staying = new Staying(inputs, weights);
          double found = cost.groupCycles(new GroupRun(sliced, table, staying));
          assertEquals(expected, found, 1e-6 * expected, "seed " + seed + ", h" + slices);
          cut += slices > 1 ? 1 : 0;
        }
      }
    }
    assertTrue(cut > 100, cut + " were cut");
  }

  /** In round r stage s works on slice r - s, if there is one; what stays is loaded once. */
  private static double byRounds(
      CostModel cost, SlicedGroup sliced, TimeTable table, boolean[] inputs, boolean[] weights) {
    long slices = sliced.slicing().count();
    double total = 0;
    for (long round = 0; round < slices + table.stages() - 1; round++) {
      for (int row = 0; row < table.rows(); row++) {
        double computing = 0;
        double moving = 0;
        for (int member : table.opsIn(row)) {
          long slice = round - table.opStage();
          computing += slice >= 0 && slice < slices ? cost.memberCycles(sliced, member) : 0;
        }
        for (TimeTable.Move move : table.movesIn(row)) {
          long slice = round - move.stage();
          boolean stays =
              switch (move.kind()) {
                case WEIGHT -> weights[move.index()];
                case LOAD -> inputs[move.index()];
                default -> false;
              };
          boolean moves = slice >= 0 && slice < slices && !(stays && slice > 0);
          moving += moves ? cost.moveCycles(sliced, move) : 0;
        }
        total += Math.max(computing, moving);
      }
    }
    return total;
  }
}
