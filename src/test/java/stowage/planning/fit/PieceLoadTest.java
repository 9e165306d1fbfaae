package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.LoadProfile;
import stowage.packing.Placement;
import stowage.planning.fit.piece.FitReplay;
import stowage.planning.fit.piece.PieceLoad;
import stowage.planning.fit.piece.Stretch;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.MacCount;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunModel;
import stowage.rewrite.RunProgram;
import stowage.rewrite.RunSplit;
import stowage.rewrite.RunTiles;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;
import stowage.rewrite.range.PadForm;

/** Loads estimated from steps and ranges of runs beside those of the rewritten networks. */
class PieceLoadTest {
  private static FitRequest request(Network network) {
    return FitRunTest.request(network, -1, true);
  }

  @Test
  void estimatesAreNearTheLoadsOfTheRewriting() throws BarrierException {
    int near = 0;
    int all = 0;
    int cases = Thorough.of(60, 200);
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      Network network =
          RandomChains.of(random, seed % 2 == 0, 2 + random.nextInt(4), 8 + random.nextInt(8));
      FitRequest request = request(network);
      Stretches stretches = new Stretches(network, request);
      List<Stretch> ways =
          stretches.of(0, stretches.ops(), Long.MAX_VALUE, Long.MAX_VALUE, Stretches.Cuts.EVEN);
      for (Stretch way : ways) {
        if (way.result() == 0) {
          Network made = Splitter.split(new SplitModel(network), List.of(way.run())).network();
          long load = FitRunTest.load(request, made);
          near += Math.abs(load - way.load()) <= load / 20 ? 1 : 0;
          all++;
        }
      }
    }
    assertTrue(all > cases && near > all * 19 / 20, near + " of " + all + " are near");
  }

  @Test
  void cutsAtAnyPlacesAreCheaperThanEvenOnesWithinABound() throws BarrierException {
    int near = 0;
    int all = 0;
    int patches = 0;
    int dearer = 0;
    int cheaper = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Network network = RandomChains.of(random, true, 1 + random.nextInt(4), 8 + random.nextInt(8));
      long whole = FitRunTest.load(request(network), network);
      long capacity = whole * (5 + random.nextInt(4)) / 10;
      FitRequest request = FitRunTest.request(network, capacity, false);
      Stretches stretches = new Stretches(network, request);
      int ops = stretches.ops();
      List<Stretch> even = stretches.of(0, ops, Long.MAX_VALUE, capacity + 1, Stretches.Cuts.EVEN);
      List<Stretch> ways = stretches.of(0, ops, Long.MAX_VALUE, capacity + 1, Stretches.Cuts.ROWS);
      dearer += extra(ways) > extra(even) ? 1 : 0;
      cheaper += extra(ways) < extra(even) ? 1 : 0;
      List<Stretch> both =
          stretches.of(0, ops, Long.MAX_VALUE, capacity + 1, Stretches.Cuts.PATCHES);
      patches += extra(both) < extra(ways) ? 1 : 0;
      for (Stretch way : both) {
        Network made = Splitter.split(new SplitModel(network), List.of(way.run())).network();
        long load = FitRunTest.load(request, made);
        near += Math.abs(load - way.load()) <= load / 20 ? 1 : 0;
        all++;
      }
    }
    assertTrue(all > 40 && near > all * 9 / 10, near + " of " + all + " are near");
    assertTrue(
        dearer < 10 && cheaper > 3 * dearer, dearer + " are dearer, " + cheaper + " cheaper");
    assertTrue(patches > 10, patches + " have no price like that of patches");
  }

  private static long extra(List<Stretch> ways) {
    return ways.stream().mapToLong(way -> way.price()[0]).min().orElse(Long.MAX_VALUE);
  }

  @Test
  void estimatesOfStretchesKnowWhatLivesAcrossAndStacksOfOperands() throws BarrierException {
    int near = 0;
    int all = 0;
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Network given = RandomChains.forked(random, false, 4 + random.nextInt(6), 9);
      FitRequest request = request(given);
      Network network = Rewriting.reordered(given, given.executionOrder()).network();
      Stretches stretches = new Stretches(network, request);
      int from = random.nextInt(stretches.ops());
      int to = from + 1 + random.nextInt(Math.min(4, stretches.ops() - from));
      if (!stretches.mayBeRun(from, to)) {
        continue;
      }
      for (Stretch way :
          stretches.of(from, to, Long.MAX_VALUE, Long.MAX_VALUE, Stretches.Cuts.EVEN)) {
        if (way.source() == 0 && way.result() == 0) {
          Rewriting made = Splitter.split(new SplitModel(network), List.of(way.run()));
          LoadProfile profile = LoadProfile.of(request.buffers(made.network()).problem());
          long load =
              IntStream.range(0, made.ops().size())
                  .filter(k -> made.ops().get(k).op() >= from && made.ops().get(k).op() < to)
                  .mapToLong(profile::loadAt)
                  .max()
                  .orElse(0);
          near += Math.abs(load - way.load()) <= load / 20 ? 1 : 0;
          all++;
        }
      }
    }
    assertTrue(all > 200 && near > all * 9 / 10, near + " of " + all + " are near");
  }

  @Test
  void resultsStayInPiecesBetweenRuns() throws BarrierException {
    int less = 0;
    int gathered = 0;
    int split = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      Network network =
          RandomChains.of(random, false, 3 + random.nextInt(4), 9 + random.nextInt(8));
      FitRequest request = request(network);
      List<RunSplit> runs = new ArrayList<>();
      for (int op = 0; op < network.ops().size(); op++) {
        long rows = network.tensor(network.ops().get(op).outputs().get(0)).extent(2);
        if (rows > 1) {
          AxisSplit cut = AxisSplit.even(SplitAxis.ROWS, rows, Math.min(3, (int) rows));
          runs.add(new RunSplit(new int[] {op}, List.of(cut), true, PadForm.CROP));
        }
      }
      Rewriting made = FitRunTest.split(network, runs);
      if (made == null) {
        continue;
      }
      split++;
      assertEquals(0, FitCompute.extra(made), "seed " + seed);
      for (OpOrigin origin : made.ops()) {
        gathered += origin.kind() == OpOrigin.Kind.CONCAT && origin.piece() >= 0 ? 1 : 0;
      }
      PlanningCase planned = request.buffers(made.network());
      Placement placement = FitRunTest.greedy(planned.problem());
      assertEquals(Optional.empty(), FitReplay.fault(planned, placement), "seed " + seed);
      long whole = FitRunTest.load(request, network);
      less += LoadProfile.of(planned.problem()).maxLoad() < whole ? 1 : 0;
    }
    assertTrue(split > 100 && less > split / 2, less + " of " + split + " need less");
    assertTrue(gathered > split, "results do not stay in pieces");
  }

  /** Nothing is kept. */
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
