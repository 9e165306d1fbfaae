package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.compiler.RulesChecks.plan;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import stowage.compiler.core.CasePlan;
import stowage.compiler.tvm.TvmHillClimb;
import stowage.compiler.vela.PythonRandom;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/** Small cases worked by hand from each system's rules, with the place of every buffer. */
class HandWorkedPlansTest {
  /** A planner, buffers, and their offsets by hand. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvFileSource(resources = "/stowage/compiler/by-hand.csv", delimiter = '|')
  void buffersAreWhereTheRulesPutThem(String planner, String buffers, String offsets) {
    PackingProblem problem = Buffers.problem(buffers);
    CasePlan plan = plan(planner, problem);
    String found = Arrays.toString(plan.placement().offsets()).replaceAll("[\\[\\],]", "");
    assertEquals(offsets, found, planner + " on " + buffers);
  }

  /** a is freed after step 0 and of c's size; the load of step 1 forbids to hold it till step 2. */
  @Test
  void reuseIsToldWithItsPeakOverTime() {
    List<Buffer> buffers = Buffers.of("a:4[0,1) b:8[1,2) c:4[2,3)");
    PlanningCase given = PlanningCase.ofBuffers(PackingProblem.of("by hand", buffers));
    assertEquals(
        List.of(
            "allocate a, 4 bytes",
            "free a",
            "allocate b, 8 bytes",
            "free b",
            "allocate c, 4 bytes"),
        CompilerPlanners.named("inductor-reuse").trace(given));
    assertEquals(
        "reuse a as c", CompilerPlanners.named("inductor-reuse-plain").trace(given).get(4));
    assertEquals(
        "the peak over time is 12 bytes; the peak given is the sum of its 2 allocations",
        plan("inductor-reuse-plain", given.problem()).remark());
    assertEquals(
        List.of(
            "pool 0",
            "  one after the other: 128 bytes",
            "    b [1, 2): 8 bytes at 0",
            "    a [0, 1): 4 bytes at 0",
            "    c [2, 3): 4 bytes at 0"),
        CompilerPlanners.named("inductor-tree").trace(given).stream()
            .filter(line -> !line.contains("empty") && !line.contains("side by side"))
            .map(line -> line.replaceAll("^ {6}", "    "))
            .toList());
  }

  @Test
  void theHillClimbOfTvmFillsGaps() {
    PackingProblem problem = Buffers.problem("a:8[0,9) b:6[0,2) c:5[1,9) d:4[5,9)");
    // d at 8 once b and c are so; 19 is the largest load.
    assertEquals(19, plan("tvm", problem).placement().peak(problem, 0));
  }

  @Test
  void tvmTriesPoolsInOrderOfPreference() {
    PackingProblem problem =
        Buffers.problem("a:8[0,2) b:6[0,2) c:2[0,2)")
            .withMemories(List.of(new Memory("fast", 10, 1, 0, 0), Memory.main()));
    CasePlan plan = plan("tvm-size", problem);
    // a fast at 0; b would end at 14: main at 0; c fast at 8.
    assertArrayEquals(new int[] {0, 1, 0}, plan.placement().memories());
    assertArrayEquals(new long[] {0, 0, 8}, plan.placement().offsets());
  }

  @Test
  void onnxRuntimeTakesTheMemoryOfTheLastOperandFirst() {
    // a and b die at c's op, which reads b before a: a is freed last, and d, of the same shape,
    // takes its memory. In file order b would come last. Sizes are rounded up to 256: x 512 at 0; a
    // 1024 above it: 512; b 1024: 1536; c 256 at 0, for x is over.
    for (String operands : List.of("b a", "a b")) {
      PlanningCase given =
          Graphs.of("x:300; a:800 = Conv x; b:800 = Conv x; c:1 = Add " + operands)
              .and("d:800 = Conv c; -> d")
              .planningCase();
      CasePlan plan = CompilerPlanners.named("onnxruntime").plan(given, RunControl.unlimited());
      long[] offsets = new long[5];
      for (int b = 0; b < offsets.length; b++) {
        offsets["xabcd".indexOf(given.problem().buffer(b).id())] = plan.placement().offset(b);
      }
      assertArrayEquals(
          new long[] {0, 512, 1536, 0, operands.equals("b a") ? 512 : 1536}, offsets, operands);
    }
  }

  @Test
  void thePythonAndGlibcNumbersAreTheirOwn() {
    PythonRandom python = new PythonRandom(1);
    int[] drawn = new int[8];
    for (int k = 0; k < drawn.length; k++) {
      drawn[k] = python.between(0, 100);
    }
    assertArrayEquals(new int[] {17, 72, 97, 8, 32, 15, 63, 97}, drawn);
    PythonRandom bits = new PythonRandom(1);
    for (long drawn32 : new long[] {577090037, 2444712010L, 3639700191L}) {
      assertEquals(drawn32 >> 1, bits.between(0, Integer.MAX_VALUE - 1));
    }
    TvmHillClimb.GlibcRandom glibc = new TvmHillClimb.GlibcRandom(0);
    assertEquals(1012484, glibc.next());
    assertEquals(1716955679, glibc.next());
    assertEquals(1792309082, glibc.next());
    assertEquals(229610924, glibc.next());
  }
}
