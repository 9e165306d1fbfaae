package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.liveness.BaselineCheck;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Baseline;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.LoadProfile;
import stowage.packing.Placement;
import stowage.packing.Verifier;
import stowage.planning.fit.piece.FitReplay;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.range.PadForm;

/** Buffers of networks in pieces, of which only the bytes needed count, replayed byte by byte. */
class BandsTest {
  private static final LivenessOptions OPTIONS =
      LivenessOptions.defaultsOf("tflite").withInPlace(LivenessOptions.InPlace.OPTIMAL);

  private static int[] bounds(Random random, int extent) {
    List<Integer> bounds = new ArrayList<>();
    for (int b = 1; b < extent; b++) {
      if (random.nextInt(3) == 0) {
        bounds.add(b);
      }
    }
    return bounds.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Where a placement puts each tensor, as a file says it. */
  private static Baseline baseline(PlanningCase planned, Placement placement) {
    Map<String, Long> offsets = new HashMap<>();
    for (int b = 0; b < planned.contents().size(); b++) {
      for (PlanningCase.Part part : planned.contents().get(b).parts()) {
        offsets.put(part.tensor(), placement.offset(b) + part.offset());
      }
    }
    return new Baseline("test", offsets, -1, OPTIONS.alignment(), false);
  }

  @Test
  void everyByteIsFoundInRandomRuns() {
    int split = 0;
    int saved = 0;
    int worse = 0;
    int caught = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      Network network = RandomChains.of(random, true, 2 + random.nextInt(5), 5 + random.nextInt(8));
      int from = random.nextInt(network.ops().size());
      int to = from + 1 + random.nextInt(network.ops().size() - from);
      String result = network.ops().get(to - 1).outputs().get(0);
      int[] bounds = bounds(random, (int) network.tensor(result).extent(1));
      List<AxisSplit> axes = new ArrayList<>(List.of(new AxisSplit(SplitAxis.ROWS, bounds)));
      if (seed % 3 == 2) {
        int[] columns = bounds(random, (int) network.tensor(result).extent(2));
        axes.add(new AxisSplit(SplitAxis.COLUMNS, columns));
      }
      boolean callers = seed % 5 == 4;
      LivenessOptions options =
          callers ? OPTIONS.withInputs(LivenessOptions.Inputs.CALLER) : OPTIONS;
      int[] ops = IntStream.range(from, to).toArray();
      boolean topDown = random.nextBoolean();
      RunSplit run =
          new RunSplit(ops, axes, topDown, random.nextBoolean() ? PadForm.CROP : PadForm.PAD);
      Rewriting rewriting = FitRunTest.split(network, List.of(run));
      if (rewriting == null) {
        continue;
      }
      split++;
      Network made = rewriting.network();
      PlanningCase bands = Liveness.inBands(made, made.executionOrder(), options);
      Placement placement = FitRunTest.greedy(bands.problem());
      String what = "seed " + seed + " " + run;
      assertEquals(List.of(), Verifier.violations(bands.problem(), placement), what);
      assertEquals(Optional.empty(), FitReplay.fault(bands, placement), what);
      if (!callers) {
        assertEquals(
            BaselineCheck.VALID, BaselineCheck.of(made, baseline(bands, placement)).status());
      }
      long whole = LoadProfile.of(Liveness.of(made, options).problem()).maxLoad();
      long least = LoadProfile.of(bands.problem()).maxLoad();
      worse += least > whole ? 1 : 0; // where of a concat some operands alone are in their places
      saved += least < whole ? 1 : 0;
      long[] offsets = placement.offsets();
      if (offsets.length > 0) {
        offsets[random.nextInt(offsets.length)] = 0;
      }
      boolean stillHolds = Verifier.isValid(bands.problem(), Placement.of(offsets));
      if (!stillHolds) {
        Placement wrong = Placement.of(offsets);
        boolean fault = FitReplay.fault(bands, wrong).isPresent();
        caught += fault ? 1 : 0;
        assertTrue(
            callers || !fault || !BaselineCheck.of(made, baseline(bands, wrong)).valid(),
            "seed " + seed);
      }
    }
    assertTrue(split > 250, split + " runs");
    assertTrue(saved > 100, saved + " runs need less by bands");
    assertTrue(worse < split / 20, worse + " runs need more");
    assertTrue(caught > 80, caught + " faults are found");
  }

  /** A network of slices, concats whose operands may repeat, elementwise and other ops. */
  private static Network views(Random random) {
    Graphs graph = Graphs.of("format tflite; t0:1x" + (2 + random.nextInt(6)) + "x2");
    List<String> read = new ArrayList<>(List.of("t0"));
    for (int k = 1; k < 9; k++) {
      String from = read.get(random.nextInt(read.size()));
      long rows = graph.tensor(from).extent(1);
      long start = random.nextInt((int) rows);
      long size = 1 + random.nextInt((int) (rows - start));
      List<String> parts = new ArrayList<>(List.of(from));
      while (parts.size() < 4 && random.nextInt(3) > 0) {
        parts.add(random.nextInt(3) == 0 ? from : read.get(random.nextInt(read.size())));
      }
      long all = parts.stream().mapToLong(part -> graph.tensor(part).extent(1)).sum();
      int kind = random.nextInt(5);
      String op =
          switch (kind) {
            case 0 -> "SLICE %s begin=[0,%d,0] size=[-1,%d,-1]".formatted(from, start, size);
            case 1, 2 -> "CONCATENATION %s axis=1".formatted(String.join(" ", parts));
            case 3 -> "RELU " + from;
            default -> "Op " + from;
          };
      graph.and("t%d:1x%dx2 = %s".formatted(k, kind == 0 ? size : kind < 3 ? all : rows, op));
      read.add("t" + k);
    }
    return graph.and("-> t8 t" + (1 + random.nextInt(7))).network();
  }

  @Test
  void everyByteIsFoundInRandomViews() {
    int saved = 0;
    for (int seed = 0; seed < 1000; seed++) {
      Network network = views(new Random(seed));
      PlanningCase bands = Liveness.inBands(network, network.executionOrder(), OPTIONS);
      Placement placement = FitRunTest.greedy(bands.problem());
      assertEquals(Optional.empty(), FitReplay.fault(bands, placement), "seed " + seed);
      long whole = LoadProfile.of(Liveness.of(network, OPTIONS).problem()).maxLoad();
      saved += LoadProfile.of(bands.problem()).maxLoad() < whole ? 1 : 0;
    }
    assertTrue(saved > 100, saved + " networks need less by bands");
  }

  @Test
  void aConcatCopiesWhereAHoleInItsPlaceIsPartOfThePeak() {
    for (long[] sizes : new long[][] {{160, 208}, {16, 80}}) {
      String code =
          "format tflite; x:1x16; a:1x16 = Op x; c:1x16 = Op x; h:1x%d = Op x; g:1x16 = Op h;"
                  .formatted(sizes[0])
              + " b:1x16 = Op g; y:1x48 = CONCATENATION a b c axis=1; z:1x16 = Op y; -> z";
      Network network = Graphs.of(code).network();
      PlanningCase bands = Liveness.inBands(network, network.executionOrder(), OPTIONS);
      assertEquals(sizes[1], LoadProfile.of(bands.problem()).maxLoad(), code);
      assertEquals(
          Optional.empty(), FitReplay.fault(bands, FitRunTest.greedy(bands.problem())), code);
    }
  }

  /** The replay of a slice of halves of bytes, which it does not follow, ends. */
  @Test
  void elementsOfHalfAByteAreNotFollowed() {
    Network bytes =
        Graphs.of("format tflite; x:1x8x4; y:1x4x4 = SLICE x begin=[0,2,0]; z:1x4x4 = RELU y; -> z")
            .network();
    List<Tensor> tensors = new ArrayList<>(bytes.tensors().values());
    tensors.set(0, new Tensor("x", List.of(1L, 8L, 4L), ElementType.I4, Tensor.Kind.ACTIVATION));
    Network halves = bytes.with(tensors, bytes.ops());
    PlanningCase bands = Liveness.inBands(halves, halves.executionOrder(), OPTIONS);
    assertEquals(
        Optional.empty(),
        assertTimeoutPreemptively(
            Duration.ofSeconds(20),
            () -> FitReplay.fault(bands, FitRunTest.greedy(bands.problem()))));
  }

  @Test
  void whatOneAlternativeMakesGivesWayToTheNext() {
    String code =
        "x:64; c:1 = Op x; b:1 = If.enter c name=y.enter; t:32 = Op x; e:1 = If.call b name=y.call;"
            + " f:32 = Op x; y:32 = If t f c name=y; -> y";
    Network network = Graphs.of(code).network();
    PlanningCase bands = Liveness.inBands(network, network.executionOrder(), OPTIONS);
    long[] offsets = new long[bands.contents().size()];
    for (int b = 0; b < offsets.length; b++) {
      String id = bands.problem().buffer(b).id();
      offsets[b] = id.equals("t") || id.equals("f") ? 64 : 128 + 64 * b;
    }
    assertEquals(Optional.empty(), FitReplay.fault(bands, Placement.of(offsets)));
    offsets[0] = 64; // x, which both read
    assertTrue(FitReplay.fault(bands, Placement.of(offsets)).isPresent());
  }
}
