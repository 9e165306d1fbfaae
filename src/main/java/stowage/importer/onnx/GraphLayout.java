package stowage.importer.onnx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import stowage.importer.io.InputException;
import stowage.importer.io.Scope;
import stowage.importer.io.UniqueNames;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.ValueInfoProto;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.OpTypes;
import stowage.network.Tensor;

/**
 * Layout of a graph as ops and tensors.
 *
 * <p>Whatever is computed from constants alone is constant, and so is the shape of a value whose
 * extents do not depend on data: the ops that compute it vanish, and what they make is a weight
 * where an op that remains reads it, and is nothing where none does.
 *
 * <p>The code of an op with inner graphs (branches, loops, searches) is laid out before the op:
 * first, if the inner graphs have inputs or are alternatives, an op {@code <type>.enter} that makes
 * their inputs; then their ops, the second alternative after an op {@code <type>.call}; then the op
 * itself, which reads what they yield. An op that may run its code several times also reads their
 * inputs and all they take from around them, so that these stay alive during all of it, and what a
 * Loop or Scan collects turn by turn ({@code <output>#growing}) is there from the start.
 */
final class GraphLayout {
  /** Ops that make something else each time, and so are never constant. */
  private static final Set<String> RANDOM =
      OpTypes.words(
          """
          RandomNormal RandomNormalLike RandomUniform RandomUniformLike Multinomial Bernoulli
          Dropout
          """);

  private static final Set<String> SHAPE_OF = Set.of("Shape", "Size");

  /** Ops that without an axis go over all from axis 1 on, and since version 13 over the last. */
  private static final Set<String> SOFTMAX = Set.of("Softmax", "LogSoftmax");

  private static final int LAST_AXIS = 13;

  /** Marks ops that are not run in pieces, since extents were seen in a run, not inferred. */
  private static final String SAMPLED = "sampled";

  private static final int DEEPEST = 30;

  private final FreeDimensions dimensions;
  private final ShapeInference inference;
  final Map<String, Tensor> tensors = new LinkedHashMap<>();
  final List<Op> ops = new ArrayList<>();
  private final UniqueNames opNames = new UniqueNames();
  private final UniqueNames tensorNames = new UniqueNames();
  private final List<String> opaque = new ArrayList<>();
  private final List<String> sampled = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();

  /**
   * Values that inner graphs and their ops read, always by the first name: copies are never read.
   */
  private final Set<String> captured = new HashSet<>();

  private int depth;

  GraphLayout(FreeDimensions dimensions, ShapeInference inference) {
    this.dimensions = dimensions;
    this.inference = inference;
  }

  List<String> notes() {
    List<String> notes = new ArrayList<>(differences);
    if (!opaque.isEmpty()) {
      notes.add(
          (Network.TOO_LOW
                  + "%s values are strings, sequences or maps and count 0 bytes, \"%s\" is one")
              .formatted(opaque.size(), opaque.get(0)));
    }
    if (!sampled.isEmpty()) {
      notes.add(
          (Network.TOO_LOW
                  + "the shapes of %s values follow from data and are those of a run on zeros,"
                  + " \"%s\" is one")
              .formatted(sampled.size(), sampled.get(0)));
    }
    return notes;
  }

  /** Lays out the main graph; gives the names of its inputs and its outputs. */
  List<List<String>> run(GraphProto graph) {
    Scope<GraphValue> scope = new Scope<>(null);
    Set<String> initialized = new HashSet<>();
    graph.getInitializerList().forEach(tensor -> initialized.add(tensor.getName()));
    graph.getSparseInitializerList().forEach(s -> initialized.add(s.getValues().getName()));
    for (NodeProto node : graph.getNodeList()) {
      if (ShapeInference.constantValue(node) != null) {
        initialized.add(node.getOutput(0)); // a default that callers may replace, but need not
      }
    }
    List<ValueInfoProto> inputs =
        graph.getInputList().stream().filter(v -> !initialized.contains(v.getName())).toList();
    dimensions.checkInputs(inputs);
    Map<String, ValueShape> given = new LinkedHashMap<>();
    List<String> inputNames = new ArrayList<>();
    for (ValueInfoProto input : inputs) {
      String what = "input \"" + input.getName() + "\"";
      ValueShape shape = dimensions.input(input, what);
      GraphValue value = new GraphValue(input.getName(), shape, false, null);
      define(scope, value, what);
      given.put(input.getName(), shape);
      inputNames.add(tensor(value));
    }
    body(graph, scope, given, Map.of());
    ops.replaceAll(op -> Collections.disjoint(op.presentOutputs(), captured) ? op : op.once());
    if (inference.misled()) {
      ops.replaceAll(Op::once);
      differences.add(
          "ONNX Runtime infers other shapes than it computes, and may put values of other sizes"
              + " into their memory; so no op is computed again");
    }
    List<String> outputNames = new ArrayList<>();
    for (ValueInfoProto output : graph.getOutputList()) {
      GraphValue value = scope.find(output.getName());
      if (value == null) {
        throw new InputException(
            dimensions.file(),
            "output \"" + output.getName() + "\"",
            "no op makes it, and it is neither an input nor an initializer");
      }
      differences.addAll(dimensions.differences(output, value.shape));
      outputNames.add(tensor(value));
    }
    return List.of(inputNames, outputNames.stream().distinct().toList());
  }

  private void define(Scope<GraphValue> scope, GraphValue value, String what) {
    if (value.name.isEmpty() || !scope.define(value.name, value)) {
      throw new InputException(
          dimensions.file(), what, "\"%s\" is defined twice, or has no name", value.name);
    }
  }

  /** Lays out a graph whose inputs are defined in its scope. */
  private void body(
      GraphProto graph,
      Scope<GraphValue> scope,
      Map<String, ValueShape> given,
      Map<String, TensorProto> constants) {
    Map<String, TensorProto> initializers = new HashMap<>();
    for (TensorProto tensor : graph.getInitializerList()) {
      if (tensor.equals(initializers.put(tensor.getName(), tensor))) {
        continue; // ONNX Runtime writes an initializer of several uses several times
      }
      String name = tensor.getName();
      GraphValue value = new GraphValue(name, TensorData.shape(tensor), true, tensor);
      define(scope, value, "initializer " + name);
    }
    graph
        .getSparseInitializerList()
        .forEach(
            sparse -> {
              String name = sparse.getValues().getName();
              GraphValue value = new GraphValue(name, TensorData.shape(sparse), true, null);
              define(scope, value, "initializer " + name);
            });
    checkDefined(graph, scope);
    Map<String, ValueShape> shapes = inference.infer(graph, given, constants);
    graph.getNodeList().forEach(node -> node(node, scope, shapes));
  }

  /** Makes sure that all names are defined before they are used, before anyone else sees them. */
  private void checkDefined(GraphProto graph, Scope<GraphValue> scope) {
    Set<String> defined = new HashSet<>(scope.names());
    for (NodeProto node : graph.getNodeList()) {
      for (String name : OnnxModel.uses(node)) {
        if (!defined.contains(name) && scope.peek(name) == null) {
          throw fault(node, "reads \"%s\", which nothing before it makes", name);
        }
      }
      for (String name : node.getOutputList()) {
        if (!name.isEmpty() && !defined.add(name)) {
          throw fault(node, "makes \"%s\", which is defined before", name);
        }
      }
    }
  }

  private void node(NodeProto node, Scope<GraphValue> scope, Map<String, ValueShape> shapes) {
    List<GraphValue> inputs = new ArrayList<>();
    node.getInputList().forEach(name -> inputs.add(name.isEmpty() ? null : scope.find(name)));
    boolean constant = isConstant(node, inputs, scope);
    boolean sampled = OnnxModel.uses(node).stream().anyMatch(n -> scope.peek(n).sampled);
    List<GraphValue> outputs = new ArrayList<>();
    for (String name : node.getOutputList()) {
      if (name.isEmpty()) {
        outputs.add(null);
        continue;
      }
      ValueShape shape = shapes.get(name);
      if (shape == null || (!shape.known() && shape.elementType() != 0)) {
        String what = "the shape of \"%s\" is not known; it should follow from the inputs' shapes";
        throw fault(node, what, name);
      }
      GraphValue value = new GraphValue(name, shape, constant, ShapeInference.constantValue(node));
      sampled |= shape.sampled();
      value.sampled = sampled;
      define(scope, value, OnnxModel.label(node));
      outputs.add(value);
    }
    if (constant) {
      return;
    }
    List<String> names = new ArrayList<>(tensors(inputs));
    List<GraphProto> bodies = OnnxModel.bodies(node);
    String opName = opName(node);
    if (!bodies.isEmpty()) {
      nested(opName, node, bodies, inputs, outputs, scope, names);
    }
    List<String> made = tensors(outputs);
    boolean again = bodies.isEmpty() && !scope.isNested() && isOnnx(node.getDomain());
    Map<String, Object> attributes = NodeAttributes.of(node, inputs);
    if (SOFTMAX.contains(node.getOpType()) && inference.opset < LAST_AXIS) {
      attributes.putIfAbsent("axis", 1L);
    }
    if (sampled) {
      attributes.put(SAMPLED, 1L);
    }
    ops.add(new Op(opName, type(node), attributes, names, made, List.of(), -1, again));
    captured.addAll(bodies.isEmpty() && !scope.isNested() ? List.of() : names);
  }

  private InputException fault(NodeProto node, String what, Object... arguments) {
    return new InputException(dimensions.file(), OnnxModel.label(node), what, arguments);
  }

  /** Whether an op of a domain is ONNX's own: others may have state that no one knows of. */
  private static boolean isOnnx(String domain) {
    return domain.isEmpty() || domain.equals("ai.onnx") || domain.equals("ai.onnx.ml");
  }

  private static boolean isConstant(
      NodeProto node, List<GraphValue> inputs, Scope<GraphValue> scope) {
    if (RANDOM.contains(node.getOpType())) {
      return false;
    }
    if (SHAPE_OF.contains(node.getOpType()) && node.getDomain().isEmpty()) {
      GraphValue of = inputs.isEmpty() ? null : inputs.get(0);
      return of != null && of.shape.elementType() != 0 && of.shape.fixed();
    }
    return OnnxModel.uses(node).stream()
        .map(scope::peek)
        .allMatch(value -> value != null && value.constant);
  }

  private String opName(NodeProto node) {
    return opNames.of(
        Stream.concat(Stream.of(node.getName()), node.getOutputList().stream())
            .filter(name -> !name.isEmpty())
            .findFirst()
            .orElse("unnamed"));
  }

  private static String type(NodeProto node) {
    return node.getOpType().isEmpty() ? "unnamed" : node.getOpType();
  }

  private List<String> tensors(List<GraphValue> values) {
    return values.stream().map(value -> value == null ? "" : tensor(value)).toList();
  }

  /** The name of a value's tensor, which is made when first asked for. */
  private String tensor(GraphValue value) {
    if (value.tensor == null) {
      String name = tensorNames.of(value.name); // branches side by side may use one name
      value.tensor = name;
      ElementType type =
          value.shape.elementType() == 0
              ? ElementType.OPAQUE
              : OnnxTypes.of(value.shape.elementType());
      if (type == null) {
        throw new InputException(
            dimensions.file(),
            "value \"" + name + "\"",
            "element type " + value.shape.elementType());
      }
      List<Long> dims = LongStream.of(value.shape.dims()).boxed().toList();
      Tensor.Kind kind = value.constant ? Tensor.Kind.WEIGHT : Tensor.Kind.ACTIVATION;
      tensors.put(name, new Tensor(name, dims, type, kind));
      if (type == ElementType.OPAQUE) {
        opaque.add(name);
      }
      if (value.shape.sampled()) {
        sampled.add(name);
      }
    }
    return value.tensor;
  }

  private void nested(
      String opName,
      NodeProto node,
      List<GraphProto> bodies,
      List<GraphValue> inputs,
      List<GraphValue> outputs,
      Scope<GraphValue> scope,
      List<String> reads) {
    if (++depth > DEEPEST) {
      throw fault(node, "graphs are nested deeper than " + DEEPEST);
    }
    boolean once = node.getOpType().equals("If");
    List<Scope<GraphValue>> scopes = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    List<ValueShape> given = new ArrayList<>();
    inputs.forEach(value -> given.add(value == null ? null : value.shape));
    for (GraphProto body : bodies) {
      Scope<GraphValue> inner = new Scope<>(scope);
      scopes.add(inner);
      for (int k = 0; k < body.getInputCount(); k++) {
        ValueInfoProto input = body.getInput(k);
        ValueShape shape = BodyInputs.shape(node, body, k, given, dimensions);
        GraphValue value = new GraphValue(input.getName(), shape, false, null);
        define(inner, value, OnnxModel.label(node));
        arguments.add(tensor(value));
      }
    }
    List<String> growing = new ArrayList<>();
    int states = BodyInputs.states(node);
    for (int k = states; states >= 0 && k < outputs.size(); k++) {
      if (outputs.get(k) != null) {
        GraphValue made = outputs.get(k);
        growing.add(tensor(new GraphValue(made.name + "#growing", made.shape, false, null)));
      }
    }
    List<String> entered = new ArrayList<>(arguments);
    entered.addAll(growing);
    if (once || !entered.isEmpty()) {
      border(opName, node, ".enter", List.copyOf(reads), entered);
    }
    Set<String> alsoRead = new LinkedHashSet<>(entered);
    for (int b = 0; b < bodies.size(); b++) {
      GraphProto body = bodies.get(b);
      Scope<GraphValue> inner = scopes.get(b);
      if (once && b > 0) {
        border(opName, node, ".call", List.of(), List.of());
      }
      Map<String, ValueShape> known = new LinkedHashMap<>();
      Map<String, TensorProto> constants = new HashMap<>();
      inner.values().forEach(value -> known.put(value.name, value.shape));
      for (String name : OnnxModel.freeNames(body)) {
        GraphValue value = scope.peek(name);
        if (value == null) {
          throw fault(node, "its code reads \"%s\", which nothing makes", name);
        }
        known.put(name, value.shape);
        boolean small = value.data != null && TensorData.bytes(value.data) <= 4096;
        constants.put(name, small ? inference.loaded(value.data, name) : null);
      }
      constants.values().removeIf(Objects::isNull);
      body(body, inner, known, constants);
      body.getOutputList().forEach(output -> alsoRead.add(tensor(inner.find(output.getName()))));
      if (!once) {
        inner.captured().forEach(value -> alsoRead.add(tensor(value)));
      }
    }
    alsoRead.removeAll(reads);
    reads.addAll(alsoRead);
    depth--;
  }

  /** Adds an op where code of another begins, or the next part of it. */
  private void border(
      String opName, NodeProto node, String kind, List<String> reads, List<String> made) {
    String name = opNames.of(opName + kind);
    ops.add(new Op(name, type(node) + kind, Map.of(), reads, made, List.of(), -1, false));
    captured.addAll(reads);
  }
}
