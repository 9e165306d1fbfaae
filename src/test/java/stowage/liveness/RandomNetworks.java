package stowage.liveness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import stowage.Thorough;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.liveness.LivenessOptions.Order;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Small networks of byte tensors with forks, joins, views, dead ends and everything at random. */
final class RandomNetworks {
  private final Random random;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
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
    return new LivenessOptions(
        inPlace,
        inputs,
        order,
        1L << random.nextInt(4),
        8,
        LivenessOptions.Variables.ARENA,
        streams,
        LivenessOptions.Sharing.FORBIDDEN,
        List.of());
  }

  private Network build(int opCount) {
    List<String> inputs = new ArrayList<>();
    for (int k = random.nextInt(3); k >= 0; k--) {
      inputs.add(add("x" + k, Tensor.Kind.ACTIVATION, randomShape()));
    }
    for (int k = random.nextInt(3); k > 0; k--) {
      add("w" + k, Tensor.Kind.WEIGHT, randomShape());
    }
    if (random.nextInt(4) == 0) {
      add("state", Tensor.Kind.VARIABLE, randomShape());
    }
    while (ops.size() < opCount) {
      addOp();
    }
    List<String> outputs = new ArrayList<>();
    for (String tensor : readable) {
      if (random.nextInt(6) == 0 && tensors.get(tensor).kind() == Tensor.Kind.ACTIVATION) {
        outputs.add(tensor);
      }
    }
    if (random.nextInt(5) == 0) {
      tensors.put(
          "unused", new Tensor("unused", List.of(3L), ElementType.U8, Tensor.Kind.ACTIVATION));
    }
    return new Network("random", "json", tensors.values(), ops, inputs, outputs, List.of());
  }

  private long[] randomShape() {
    long[] shape = new long[] {1, 1 + random.nextInt(4), 1 + random.nextInt(3)};
    shape[0] = random.nextInt(4) == 0 ? 2 : 1;
    shape[1] = random.nextInt(30) == 0 ? 0 : shape[1];
    return shape;
  }

  private String add(String name, Tensor.Kind kind, long... shape) {
    List<Long> extents = java.util.Arrays.stream(shape).boxed().toList();
    tensors.put(name, new Tensor(name, extents, ElementType.U8, kind));
    readable.add(name);
    if (kind == Tensor.Kind.WEIGHT) {
      constants.add(name);
    }
    return name;
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
    Tensor x = tensors.get(pick());
    String out = "t" + ops.size();
    switch (random.nextInt(8)) {
      case 0 -> {
        long[] flat = {1, x.elements(), 1};
        write("Reshape", Map.of(), List.of(x.name()), add(out, Tensor.Kind.ACTIVATION, flat));
      }
      case 1 -> slice(x, out);
      case 2 -> split(x, out);
      case 3, 4 -> concat(x, out);
      case 5 ->
          write("Relu", Map.of(), List.of(x.name()), add(out, Tensor.Kind.ACTIVATION, shape(x)));
      case 6 -> {
        String other = pick();
        String type = random.nextBoolean() ? "Add" : "Mul";
        List<String> both =
            random.nextBoolean() ? List.of(x.name(), other) : List.of(other, x.name());
        write(type, Map.of(), both, add(out, Tensor.Kind.ACTIVATION, shape(x)));
      }
      default -> {
        List<String> operands = new ArrayList<>(List.of(x.name()));
        for (int k = random.nextInt(3); k > 0; k--) {
          operands.add(random.nextInt(5) == 0 ? "" : pick());
        }
        write("Conv", Map.of(), operands, add(out, Tensor.Kind.ACTIVATION, randomShape()));
      }
    }
  }

  private void write(
      String type, Map<String, Object> attributes, List<String> operands, String... results) {
    long scratch = random.nextInt(8) == 0 ? 1 + random.nextInt(5) : 0;
    ops.add(new Op("op" + ops.size(), type, attributes, operands, List.of(results), scratch));
    if (constants.containsAll(operands)) {
      constants.addAll(List.of(results));
    }
  }

  private void slice(Tensor x, String out) {
    int axis = random.nextInt(3);
    long[] shape = shape(x);
    long start = random.nextInt((int) shape[axis] + 1);
    shape[axis] = random.nextInt((int) (shape[axis] - start) + 1);
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("axes", List.of((long) axis));
    attributes.put("starts", List.of(start));
    attributes.put("ends", List.of(start + shape[axis]));
    write("Slice", attributes, List.of(x.name()), add(out, Tensor.Kind.ACTIVATION, shape));
  }

  private void split(Tensor x, String out) {
    int axis = random.nextInt(3);
    long cut = random.nextInt((int) x.extent(axis) + 1);
    long[] low = shape(x);
    long[] high = shape(x);
    low[axis] = cut;
    high[axis] -= cut;
    write(
        "Split",
        Map.of("axis", (long) axis),
        List.of(x.name()),
        add(out + "a", Tensor.Kind.ACTIVATION, low),
        add(out + "b", Tensor.Kind.ACTIVATION, high));
  }

  /** Joins tensors that agree in all extents but one. */
  private void concat(Tensor x, String out) {
    int axis = random.nextInt(3);
    List<String> parts = new ArrayList<>(List.of(x.name()));
    long[] shape = shape(x);
    for (int tries = 0; tries < 6 && parts.size() < 3; tries++) {
      Tensor other = tensors.get(pick());
      boolean fits = true;
      for (int d = 0; d < 3; d++) {
        fits &= d == axis || other.extent(d) == shape[d];
      }
      if (fits && shape[axis] + other.extent(axis) < 12) {
        parts.add(random.nextInt(parts.size() + 1), other.name());
        shape[axis] += other.extent(axis);
      }
    }
    write("Concat", Map.of("axis", (long) axis), parts, add(out, Tensor.Kind.ACTIVATION, shape));
  }

  private static long[] shape(Tensor tensor) {
    return tensor.shape().stream().mapToLong(Long::longValue).toArray();
  }
}
