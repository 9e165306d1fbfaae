package stowage.network;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A graph of ops over named tensors, with the order they are in.
 *
 * <p>Every tensor an op reads is defined: made by exactly one op, given as a graph input, or
 * constant. A graph input is there from the start, unless an op without operands delivers it. The
 * graph has no cycle. {@link #executionOrder()} gives an order in which the ops can run.
 */
public final class Network {
  /** How a note begins that says why sizes, and so every peak and bound, may be too small. */
  public static final String TOO_LOW = "figures may be too low: ";

  private final String name;
  private final String format;
  private final Map<String, Tensor> tensors;
  private final List<Op> ops;
  private final List<String> inputs;
  private final List<String> outputs;
  private final Map<String, Integer> producer;
  private final List<String> notes;
  private final int[] order;

  /** The types of all ops; null until they are asked for. */
  private Set<String> types;

  /**
   * Checks the whole and builds the network. O(ops log ops + edges).
   *
   * @param name what it is called in reports
   * @param format where it came from: {@code json}, {@code onnx}, {@code tflite}, ...
   * @param tensors all tensors, names unique
   * @param ops all ops, names unique
   * @param inputs names of the tensors given to each run
   * @param outputs names of the tensors that must be there after a run
   * @param notes remarks for the user, such as what the format does not say
   * @throws InvalidNetworkException naming the op or tensor, the value and what would be right
   */
  public Network(
      String name,
      String format,
      Collection<Tensor> tensors,
      List<Op> ops,
      List<String> inputs,
      List<String> outputs,
      List<String> notes) {
    this.name = name;
    this.format = format;
    this.tensors = index(tensors);
    this.ops = List.copyOf(ops);
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    this.notes = List.copyOf(notes);
    this.producer = producers();
    checkUses();
    this.order = topological();
  }

  private static Map<String, Tensor> index(Collection<Tensor> tensors) {
    Map<String, Tensor> index = new LinkedHashMap<>();
    for (Tensor tensor : tensors) {
      if (index.put(tensor.name(), tensor) != null) {
        throw new InvalidNetworkException("tensor \"" + tensor.name() + "\" is defined twice");
      }
    }
    return Collections.unmodifiableMap(index);
  }

  private Map<String, Integer> producers() {
    Map<String, Integer> producers = new HashMap<>();
    Map<String, Integer> opNames = new HashMap<>();
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      if (opNames.put(op.name(), i) != null) {
        throw new InvalidNetworkException("op \"" + op.name() + "\" is defined twice");
      }
      for (String output : op.presentOutputs()) {
        Tensor made = require(output, () -> "op \"" + op.name() + "\" writes");
        Integer earlier = producers.put(output, i);
        if (earlier != null) {
          String what =
              "tensor \"%s\" is written by op \"%s\" and by op \"%s\"; it should have one producer";
          throw new InvalidNetworkException(what, output, ops.get(earlier).name(), op.name());
        }
        if (made.isWeight()) {
          throw new InvalidNetworkException(
              "tensor \"" + output + "\" is a weight, but op \"" + op.name() + "\" writes it");
        }
      }
    }
    return producers;
  }

  private void checkUses() {
    Set<String> given = Set.copyOf(inputs);
    for (String input : inputs) {
      require(input, () -> "the graph has the input");
      if (producer.containsKey(input) && !ops.get(producer.get(input)).inputs().isEmpty()) {
        throw new InvalidNetworkException(
            ("tensor \"%s\" is a graph input, but op \"%s\" writes it; an op without"
                    + " operands may deliver it")
                .formatted(input, ops.get(producer.get(input)).name()));
      }
    }
    for (String output : outputs) {
      requireDefined(output, given, () -> "the graph has the output");
    }
    for (Op op : ops) {
      for (String input : op.presentInputs()) {
        requireDefined(input, given, () -> "op \"" + op.name() + "\" reads");
      }
    }
  }

  private Tensor require(String tensor, Supplier<String> who) {
    Tensor found = tensors.get(tensor);
    if (found == null) {
      throw new InvalidNetworkException(
          who.get() + " \"" + tensor + "\", which is not among the tensors");
    }
    return found;
  }

  private void requireDefined(String tensor, Set<String> given, Supplier<String> who) {
    Tensor found = require(tensor, who);
    if (found.kind() == Tensor.Kind.ACTIVATION
        && !producer.containsKey(tensor)
        && !given.contains(tensor)) {
      String what = "%s \"%s\", which no op writes and which is neither a graph input nor a weight";
      throw new InvalidNetworkException(what, who.get(), tensor);
    }
  }

  private int[] topological() {
    List<List<Integer>> needed =
        ops.stream()
            .map(op -> op.presentInputs().stream().map(producer::get).filter(Objects::nonNull))
            .map(before -> before.distinct().toList())
            .toList();
    int[] found = TopologicalOrder.of(needed);
    if (found.length < ops.size()) {
      throw new InvalidNetworkException("the graph has a cycle: " + cycle(needed, found));
    }
    return found;
  }

  private String cycle(List<List<Integer>> needed, int[] ordered) {
    Set<Integer> left = new TreeSet<>(IntStream.range(0, ops.size()).boxed().toList());
    IntStream.of(ordered).forEach(left::remove);
    int at = left.iterator().next();
    int[] seenAt = new int[ops.size()];
    List<String> path = new ArrayList<>();
    while (seenAt[at] == 0) {
      path.add(ops.get(at).name());
      seenAt[at] = path.size();
      for (int from : needed.get(at)) {
        at = left.contains(from) ? from : at;
      }
    }
    List<String> loop = new ArrayList<>(path.subList(seenAt[at] - 1, path.size()));
    loop.add(ops.get(at).name());
    Collections.reverse(loop);
    String text = String.join(" -> ", loop.size() > 8 ? loop.subList(0, 8) : loop);
    return loop.size() > 8 ? text + " -> ..." : text;
  }

  /** The same network with other tensors and ops, checked as a new one. */
  public Network with(Collection<Tensor> otherTensors, List<Op> otherOps) {
    return new Network(name, format, otherTensors, otherOps, inputs, outputs, notes);
  }

  /** What the network is called. */
  public String name() {
    return name;
  }

  /** The format it was read from. */
  public String format() {
    return format;
  }

  /** All tensors by name, in the file's order. */
  public Map<String, Tensor> tensors() {
    return tensors;
  }

  /** The tensor of a name; throws {@link InvalidNetworkException} where there is none. */
  public Tensor tensor(String tensorName) {
    return require(tensorName, () -> "asked for");
  }

  /** All ops, in the file's order. */
  public List<Op> ops() {
    return ops;
  }

  /** Whether some op has a type, as it is spelt. O(1) after the first call. */
  public boolean hasType(String type) {
    if (types == null) {
      types = ops.stream().map(Op::type).collect(Collectors.toUnmodifiableSet());
    }
    return types.contains(type);
  }

  /** The tensors given to each run. */
  public List<String> inputs() {
    return inputs;
  }

  /** The tensors that must be there after a run. */
  public List<String> outputs() {
    return outputs;
  }

  /** Remarks for the user, such as what the format does not say. */
  public List<String> notes() {
    return notes;
  }

  /** The index of the op that writes a tensor, or -1 for inputs and constants. */
  public int producer(String tensorName) {
    return producer.getOrDefault(tensorName, -1);
  }

  /**
   * Indices of the ops in an order in which they can run: the given one where it is possible, else
   * the topological order that follows it most closely.
   */
  public int[] executionOrder() {
    return order.clone();
  }

  /** Bytes of all weights, each at its own size. */
  public long weightBytes() {
    return tensors.values().stream().filter(Tensor::isWeight).mapToLong(Tensor::bytes).sum();
  }
}
