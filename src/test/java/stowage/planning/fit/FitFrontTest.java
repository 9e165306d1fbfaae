package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.planning.fit.piece.RunNeighbours;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.range.PadForm;

class FitFrontTest {
  @Test
  void theFrontsHoldWhatNoOtherPlanOrNoOtherInFewPiecesIsAsGoodAs() {
    int apart = 0;
    for (int seed = 0; seed < 15; seed++) {
      Network network = RandomChains.of(new Random(seed), false, 4, 12);
      FitRequest request = FitRunTest.request(network, -1, false);
      Rewriting base = Rewriting.reordered(network, network.executionOrder());
      FitPlaces places = new FitPlaces(request, base, RunControl.unlimited());
      RunNeighbours neighbours = new RunNeighbours(network, seed);
      FitFront front = new FitFront(request);
      List<FitPlan> all = new ArrayList<>();
      List<RunSplit> runs = List.of();
      for (int k = 0; k < 60; k++) {
        runs = neighbours.of(runs, k % network.ops().size());
        FitPlan plan = places.of(runs);
        if (plan != null && plan.extra() < Long.MAX_VALUE) {
          all.add(plan);
          front.add(plan);
        }
      }
      assertEquals(best(all), prices(front.plans()), "seed " + seed);
      List<FitPlan> few = new ArrayList<>(all);
      few.removeIf(plan -> plan.rewriting().ops().size() > 3 * network.ops().size());
      assertEquals(best(few), prices(front.few().plans()), "seed " + seed);
      apart += front.plans().containsAll(front.few().plans()) ? 0 : 1;
    }
    assertTrue(apart > 3, apart + " times a plan in few pieces is not on the front of all");
  }

  @Test
  void aPlanThatDoesNotHoldIsTakenFromAllFronts() {
    Network network = RandomChains.of(new Random(1), false, 4, 12);
    FitRequest request = FitRunTest.request(network, -1, false);
    Rewriting base = Rewriting.reordered(network, network.executionOrder());
    FitPlan plan = new FitPlaces(request, base, RunControl.unlimited()).of(List.of());
    FitFront front = new FitFront(request);
    assertTrue(front.add(plan));
    assertEquals(front.plans(), front.few().plans());
    front.remove(plan);
    assertEquals(List.of(), front.plans());
    assertEquals(List.of(), front.few().plans());
    assertNull(front.within(Long.MAX_VALUE));
    RunNeighbours neighbours = new RunNeighbours(network, 1);
    List<RunSplit> runs = List.of();
    for (int op = 0; runs.isEmpty(); op++) {
      runs = neighbours.of(runs, op);
    }
    FitPlan split = new FitPlaces(request, base, RunControl.unlimited()).of(runs);
    FitFront alone = new FitFront(request);
    assertTrue(alone.add(split));
    alone.remove(split);
    assertEquals(List.of(), alone.loose());
  }

  @Test
  void onlyLimitsThatAreThereAreMadeLarger() {
    Network network = RandomChains.of(new Random(1), false, 4, 12);
    FitRequest wide = FitRunTest.request(network, 1001, true).withLimitsTimes(1.5);
    assertEquals(FitRunTest.request(network, 1501, true), wide);
    assertTrue(wide.admits(1501, Long.MAX_VALUE) && !wide.admits(1502, 0));
    assertEquals(-1, FitRunTest.request(network, -1, true).withLimitsTimes(2).capacity());
  }

  /** Memory and price of what no other plan is as good as, of falling memory. */
  private static List<String> best(List<FitPlan> plans) {
    List<FitPlan> best = new ArrayList<>(plans);
    best.removeIf(
        plan ->
            plans.stream()
                .anyMatch(
                    other ->
                        other.peak() <= plan.peak()
                            && Arrays.compare(other.price(), plan.price()) <= 0
                            && (other.peak() < plan.peak()
                                || Arrays.compare(other.price(), plan.price()) < 0)));
    best.sort((one, other) -> Long.compare(other.peak(), one.peak()));
    return prices(best).stream().distinct().toList();
  }

  private static List<String> prices(List<FitPlan> plans) {
    return plans.stream().map(plan -> plan.peak() + " " + Arrays.toString(plan.price())).toList();
  }

  /** Pieces that take turns run from the first on, whichever way their runs are cut. */
  @Test
  void theDirectionOfARunIsThatInWhichItsPiecesRun() {
    String text =
        "x:1x2x6x6; a:1x16x6x6 = Conv x window=3,1,1; b:1x2x6x6 = Conv a window=3,1,1; -> b";
    Network network = Graphs.of(text).network();
    Rewriting base = Rewriting.reordered(network, network.executionOrder());
    FitRequest request = FitRunTest.request(network, -1, false);
    AxisSplit cut = AxisSplit.even(SplitAxis.ROWS, 6, 6);
    List<RunSplit> runs = new ArrayList<>();
    for (int op = 0; op < 2; op++) {
      runs.add(new RunSplit(new int[] {op}, List.of(cut), false, PadForm.CROP));
    }
    FitPlan plan = new FitPlaces(request, base, RunControl.unlimited()).of(runs);
    for (FitPlan.Run run : plan.runs()) {
      int[] pieces =
          plan.rewriting().ops().stream()
              .filter(op -> op.kind() == OpOrigin.Kind.PIECE && op.op() == run.split().ops()[0])
              .mapToInt(OpOrigin::piece)
              .toArray();
      String is = pieces[0] < pieces[5] ? "top-down" : "bottom-up";
      assertEquals(is, plan.direction(run));
    }
    assertEquals("top-down", plan.direction(plan.runs().get(0))); // cut as bottom-up
  }
}
