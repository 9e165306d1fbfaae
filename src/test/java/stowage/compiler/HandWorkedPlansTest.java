package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
import stowage.packing.Verifier;

/** Small cases worked by hand from each system's rules, with the place of every buffer. */
class HandWorkedPlansTest {

  private static CasePlan plan(String planner, PackingProblem problem) {
    return CompilerPlanners.named(planner)
        .plan(PlanningCase.ofBuffers(problem), RunControl.unlimited());
  }

  /** A planner, buffers, and their offsets by hand. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # Later ones of equal size are first. Order c, b, a (all 8), then d. c 0; b meets c: 8;
          # a meets b: 0; d meets b and c: 16.
          tflm | a:8[0,2) b:8[1,3) c:8[2,4) d:4[2,3) | 0 8 0 16

          # Buffers that were planned offline are first. a does not fit below 4: above 6; c fits
          # [0, 4).
          tflm | a:8[0,4) fixed:2[0,4)@4 c:4[0,4) | 6 4 0

          # Whole-run tensors first, then the tightest gap. low is alive throughout: 0. big 4; mid 4;
          # top above mid: 10; in: above low: 4.
          tflite | big:10[0,2) low:4[0,6) mid:6[2,5) top:3[2,5) in:2[5,6) | 4 0 4 10 4

          # Sizes are rounded up to 16. At step 1 the gap [16, 48) is taken before the equal one at
          # 64.
          iree | a:1[0,3) gap1:28[0,1) c:1[0,3) gap2:28[0,1) e:1[0,3) f:16[1,3) | 0 16 48 64 96 16

          # In program order: for c the gap below b has 16 bytes, too few: above b, which ends at 32.
          iree | a:2[0,2) b:8[0,4) c:20[2,4) | 0 16 32

          # Buffers are side by side in an object. a makes an object of 10. c and b have 4; the
          # later, c, first: no member alive with it: 0. b meets c: 4 + 4 <= 10: at 4. d meets all:
          # the highest end is a's, 10: a new object. Without overlap b makes an object of its own,
          # and d too.
          executorch        | a:10[0,2) b:4[2,6) c:4[3,5) d:2[0,6) | 0 4 0 10
          executorch-shared | a:10[0,2) b:4[2,6) c:4[3,5) d:2[0,6) | 0 10 0 14

          # A block that meets two children is refused. a fills the root. c (384) before b: (c | 256).
          # b: meets c's pair alone; c refuses, the Empty of 256 takes it: 384. d meets a and the
          # pair: the root grows by 64. Without growth d is a pool of its own: the same bytes here.
          inductor-tree      | a:640[0,2) b:256[2,4) c:384[2,3) d:64[0,4) | 0 384 0 640
          inductor-tree-none | a:640[0,2) b:256[2,4) c:384[2,3) d:64[0,4) | 0 384 0 640

          # The left side is rounded up. The pool grows: b behind a, a's 12 bytes rounded up to 64.
          inductor-tree      | a:12[0,9) b:10[0,9) | 0 64
          inductor-tree-none | a:12[0,9) b:10[0,9) | 0 12

          # The newest of the same size if the peak holds. a and b: objects 0 and 1. At 2 both are
          # free, b the newer and just freed: c is b's object. d takes c's. e is of another size. f: d
          # was freed by step 3, step 4 is between: 4 <= 12.
          inductor-reuse | a:4[0,1) b:4[0,2) c:4[2,3) d:4[3,4) e:8[2,4) f:4[5,6) | 0 4 4 4 8 4

          # A step between at the peak: a's bytes may not be held over it.
          inductor-reuse | a:4[0,1) high:9[1,2) c:4[2,3) | 0 4 13

          # Frees before it places, and takes the tightest gap. Ends descending: long 0, top 8, mid 9,
          # short 11. At 2 short is gone: new above mid: 11. At 4 mid is gone: the gap [9, 11) is too
          # small for one: above new: 13.
          vela-greedy | short:4[0,2) long:8[0,6) mid:2[0,4) top:1[0,6) new:2[2,6) one:4[4,6) | 11 0 9 8 11 13

          # Stops at the largest load. Loads 4, 10, 6, 11, 5: urgency 10, 11, 11; durations on ranked
          # times (0 2 4 6): a 1 ... b and c of urgency 11, b before c for it lasts as long and starts
          # earlier: b 0, c 6, a 6.
          vela | a:4[0,3) b:6[2,5) c:5[4,7) | 6 0 6

          # Above all conflicts: a 0, b 8, c above b: 14, d above c: 19, though [8, 14) is free then.
          # Conflicts 3, 2, 3, 2: a 0, c 8, b above c: 13, d above c: 13.
          tvm-size      | a:8[0,9) b:6[0,2) c:5[1,9) d:4[5,9) | 0 8 14 19
          tvm-conflicts | a:8[0,9) b:6[0,2) c:5[1,9) d:4[5,9) | 0 13 8 13

          # The better of two orders. Spatial: a 0; c 0; d 0; b above all: 8. Temporal: b 0; then by
          # duration c, d, a above it: 4. Both end at 12: the first run stays.
          xla-spatial  | a:8[0,1) b:4[0,9) c:6[3,9) d:6[1,3) | 0 8 0 0
          xla-temporal | a:8[0,1) b:4[0,9) c:6[3,9) d:6[1,3) | 4 0 4 4
          xla          | a:8[0,1) b:4[0,9) c:6[3,9) d:6[1,3) | 0 8 0 0

          # A trace with least waste. Sizes are rounded up to 256: a 2048, b 256, c 512, d 768. c takes
          # the gap that a left, and d the same when c is over, though it is of no size seen before.
          onnxruntime | a:2000[0,2) b:100[0,9) c:500[2,4) d:700[4,6) | 0 2048 0 0

          # No footprint is shared with its first block alive. e lives throughout: above all. a opens
          # [0, 10). c is not alive with a: 0. b meets a: a footprint of its own at 10. d: not alive
          # with a, above c: 6.
          somas | a:10[1,3) b:4[2,4) c:6[3,5) d:4[3,6) e:1[0,9) | 0 10 0 6 14

          # Objects of Pisarchyk and Lee. Breadths at the starts 0..3: 4, 12, 14, 9. Step 2 first: b
          # makes an object of 8, c one of 6; step 1: a is never alive with c: its object; step 3: d
          # takes b's, the only one free. By size: b 0; c meets b: 8; a meets b: 8; d meets c: 0.
          # Cheapest: c after a grows by 2, d after b costs nothing: 4 + 8 + 2. Positional maxima 8,
          # 6: b alone has position 0. It makes an object; of a, c and d only d is never alive with
          # it, at distance 1: it comes next. c is larger than a: an object; a joins it.
          tflite-gpu-greedy-by-breadth | a:4[0,2) b:8[1,3) c:6[2,4) d:3[3,5) | 8 0 8 0
          tflite-gpu-greedy-by-size    | a:4[0,2) b:8[1,3) c:6[2,4) d:3[3,5) | 8 0 8 0
          tflite-gpu-min-cost-flow     | a:4[0,2) b:8[1,3) c:6[2,4) d:3[3,5) | 0 6 0 6
          tflite-gpu-size-distance     | a:4[0,2) b:8[1,3) c:6[2,4) d:3[3,5) | 8 0 8 0

          # Equal sizes are coloured.
          idealloc | a:4[0,2) b:4[1,3) c:4[2,4) | 0 4 0
          idealloc | a:4[0,2) b:9[2,3) | 0 0
          """)
  void buffersAreWhereTheRulesPutThem(String planner, String buffers, String offsets) {
    PackingProblem problem = PackingProblem.of("by hand", Buffers.of(buffers));
    CasePlan plan = plan(planner, problem);
    assertEquals(List.of(), Verifier.violations(problem, plan.placement()), planner);
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
    CasePlan plan =
        CompilerPlanners.named("inductor-reuse-plain").plan(given, RunControl.unlimited());
    assertEquals(
        "the peak over time is 12 bytes; the peak given is the sum of its 2 allocations",
        plan.remark());
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
    PackingProblem problem =
        PackingProblem.of("by hand", Buffers.of("a:8[0,9) b:6[0,2) c:5[1,9) d:4[5,9)"));
    // d at 8 once b and c are so; 19 is the largest load.
    assertEquals(19, plan("tvm", problem).placement().peak(problem, 0));
  }

  @Test
  void tvmTriesPoolsInOrderOfPreference() {
    PackingProblem problem =
        PackingProblem.of("pools", Buffers.of("a:8[0,2) b:6[0,2) c:2[0,2)"))
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
