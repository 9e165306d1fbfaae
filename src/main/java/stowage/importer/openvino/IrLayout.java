package stowage.importer.openvino;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import stowage.importer.io.InputException;
import stowage.importer.io.UniqueNames;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Layout of an IR graph as ops and tensors.
 *
 * <p>{@code Const} layers and the blobs of old versions are weights, {@code Parameter} and {@code
 * Input} layers make the inputs, {@code Result} layers name the outputs; in versions without them
 * whatever no op reads is an output. What is computed from constants and from the shapes of values
 * alone is constant: a weight where a layer that remains reads it.
 *
 * <p>Weights are stored compressed in many files, and unpacked by a Convert, a Subtract and a
 * Multiply. These are not run ahead of time, for then the compression would be without success: a
 * layer that reads what they give reads the compressed weights and their scales.
 *
 * <p>Code inside of layers is laid out by {@link BodyLayout}.
 */
final class IrLayout {
  private static final Set<String> UNPACKING =
      Set.of("Convert", "Subtract", "Multiply", "Reshape", "Transpose");

  /** Layers that make something else in each run, or keep something for the next. */
  private static final Set<String> CHANGING =
      Set.of("RandomUniform", "Multinomial", "ReadValue", "Assign", "Memory");

  private final Path file;
  private final FreeExtents extents;
  private final Map<String, Tensor> variables = new LinkedHashMap<>();
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  final List<Op> ops = new ArrayList<>();
  private final UniqueNames opNames = new UniqueNames();
  private final UniqueNames tensorNames = new UniqueNames();

  IrLayout(Path file, Map<String, Long> dimensions) {
    this.file = file;
    this.extents = new FreeExtents(file, dimensions);
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add("the format has no scratch memory of layers, so none is planned");
    if (!variables.isEmpty()) {
      notes.add(
          variables.size()
              + " variables keep their values between runs and have memory of their own");
    }
    notes.addAll(extents.notes());
    long opaque = tensors.values().stream().filter(t -> t.type() == ElementType.OPAQUE).count();
    if (opaque > 0) {
      notes.add(Network.TOO_LOW + opaque + " tensors are strings and count 0 bytes");
    }
    return notes;
  }

  Network network(String name, IrGraph graph) {
    IrScope scope = new IrScope(file, graph);
    Map<String, IrValue> made = layOut(scope);
    extents.check();
    Set<String> outputs = new LinkedHashSet<>(scope.results);
    if (graph.layers().stream().noneMatch(layer -> layer.type().equals("Result"))) {
      Set<String> read = new HashSet<>();
      ops.forEach(op -> read.addAll(op.inputs()));
      made.keySet().stream().filter(value -> !read.contains(value)).forEach(outputs::add);
    }
    return new Network(
        name, "openvino", tensors.values(), ops, scope.given, List.copyOf(outputs), notes());
  }

  /** Lays out a graph; gives what its layers make, by name. */
  Map<String, IrValue> layOut(IrScope scope) {
    Map<String, IrValue> all = new LinkedHashMap<>();
    for (IrGraph.Layer layer : scope.order()) {
      Map<Integer, IrValue> made = layer(layer, scope.reads(layer), scope);
      scope.define(layer, made);
      made.values().stream()
          .filter(value -> !value.constant() && !layer.isWriting())
          .forEach(value -> all.put(value.tensor().name(), value));
    }
    return all;
  }

  private Map<Integer, IrValue> layer(IrGraph.Layer layer, List<IrValue> reads, IrScope scope) {
    boolean constant = isConstant(layer, reads);
    List<IrValue> stored = constant ? stored(layer, reads) : null;
    List<String> names = new ArrayList<>();
    List<String> more = new ArrayList<>();
    if (!constant) {
      for (IrValue value : reads) {
        List<String> read = read(value);
        names.add(read.get(0));
        more.addAll(read.subList(1, read.size()));
      }
    }
    BodyLayout code = layer.bodies().isEmpty() ? null : new BodyLayout(this, file, layer, reads);
    if (code != null) {
      code.layOut(names);
    }
    Map<Integer, IrValue> made = new LinkedHashMap<>();
    for (IrGraph.Port port : layer.outputs()) {
      List<Long> around = code == null ? scope.around.get(layer.id()) : code.extents(port.id());
      String name = layer.label() + (layer.outputs().size() > 1 ? "." + port.id() : "");
      List<Long> shape = extents.resolve(layer, port, name, reads, around);
      IrValue value = value(layer, port, name, shape, constant, stored);
      if (made.put(port.id(), value) != null) {
        throw layer.fault(file, "output port " + port.id() + " is defined twice");
      }
      if (!constant) {
        name(value);
      }
    }
    switch (layer.type()) {
      case "Const" -> checkSize(layer, made);
      case "Parameter", "Input" -> made.values().forEach(value -> scope.given.add(name(value)));
      case "Result" -> reads.forEach(value -> scope.results.add(read(value).get(0)));
      default -> {
        if (!constant) {
          layer.blobs().forEach(blob -> more.add(blob(layer, blob)));
          if (code != null) {
            more.addAll(code.finish(names, made));
          }
          op(layer, reads, names, more, made);
        }
      }
    }
    return made;
  }

  private IrValue value(
      IrGraph.Layer layer,
      IrGraph.Port port,
      String name,
      List<Long> shape,
      boolean constant,
      List<IrValue> stored) {
    String precision =
        port.precision().isEmpty()
            ? layer.data().getOrDefault("element_type", layer.precision())
            : port.precision();
    ElementType type = IrGraph.type(precision);
    if (type == null) {
      throw layer.fault(file, "precision \"%s\" of \"%s\" is not known", precision, name);
    }
    boolean known = !shape.contains(IrGraph.OPEN);
    List<Long> extents = shape.stream().map(extent -> extent < 0 ? 1 : extent).toList();
    Tensor.Kind kind = constant ? Tensor.Kind.WEIGHT : Tensor.Kind.ACTIVATION;
    Tensor tensor =
        InputException.checked(
            file, layer.where(), () -> new Tensor(tensorNames.of(name), extents, type, kind));
    return new IrValue(tensor, constant, stored, known);
  }

  /** A new activation like another one. */
  IrValue activation(String name, List<Long> shape, ElementType type, boolean known) {
    Tensor tensor = new Tensor(tensorNames.of(name), shape, type, Tensor.Kind.ACTIVATION);
    return new IrValue(tensor, false, null, known);
  }

  /** A value's tensor is one of the network's from now on. */
  String name(IrValue value) {
    tensors.putIfAbsent(value.tensor().name(), value.tensor());
    return value.tensor().name();
  }

  /** The tensors that represent a value where it is read; of unpacked ones the packed. */
  List<String> read(IrValue value) {
    return value.stored() == null
        ? List.of(name(value))
        : value.stored().stream().map(this::name).toList();
  }

  private void checkSize(IrGraph.Layer layer, Map<Integer, IrValue> made) {
    String size = layer.data().get("size");
    for (IrValue value : made.values()) {
      long needed = value.tensor().bytes();
      boolean enough =
          size == null
              || (size.strip().matches("\\d{1,18}") && Long.parseLong(size.strip()) >= needed);
      if (!enough) {
        String what = "size \"%s\" should be %s, as its shape and type say";
        throw layer.fault(file, what, size, needed);
      }
    }
  }

  private void op(
      IrGraph.Layer layer,
      List<IrValue> reads,
      List<String> names,
      List<String> more,
      Map<Integer, IrValue> made) {
    List<String> results = made.values().stream().map(this::name).toList();
    boolean writing = layer.isWriting();
    Collection<IrValue> like = writing ? reads : made.values();
    if ((writing || layer.isReading()) && !like.isEmpty()) {
      Tensor value = like.iterator().next().tensor();
      Function<String, Tensor> maker =
          id -> new Tensor(tensorNames.of(id), value.shape(), value.type(), Tensor.Kind.VARIABLE);
      Tensor variable = variables.computeIfAbsent(layer.variable(), maker);
      tensors.putIfAbsent(variable.name(), variable);
      more.add(variable.name());
    }
    List<String> all = new ArrayList<>(names);
    Set<String> further = new LinkedHashSet<>(more);
    further.removeAll(new HashSet<>(names));
    all.addAll(further);
    addOp(layer.label(), layer.type(), layer.attributes(), all, results, ops.size());
  }

  /** Adds an op at a place in the order. */
  void addOp(
      String name,
      String type,
      Map<String, Object> attributes,
      List<String> reads,
      List<String> makes,
      int at) {
    ops.add(at, new Op(opNames.of(name), type, attributes, reads, makes, 0));
  }

  private String blob(IrGraph.Layer layer, IrGraph.Blob blob) {
    String precision = blob.precision().isEmpty() ? layer.precision() : blob.precision();
    ElementType type = IrGraph.type(precision);
    if (type == null
        || type.bits() == 0
        || blob.size() > Long.MAX_VALUE / 8
        || blob.size() * 8 % type.bits() != 0) {
      type = ElementType.U8;
    }
    long elements = type == ElementType.U8 ? blob.size() : blob.size() * 8 / type.bits();
    String name = tensorNames.of(layer.label() + "." + blob.name());
    Tensor tensor = new Tensor(name, List.of(elements), type, Tensor.Kind.WEIGHT);
    return name(new IrValue(tensor, true, null, true));
  }

  /** Whether a layer's outputs are constant; the shape of a value is, once extents are known. */
  private static boolean isConstant(IrGraph.Layer layer, List<IrValue> reads) {
    return switch (layer.type()) {
      case "Const", "ShapeOf" -> true;
      case "Parameter", "Input", "Result" -> false;
      default ->
          layer.bodies().isEmpty()
              && layer.blobs().isEmpty()
              && !CHANGING.contains(layer.type())
              && !reads.isEmpty()
              && reads.stream().allMatch(IrValue::constant);
    };
  }

  /** The compressed weights that a constant layer unpacks; null if it does not. */
  private static List<IrValue> stored(IrGraph.Layer layer, List<IrValue> reads) {
    if (!UNPACKING.contains(layer.type()) || reads.isEmpty()) {
      return null;
    }
    IrValue packed = reads.get(0);
    boolean starts =
        layer.type().equals("Convert")
            && (layer.decompression() || packed.tensor().type().bits() <= 8);
    if (packed.stored() == null && !starts) {
      return null;
    }
    List<IrValue> stored = new ArrayList<>(packed.stored() == null ? reads : packed.stored());
    boolean scaled = layer.type().equals("Subtract") || layer.type().equals("Multiply");
    if (packed.stored() != null && scaled && reads.size() > 1) {
      IrValue scale = reads.get(1);
      stored.addAll(scale.stored() == null ? List.of(scale) : scale.stored());
    }
    return List.copyOf(stored);
  }
}
