package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.network.Network;
import stowage.planning.fit.piece.RunDirections;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.range.PadForm;

/** The ends from which runs begin. */
class RunDirectionsTest {
  @Test
  void piecesOfUnequalSizesChangePlacesFromTheOtherEnd() {
    Network network = RandomChains.of(new Random(1), true, 1, 10);
    int rows = (int) network.tensor(network.ops().get(0).outputs().get(0)).extent(1);
    AxisSplit cut = new AxisSplit(SplitAxis.ROWS, new int[] {1, rows - 3});
    RunSplit run = new RunSplit(new int[] {0}, List.of(cut), true, PadForm.CROP);
    List<List<RunSplit>> ways = RunDirections.of(network, List.of(run));
    assertEquals(2, ways.size());
    assertEquals(run, ways.get(0).get(0));
    RunSplit other = ways.get(1).get(0);
    assertTrue(!other.topDown());
    assertArrayEquals(new int[] {3, rows - 1}, other.axes().get(0).bounds());
    AxisSplit even = AxisSplit.even(SplitAxis.ROWS, rows, 3);
    RunSplit same = new RunSplit(new int[] {0}, List.of(even), true, PadForm.CROP);
    assertEquals(List.of(even), same.directed(false, rows).axes());
  }
}
