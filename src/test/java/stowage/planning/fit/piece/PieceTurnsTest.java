package stowage.planning.fit.piece;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.AxisSplit;
import stowage.rewrite.BarrierException;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;
import stowage.rewrite.SplitAxis;
import stowage.rewrite.SplitModel;
import stowage.rewrite.Splitter;
import stowage.rewrite.range.PadForm;

class PieceTurnsTest {
  private static final String TWO =
      "x:1x2x6x6; a:1x16x6x6 = Conv x window=3,1,1; b:1x2x6x6 = Conv a window=3,1,1; -> b";

  private static final LivenessOptions BYTES = LivenessOptions.defaults().withAlignments(1, 1);

  private static RunSplit run(Network network, int op, int pieces) {
    long rows = network.tensor(network.ops().get(op).outputs().get(0)).extent(2);
    AxisSplit cut = AxisSplit.even(SplitAxis.ROWS, rows, (int) Math.min(rows, pieces));
    return new RunSplit(new int[] {op}, List.of(cut), true, PadForm.CROP);
  }

  @Test
  void aPieceRunsAsSoonAsWhatItReadsIsThere() throws BarrierException {
    Network network = Graphs.of(TWO).network();
    List<RunSplit> runs = List.of(run(network, 0, 6), run(network, 1, 6));
    Rewriting cut = Splitter.split(new SplitModel(network), runs);
    List<String> pieces =
        new PieceTurns()
            .of(cut, BYTES, Long.MAX_VALUE).network().ops().stream()
                .map(Op::name)
                .filter(name -> name.matches("[ab]#.of6"))
                .toList();
    String expected = "a#1 a#2 b#1 a#3 b#2 a#4 b#3 a#5 b#4 a#6 b#5 b#6";
    assertEquals(expected, String.join(" ", pieces).replace("of6", ""));
  }

  @Test
  void turnsAreTakenWhereTheyTakeLessAlone() throws BarrierException {
    Network network = Graphs.of(TWO).network();
    SplitModel model = new SplitModel(network);
    Rewriting one = Splitter.split(model, List.of(run(network, 1, 3)));
    assertSame(one, new PieceTurns().of(one, BYTES, Long.MAX_VALUE));
    assertTrue(PieceTurns.mayBeTaken(network));
    String text = TWO.replace("x2x6x6", "x1x6x6").replace("x16x6x6", "x1x6x6");
    assertFalse(PieceTurns.mayBeTaken(Graphs.of(text).network()));
  }

  /** A chain of convolutions with residual adds. */
  private static Network chain(Random random) {
    StringBuilder text = new StringBuilder("t0:1x3x16x16");
    int side = 16;
    for (int k = 1, ops = 2 + random.nextInt(5); k <= ops; k++) {
      boolean add = k > 2 && random.nextInt(3) == 0 && text.toString().endsWith("window=3,1,1");
      boolean half = !add && side > 4 && random.nextInt(4) == 0;
      side = half ? side / 2 : side;
      text.append("; t%d:1x3x%dx%d = ".formatted(k, side, side));
      text.append(
          add
              ? "Add t%d t%d".formatted(k - 1, k - 2)
              : "Conv t%d window=3,%d,1".formatted(k - 1, half ? 2 : 1));
      if (k == ops) {
        text.append("; -> t").append(k);
      }
    }
    return Graphs.of(text.toString()).network();
  }

  private static Rewriting pieces(Network network, Random random) throws BarrierException {
    List<RunSplit> runs = new ArrayList<>();
    for (int op = 0; op < network.ops().size(); op++) {
      if (random.nextInt(5) > 0) {
        runs.add(run(network, op, 2 + random.nextInt(6)));
      }
    }
    return Splitter.split(new SplitModel(network), runs);
  }

  @Test
  void whatRunsIsTheSameAndTakesNoMore() throws BarrierException {
    int lower = 0;
    for (int seed = 0; seed < 200; seed++) {
      Rewriting cut = pieces(chain(new Random(seed)), new Random(seed));
      Rewriting turns = new PieceTurns().of(cut, BYTES, Long.MAX_VALUE);
      assertEquals(
          new HashSet<>(cut.network().ops()), new HashSet<>(turns.network().ops()), "seed " + seed);
      assertEquals(new HashSet<>(cut.ops()), new HashSet<>(turns.ops()), "seed " + seed);
      long before = load(cut.network());
      long now = load(turns.network());
      assertTrue(now <= before, "seed " + seed);
      lower += now < before ? 1 : 0;
    }
    assertTrue(lower > 30, lower + " take less");
  }

  @Test
  void noOtherStretchesTakeLess() throws BarrierException {
    int partly = 0;
    for (int seed = 0; seed < 60; seed++) {
      Network network = chain(new Random(seed));
      Rewriting cut = pieces(network, new Random(-seed));
      List<List<Integer>> pieces = byOp(cut);
      long least = load(cut.network());
      long once = load(inStretches(cut, pieces, 0));
      for (int ends = 0; ends < 1 << network.ops().size() - 1; ends++) {
        least = Math.min(least, load(inStretches(cut, pieces, ends)));
      }
      assertEquals(
          least, load(new PieceTurns().of(cut, BYTES, Long.MAX_VALUE).network()), "seed " + seed);
      partly += least < once ? 1 : 0;
    }
    assertTrue(partly > 10, partly + " take least in several stretches");
  }

  /**
   * By op its pieces and what they gather; concatenations are those of the first op to read them.
   */
  private static List<List<Integer>> byOp(Rewriting cut) {
    List<List<Integer>> pieces =
        Stream.<List<Integer>>generate(ArrayList::new).limit(cut.given().ops().size()).toList();
    for (int k = 0; k < cut.ops().size(); k++) {
      int at = k;
      String made = cut.network().ops().get(k).outputs().get(0);
      while (cut.ops().get(at).kind() == OpOrigin.Kind.CONCAT
          && !cut.network().outputs().contains(made)) {
        String needed = made;
        at =
            IntStream.range(0, cut.ops().size())
                .filter(r -> cut.network().ops().get(r).presentInputs().contains(needed))
                .boxed()
                .min(Comparator.comparing(r -> cut.ops().get(r).op()))
                .orElseThrow();
        made = cut.network().ops().get(at).outputs().get(0);
      }
      pieces.get(cut.ops().get(at).op()).add(k);
    }
    return pieces;
  }

  private static double part(OpOrigin origin) {
    return origin.piece() < 0 ? 1 : (origin.piece() + 1.0) / origin.pieces();
  }

  /** Pieces in stretches that end behind some ops, each by parts of results, depth first. */
  private static Network inStretches(Rewriting cut, List<List<Integer>> pieces, int ends) {
    Network network = cut.network();
    Set<Op> order = new LinkedHashSet<>();
    int from = 0;
    for (int to = 1; to <= pieces.size(); to++) {
      if (to == pieces.size() || (ends >> to - 1 & 1) > 0) {
        List<List<Integer>> stretch = new ArrayList<>(pieces.subList(from, to));
        Collections.reverse(stretch);
        stretch.stream()
            .flatMap(List::stream)
            .sorted(Comparator.comparingDouble(k -> part(cut.ops().get(k))))
            .forEach(k -> need(network, k, order));
        from = to;
      }
    }
    return network.with(network.tensors().values(), List.copyOf(order));
  }

  private static void need(Network network, int op, Set<Op> order) {
    if (!order.contains(network.ops().get(op))) {
      network.ops().get(op).presentInputs().stream()
          .map(network::producer)
          .filter(maker -> maker >= 0)
          .sorted()
          .forEach(maker -> need(network, maker, order));
      order.add(network.ops().get(op));
    }
  }

  /** The largest sum of bytes at an op, each of which finds what it reads; from its definition. */
  private static long load(Network network) {
    Map<String, Integer> readers = new HashMap<>(); // the network's end is one of its results'
    network.outputs().forEach(result -> readers.merge(result, 1, Integer::sum));
    network.ops().stream()
        .flatMap(op -> op.presentInputs().stream().distinct())
        .forEach(input -> readers.merge(input, 1, Integer::sum));
    Set<String> there = new HashSet<>(network.inputs());
    there.retainAll(readers.keySet());
    long bytes = there.stream().map(network::tensor).mapToLong(Tensor::bytes).sum();
    long most = 0;
    for (Op op : network.ops()) {
      for (String output : op.presentOutputs()) {
        there.add(output);
        bytes += network.tensor(output).bytes();
      }
      most = Math.max(most, bytes);
      Set<String> used = new HashSet<>(op.presentOutputs());
      for (String input : op.presentInputs()) {
        if (used.add(input) && !network.tensor(input).isWeight()) {
          assertTrue(there.contains(input), op.name());
          readers.merge(input, -1, Integer::sum);
        }
      }
      for (String one : used) {
        if (readers.getOrDefault(one, 0) == 0 && there.remove(one)) {
          bytes -= network.tensor(one).bytes();
        }
      }
    }
    return most;
  }

  @Test
  void longChainsNeedNoDeepCalls() throws BarrierException {
    int ops = 3_000;
    StringBuilder text = new StringBuilder("t0:1x2x4x4");
    IntStream.rangeClosed(1, ops)
        .forEach(k -> text.append("; t%d:1x2x4x4 = Relu t%d".formatted(k, k - 1)));
    Network network = Graphs.of(text.append("; -> t" + ops).toString()).network();
    List<RunSplit> runs = IntStream.range(0, ops).mapToObj(op -> run(network, op, 2)).toList();
    Rewriting cut = Splitter.split(new SplitModel(network), runs);
    assertEquals(2 * 32, load(new PieceTurns().of(cut, BYTES, Long.MAX_VALUE).network()));
  }
}
