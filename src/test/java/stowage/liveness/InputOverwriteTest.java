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
import stowage.network.ElementType;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Overwritten inputs beside a memory whose bytes are written one by one. */
class InputOverwriteTest {
  private static Tensor rows(String name, long rows) {
    return new Tensor(name, List.of(1L, rows, 2L), ElementType.I8, Tensor.Kind.ACTIVATION);
  }

  /** A network of slices, concats, reshapes, splits and other ops, with places drawn near. */
  private static final class Drawn {
    private final Random random;
    private final List<Tensor> tensors = new ArrayList<>();
    private final List<Op> ops = new ArrayList<>();
    private final Map<String, Long> places = new HashMap<>();

    Drawn(Random random) {
      this.random = random;
      place(rows("x", 4 + random.nextInt(5)), 2L * random.nextInt(8));
      while (ops.size() < 5) {
        add(tensors.get(random.nextInt(tensors.size())));
      }
    }

    private void place(Tensor tensor, long there) {
      tensors.add(tensor);
      places.put(tensor.name(), random.nextInt(3) > 0 ? there : 2L * random.nextInt(16));
    }

    private void add(Tensor from) {
      String name = "op" + ops.size();
      long n = from.extent(1);
      long at = places.get(from.name());
      switch (random.nextInt(5)) {
        case 0 -> {
          long start = random.nextInt((int) n);
          long size = 1 + random.nextInt((int) (n - start));
          place(rows(name, size), at + 2 * start);
          Map<String, Object> cut =
              Map.of("begin", List.of(0L, start, 0L), "size", List.of(-1L, size, -1L));
          ops.add(new Op(name, "SLICE", cut, List.of(from.name()), List.of(name), 0));
        }
        case 1 -> {
          Tensor other = tensors.get(random.nextInt(tensors.size()));
          place(rows(name, n + other.extent(1)), at);
          List<String> operands = List.of(from.name(), other.name());
          ops.add(new Op(name, "CONCATENATION", Map.of("axis", 1L), operands, List.of(name), 0));
        }
        case 2 -> {
          place(rows(name, n), at);
          ops.add(new Op(name, "RESHAPE", Map.of(), List.of(from.name()), List.of(name), 0));
        }
        case 3 -> {
          long first = n / 2;
          if (first > 0) {
            place(rows(name + "a", first), at);
            place(rows(name + "b", n - first), at + 2 * first);
            List<String> halves = List.of(name + "a", name + "b");
            ops.add(new Op(name, "SPLIT_V", Map.of(), List.of(from.name()), halves, 0));
          }
        }
        default -> {
          place(rows(name, 1 + random.nextInt(4)), 40L + random.nextInt(20));
          ops.add(new Op(name, "CONV_2D", Map.of(), List.of(from.name()), List.of(name), 0));
        }
      }
    }

    Network network() {
      return new Network("drawn", "tflite", tensors, ops, List.of("x"), List.of(), List.of());
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
      Network network = drawn.network();
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
}
