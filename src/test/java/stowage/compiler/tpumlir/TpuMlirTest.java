package stowage.compiler.tpumlir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import stowage.PublicData;
import stowage.WorkedCases;
import stowage.compiler.core.CasePlan;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Graphs;
import stowage.packing.Buffer;
import stowage.packing.Buffers;
import stowage.packing.ConflictPairs;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

class TpuMlirTest {
  private static long peak(PlanningCase given, TpuMlir.AddressMode mode) {
    CasePlan plan = new TpuMlir(mode).plan(given, RunControl.unlimited());
    assertEquals(List.of(), Verifier.violations(given.problem(), plan.placement()));
    return plan.placement().peak(given.problem(), 0);
  }

  private static FitFirstAssign assign(String buffers) {
    List<Buffer> all = Buffers.of(buffers);
    return new FitFirstAssign(
        all.stream().mapToLong(Buffer::size).toArray(),
        all.stream().mapToInt(buffer -> buffer.live().start()).toArray(),
        all.stream().mapToInt(buffer -> buffer.live().end()).toArray());
  }

  /** Buffers, how many of them are placed, and the blocks that there are then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // A free block grows and moves what is above.
        "a:4[0,1) b:4[0,9) c:6[1,9) | 1 | 0@0+4",
        "a:4[0,1) b:4[0,9) c:6[1,9) | 2 | 0@0+4 1@4+4",
        "a:4[0,1) b:4[0,9) c:6[1,9) | 3 | 2@0+6 1@6+4",
        // c's 8 bytes are the largest, though a's 4 would do; what is left of them is a free block.
        "a:4[0,1) b:2[0,9) c:8[0,1) d:2[0,9) e:3[1,9) | 4 | 0@0+4 1@4+2 2@6+8 3@14+2",
        "a:4[0,1) b:2[0,9) c:8[0,1) d:2[0,9) e:3[1,9) | 5 | .@0+4 1@4+2 4@6+3 .@9+5 3@14+2",
        // Free neighbours merge also with the endless block: a, b and the end are one, the last.
        "a:4[0,1) b:4[0,1) c:5[1,2) | 3 | 2@0+5"
      })
  void freeBlocksGrowSplitAndMerge(String buffers, int placed, String blocks) {
    FitFirstAssign.Snapshot at = FitFirstAssign.Snapshot.empty();
    for (int tensor = 0; tensor < placed; tensor++) {
      at = assign(buffers).next(at, tensor);
    }
    assertEquals(blocks, text(at));
  }

  /** As {@code owner@start+size}, a dot for free blocks, the endless one left out. */
  private static String text(FitFirstAssign.Snapshot at) {
    return IntStream.range(0, at.count - 1)
        .mapToObj(k -> (at.owner[k] < 0 ? "." : at.owner[k]) + "@" + at.at[k] + "+" + at.bytes[k])
        .collect(Collectors.joining(" "));
  }

  @Test
  void addressesAreThoseOfTheLastSnapshots() {
    long[] addresses =
        assign("a:4[0,1) b:4[0,9) c:6[1,9)").addresses(new int[] {0, 1, 2}, RunControl.unlimited());
    assertArrayEquals(new long[] {0, 6, 0}, addresses);
  }

  @Test
  void theSortIsThatOfTheOriginal() {
    int[] start = {3, 1, 2, 1, 1, 0};
    int[] tensors = {0, 1, 2, 3, 4, 5};
    FitFirstAssign.sortByStart(tensors, start);
    // Pivot 3: [5 1 2 3 4 | 0]; pivot 0 stays; pivot 1: [4 2 3 1], [4 1 3 2], [4 3 | 1 | 2]; pivot
    // 1 again: [3 4].
    int[] starts = Arrays.stream(tensors).map(t -> start[t]).toArray();
    assertArrayEquals(new int[] {0, 1, 1, 1, 2, 3}, starts);
    assertArrayEquals(new int[] {5, 3, 4, 1, 2, 0}, tensors);
    Random random = new Random(4);
    for (int round = 0; round < 200; round++) {
      int[] keys = random.ints(random.nextInt(40), 0, 6).toArray();
      int[] order = IntStream.range(0, keys.length).toArray();
      FitFirstAssign.sortByStart(order, keys);
      assertArrayEquals(
          Arrays.stream(keys).sorted().toArray(),
          Arrays.stream(order).map(t -> keys[t]).toArray(),
          "seed 4, round " + round);
    }
  }

  @Test
  void whatDoesNotFitTheFastMemoryIsPassedOver() {
    Memory fast = new Memory("l2", 10, 1, 0, 0);
    List<Buffer> buffers = new ArrayList<>(Buffers.of("large:12[0,4) next:4[0,2) later:8[0,4)"));
    buffers.add(new Buffer("must", 5, 0, 3).withMemories(List.of("l2")));
    buffers.add(new Buffer("never", 1, 0, 3).withMemories(List.of("main")));
    PackingProblem problem =
        new PackingProblem(
            "two memories", buffers, List.of(fast, Memory.main()), ConflictPairs.none());
    PlanningCase given = PlanningCase.ofBuffers(problem);
    CasePlan plan = new TpuMlir(TpuMlir.AddressMode.BASIC).plan(given, RunControl.unlimited());
    assertEquals(List.of(), Verifier.violations(problem, plan.placement()));
    // must at 0, then next (used by the very next op) at 5; later would end at 17.
    assertArrayEquals(new int[] {1, 0, 1, 0, 1}, plan.placement().memories());
    assertEquals(5, plan.placement().offset(1));
  }

  @Test
  void addressModesKeepInputsAndOutputsApart() {
    PlanningCase given =
        Graphs.of("x:4; a:6 = Conv x; b:6 = Conv a; y:2 = Conv b; -> y").planningCase();
    assertEquals(12, peak(given, TpuMlir.AddressMode.BASIC));
    // x and y take 6 bytes that nothing else may use.
    assertEquals(18, peak(given, TpuMlir.AddressMode.IO_ALONE));
    assertEquals(18, peak(given, TpuMlir.AddressMode.IO_TAG));
    PlanningCase kept =
        Graphs.of("x:4; a:6 = Conv x; b:6 = Conv a; y:2 = Conv b; -> y").keepingInputs();
    assertEquals(16, peak(kept, TpuMlir.AddressMode.BASIC));
  }

  @Test
  void blazefaceTakesTheBytesThatItsOwnFileSays() {
    Path file = PublicData.network("tpu-mlir/blazeface_bm1688_final.mlir");
    Input.Graph input = (Input.Graph) InputFormats.read(file);
    PlanningCase given =
        Liveness.of(
            input.network(), LivenessOptions.defaults().withInputs(LivenessOptions.Inputs.KEEP));
    assertEquals(909312, peak(given, TpuMlir.AddressMode.BASIC));
  }

  static Stream<Arguments> workedByHand() throws IOException {
    return WorkedCases.of("compiler/tpu-mlir-2022.txt");
  }

  /**
   * A graph, the tables of tpu-mlir-2022 after each step, {@code rec value@address+bytes*uses to
   * come; hold values; use addresses}, and what it comes to.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void workedByHand(String name, List<String> lines) {
    String graph = lines.get(0);
    PlanningCase given =
        graph.startsWith("buffers ")
            ? PlanningCase.ofBuffers(Buffers.problem(graph.substring(8)))
            : graph.startsWith("without views: ")
                ? Graphs.of(graph.substring(15)).withoutViews()
                : Graphs.of(graph).planningCase();
    assertEquals(lines.subList(1, lines.size() - 1), new TpuMlir2022().trace(given));
    CasePlan plan = new TpuMlir2022().plan(given, RunControl.unlimited());
    long peak = plan.placement().peak(given.problem(), 0);
    assertEquals(
        lines.get(lines.size() - 1), "peak %s, objects %s".formatted(peak, plan.objects()));
    assertEquals(List.of(), Verifier.violations(given.problem(), plan.placement()));
  }

  @Test
  void theOriginalOverlapsAReshapeWhoseSourceIsFreedByAnother() {
    PlanningCase given =
        Graphs.of(
                "x:4; a:4 = Conv x; v:4 = Reshape a; b:4 = Conv a; c:4 = Conv b; "
                    + "d:4 = Add c v; -> d")
            .planningCase();
    assertEquals(
        List.of(
            "x: rec x@0+4*1; hold x; use 0",
            "a: rec x@0+4*0 a@4+4*2; hold a; use 4",
            "v: rec x@0+4*0 a@4+4*1 v@4+4*1; hold a v; use 4",
            // b's op frees a, and with it the address 4, although v is there and waits for d.
            "b: rec x@0+4*0 a@4+4*0 v@4+4*1 b@0+4*1; hold v b; use 0",
            // a's entry passes all conditions: c is put on v.
            "c: rec x@0+4*0 a@4+4*0 v@4+4*1 b@0+4*0 c@4+4*1; hold v c; use 4",
            "d: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*1; hold d; use 0",
            "return: rec x@0+4*0 a@4+4*0 v@4+4*0 b@0+4*0 c@4+4*0 d@0+4*0; hold d; use 0"),
        new TpuMlir2022().trace(given));
    CasePlan plan = new TpuMlir2022().plan(given, RunControl.unlimited());
    String fault = Verifier.violations(given.problem(), plan.placement()).get(0).text();
    assertTrue(fault.contains("overlap at step 3"), fault);
  }
}
