package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.compiler.core.CasePlan;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * What the systems' own tests expect of their planners. Each test names the file and the test that
 * its figures come from; times that are inclusive there end one step later here.
 */
class PeersOwnTestsTest {

  /** Buffers of size, first and last step. */
  private static CasePlan plan(String planner, long[][] buffers) {
    return CompilerPlanners.named(planner)
        .plan(PlanningCase.ofBuffers(problem(buffers)), RunControl.unlimited());
  }

  private static PackingProblem problem(long[][] buffers) {
    List<Buffer> list = new ArrayList<>();
    for (long[] b : buffers) {
      list.add(new Buffer("b" + list.size(), b[0], (int) b[1], (int) b[2] + 1));
    }
    return PackingProblem.of("test", list);
  }

  private static void check(String planner, long[][] buffers, long peak, long... offsets) {
    CasePlan plan = plan(planner, buffers);
    assertEquals(peak, plan.placement().peak(problem(buffers), 0), planner);
    if (offsets.length > 0) {
      assertArrayEquals(offsets, plan.placement().offsets(), planner);
    }
  }

  /**
   * tensorflow/tflite-micro, tensorflow/lite/micro/memory_planner/greedy_memory_planner_test.cc:
   * TestGreedyBasics, TestGreedyMedium, TestOverlapCase.
   */
  @Test
  void tfliteMicro() {
    check("tflm", new long[][] {{10, 0, 1}, {20, 2, 3}}, 20, 0, 0);
    check(
        "tflm",
        new long[][] {{10, 0, 1}, {20, 1, 2}, {30, 2, 3}, {40, 3, 4}, {50, 0, 1}},
        90,
        50,
        70,
        40,
        0,
        0);
    check("tflm", new long[][] {{100, 0, 1}, {50, 2, 3}, {20, 1, 2}}, 120);
  }

  /**
   * iree-org/iree, compiler/src/iree/compiler/Dialect/Stream/Transforms/test/layout_slices.mlir:
   * layoutStatic. 432 bytes are 224 and 200 rounded up to 16.
   */
  @Test
  void iree() {
    long[][] slices = {
      {100, 0, 1}, {100, 1, 2}, {100, 2, 3}, {200, 0, 4}, {200, 5, 6}, {100, 5, 8}
    };
    check("iree", slices, 424, 0, 112, 0, 224, 0, 208);
    assertEquals("allocates 432 bytes, with sizes rounded up to 16", plan("iree", slices).remark());
  }

  /**
   * openxla/xla, xla/service/heap_simulator/heap_simulator_test.cc: DecreasingSize. Time moves on
   * at every allocation and every release.
   */
  @Test
  void xla() {
    check(
        "xla-spatial",
        new long[][] {{10, 0, 4}, {30, 1, 5}, {20, 2, 6}, {40, 3, 7}},
        100,
        90,
        40,
        70,
        0);
  }
}
