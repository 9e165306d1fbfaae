package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.planning.fit.piece.RunNeighbours;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.RunSplit;
import stowage.rewrite.range.AxisRules;

/** Choices drawn next to others: they are runs of consecutive ops, cut within their results. */
class RunNeighboursTest {
  @Test
  void neighboursAreRunsOneAfterTheOtherCutWithinTheirResults() {
    int several = 0;
    int uneven = 0;
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Network network =
          RandomChains.of(random, seed % 2 == 0, 3 + random.nextInt(6), 6 + random.nextInt(8));
      RunNeighbours neighbours = new RunNeighbours(network, seed);
      List<RunSplit> runs = List.of();
      for (int k = 0; k < 200; k++) {
        runs = neighbours.of(runs, random.nextInt(network.ops().size()));
        int end = 0;
        for (RunSplit run : runs) {
          int[] ops = run.ops();
          assertTrue(ops[0] >= end, "seed " + seed + ": " + runs);
          for (int at = 0; at < ops.length; at++) {
            assertTrue(ops[at] == ops[0] + at, "seed " + seed + ": " + runs);
          }
          end = ops[0] + ops.length;
          assertTrue(end <= network.ops().size(), "seed " + seed + ": " + runs);
          Tensor result = network.tensor(network.ops().get(end - 1).outputs().get(0));
          for (AxisSplit cut : run.axes()) {
            long extent = result.extent(cut.axis().dimension(result, AxisRules.isTflite(network)));
            int[] bounds = cut.bounds();
            assertTrue(
                bounds.length > 0 && bounds[bounds.length - 1] < extent,
                "seed " + seed + ": " + runs);
            uneven += cut.equals(AxisSplit.even(cut.axis(), extent, cut.pieces())) ? 0 : 1;
          }
        }
        several += runs.size() > 1 ? 1 : 0;
      }
    }
    assertTrue(several > 1000 && uneven > 1000, several + " of several runs, " + uneven);
  }
}
