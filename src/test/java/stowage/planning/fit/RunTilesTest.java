package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.planning.fit.piece.PieceLoad;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.MacCount;
import stowage.rewrite.RunModel;
import stowage.rewrite.RunProgram;
import stowage.rewrite.RunTiles;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.PadForm;

/** What ranges say of runs in pieces beside what their steps say. */
class RunTilesTest {
  private static PieceLoad.Sources all() {
    return new PieceLoad.Sources() {
      @Override
      public long bytes(Tensor tensor) {
        return tensor.bytes();
      }

      @Override
      public boolean isKept(Tensor tensor) {
        return false;
      }
    };
  }

  @Test
  void computeIsThatOfTheStepsAndLoadsAreNear() {
    int tried = 0;
    int near = 0;
    for (int seed = 0; seed < 600; seed++) {
      Random random = new Random(seed);
      boolean last = seed % 2 == 0;
      int ops = 1 + random.nextInt(5);
      Network network = RandomChains.of(random, last, ops, 8 + random.nextInt(8));
      ops = network.ops().size();
      Tensor result = network.tensor(network.ops().get(ops - 1).outputs().get(0));
      List<SplitAxis> axes = new ArrayList<>(List.of(SplitAxis.ROWS));
      if (seed % 3 > 0) {
        axes.add(SplitAxis.COLUMNS);
      }
      List<AxisSplit> cuts = new ArrayList<>();
      for (SplitAxis axis : axes) {
        int extent = (int) result.extent(axis.dimension(result, last));
        cuts.add(AxisSplit.even(axis, extent, Math.min(extent, 2 + random.nextInt(5))));
      }
      PadForm form = random.nextBoolean() ? PadForm.CROP : PadForm.PAD;
      try {
        RunModel run = new SplitModel(network).run(IntStream.range(0, ops).toArray(), axes, form);
        RunTiles tiles = new RunTiles(run, op -> MacCount.of(network, op), Tensor::bytes, last);
        RunProgram program = run.program(cuts, true);
        assertEquals(program.macs(), tiles.compute(cuts), "seed " + seed + cuts);
        long down = new PieceLoad(program, network, all(), last, 1).load(null, 0, false);
        RunProgram upwards = run.program(cuts, false);
        long up = new PieceLoad(upwards, network, all(), last, 1).load(null, 0, false);
        double share = (double) tiles.load(cuts) / Math.min(down, up);
        assertTrue(last || share < 1.01, "seed " + seed + cuts + ": " + share);
        near += !last || share > 0.85 && share < 1.1 ? 1 : 0;
        tried++;
      } catch (BarrierException barrier) {
        continue;
      }
    }
    assertTrue(tried > 400 && near > 0.9 * tried, near + " of " + tried + " are near");
  }
}
