package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.heuristic.NotPlannableException;
import stowage.network.Network;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;
import stowage.planning.fit.piece.RunDirections;
import stowage.planning.fit.piece.TurnPlacer;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.range.PadForm;

/** Placements of one run after the other, and the ends from which runs begin. */
class TurnPlacerTest {
  private static Placement greedy(PackingProblem problem, long capacity) {
    try {
      Placement found = FitRunTest.greedy(problem);
      return found.peak(problem, 0) <= capacity ? found : null;
    } catch (NotPlannableException full) {
      return null;
    }
  }

  @Test
  void whatIsPlacedInTurnIsValidAndWithinTheCapacity() throws BarrierException {
    int found = 0;
    int alone = 0;
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Network network = RandomChains.of(random, true, 3 + random.nextInt(5), 9 + random.nextInt(8));
      List<RunSplit> runs = new ArrayList<>();
      for (int op = 0; op < network.ops().size(); op++) {
        int rows = (int) network.tensor(network.ops().get(op).outputs().get(0)).extent(1);
        if (rows > 2) {
          AxisSplit cut = AxisSplit.even(SplitAxis.ROWS, rows, 2 + random.nextInt(2));
          runs.add(new RunSplit(new int[] {op}, List.of(cut), op % 2 == 0, PadForm.CROP));
        }
      }
      Rewriting made = FitRunTest.split(network, runs);
      if (made == null) {
        continue;
      }
      PackingProblem problem =
          FitRunTest.request(network, -1, true).buffers(made.network()).problem();
      long capacity = LoadProfile.of(problem).maxLoad() * 21 / 20;
      int[] cuts =
          IntStream.range(1, made.ops().size())
              .filter(k -> made.ops().get(k).run() != made.ops().get(k - 1).run())
              .toArray();
      Placement placed =
          new TurnPlacer(problem, cuts, capacity, part -> greedy(part, capacity), () -> false)
              .placement();
      if (placed != null) {
        assertEquals(List.of(), Verifier.violations(problem, placed), "seed " + seed);
        assertTrue(placed.peak(problem, 0) <= capacity, "seed " + seed);
        found++;
      }
      alone += greedy(problem, capacity) != null ? 1 : 0;
    }
    assertTrue(found > 100 && found > alone, found + " placed in turn, " + alone + " as a whole");
  }

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
