package stowage.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.io.InputException;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.ValueInfoProto;

/**
 * Inference of the shapes of all values of a graph through ONNX Runtime.
 *
 * <p>What ONNX Runtime gets is not the file but a model made for the purpose: inputs have numbers
 * for all extents, every node's output is an output of the model, and large constants are inputs,
 * for only their shapes matter. So weights are neither read nor copied, and no file name is passed
 * on. Small constants stay, since shapes are computed from them.
 *
 * <p>Ops that ONNX Runtime does not know are left out; what they make must have a declared shape,
 * and becomes an input.
 *
 * <p>A value of unknown rank looks like a scalar in ONNX Runtime's answer. Wherever the answer has
 * scalars, a second request says the two apart: it asks for the shape of the value's shape, which
 * has one extent, and that is known exactly where the rank is.
 */
final class ShapeInference {
  private static final int FIRST_VERSION_WITHOUT_INITIALIZERS_AS_INPUTS = 4;

  /** Later ones only add element types and remarks, but old releases refuse them. */
  private static final int LAST_VERSION_THAT_MATTERS = 10;

  /** How ONNX Runtime names an op that it cannot run. */
  private static final List<Pattern> UNKNOWN_OP =
      List.of(
          Pattern.compile("No Op registered for (\\w+)"),
          Pattern.compile("Fatal error: (?:[\\w.]*:)?(\\w+)\\(-?\\d+\\) is not a registered"),
          Pattern.compile("Could not find an implementation for (?:[\\w.]*:)?(\\w+)\\("),
          Pattern.compile("Failed to find kernel for (?:[\\w.]*:)?(\\w+)\\("));

  /** How ONNX Runtime says which set of ops is the latest it knows. */
  private static final Pattern LATEST_OPSET =
      Pattern.compile("support for domain ai\\.onnx is till opset (\\d{1,9})");

  private final ModelProto model;
  final long opset;
  private final FreeDimensions dimensions;
  private final TensorData data;
  private final WorkLimit limit;
  private final Set<String> unknownOps = new HashSet<>();
  private final List<String> notes = new ArrayList<>();
  private boolean missingData;
  private boolean misled;
  private long latestOpset = Long.MAX_VALUE;
  private boolean otherHalves;

  ShapeInference(ModelProto model, FreeDimensions dimensions, TensorData data, WorkLimit limit) {
    this.model = model;
    this.opset = opset(model);
    this.dimensions = dimensions;
    this.data = data;
    this.limit = limit;
  }

  /** Whether constants were needed that are in files that do not exist. */
  boolean missingData() {
    return missingData;
  }

  /** Whether ONNX Runtime infers other shapes than it computes. */
  boolean misled() {
    return misled;
  }

  List<String> notes() {
    return notes;
  }

  /** The tensor with its data in it, or null when that is in a file that does not exist. */
  TensorProto loaded(TensorProto tensor, String name) {
    return data.loaded(tensor, "initializer \"" + name + "\"");
  }

  /**
   * The shapes of all values that nodes of the main graph or an inner one make, by those of its
   * inputs and of values it takes from around it, of which some data is known.
   */
  Map<String, ValueShape> infer(
      GraphProto graph, Map<String, ValueShape> given, Map<String, TensorProto> constants) {
    Map<String, ValueShape> declared = new LinkedHashMap<>();
    for (List<ValueInfoProto> values : List.of(graph.getValueInfoList(), graph.getOutputList())) {
      for (ValueInfoProto value : values) {
        ValueShape shape = dimensions.declared(value);
        if (shape != null && shape.known()) {
          declared.put(value.getName(), shape);
        }
      }
    }
    ShapeMismatchRepair misfits = new ShapeMismatchRepair(graph);
    Set<String> seen = new HashSet<>();
    boolean whole = false;
    while (true) {
      Map<String, ValueShape> shapes = new LinkedHashMap<>();
      ShapeQuery query = new ShapeQuery(data, opset, unknownOps, seen, whole);
      GraphProto.Builder asked = query.of(graph, given, constants, declared, shapes, misfits);
      missingData |= query.missingData();
      boolean restorable = otherHalves && Bfloat16.isIn(asked) && Bfloat16.replace(asked);
      try {
        ask(asked, shapes);
        if (restorable) {
          Bfloat16.restore(shapes);
        }
        Map<String, ValueShape> known = new LinkedHashMap<>(given);
        known.putAll(shapes);
        if (run(asked, known, seen, declared)) {
          continue;
        }
        int found = misfits.check(known);
        if (found > 0) {
          notes.add(
              ("%s ops have operands that do not fit together at these sizes, \"%s\" is"
                      + " one; what they make is taken to be as large as the operands")
                  .formatted(found, misfits.first()));
        }
        return shapes;
      } catch (ShapeProtocol.Failure failure) {
        String message = String.valueOf(failure.getMessage());
        if (lowerOpset(message)) {
          continue;
        }
        if (!otherHalves && Bfloat16.isIn(asked)) {
          otherHalves = true;
          continue;
        }
        NodeProto misfit = misfits.named(message);
        if (misfit != null) {
          GraphProto before = ShapeMismatchRepair.before(graph, misfit);
          Map<String, ValueShape> operands = infer(before, given, constants);
          operands.putAll(given);
          if (misfits.replace(misfit, operands)) {
            continue;
          }
          throw refused(message);
        }
        if (!leaveOut(graph, message)) {
          if (whole
              || message.equals(ShapeService.TOO_LONG)
              || message.equals(ShapeService.CRASHED)) {
            throw refused(message);
          }
          whole = true;
        }
      }
    }
  }

  /** Takes the file for one of the latest set of ops, if the message says that its own is newer. */
  private boolean lowerOpset(String message) {
    Matcher matcher = LATEST_OPSET.matcher(message);
    if (!matcher.find() || Long.parseLong(matcher.group(1)) >= latestOpset) {
      return false;
    }
    latestOpset = Long.parseLong(matcher.group(1));
    notes.add(
        "the file is newer than ONNX Runtime; its ops are taken for those of opset " + latestOpset);
    return true;
  }

  private InputException refused(String message) {
    String first = message.replaceFirst("(?s)^Error code - (\\S+) - message: ", "");
    String said = first.lines().findFirst().orElse("");
    String advice = "; files with weights are missing: put them into the model's folder";
    String why = said + (missingData ? advice : "");
    return data.fault("", "ONNX Runtime cannot infer its shapes: %s", why);
  }

  /** Notes that an op is unknown, if the message says so and it was not noted before. */
  private boolean leaveOut(GraphProto graph, String message) {
    for (Pattern pattern : UNKNOWN_OP) {
      Matcher matcher = pattern.matcher(message);
      if (matcher.find()
          && graph.getNodeList().stream().anyMatch(n -> n.getOpType().equals(matcher.group(1)))) {
        return unknownOps.add(matcher.group(1));
      }
    }
    return false;
  }

  private void ask(GraphProto.Builder asked, Map<String, ValueShape> shapes)
      throws ShapeProtocol.Failure {
    if (asked.getOutputCount() == 0) {
      return;
    }
    ShapeProtocol.Answer first = request(asked, false);
    Map<String, ValueShape> answer = first.shapes();
    List<String> scalars = new ArrayList<>();
    answer.forEach(
        (name, shape) -> {
          if (shape.elementType() != 0 && shape.dims().length == 0 && !shape.sampled()) {
            scalars.add(name);
          }
        });
    if (!scalars.isEmpty()) {
      for (String name : scalars) {
        asked.addNode(
            NodeProto.newBuilder()
                .setOpType("Shape")
                .addInput(name)
                .addOutput(name + ShapeProtocol.PROBE));
        asked.addOutput(ValueInfoProto.newBuilder().setName(name + ShapeProtocol.PROBE));
      }
      answer = request(asked, first.folded()).shapes();
    }
    shapes.putAll(answer);
    shapes.keySet().removeIf(name -> name.endsWith(ShapeProtocol.PROBE));
  }

  /**
   * Runs ops whose shapes may be inferred otherwise than they are computed. Where that is so, their
   * results' shapes are then among the declared ones, and their first results among the seen; ops
   * that depend on these are left to the next request.
   */
  private boolean run(
      GraphProto.Builder asked,
      Map<String, ValueShape> known,
      Set<String> seen,
      Map<String, ValueShape> declared)
      throws ShapeProtocol.Failure {
    Set<String> changed = new HashSet<>();
    for (NodeProto node : asked.getNodeList()) {
      if (OnnxModel.uses(node).stream().anyMatch(changed::contains)) {
        changed.addAll(node.getOutputList());
        continue;
      }
      GraphProto.Builder alone = RunShapes.alone(node, asked, known);
      if (alone == null) {
        continue;
      }
      ValueShape inferred = known.get(node.getOutput(0));
      long[] dims = dims(alone, inferred.dims());
      if (!Arrays.equals(dims, inferred.dims())) {
        for (String output : node.getOutputList()) {
          ValueShape before = known.getOrDefault(output, inferred);
          declared.put(output, new ValueShape(before.elementType(), dims, true));
        }
        seen.add(node.getOutput(0));
        changed.addAll(node.getOutputList());
      }
    }
    misled |= !changed.isEmpty();
    return !changed.isEmpty();
  }

  /** The extents of a result that the op by itself has; those inferred where it is refused. */
  private long[] dims(GraphProto.Builder alone, long[] inferred) throws ShapeProtocol.Failure {
    try {
      return request(alone, true).shapes().values().iterator().next().dims();
    } catch (ShapeProtocol.Failure refused) {
      if (refused.getMessage().equals(ShapeService.TOO_LONG)) {
        throw refused;
      }
      return inferred;
    }
  }

  private ShapeProtocol.Answer request(GraphProto.Builder asked, boolean fold)
      throws ShapeProtocol.Failure {
    ModelProto.Builder builder = ModelProto.newBuilder();
    builder.setIrVersion(
        Math.min(
            Math.max(model.getIrVersion(), FIRST_VERSION_WITHOUT_INITIALIZERS_AS_INPUTS),
            LAST_VERSION_THAT_MATTERS));
    for (OperatorSetIdProto opset : model.getOpsetImportList()) {
      long version =
          isStandard(opset) ? Math.min(opset.getVersion(), latestOpset) : opset.getVersion();
      builder.addOpsetImport(opset.toBuilder().setVersion(version));
    }
    builder.setGraph(asked);
    return ShapeService.instance().shapes(builder.build().toByteArray(), fold, limit);
  }

  /** The tensor that a node of type Constant makes, if it is given as one. */
  static TensorProto constantValue(NodeProto node) {
    return node.getOpType().equals("Constant") && node.getOutputCount() == 1
        ? OnnxModel.attribute(node, "value")
            .filter(AttributeProto::hasT)
            .map(AttributeProto::getT)
            .orElse(null)
        : null;
  }

  /** The version of the standard ops; 0 where the model has none. */
  static long opset(ModelProto model) {
    return model.getOpsetImportList().stream()
        .filter(ShapeInference::isStandard)
        .mapToLong(OperatorSetIdProto::getVersion)
        .findFirst()
        .orElse(0);
  }

  static boolean isStandard(OperatorSetIdProto opset) {
    return opset.getDomain().isEmpty() || opset.getDomain().equals("ai.onnx");
  }
}
