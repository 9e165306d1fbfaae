package stowage.importer.openvino;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.InputException;
import stowage.importer.StableOrder;
import stowage.network.ElementType;
import stowage.network.InvalidNetworkException;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Turns an IR graph into ops and tensors.
 *
 * <p>{@code Const} layers and the blobs of old versions are weights, {@code Parameter} and {@code
 * Input} layers make the inputs, {@code Result} layers name the outputs; in versions without them
 * whatever nobody reads is an output. What is computed from constants and from the shapes of values
 * alone is constant: a weight where a layer that remains reads it.
 *
 * <p>Weights are stored compressed in many files, and unpacked by a Convert, a Subtract and a
 * Multiply. These are not run ahead of time, for then the compression would be in vain: a layer
 * that reads what they give reads the compressed weights and their scales.
 *
 * <p>The code inside of a TensorIterator, Loop or If is laid out before the layer: an op {@code
 * <type>.enter} that makes its parameters and what is collected turn by turn ({@code #growing}),
 * its layers, then the layer itself, which reads the code's results and, if it may run repeatedly,
 * its parameters.
 */
final class IrLayout {
  private static final Set<String> UNPACKING =
      Set.of("Convert", "Subtract", "Multiply", "Reshape", "Transpose");

  private static final Set<String> RANDOM = Set.of("RandomUniform", "Multinomial", "ReadValue");

  private final Path file;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final List<Op> ops = new ArrayList<>();
  private final Set<String> opNames = new HashSet<>();
  private final Set<String> tensorNames = new HashSet<>();
  private final List<String> inputs = new ArrayList<>();
  private final Set<String> outputs = new LinkedHashSet<>();

  IrLayout(Path file) {
    this.file = file;
  }

  Collection<Tensor> tensors() {
    return tensors.values();
  }

  List<Op> ops() {
    return ops;
  }

  List<String> inputs() {
    return inputs;
  }

  List<String> outputs() {
    return List.copyOf(outputs);
  }

  /**
   * What a layer's output port gives.
   *
   * @param tensor without a kind yet: it may turn out to be needed or not
   * @param constant whether it is the same in every run
   * @param stored the compressed weights it is unpacked from; null when it is not unpacked
   */
  private record Value(Tensor tensor, boolean constant, List<Value> stored) {}

  /** Lays out the whole network. */
  void run(IrGraph graph) {
    Map<Integer, Map<Integer, Value>> values = new HashMap<>();
    layOut(graph, values, inputs, outputs);
    boolean named = graph.layers().stream().anyMatch(layer -> layer.type().equals("Result"));
    if (!named) {
      Set<String> read = new HashSet<>();
      ops.forEach(op -> read.addAll(op.inputs()));
      for (IrGraph.Layer layer : graph.layers()) {
        for (Value value : values.get(layer.id()).values()) {
          if (!value.constant() && !read.contains(value.tensor().name())) {
            outputs.add(name(value));
          }
        }
      }
    }
  }

  private void layOut(
      IrGraph graph,
      Map<Integer, Map<Integer, Value>> values,
      List<String> given,
      Set<String> results) {
    Map<Integer, Integer> position = new HashMap<>();
    for (int k = 0; k < graph.layers().size(); k++) {
      if (position.put(graph.layers().get(k).id(), k) != null) {
        throw fault(graph.layers().get(k), "id " + graph.layers().get(k).id() + " stands twice");
      }
    }
    List<Map<Integer, IrGraph.Edge>> incoming = incoming(graph, position);
    List<Set<Integer>> needed = new ArrayList<>();
    for (Map<Integer, IrGraph.Edge> edges : incoming) {
      Set<Integer> before = new HashSet<>();
      edges.values().forEach(edge -> before.add(position.get(edge.fromLayer())));
      needed.add(before);
    }
    for (int index : StableOrder.of(needed)) {
      IrGraph.Layer layer = graph.layers().get(index);
      layer(layer, incoming.get(index), values, given, results);
    }
  }

  /** For each layer its edges by input port. */
  private List<Map<Integer, IrGraph.Edge>> incoming(IrGraph graph, Map<Integer, Integer> position) {
    List<Map<Integer, IrGraph.Edge>> incoming = new ArrayList<>();
    graph.layers().forEach(layer -> incoming.add(new LinkedHashMap<>()));
    for (IrGraph.Edge edge : graph.edges()) {
      Integer from = position.get(edge.fromLayer());
      Integer to = position.get(edge.toLayer());
      if (from == null || to == null) {
        throw new InputException(
            file,
            "line " + edge.line(),
            "the edge names layer "
                + (from == null ? edge.fromLayer() : edge.toLayer())
                + ", which does not exist");
      }
      IrGraph.Layer reader = graph.layers().get(to);
      boolean known = reader.inputs().stream().anyMatch(port -> port.id() == edge.toPort());
      if (!known || incoming.get(to).put(edge.toPort(), edge) != null) {
        throw new InputException(
            file,
            "line " + edge.line(),
            "input port "
                + edge.toPort()
                + " of layer \""
                + reader.name()
                + (known ? "\" has two edges" : "\" does not exist"));
      }
    }
    return incoming;
  }

  private void layer(
      IrGraph.Layer layer,
      Map<Integer, IrGraph.Edge> edges,
      Map<Integer, Map<Integer, Value>> values,
      List<String> given,
      Set<String> results) {
    List<Value> reads = new ArrayList<>();
    for (IrGraph.Port port : layer.inputs()) {
      reads.add(source(layer, port, edges.get(port.id()), values));
    }
    Map<Integer, Value> made = new LinkedHashMap<>();
    values.put(layer.id(), made);
    boolean constant = isConstant(layer, reads);
    List<Value> stored = constant ? stored(layer, reads) : null;
    for (IrGraph.Port port : layer.outputs()) {
      Value value = new Value(tensor(layer, port, constant), constant, stored);
      made.put(port.id(), value);
      if (constant) {
        continue;
      }
      name(value);
    }
    switch (layer.type()) {
      case "Const" -> checkSize(layer, made);
      case "Parameter", "Input" -> made.values().forEach(value -> given.add(name(value)));
      case "Result" -> reads.forEach(value -> read(value).stream().limit(1).forEach(results::add));
      default -> {
        if (!constant) {
          op(layer, reads, made);
        }
      }
    }
  }

  private Value source(
      IrGraph.Layer layer,
      IrGraph.Port port,
      IrGraph.Edge edge,
      Map<Integer, Map<Integer, Value>> values) {
    if (edge == null) {
      return null;
    }
    Map<Integer, Value> from = values.get(edge.fromLayer());
    if (from == null) {
      throw fault(layer, "the layers before it form a cycle");
    }
    Value value = from.get(edge.fromPort());
    if (value == null) {
      throw new InputException(
          file,
          "line " + edge.line(),
          "output port " + edge.fromPort() + " of layer " + edge.fromLayer() + " does not exist");
    }
    List<Long> shape = value.tensor().shape();
    if (!port.dims().equals(shape) && !port.dims().contains(-1L)) {
      throw fault(
          layer,
          "input port "
              + port.id()
              + " has shape "
              + port.dims()
              + ", but what the edge brings has "
              + shape);
    }
    return value;
  }

  private static boolean isConstant(IrGraph.Layer layer, List<Value> reads) {
    return switch (layer.type()) {
      case "Const" -> true;
      case "Parameter", "Input", "Result" -> false;
      case "ShapeOf" -> true;
      default ->
          layer.bodies().isEmpty()
              && layer.blobs().isEmpty()
              && !RANDOM.contains(layer.type())
              && !reads.isEmpty()
              && reads.stream().allMatch(value -> value == null || value.constant());
    };
  }

  /** The compressed weights that a constant layer unpacks, if it does. */
  private static List<Value> stored(IrGraph.Layer layer, List<Value> reads) {
    if (!UNPACKING.contains(layer.type()) || reads.isEmpty() || reads.get(0) == null) {
      return null;
    }
    Value packed = reads.get(0);
    boolean starts =
        layer.type().equals("Convert")
            && (layer.decompression() || packed.tensor().type().bits() <= 8);
    if (packed.stored() == null && !starts) {
      return null;
    }
    List<Value> stored = new ArrayList<>(packed.stored() == null ? reads : packed.stored());
    boolean scaled = layer.type().equals("Subtract") || layer.type().equals("Multiply");
    if (packed.stored() != null && scaled && reads.size() > 1 && reads.get(1) != null) {
      Value scale = reads.get(1);
      stored.addAll(scale.stored() == null ? List.of(scale) : scale.stored());
    }
    return List.copyOf(stored);
  }

  private Tensor tensor(IrGraph.Layer layer, IrGraph.Port port, boolean constant) {
    String name = layer.name().isEmpty() ? layer.type() + " " + layer.id() : layer.name();
    if (layer.outputs().size() > 1) {
      name += "." + port.id();
    }
    if (port.dims().contains(-1L)) {
      throw fault(
          layer,
          "\""
              + name
              + "\" has shape "
              + port.dims()
              + " with an extent that is not known; the format does not tell how others follow"
              + " from it: convert the model with static shapes");
    }
    String precision = port.precision();
    if (precision.isEmpty()) {
      precision = layer.data().getOrDefault("element_type", layer.precision());
    }
    ElementType type = IrTypes.of(precision);
    if (type == null) {
      throw fault(layer, "precision \"" + precision + "\" of \"" + name + "\" is not known");
    }
    Tensor.Kind kind = constant ? Tensor.Kind.WEIGHT : Tensor.Kind.ACTIVATION;
    try {
      return new Tensor(unique(name), port.dims(), type, kind);
    } catch (InvalidNetworkException tooLarge) {
      throw fault(layer, tooLarge.getMessage());
    }
  }

  private String unique(String name) {
    String candidate = name;
    for (int k = 2; !tensorNames.add(candidate); k++) {
      candidate = name + "#" + k;
    }
    return candidate;
  }

  /** A value's tensor is one of the network's from now on. */
  private String name(Value value) {
    tensors.putIfAbsent(value.tensor().name(), value.tensor());
    return value.tensor().name();
  }

  /** The tensors that stand for a value where it is read; of unpacked ones the packed. */
  private List<String> read(Value value) {
    if (value == null) {
      return List.of("");
    }
    return value.stored() == null
        ? List.of(name(value))
        : value.stored().stream().map(this::name).toList();
  }

  private void checkSize(IrGraph.Layer layer, Map<Integer, Value> made) {
    String size = layer.data().get("size");
    for (Value value : made.values()) {
      long needed = value.tensor().bytes();
      boolean enough =
          size == null
              || (size.strip().matches("\\d{1,18}") && Long.parseLong(size.strip()) >= needed);
      if (!enough) {
        throw fault(
            layer, "size \"" + size + "\" should be " + needed + ", as its shape and type say");
      }
    }
  }

  private void op(IrGraph.Layer layer, List<Value> reads, Map<Integer, Value> made) {
    List<String> names = new ArrayList<>();
    List<String> more = new ArrayList<>();
    for (Value value : reads) {
      List<String> read = read(value);
      names.add(read.get(0));
      more.addAll(read.subList(1, read.size()));
    }
    for (IrGraph.Blob blob : layer.blobs()) {
      more.add(blob(layer, blob));
    }
    List<String> outputNames = new ArrayList<>();
    made.values().forEach(value -> outputNames.add(name(value)));
    if (!layer.bodies().isEmpty()) {
      more.addAll(bodies(layer, names, made));
    }
    more.removeAll(names);
    names.addAll(new LinkedHashSet<>(more));
    String name = layer.name().isEmpty() ? layer.type() + " " + layer.id() : layer.name();
    ops.add(new Op(opName(name), layer.type(), attributes(layer.data()), names, outputNames, 0));
  }

  private String opName(String name) {
    String candidate = name;
    for (int k = 2; !opNames.add(candidate); k++) {
      candidate = name + "#" + k;
    }
    return candidate;
  }

  private String blob(IrGraph.Layer layer, IrGraph.Blob blob) {
    String precision = blob.precision().isEmpty() ? layer.precision() : blob.precision();
    ElementType type = IrTypes.of(precision);
    if (type == null || type.bits() == 0 || blob.size() * 8 % type.bits() != 0) {
      type = ElementType.U8;
    }
    Tensor tensor =
        new Tensor(
            unique(layer.name() + "." + blob.name()),
            List.of(blob.size() * 8 / type.bits()),
            type,
            Tensor.Kind.WEIGHT);
    return name(new Value(tensor, true, null));
  }

  /** Lays out the code inside a layer; gives what the layer reads of it. */
  private List<String> bodies(IrGraph.Layer layer, List<String> reads, Map<Integer, Value> made) {
    boolean once = layer.type().equals("If");
    List<String> also = new ArrayList<>();
    List<String> growing = new ArrayList<>();
    for (int port : layer.collected()) {
      Value collected = made.get(port);
      if (collected != null) {
        Tensor whole = collected.tensor();
        growing.add(
            name(
                new Value(
                    new Tensor(
                        unique(whole.name() + "#growing"),
                        whole.shape(),
                        whole.type(),
                        Tensor.Kind.ACTIVATION),
                    false,
                    null)));
      }
    }
    for (IrGraph body : layer.bodies()) {
      List<String> parameters = new ArrayList<>();
      Set<String> results = new LinkedHashSet<>();
      int at = ops.size();
      layOut(body, new HashMap<>(), parameters, results);
      List<String> entered = new ArrayList<>(parameters);
      entered.addAll(growing);
      if (!entered.isEmpty()) {
        String name = opName(layer.name() + ".enter");
        ops.add(at, new Op(name, layer.type() + ".enter", Map.of(), reads, entered, 0));
      }
      also.addAll(results);
      also.addAll(growing);
      growing = List.of();
      if (!once) {
        also.addAll(parameters);
      }
    }
    return also;
  }

  /** Attributes as numbers, lists of numbers and flags where they can be read as such. */
  private static Map<String, Object> attributes(Map<String, String> data) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    data.forEach((key, text) -> attributes.put(key, attribute(text.strip())));
    return attributes;
  }

  private static Object attribute(String text) {
    if (text.matches("-?\\d{1,18}")) {
      return Long.parseLong(text);
    }
    if (text.matches("-?\\d{1,18}(\\s*,\\s*-?\\d{1,18})+")) {
      List<Long> integers = new ArrayList<>();
      for (String part : text.split(",")) {
        integers.add(Long.parseLong(part.strip()));
      }
      return integers;
    }
    if (text.matches("-?\\d{1,30}\\.\\d{0,30}([eE][+-]?\\d{1,3})?")) {
      return Double.parseDouble(text);
    }
    return switch (text) {
      case "true", "True" -> Boolean.TRUE;
      case "false", "False" -> Boolean.FALSE;
      default -> text;
    };
  }

  private InputException fault(IrGraph.Layer layer, String what) {
    return new InputException(
        file, "line " + layer.line() + ", layer \"" + layer.name() + "\"", what);
  }
}
