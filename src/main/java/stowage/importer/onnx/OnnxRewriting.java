package stowage.importer.onnx;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.InputException;
import stowage.importer.io.RewrittenNames;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.TensorShapeProto;
import stowage.importer.onnx.proto.ValueInfoProto;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.ConstantOperands;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;

/**
 * Writer of a rewritten network as an ONNX file: nodes of the main graph are replaced, all else
 * stays as it is. Initializers are shared by all pieces and copies. Nodes that the network does not
 * have, such as constants and shapes, come before the first node that reads them; the shape of a
 * value that is there in pieces only, or made again, becomes a constant. Free dimensions of inputs
 * get the extents that the network has.
 */
public final class OnnxRewriting {
  private static final int INT64 = 7;
  private static final int SLICE_BY_OPERANDS = 10;

  /** The first version of the format that has them. */
  private static final long INITIALIZERS_THAT_ARE_NO_INPUTS = 4;

  private final Path file;
  private final Rewriting rewriting;
  private final Map<String, NodeProto> makers = new HashMap<>();
  private final Map<List<Long>, String> constants = new LinkedHashMap<>();
  private final List<TensorProto> initializers = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();
  private final RewrittenNames names;
  private final long version;

  private OnnxRewriting(Path file, ModelProto model, Rewriting rewriting) {
    this.file = file;
    this.rewriting = rewriting;
    this.names = new RewrittenNames(rewriting);
    this.version = ShapeInference.opset(model);
    for (NodeProto node : model.getGraph().getNodeList()) {
      taken.addAll(node.getInputList());
      for (String output : node.getOutputList()) {
        makers.put(output, node);
        taken.add(output);
      }
    }
    model.getGraph().getInitializerList().forEach(tensor -> taken.add(tensor.getName()));
    taken.addAll(rewriting.network().tensors().keySet());
  }

  /**
   * Writes a rewritten network of the file that the given network was read from; says what it lacks
   * in its folder, empty for nothing.
   *
   * @param offsets a plan to be written with it, bytes by tensor; null for none
   * @param arena the bytes of that plan
   */
  public static String write(
      Path source, Rewriting rewriting, Map<String, Long> offsets, long arena, Path target)
      throws IOException {
    ModelProto model = OnnxModel.read(source).proto();
    OnnxRewriting writer = new OnnxRewriting(source, model, rewriting);
    boolean added = rewriting.ops().size() > rewriting.given().ops().size();
    long version = Math.max(model.getIrVersion(), added ? INITIALIZERS_THAT_ARE_NO_INPUTS : 0);
    ModelProto.Builder copy = model.toBuilder().setGraph(writer.graph(model.getGraph()));
    ModelProto written = copy.setIrVersion(version).build();
    if (offsets != null) {
      Map<String, Long> named = new HashMap<>();
      offsets.forEach((tensor, offset) -> named.put(writer.names.of(tensor), offset));
      Network network = rewriting.network();
      written = OnnxPlan.planned(source, written, network, named, arena, new ArrayList<>());
    }
    AtomicFiles.write(target, written::writeTo);
    return TensorData.missing(model, source, target);
  }

  private GraphProto graph(GraphProto graph) {
    Set<Integer> kept = new HashSet<>();
    List<NodeProto> nodes = new ArrayList<>();
    Map<String, Integer> places = new HashMap<>();
    for (int k = 0; k < rewriting.ops().size(); k++) {
      OpOrigin origin = rewriting.ops().get(k);
      Op op = rewriting.network().ops().get(k);
      Op from = rewriting.given().ops().get(origin.op());
      int place = k;
      op.presentOutputs().forEach(output -> places.put(names.of(output), place));
      switch (origin.kind()) {
        case GIVEN, PIECE, COPY -> {
          NodeProto node = from.presentOutputs().isEmpty() ? null : node(from);
          boolean same = names.isUnchanged(op, from);
          if (node == null && !same) {
            throw new InputException(
                file, "op \"" + from.name() + "\"", "is in the network, but not in the main graph");
          }
          if (!same) {
            nodes.add(changed(op, from, node));
          }
          if (same && origin.copy() == 1) {
            kept.add(origin.op());
          }
        }
        default -> nodes.add(added(op));
      }
    }
    Set<NodeProto> replaced = new HashSet<>();
    for (int k = 0; k < rewriting.given().ops().size(); k++) {
      Op from = rewriting.given().ops().get(k);
      if (!kept.contains(k) && !from.presentOutputs().isEmpty() && node(from) != null) {
        replaced.add(node(from));
      }
    }
    Set<String> remade = new HashSet<>();
    replaced.forEach(node -> remade.addAll(node.getOutputList()));
    Set<String> gone = new HashSet<>(remade);
    nodes.forEach(node -> gone.removeAll(node.getOutputList()));
    for (NodeProto node : graph.getNodeList()) {
      TensorProto shape = replaced.contains(node) ? null : shapeOf(node, remade);
      if (shape != null) {
        initializers.add(shape);
      } else if (!replaced.contains(node)) {
        nodes.add(OnnxModel.withBodies(node, body -> withShapes(body, remade)));
      }
    }
    GraphProto.Builder written = graph.toBuilder().clearNode().clearValueInfo();
    graph.getValueInfoList().stream()
        .filter(value -> !gone.contains(value.getName()))
        .forEach(written::addValueInfo);
    for (int k = 0; k < written.getInputCount(); k++) {
      fix(written.getInputBuilder(k));
    }
    return written
        .addAllNode(OnnxOrder.ordered(nodes, places))
        .addAllInitializer(initializers)
        .build();
  }

  /** Gives free dimensions of an input the extents that the pieces were cut for. */
  private void fix(ValueInfoProto.Builder input) {
    Tensor tensor = rewriting.given().tensors().get(input.getName());
    if (tensor == null || !input.getType().hasTensorType()) {
      return;
    }
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    tensor.shape().forEach(extent -> shape.addDimBuilder().setDimValue(extent));
    input.getTypeBuilder().getTensorTypeBuilder().setShape(shape);
  }

  private NodeProto node(Op op) {
    return makers.get(op.presentOutputs().get(0));
  }

  /** An inner graph with such constants for shapes. */
  private GraphProto withShapes(GraphProto body, Set<String> remade) {
    GraphProto.Builder written = body.toBuilder().clearNode();
    for (NodeProto node : body.getNodeList()) {
      TensorProto shape = shapeOf(node, remade);
      if (shape == null) {
        written.addNode(OnnxModel.withBodies(node, inner -> withShapes(inner, remade)));
      } else {
        written.addInitializer(shape);
      }
    }
    return written.build();
  }

  /**
   * A constant of the shape of a value that is not there any more, or made another time; null for
   * another node.
   */
  private TensorProto shapeOf(NodeProto node, Set<String> remade) {
    if (!Set.of("Shape", "Size").contains(node.getOpType()) || !remade.contains(node.getInput(0))) {
      return null;
    }
    List<Long> shape = rewriting.given().tensor(node.getInput(0)).shape();
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setName(node.getOutput(0)).setDataType(INT64);
    if (node.getOpType().equals("Size")) {
      tensor.addInt64Data(rewriting.given().tensor(node.getInput(0)).elements());
    } else {
      long start = OnnxModel.attribute(node, "start").map(AttributeProto::getI).orElse(0L);
      long end =
          OnnxModel.attribute(node, "end").map(AttributeProto::getI).orElse((long) shape.size());
      int from =
          (int) Math.max(0, Math.min(shape.size(), start < 0 ? start + shape.size() : start));
      int to = (int) Math.max(from, Math.min(shape.size(), end < 0 ? end + shape.size() : end));
      tensor.addDims(to - from).addAllInt64Data(shape.subList(from, to));
    }
    return tensor.build();
  }

  /** A node of the file with other operands and results, and with the attributes of a piece. */
  private NodeProto changed(Op op, Op from, NodeProto node) {
    NodeProto.Builder written = node.toBuilder().setName(op.name());
    List<String> keys = ConstantOperands.of(rewriting.network(), op);
    Set<String> asOperands = new HashSet<>();
    for (int k = 0; k < node.getInputCount(); k++) {
      String before = k < from.inputs().size() ? from.inputs().get(k) : "";
      String now = k < op.inputs().size() ? op.inputs().get(k) : "";
      boolean own = k < keys.size() && !keys.get(k).isEmpty() && !node.getInput(k).isEmpty();
      if (own) {
        asOperands.add(keys.get(k));
      }
      if (own && now.isEmpty()) {
        written.setInput(k, constant(op.integers(keys.get(k))));
      } else if (!names.of(now).equals(before)) {
        written.setInput(k, names.of(now));
      }
    }
    for (int k = 0; k < node.getOutputCount(); k++) {
      written.setOutput(k, names.of(op.outputs().get(k)));
    }
    written.clearAttribute();
    for (AttributeProto attribute : node.getAttributeList()) {
      String key = attribute.getName();
      boolean same =
          op.attributes().containsKey(key)
              ? op.attributes().get(key).equals(from.attributes().get(key))
              : !from.attributes().containsKey(key);
      if (same) {
        written.addAttribute(attribute);
      }
    }
    op.attributes()
        .forEach(
            (key, value) -> {
              if (!asOperands.contains(key) && !value.equals(from.attributes().get(key))) {
                written.addAttribute(ints(key, op.integers(key)));
              }
            });
    return written.build();
  }

  private static AttributeProto ints(String name, List<Long> values) {
    return AttributeProto.newBuilder().setName(name).setType(7).addAllInts(values).build();
  }

  /** A slice or a concatenation. */
  private NodeProto added(Op op) {
    NodeProto.Builder node =
        NodeProto.newBuilder()
            .setName(op.name())
            .setOpType(op.type())
            .addAllInput(op.inputs().stream().map(names::of).toList())
            .addAllOutput(op.outputs().stream().map(names::of).toList());
    if (op.type().equals("Concat")) {
      return node.addAttribute(OnnxModel.integer("axis", op.integer("axis", 0))).build();
    }
    for (String key : List.of("starts", "ends", "axes")) {
      if (version < SLICE_BY_OPERANDS) {
        node.addAttribute(ints(key, op.integers(key)));
      } else {
        node.addInput(constant(op.integers(key)));
      }
    }
    return node.build();
  }

  /** The name of an initializer with some integers; equal ones are one. */
  private String constant(List<Long> values) {
    return constants.computeIfAbsent(
        values,
        absent -> {
          String name = "integers" + values.toString().replace(" ", "");
          while (!taken.add(name)) {
            name += "@2";
          }
          initializers.add(
              TensorProto.newBuilder()
                  .setName(name)
                  .setDataType(INT64)
                  .addDims(values.size())
                  .addAllInt64Data(values)
                  .build());
          return name;
        });
  }
}
