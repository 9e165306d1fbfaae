package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.RunNeighbours;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

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

  /** A plan found in another order is where walks begin, with its runs at their places in this. */
  @Test
  void walksBeginAtPlansOfOtherOrders() {
    Network network =
        Graphs.of(
                "x:1x1x8x8; a:1x8x8x8 = Conv x window=3,1,1; b:1x1x8x8 = Conv a window=3,1,1;"
                    + " s:9; t:9 = Relu s; u:9 = Neg t; v:9 = Relu u; -> b v")
            .network();
    FitRequest request = FitRunTest.request(network, -1, false);
    RunControl control = RunControl.ofWork(1_000_000, 1, 1);
    AxisSplit rows = AxisSplit.even(SplitAxis.ROWS, 8, 8);
    RunSplit run = new RunSplit(new int[] {0, 1}, List.of(rows), true, PadForm.CROP);
    Rewriting images = Rewriting.reordered(network, new int[] {0, 1, 2, 3, 4});
    FitPlan plan = new FitPlaces(request, images, control).of(List.of(run));
    Rewriting other = Rewriting.reordered(network, new int[] {2, 3, 0, 1, 4});
    FitPlaces places = new FitPlaces(request, other, control);
    assertArrayEquals(new int[] {2, 3}, places.runs(plan).get(0).ops());
    assertEquals(plan.extra(), places.of(places.runs(plan)).extra());
    Rewriting apart = Rewriting.reordered(network, new int[] {0, 2, 1, 3, 4});
    assertNull(new FitPlaces(request, apart, control).runs(plan));

    FitFront front = new FitFront(request);
    front.add(plan);
    List<FitPlan> better = new ArrayList<>();
    int[] turns = {2};
    new SplitVariation(request, other, front, places, control, Long.MAX_VALUE)
        .run(Long.MAX_VALUE, 0, () -> turns[0]-- == 0, work -> {}, better::add);
    boolean next =
        better.stream()
            .flatMap(one -> one.runs().stream())
            .anyMatch(one -> one.split().axes().get(0).pieces() == 7);
    assertTrue(next, "no plan next to " + plan.runs());
  }
}
