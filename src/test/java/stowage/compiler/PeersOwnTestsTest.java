package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.compiler.RulesChecks.plan;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.compiler.core.CasePlan;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;

/**
 * What the systems' own tests expect of their planners. Each test names the file and the test that
 * its figures come from; times that are inclusive there end one step later here.
 */
class PeersOwnTestsTest {
  /** Buffers, each as {@code size[first..last]}, with {@code @offset} where it is expected. */
  private static PackingProblem problem(String buffers) {
    List<Buffer> list = new ArrayList<>();
    for (String word : buffers.split(" ")) {
      String[] b = word.split("\\[|\\.\\.|\\]");
      int end = Integer.parseInt(b[2]) + 1;
      list.add(new Buffer("b" + list.size(), Long.parseLong(b[0]), Integer.parseInt(b[1]), end));
    }
    return PackingProblem.of("test", list);
  }

  /** The same with every offset a multiple of some bytes. */
  private static void checkAligned(String planner, String buffers, long alignment, long peak) {
    PackingProblem problem = problem(buffers);
    Memory memory = problem.memories().get(0).withAlignment(alignment);
    PackingProblem aligned = problem.withMemories(List.of(memory));
    CasePlan plan = plan(planner, aligned);
    String[] words = buffers.split(" ");
    for (int i = 0; i < words.length && buffers.contains("@"); i++) {
      assertEquals(words[i].split("@")[1], "" + plan.placement().offsets()[i], planner);
    }
    assertEquals(peak, plan.placement().peak(aligned, 0), planner);
  }

  private static void check(String planner, String buffers, long peak) {
    checkAligned(planner, buffers, 1, peak);
  }

  /**
   * tensorflow/tflite-micro, tensorflow/lite/micro/memory_planner/greedy_memory_planner_test.cc:
   * TestGreedyBasics, TestGreedyMedium, TestOverlapCase.
   */
  @Test
  void tfliteMicro() {
    check("tflm", "10[0..1]@0 20[2..3]@0", 20);
    check("tflm", "10[0..1]@50 20[1..2]@70 30[2..3]@40 40[3..4]@0 50[0..1]@0", 90);
    check("tflm", "100[0..1] 50[2..3] 20[1..2]", 120);
  }

  /**
   * iree-org/iree, compiler/src/iree/compiler/Dialect/Stream/Transforms/test/layout_slices.mlir:
   * layoutStatic. 432 bytes are 224 and 200 rounded up to 16.
   */
  @Test
  void iree() {
    String slices = "100[0..1]@0 100[1..2]@112 100[2..3]@0 200[0..4]@224 200[5..6]@0 100[5..8]@208";
    check("iree", slices, 424);
    assertEquals(
        "allocates 432 bytes, with sizes rounded up to 16", plan("iree", problem(slices)).remark());
  }

  /**
   * openxla/xla, xla/service/heap_simulator/heap_simulator_test.cc: DecreasingSize. Time moves on
   * at every allocation and every release.
   */
  @Test
  void xla() {
    check("xla-spatial", "10[0..4]@90 30[1..5]@40 20[2..6]@70 40[3..7]@0", 100);
  }

  /** The same file: DecreasingSizeWithAlignment, BestFit. */
  @Test
  void xlaWithAlignmentAndIntoTheTightestGap() {
    checkAligned("xla-spatial", "10[0..3]@60 20[1..5]@100 50[2..6]@0 40[4..7]@60", 20, 120);
    check("xla-spatial", "10[0..3]@90 20[1..6]@120 40[2..7]@50 30[4..8]@90 50[5..9]@0", 140);
  }

  /**
   * tensorflow/tensorflow, tensorflow/lite/delegates/gpu/common/memory_management_test.cc:
   * ChainRecords, ComplexRecords, OffsetAssignmentWithAlignment. What is a sum of objects there is
   * the peak of objects end to end here; GREEDY_BY_SIZE with objects is our size-distance.
   */
  @Test
  void tfliteGpu() {
    String chain = "16[0..1] 8[1..2] 64[2..3] 32[3..4] 8[4..5]";
    String complex = "32[0..1] 32[1..4] 8[2..5] 16[3..5] 8[4..5] 64[5..7] 8[6..8] 8[7..8] 16[8..9]";
    String bySize = "tflite-gpu-greedy-by-size";
    check(bySize, "16[0..1]@0 8[1..2]@64 64[2..3]@0 32[3..4]@64 8[4..5]@0", 96);
    check(
        bySize,
        "32[0..1]@0 32[1..4]@32 8[2..5]@80 16[3..5]@64 8[4..5]@88 64[5..7]@0 8[6..8]@64 8[7..8]@72"
            + " 16[8..9]@0",
        96);
    checkAligned(bySize, "16[0..1]@0 8[1..2]@128 64[2..3]@0 32[3..4]@128 8[4..5]@0", 128, 160);
    String[] others = {
      "tflite-gpu-greedy-by-breadth", "tflite-gpu-size-distance", "tflite-gpu-min-cost-flow"
    };
    long[] ofComplex = {128, 112, 112};
    int[] objects = {5, 4, 4};
    for (int k = 0; k < others.length; k++) {
      check(others[k], chain, 96);
      assertEquals(2, plan(others[k], problem(chain)).objects(), others[k]);
      check(others[k], complex, ofComplex[k]);
      assertEquals(objects[k], plan(others[k], problem(complex)).objects(), others[k]);
    }
  }

  /**
   * tensorflow/tensorflow, tensorflow/lite/arena_planner_test.cc: SimpleGraph, and the graph of
   * eight ops with sizes of its own; graph inputs live for the whole run, offsets are multiples of
   * 4.
   */
  @Test
  void tfliteArena() {
    checkAligned(
        "tflite", "3[0..2]@0 6[0..2]@4 9[0..1]@48 12[2..2]@48 15[1..2]@32 18[1..2]@12", 4, 60);
    checkAligned(
        "tflite",
        "32[0..7]@0 28[0..3]@32 36[1..4]@96 16[2..4]@132 8[3..4]@148 64[4..6]@32 10[5..7]@136"
            + " 40[6..7]@96 27[7..7]@32",
        4,
        156);
  }

  /** ethos-u-vela, ethosu/vela/test/test_hillclimb_allocation.py: test_allocate. */
  @Test
  void vela() {
    check("vela", "8000[0..100] 8016[0..1] 2000[100..110] 4000[108..110] 6000[109..110]", 16016);
    check(
        "vela",
        "131072[0..23] 65568[4..5] 8192[4..9] 15360[8..30] 65568[10..11] 4096[10..15] 65552[16..17]"
            + " 2048[16..21] 32784[22..23] 1024[22..27]",
        216096);
  }

  /**
   * apache/tvm before a531d170b9, tests/python/unittest/test_tir_usmp_algo.py: test_fanout. The
   * steps are ours, such that the conflicts are those that the test lists; names decide between
   * equals.
   */
  @Test
  void tvm() {
    List<Buffer> resnet =
        Buffers.of(
            "sid_2:720000[4,21) sid_6:5760000[17,22) sid_7:720000[13,17) "
                + "sid_8:720000[9,13) PaddedInput:720000[8,10) Conv2dOutput:256[9,10) "
                + "PaddedInput_1:758912[12,14) Conv2dOutput_1:256[13,14) "
                + "PaddedInput_2:720000[16,18) Conv2dOutput_2:256[17,18) "
                + "PaddedInput_3:720000[20,22) Conv2dOutput_3:256[21,22)");
    PackingProblem problem = PackingProblem.of("fanout", resnet);
    assertEquals(7920256, plan("tvm-size", problem).placement().peak(problem, 0));
    assertEquals(7200256, plan("tvm-conflicts", problem).placement().peak(problem, 0));
  }
}
