package stowage.planning.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.Thorough;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.LivenessOptions;
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.planning.fit.price.FitCompute;
import stowage.planning.fit.price.PriceCheck;
import stowage.planning.fit.price.PriceProof;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.range.AxisRules;
import stowage.rewrite.range.PadForm;

/** Lower bounds of peak and price beside rewritings of small networks. */
class FitBoundTest {
  /** What of a network was tried, and how often its bound said something. */
  private static final class Trial {
    private final Random random;
    private final FitRequest request;
    private final FitBound bound;
    private final String label;
    private final Map<Long, Long> extras = new HashMap<>();
    private int choices;
    private int above;

    Trial(String label, Random random, Network network) {
      this.label = label;
      this.random = random;
      FitRequest asked = FitRunTest.request(network, -1, true);
      LivenessOptions.Inputs[] all = LivenessOptions.Inputs.values();
      LivenessOptions.Inputs inputs = all[Math.floorMod(label.hashCode(), 3 * all.length) / 3];
      long alignment = label.hashCode() % 16 == 0 ? 16 : asked.liveness().alignment();
      LivenessOptions options = asked.liveness().withInputs(inputs).withAlignments(alignment, 1);
      this.request =
          new FitRequest(
              network, options, asked.levers(), -1, -1, -1, true, EngineOptions.defaults());
      this.bound = new FitBound(request);
    }

    /** Compares the bounds with a set of runs, and says its load; -1 where it cannot be written. */
    long load(SplitModel model, List<RunSplit> runs) {
      Rewriting made = FitRunTest.split(model.network(), runs);
      if (made == null) {
        return -1;
      }
      long load = FitRunTest.load(request, made.network());
      long price = Math.max(0, FitCompute.extra(made));
      long extra = extras.computeIfAbsent(load, bound::extra);
      assertTrue(bound.peak() <= load, label + ": peak above " + load + " of " + runs);
      assertTrue(extra <= price, label + ": " + extra + " within " + load + " of " + runs);
      choices++;
      above += extra > 0 ? 1 : 0;
      return load;
    }

    /** All ways to cut a chain along rows into even pieces, some of them uneven. */
    void all(SplitModel model, int at, List<RunSplit> runs) {
      Network network = model.network();
      int ops = network.ops().size();
      if (at == ops) {
        load(model, runs);
        return;
      }
      all(model, at + 1, runs);
      for (int to = at + 1; to <= ops; to++) {
        int rows = extent(network, to - 1, SplitAxis.ROWS);
        for (int pieces = 2; pieces <= Math.min(rows, 6); pieces++) {
          AxisSplit split =
              random.nextInt(3) == 0
                  ? new AxisSplit(SplitAxis.ROWS, bounds(random, rows))
                  : AxisSplit.even(SplitAxis.ROWS, rows, pieces);
          runs.add(run(random, at, to, List.of(split)));
          all(model, to, runs);
          runs.remove(runs.size() - 1);
        }
      }
    }

    /** Random orders, stretches of them, and cuts that are changed one by one for the load. */
    void some(int count) {
      Network given = request.network();
      Network network = given;
      List<RunSplit> best = List.of();
      long lowest = -1;
      for (int k = 0; k < count; k++) {
        if (k % 8 == 0) {
          network = Rewriting.reordered(given, order(given, random)).network();
          lowest = Long.MAX_VALUE;
          best = List.of();
        }
        List<RunSplit> runs = new ArrayList<>(best);
        if (k % 8 < 3 || runs.isEmpty()) {
          runs = drawn(network);
        } else {
          int at = random.nextInt(runs.size());
          int[] ops = runs.get(at).ops();
          List<AxisSplit> axes = axes(network, ops[ops.length - 1]);
          if (!axes.isEmpty()) {
            runs.set(at, run(random, ops[0], ops[ops.length - 1] + 1, axes));
          }
        }
        long load = load(new SplitModel(network), runs);
        if (load >= 0 && load <= lowest) {
          lowest = load;
          best = runs;
        }
      }
    }

    private List<RunSplit> drawn(Network network) {
      List<RunSplit> runs = new ArrayList<>();
      int at = random.nextInt(2);
      while (at < network.ops().size()) {
        int to = at + 1 + random.nextInt(network.ops().size() - at);
        List<AxisSplit> axes = axes(network, to - 1);
        if (!axes.isEmpty()) {
          runs.add(run(random, at, to, axes));
        }
        at = to + random.nextInt(2);
      }
      return runs;
    }

    private List<AxisSplit> axes(Network network, int op) {
      List<AxisSplit> axes = new ArrayList<>();
      for (SplitAxis axis : List.of(SplitAxis.ROWS, SplitAxis.COLUMNS)) {
        int extent = extent(network, op, axis);
        if (extent > 1 && random.nextInt(3) > 0) {
          axes.add(
              random.nextBoolean()
                  ? new AxisSplit(axis, bounds(random, extent))
                  : AxisSplit.even(axis, extent, 2 + random.nextInt(Math.min(6, extent) - 1)));
        }
      }
      return axes;
    }

    private static RunSplit run(Random random, int from, int to, List<AxisSplit> axes) {
      PadForm form = random.nextBoolean() ? PadForm.CROP : PadForm.PAD;
      return new RunSplit(IntStream.range(from, to).toArray(), axes, random.nextBoolean(), form);
    }

    private static int[] bounds(Random random, int extent) {
      TreeSet<Integer> bounds = new TreeSet<>();
      for (int k = random.nextInt(3); k >= 0; k--) {
        bounds.add(1 + random.nextInt(extent - 1));
      }
      return bounds.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int extent(Network network, int op, SplitAxis axis) {
      Tensor made = network.tensor(network.ops().get(op).outputs().get(0));
      return (int) made.extent(axis.dimension(made, AxisRules.isTflite(network)));
    }

    private static int[] order(Network network, Random random) {
      List<Integer> order = new ArrayList<>();
      while (order.size() < network.ops().size()) {
        int op = random.nextInt(network.ops().size());
        Op own = network.ops().get(op);
        boolean ready =
            own.inputs().stream()
                .map(network::producer)
                .allMatch(from -> from < 0 || order.contains(from));
        if (ready && !order.contains(op)) {
          order.add(op);
        }
      }
      return order.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  @Test
  void boundsAreNeverAboveWhatAllCutsOfChainsReach() {
    int above = 0;
    int[] seeds =
        IntStream.concat(IntStream.range(0, Thorough.of(8, 30)), IntStream.of(181)).toArray();
    for (int seed : seeds) {
      Random random = new Random(seed);
      Network network = RandomChains.of(random, true, 2 + random.nextInt(2), 8 + random.nextInt(5));
      Trial trial = new Trial("seed " + seed, random, network);
      trial.all(new SplitModel(network), 0, new ArrayList<>());
      above += trial.above;
    }
    assertTrue(above > seeds.length / 3, above + " bounds say something");
  }

  @Test
  void boundsAreNeverAboveWhatRandomCutsReach() {
    int[] above = new int[8];
    int choices = 0;
    int cases = Thorough.of(160, 640);
    for (int seed = 0; seed < cases; seed++) {
      Random random = new Random(seed);
      int kind = seed % above.length;
      int ops = 2 + random.nextInt(6);
      int side = 5 + random.nextInt(8);
      Network network =
          switch (kind) {
            case 0, 1 -> RandomChains.of(random, kind == 0, ops, side);
            case 2, 3 -> RandomChains.forked(random, kind == 2, ops, side);
            case 4, 5 -> RandomChains.wide(random, kind == 4, side);
            default -> RandomChains.dense(random, kind == 6, side);
          };
      Trial trial = new Trial("seed " + seed, random, network);
      trial.some(16);
      above[kind] += trial.above;
      choices += trial.choices;
    }
    String said = Arrays.toString(above) + " bounds of " + choices + " say something";
    assertTrue(
        Arrays.stream(above).sum() > cases / 5 && above[4] > cases / 25 && above[6] > cases / 25,
        said);
    // Where results stay in pieces, runs take turns: nothing may be claimed.
    int copied = above[1] + above[3] + above[5] + above[7];
    assertEquals(0, copied, said);
  }

  @Test
  void tensorsOfBillionsOfRowsTakeNoMemoryToBound() {
    long rows = 1L << 33;
    String text = "t0:ROWS; t1:ROWS = Relu t0; t2:ROWS = Own t1; -> t2";
    Network network = Graphs.of(text.replace("ROWS", "" + rows)).network();
    FitBound bound = new FitBound(FitRunTest.request(network, -1, true));
    assertEquals(2 * rows, bound.peak());
    assertEquals(0, bound.extra(2 * rows));
    assertFalse(PriceCheck.canFollow(network));
    PriceProof forged = new PriceProof(rows, List.of());
    assertThrows(
        IllegalArgumentException.class,
        () -> new PriceCheck(network, LivenessOptions.defaults()).proven(forged));
  }

  /** Files may say what no run-time could make; such models are bounded as any other. */
  @Test
  void resultsOfMoreImagesOrRowsThanTheirOperandAreBounded() {
    Graphs graph = Graphs.of(ElementType.I8, "format tflite; x:1x8x8x4; weight w:4x3x3x4");
    graph.and("a:1x8x8x4 = RELU x; y:5x8x8x4 = CONV_2D a w padding=SAME");
    graph.and("z:1x2x8x4 = SLICE a begin=[0,-3,0,0]; -> y z");
    Network network = graph.network();
    PriceCheck check = new PriceCheck(network, LivenessOptions.defaultsOf("tflite"));
    assertEquals(0, check.proven(new PriceProof(1, List.of())));
  }

  @Test
  void noProofIsAcceptedOfNetworksWhosePiecesTakeTurns() {
    Network network = RandomChains.wide(new Random(1), false, 9);
    PriceProof proof = new PriceProof(1, List.of());
    assertThrows(
        IllegalArgumentException.class,
        () -> new PriceCheck(network, LivenessOptions.defaults()).proven(proof));
  }

  @Test
  void whereTimeIsOutOnlyInputsAndResultsBound() {
    Network network = Graphs.of("a:4; b:8 = Own a; c:2 = Own b; -> c").network();
    FitRequest request = FitRunTest.request(network, -1, true);
    assertEquals(12, new FitBound(request).peak());
    assertEquals(4, new FitBound(request, () -> true).peak());
  }

  @Test
  void whatReadsAResultAsAWholeLeavesNothingOut() {
    int above = 0;
    for (int seed = 0; seed < 40; seed++) {
      Network wide = RandomChains.wide(new Random(seed), true, 9);
      String result = wide.outputs().get(0);
      List<Tensor> tensors = new ArrayList<>(wide.tensors().values());
      tensors.add(new Tensor("boxes", List.of(4L), ElementType.I8, Tensor.Kind.ACTIVATION));
      List<Op> ops = new ArrayList<>(wide.ops());
      ops.add(new Op("boxes", "Boxes", Map.of(), List.of(result), List.of("boxes"), 0));
      Network network =
          new Network(
              "boxes", wide.format(), tensors, ops, List.of("x"), List.of("boxes"), List.of());
      FitBound bound = new FitBound(FitRunTest.request(network, -1, true));
      long largest = tensors.stream().mapToLong(Tensor::bytes).max().orElseThrow();
      above += bound.extra(largest * 3 / 4) > 0 ? 1 : 0;
    }
    assertTrue(above > 5, above + " bounds say something");
  }
}
