package stowage.onchip.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.onchip.Chips;
import stowage.onchip.Groups;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Slicing;
import stowage.onchip.slice.SlicingException;
import stowage.onchip.slice.Staying;

class TimeStepsTest {
  /** A long op in step 2, two short ones, and in step 5 one with a large filter: w4. */
  private static SlicedGroup sliced(Slicing slicing) throws SlicingException {
    LayerGraph graph =
        Groups.layers(
            Chips.bm1684x(),
            "x:1x64x28x28; c1:1x64x28x28 = Conv x window=1,1,0; "
                + "c2:1x256x28x28 = Conv c1 window=5,1,2; "
                + "c3:1x256x2x2 = Conv c2 window=1,14,0; r:1x256x2x2 = Relu c3; "
                + "c4:1x256x2x2 = Conv r window=3,1,1; -> c4");
    return Groups.sliced(Groups.whole(graph), slicing);
  }

  @Test
  void aWeightIsLoadedBesideAnEarlierLongOp() throws SlicingException {
    SlicedGroup sliced = sliced(Slicing.WHOLE);
    TimeSteps steps = new TimeSteps(sliced, new CostModel(Chips.bm1684x()));
    Staying none = Staying.nothing(sliced);
    LmemProblem plain = new GroupRun(sliced, steps.linear(), none).problem();
    assertEquals(4, Groups.buffer(plain, "c4.w").start());
    assertEquals(6, Groups.buffer(plain, "c4.w").end());
    LmemProblem early = new GroupRun(sliced, steps.balanced(steps.linear()), none).problem();
    assertEquals(2, Groups.buffer(early, "c4.w").start());
    assertEquals(6, Groups.buffer(early, "c4.w").end());
  }

  @Test
  void foldingRunsFirstLoadsInTheLastRowAndLastStoresInTheFirst() throws SlicingException {
    SlicedGroup sliced = sliced(Slicing.WHOLE.with(Axis.H, 2));
    TimeSteps steps = new TimeSteps(sliced, new CostModel(Chips.bm1684x()));
    TimeTable table = steps.folded(steps.linear());
    assertEquals(5, table.rows());
    assertEquals(3, table.stages());
    LmemProblem problem = new GroupRun(sliced, table, Staying.nothing(sliced)).problem();
    LmemBuffer x = Groups.buffer(problem, "x");
    assertEquals(List.of(4, 1), List.of(x.start(), x.end()));
    assertTrue(x.isLive(4) && x.isLive(0) && !x.isLive(1));
    LmemBuffer last = Groups.buffer(problem, "c4");
    assertEquals(List.of(4, 1), List.of(last.start(), last.end()));
  }

  @Test
  void residentWeightsLiveInEveryStep() throws SlicingException {
    SlicedGroup sliced = sliced(Slicing.WHOLE.with(Axis.H, 2));
    TimeTable table = new TimeSteps(sliced, new CostModel(Chips.bm1684x())).table(true);
    LmemProblem problem =
        new GroupRun(sliced, table, Staying.nothing(sliced).withWeights(Groups.all(4))).problem();
    for (int k = 1; k <= 4; k++) {
      LmemBuffer weight = Groups.buffer(problem, "c" + k + ".w");
      assertTrue(weight.resident());
      assertEquals(table.rows(), weight.length(table.rows()));
    }
  }
}
