package stowage.liveness;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import stowage.Thorough;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.liveness.LivenessOptions.Order;
import stowage.network.Graphs;
import stowage.network.Network;
import stowage.network.Tensor;

/** Small networks of byte tensors with forks, joins, views, dead ends and everything at random. */
final class RandomNetworks {
  private final Random random;
  private final Graphs graph = Graphs.of("format json");
  private int ops;
  private final List<String> readable = new ArrayList<>();

  /** Weights and what is made of them alone, so that views of views of them occur. */
  private final List<String> constants = new ArrayList<>();

  private RandomNetworks(Random random) {
    this.random = random;
  }

  /** How many of them a test tries: twenty times as many where it is to be thorough. */
  static int rounds(int quick) {
    return Thorough.of(quick, 20 * quick);
  }

  static Network network(Random random, int opCount) {
    return new RandomNetworks(random).build(opCount);
  }

  /** Any options, with streams where the order asks for them. */
  static LivenessOptions options(Random random, Network network) {
    // Buffers whole: RunCheckTest runs bands, of which bytes may be taken before the buffer's end.
    List<InPlace> whole = new ArrayList<>(List.of(InPlace.values()));
    whole.remove(InPlace.BANDS);
    InPlace inPlace = whole.get(random.nextInt(whole.size()));
    // A caller's own inputs and outputs are in no buffer, so a simulated run cannot hold them.
    Inputs inputs = random.nextBoolean() ? Inputs.FREE : Inputs.KEEP;
    Order order = Order.values()[random.nextInt(Order.values().length)];
    Map<String, String> streams = new HashMap<>();
    if (order == Order.STREAMS) {
      network.ops().forEach(op -> streams.put(op.name(), "s" + random.nextInt(3)));
    }
    LivenessOptions drawn =
        LivenessOptions.defaults()
            .withInPlace(inPlace)
            .withInputs(inputs)
            .withOrder(order)
            .withAlignments(1L << random.nextInt(4), 8);
    return order == Order.STREAMS ? drawn.withStreams(streams) : drawn;
  }

  private Network build(int opCount) {
    for (int k = random.nextInt(3); k >= 0; k--) {
      add("", "x" + k, randomShape());
    }
    for (int k = random.nextInt(3); k > 0; k--) {
      add("weight", "w" + k, randomShape());
      constants.add("w" + k);
    }
    if (random.nextInt(4) == 0) {
      add("variable", "state", randomShape());
    }
    while (ops < opCount) {
      addOp();
    }
    for (String tensor : readable) {
      if (random.nextInt(6) == 0 && graph.tensor(tensor).kind() == Tensor.Kind.ACTIVATION) {
        graph.and("-> " + tensor);
      }
    }
    if (random.nextInt(5) == 0) {
      graph.and("tensor unused:3");
    }
    return graph.network();
  }

  private long[] randomShape() {
    long[] shape = new long[] {1, 1 + random.nextInt(4), 1 + random.nextInt(3)};
    shape[0] = random.nextInt(4) == 0 ? 2 : 1;
    shape[1] = random.nextInt(30) == 0 ? 0 : shape[1];
    return shape;
  }

  private void add(String kind, String name, long... shape) {
    graph.and(kind + " " + typed(name, shape));
    readable.add(name);
  }

  private static String typed(String name, long... shape) {
    return name + ":" + Arrays.stream(shape).mapToObj(Long::toString).collect(joining("x"));
  }

  private String pick() {
    if (!constants.isEmpty() && random.nextInt(8) == 0) {
      return constants.get(random.nextInt(constants.size()));
    }
    // Mostly recent ones, so that chains form; sometimes any, so that lives are long.
    int from = random.nextInt(3) == 0 ? 0 : Math.max(0, readable.size() - 4);
    return readable.get(from + random.nextInt(readable.size() - from));
  }

  private void addOp() {
    Tensor x = graph.tensor(pick());
    String out = "t" + ops;
    switch (random.nextInt(8)) {
      case 0 -> write("Reshape", "", List.of(x.name()), typed(out, 1, x.elements(), 1));
      case 1 -> slice(x, out);
      case 2 -> split(x, out);
      case 3, 4 -> concat(x, out);
      case 5 -> write("Relu", "", List.of(x.name()), typed(out, shape(x)));
      case 6 -> {
        String other = pick();
        String type = random.nextBoolean() ? "Add" : "Mul";
        List<String> both =
            random.nextBoolean() ? List.of(x.name(), other) : List.of(other, x.name());
        write(type, "", both, typed(out, shape(x)));
      }
      default -> {
        List<String> operands = new ArrayList<>(List.of(x.name()));
        for (int k = random.nextInt(3); k > 0; k--) {
          operands.add(random.nextInt(5) == 0 ? "_" : pick());
        }
        write("Conv", "", operands, typed(out, randomShape()));
      }
    }
  }

  private void write(String type, String attributes, List<String> operands, String... results) {
    int scratch = random.nextInt(8) == 0 ? 1 + random.nextInt(5) : 0;
    String reads = String.join(" ", operands);
    String rest = " %s +%d name=op%d".formatted(attributes, scratch, ops++);
    graph.and(String.join(" ", results) + " = " + type + " " + reads + rest);
    List<String> made = Arrays.stream(results).map(one -> one.split(":")[0]).toList();
    readable.addAll(made);
    if (constants.containsAll(operands)) {
      constants.addAll(made);
    }
  }

  private void slice(Tensor x, String out) {
    int axis = random.nextInt(3);
    long[] shape = shape(x);
    long start = random.nextInt((int) shape[axis] + 1);
    shape[axis] = random.nextInt((int) (shape[axis] - start) + 1);
    String cut = "axes=[%d] starts=[%d] ends=[%d]".formatted(axis, start, start + shape[axis]);
    write("Slice", cut, List.of(x.name()), typed(out, shape));
  }

  private void split(Tensor x, String out) {
    int axis = random.nextInt(3);
    long cut = random.nextInt((int) x.extent(axis) + 1);
    long[] low = shape(x);
    long[] high = shape(x);
    low[axis] = cut;
    high[axis] -= cut;
    String[] parts = {typed(out + "a", low), typed(out + "b", high)};
    write("Split", "axis=" + axis, List.of(x.name()), parts);
  }

  /** Joins tensors that agree in all extents but one. */
  private void concat(Tensor x, String out) {
    int axis = random.nextInt(3);
    List<String> parts = new ArrayList<>(List.of(x.name()));
    long[] shape = shape(x);
    for (int tries = 0; tries < 6 && parts.size() < 3; tries++) {
      Tensor other = graph.tensor(pick());
      boolean fits = true;
      for (int d = 0; d < 3; d++) {
        fits &= d == axis || other.extent(d) == shape[d];
      }
      if (fits && shape[axis] + other.extent(axis) < 12) {
        parts.add(random.nextInt(parts.size() + 1), other.name());
        shape[axis] += other.extent(axis);
      }
    }
    write("Concat", "axis=" + axis, parts, typed(out, shape));
  }

  private static long[] shape(Tensor tensor) {
    return tensor.shape().stream().mapToLong(Long::longValue).toArray();
  }
}
