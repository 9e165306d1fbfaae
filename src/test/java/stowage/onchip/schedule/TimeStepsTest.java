package stowage.onchip.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.onchip.Chips;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.partition.Partitioner;
import stowage.onchip.slice.BackwardSlicer;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;

class TimeStepsTest {
  /**
   * A long op in step 2, two short ones, and in step 5 one with a large filter: the document's w4.
   */
  private static SlicedGroup sliced(Slicing slicing) throws SlicingException {
    Network network =
        Graphs.of(
                ElementType.F16,
                "x:1x64x28x28; c1:1x64x28x28 = Conv x window=1,1,0; "
                    + "c2:1x256x28x28 = Conv c1 window=5,1,2; "
                    + "c3:1x256x2x2 = Conv c2 window=1,14,0; r:1x256x2x2 = Relu c3; "
                    + "c4:1x256x2x2 = Conv r window=3,1,1; -> c4")
            .network();
    LayerGraph graph = LayerGraph.of(network, Chips.bm1684x());
    return new BackwardSlicer(BackwardSlicer.Rules.TODAY)
        .slice(new GroupModel(graph, Partitioner.interval(0, 4)), slicing);
  }

  private static LmemBuffer buffer(LmemProblem problem, String id) {
    return problem.buffers().stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
  }

  private static boolean[] all(int count) {
    boolean[] held = new boolean[count];
    Arrays.fill(held, true);
    return held;
  }

  @Test
  void aWeightIsLoadedBesideAnEarlierLongOp() throws SlicingException {
    SlicedGroup sliced = sliced(Slicing.WHOLE);
    TimeSteps steps = new TimeSteps(sliced, new CostModel(Chips.bm1684x()));
    Staying none = Staying.nothing(sliced);
    LmemProblem plain = new GroupRun(sliced, steps.linear(), none).problem();
    assertEquals(4, buffer(plain, "c4.w").start());
    assertEquals(6, buffer(plain, "c4.w").end());
    LmemProblem early = new GroupRun(sliced, steps.balanced(steps.linear()), none).problem();
    assertEquals(2, buffer(early, "c4.w").start());
    assertEquals(6, buffer(early, "c4.w").end());
  }

  @Test
  void foldingRunsFirstLoadsInTheLastRowAndLastStoresInTheFirst() throws SlicingException {
    SlicedGroup sliced = sliced(Slicing.WHOLE.with(Axis.H, 2));
    TimeSteps steps = new TimeSteps(sliced, new CostModel(Chips.bm1684x()));
    TimeTable table = steps.folded(steps.linear());
    assertEquals(5, table.rows());
    assertEquals(3, table.stages());
    LmemProblem problem = new GroupRun(sliced, table, Staying.nothing(sliced)).problem();
    LmemBuffer x = buffer(problem, "x");
    assertEquals(List.of(4, 1), List.of(x.start(), x.end()));
    assertTrue(x.isLive(4) && x.isLive(0) && !x.isLive(1));
    LmemBuffer last = buffer(problem, "c4");
    assertEquals(List.of(4, 1), List.of(last.start(), last.end()));
  }

  @Test
  void residentWeightsLiveInEveryStep() throws SlicingException {
    SlicedGroup sliced = sliced(Slicing.WHOLE.with(Axis.H, 2));
    TimeTable table = new TimeSteps(sliced, new CostModel(Chips.bm1684x())).table(true);
    LmemProblem problem =
        new GroupRun(sliced, table, Staying.nothing(sliced).withWeights(all(4))).problem();
    for (int k = 1; k <= 4; k++) {
      LmemBuffer weight = buffer(problem, "c" + k + ".w");
      assertTrue(weight.resident());
      assertEquals(table.rows(), weight.length(table.rows()));
    }
  }
}
