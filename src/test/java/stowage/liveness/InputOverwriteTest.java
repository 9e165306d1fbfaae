package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stowage.network.Baseline;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;

/** Overwritten inputs beside a memory whose bytes are written one by one. */
class InputOverwriteTest {
  /** A network of slices, concats, reshapes, splits and other ops, with places drawn near. */
  private static final class Drawn {
    private final Random random;
    private final Graphs graph = Graphs.of("format tflite");
    private final List<String> tensors = new ArrayList<>();
    private final Map<String, Long> places = new HashMap<>();
    private int ops;

    Drawn(Random random) {
      this.random = random;
      graph.and(placed("x", 4 + random.nextInt(5), 2L * random.nextInt(8)));
      while (ops < 5) {
        add(tensors.get(random.nextInt(tensors.size())));
      }
    }

    /** A tensor of rows of two bytes with a place drawn near. */
    private String placed(String name, long rows, long there) {
      tensors.add(name);
      places.put(name, random.nextInt(3) > 0 ? there : 2L * random.nextInt(16));
      return name + ":1x" + rows + "x2";
    }

    private void add(String from) {
      String name = "op" + ops;
      long n = graph.tensor(from).extent(1);
      long at = places.get(from);
      int kind = random.nextInt(5);
      if (kind == 3 && n < 2) {
        return;
      }
      ops++;
      String op =
          switch (kind) {
            case 0 -> {
              long start = random.nextInt((int) n);
              long size = 1 + random.nextInt((int) (n - start));
              String cut = " begin=[0,%d,0] size=[-1,%d,-1]".formatted(start, size);
              yield placed(name, size, at + 2 * start) + " = SLICE " + from + cut;
            }
            case 1 -> {
              String other = tensors.get(random.nextInt(tensors.size()));
              String both = from + " " + other + " axis=1";
              long rows = n + graph.tensor(other).extent(1);
              yield placed(name, rows, at) + " = CONCATENATION " + both;
            }
            case 2 -> placed(name, n, at) + " = RESHAPE " + from;
            case 3 -> {
              String first = placed(name + "a", n / 2, at);
              String second = placed(name + "b", n - n / 2, at + n / 2 * 2);
              yield first + " " + second + " = SPLIT_V " + from;
            }
            default -> {
              int rows = 1 + random.nextInt(4);
              yield placed(name, rows, 40L + random.nextInt(20)) + " = CONV_2D " + from;
            }
          };
      graph.and(op);
    }

    /** The first op that writes a byte of the input which does not come from that byte. */
    String first(Network network) {
      long low = places.get("x");
      long high = low + network.tensor("x").bytes();
      for (int index : network.executionOrder()) {
        Op op = network.ops().get(index);
        List<Long> sources = new ArrayList<>();
        for (String input : op.inputs()) {
          for (long b = 0; b < network.tensor(input).bytes(); b++) {
            sources.add(places.get(input) + b);
          }
        }
        if (op.type().equals("SLICE")) {
          int from = 2 * op.integers("begin").get(1).intValue();
          sources = sources.subList(from, from + (int) network.tensor(op.name()).bytes());
        }
        int next = 0;
        for (String output : op.outputs()) {
          for (long b = 0; b < network.tensor(output).bytes(); b++) {
            long to = places.get(output) + b;
            boolean same = !op.type().equals("CONV_2D") && sources.get(next++) == to;
            if (!same && to >= low && to < high) {
              return op.name();
            }
          }
        }
      }
      return null;
    }
  }

  @Test
  void theFirstWriteIsThatOfAMemoryWrittenByteByByte() {
    int none = 0;
    int some = 0;
    for (int seed = 0; seed < 4000; seed++) {
      Drawn drawn = new Drawn(new Random(seed));
      Network network = drawn.graph.network();
      List<InputOverwrite> found =
          InputOverwrite.of(network, new Baseline("test", drawn.places, -1, 1, true));
      String first = drawn.first(network);
      assertEquals(first, found.isEmpty() ? null : found.get(0).op(), "seed " + seed);
      none += first == null ? 1 : 0;
      some += first == null ? 0 : 1;
    }
    assertTrue(none > 200 && some > 200, none + " inputs stay, " + some + " do not");
  }

  @Test
  void anOperandOfAConcatThatIsCopiedOverTheInputIsSaid() {
    Network network =
        Graphs.of(
                "x:1x2x2; a:1x1x2 = CONV_2D x; b:1x1x2 = CONV_2D x;"
                    + " y:1x2x2 = CONCATENATION a b axis=1; -> y")
            .network();
    Map<String, Long> places = Map.of("x", 2L, "a", 0L, "b", 8L, "y", 0L);
    assertEquals(
        List.of(new InputOverwrite("x", "y", 2)),
        InputOverwrite.of(network, new Baseline("test", places, -1, 1, true)));
  }

  /** In models of TFLite with tensors that nothing makes, an op hands the inputs over. */
  @Test
  void whatHandsTheInputOverDoesNotOverwriteIt() {
    Network read = Graphs.of("x:1x2x2; y:1x2x2 = RELU x; -> y").network();
    Op enter = new Op("enter", "MODEL.enter", Map.of(), List.of(), List.of("x"), 0);
    Network network = read.with(read.tensors().values(), List.of(enter, read.ops().get(0)));
    Baseline apart = new Baseline("test", Map.of("x", 0L, "y", 4L), -1, 1, true);
    assertEquals(List.of(), InputOverwrite.of(network, apart));
    Baseline over = new Baseline("test", Map.of("x", 0L, "y", 2L), -1, 1, true);
    assertEquals(List.of(new InputOverwrite("x", "y", 1)), InputOverwrite.of(network, over));
    Graphs more = Graphs.of("x:1x2x2; y:1x2x2 = RELU x; r:1x2x2 = MODEL.reserve; -> y");
    List<Op> ops = List.of(more.network().ops().get(1), enter, read.ops().get(0));
    Network reserving = read.with(more.network().tensors().values(), ops);
    Baseline there = new Baseline("test", Map.of("x", 0L, "r", 0L, "y", 4L), -1, 1, true);
    assertEquals(List.of(), InputOverwrite.of(reserving, there)); // x holds nothing yet
  }
}
