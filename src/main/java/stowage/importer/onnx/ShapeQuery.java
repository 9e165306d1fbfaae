package stowage.importer.onnx;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.TensorShapeProto;
import stowage.importer.onnx.proto.TypeProto;
import stowage.importer.onnx.proto.ValueInfoProto;

/**
 * The graph that ONNX Runtime is asked about in place of a file: inputs have numbers for all
 * extents, every node's output is an output, and large constants are inputs. Ops that it does not
 * know are left out, and what they make is an input. Serves one graph.
 */
final class ShapeQuery {
  /** Constants of more bytes than this become inputs. */
  private static final long SMALL = 4096;

  /** Constants up to this are sent after all, where ops insist on constants. */
  private static final long MOST_SENT = 128L << 20;

  private static final long FIRST_VERSION_WITH_BOOLEAN_MASKS = 10;
  private static final int BOOL = 9;

  /** Sets of ops that ONNX Runtime holds; others' ops are left out from the start. */
  private static final Set<String> KNOWN_DOMAINS =
      Set.of(
          (",ai.onnx,ai.onnx.ml,ai.onnx.training,ai.onnx.preview.training,com.microsoft,"
                  + "com.microsoft.nchwc,com.microsoft.experimental,com.ms.internal.nhwc")
              .split(","));

  private final TensorData data;
  private final long opset;
  private final Set<String> unknownOps;
  private final Set<String> seen;
  private final boolean whole;
  private final GraphProto.Builder asked = GraphProto.newBuilder().setName("shapes");
  private final Set<String> inputs = new HashSet<>();
  private boolean missingData;

  /**
   * A query for one graph of a file by the version of the standard ops, without ops of the unknown
   * types and those whose first result is among the seen ones; {@code whole} says whether constants
   * are sent even where they are large.
   */
  ShapeQuery(TensorData data, long opset, Set<String> unknownOps, Set<String> seen, boolean whole) {
    this.data = data;
    this.opset = opset;
    this.unknownOps = unknownOps;
    this.seen = seen;
    this.whole = whole;
  }

  /** Whether a constant was wanted that is in a file that does not exist. */
  boolean missingData() {
    return missingData;
  }

  /**
   * The graph to ask about.
   *
   * @param graph the main graph or an inner one
   * @param given shapes of the graph's inputs, and of values it takes from around it
   * @param constants those of the given values whose data is known
   * @param declared the shapes that the file declares
   * @param shapes takes the shapes that are known without asking
   * @param misfits ops that are replaced by something else
   */
  GraphProto.Builder of(
      GraphProto graph,
      Map<String, ValueShape> given,
      Map<String, TensorProto> constants,
      Map<String, ValueShape> declared,
      Map<String, ValueShape> shapes,
      ShapeMismatchRepair misfits) {
    given.forEach(
        (name, shape) -> {
          TensorProto constant = constants.get(name);
          if (constant != null) {
            asked.addInitializer(constant.toBuilder().setName(name));
          } else {
            input(name, shape);
          }
        });
    graph.getInitializerList().forEach(tensor -> constant(tensor, tensor.getName()));
    graph
        .getSparseInitializerList()
        .forEach(sparse -> input(sparse.getValues().getName(), TensorData.shape(sparse)));
    Set<String> outputs = new LinkedHashSet<>();
    Set<String> nodeNames = new HashSet<>();
    for (NodeProto node : graph.getNodeList()) {
      if (!KNOWN_DOMAINS.contains(node.getDomain())
          || unknownOps.contains(node.getOpType())
          || node.getOutputCount() > 0 && seen.contains(node.getOutput(0))) {
        leftOut(node, declared, shapes);
        continue;
      }
      TensorProto value = ShapeInference.constantValue(node);
      if (value != null) {
        constant(value, node.getOutput(0));
        shapes.put(node.getOutput(0), TensorData.shape(value));
      } else {
        NodeProto sent = bare(misfits.substitute(node));
        if (!nodeNames.add(sent.getName())) {
          sent = sent.toBuilder().clearName().build(); // names may be absent, but not equal
        }
        asked.addAllNode(withoutMask(sent));
        outputs.addAll(node.getOutputList());
      }
    }
    outputs.remove("");
    outputs.forEach(name -> asked.addOutput(ValueInfoProto.newBuilder().setName(name)));
    return asked;
  }

  private void leftOut(
      NodeProto node, Map<String, ValueShape> declared, Map<String, ValueShape> shapes) {
    for (String output : node.getOutputList()) {
      if (output.isEmpty()) {
        continue;
      }
      ValueShape shape = declared.get(output);
      if (shape == null) {
        String what =
            "ONNX Runtime does not know this op, and the file does not declare the shape of \"%s\";"
                + " it should, in value_info";
        throw data.fault(OnnxModel.label(node), what, output);
      }
      shapes.put(output, shape);
      if (shape.elementType() != 0) {
        input(output, shape);
      }
    }
  }

  private void constant(TensorProto tensor, String name) {
    long bytes = TensorData.bytes(tensor);
    if (bytes <= (whole ? MOST_SENT : SMALL)) {
      TensorProto loaded = data.loaded(tensor, "initializer \"" + name + "\"");
      if (loaded != null) {
        asked.addInitializer(loaded.toBuilder().setName(name));
        return;
      }
      missingData = true;
    }
    input(name, TensorData.shape(tensor));
  }

  private void input(String name, ValueShape shape) {
    if (shape.elementType() != 0 && shape.dims() != null && inputs.add(name)) {
      asked.addInput(ofShape(name, shape));
    }
  }

  static ValueInfoProto ofShape(String name, ValueShape shape) {
    ValueInfoProto.Builder value = ValueInfoProto.newBuilder().setName(name);
    TypeProto.Tensor.Builder type = value.getTypeBuilder().getTensorTypeBuilder();
    TensorShapeProto.Builder dims = type.setElemType(shape.elementType()).getShapeBuilder();
    for (long extent : shape.dims()) {
      dims.addDimBuilder().setDimValue(extent);
    }
    return value.build();
  }

  /**
   * Makes a Dropout's mask by an op of its own. ONNX Runtime infers no shape for the mask of old
   * versions; it is that of the input (docs/Changelog.md of the specification, Dropout).
   */
  private List<NodeProto> withoutMask(NodeProto node) {
    boolean masked =
        node.getOpType().equals("Dropout")
            && node.getOutputCount() == 2
            && node.getInputCount() > 0
            && !node.getOutput(1).isEmpty()
            && !node.getInput(0).isEmpty();
    if (!masked) {
      return List.of(node);
    }
    NodeProto.Builder mask =
        NodeProto.newBuilder()
            .setOpType("Identity")
            .addInput(node.getInput(0))
            .addOutput(node.getOutput(1));
    if (opset >= FIRST_VERSION_WITH_BOOLEAN_MASKS) {
      mask.setOpType("Cast").addAttribute(OnnxModel.integer("to", BOOL));
    }
    NodeProto kept = node.toBuilder().clearOutput().addOutput(node.getOutput(0)).build();
    return List.of(kept, mask.build());
  }

  /** A node without external data in its attributes. */
  private NodeProto bare(NodeProto node) {
    NodeProto.Builder builder = node.toBuilder();
    for (AttributeProto.Builder attribute : builder.getAttributeBuilderList()) {
      if (attribute.hasT()) {
        attribute.setT(inner(attribute.getT(), node));
      }
      for (int t = 0; t < attribute.getTensorsCount(); t++) {
        attribute.setTensors(t, inner(attribute.getTensors(t), node));
      }
      OnnxModel.changeBodies(attribute, body -> bare(body, node));
    }
    return builder.build();
  }

  private GraphProto bare(GraphProto body, NodeProto node) {
    GraphProto.Builder builder = body.toBuilder();
    if (body.getName().isEmpty()) {
      builder.setName("inner"); // ONNX Runtime insists on a name
    }
    for (int t = 0; t < body.getInitializerCount(); t++) {
      builder.setInitializer(t, inner(body.getInitializer(t), node));
    }
    for (int n = 0; n < body.getNodeCount(); n++) {
      builder.setNode(n, bare(body.getNode(n)));
    }
    return builder.build();
  }

  private TensorProto inner(TensorProto tensor, NodeProto node) {
    TensorProto loaded = data.loaded(tensor, OnnxModel.label(node));
    if (loaded == null) {
      throw data.fault(
          OnnxModel.label(node),
          "ONNX Runtime needs the data inside of this op, but its file does not exist");
    }
    return loaded;
  }
}
