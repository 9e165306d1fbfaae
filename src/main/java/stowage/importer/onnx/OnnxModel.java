package stowage.importer.onnx;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFiles;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.ValueInfoProto;
import stowage.network.TopologicalOrder;

/**
 * An ONNX file's model, with what must hold before its content is used being checked.
 *
 * @param proto the model: functions expanded, nodes in an order in which they can run
 * @param notes remarks on oddities of the file
 */
record OnnxModel(ModelProto proto, List<String> notes) {
  static OnnxModel read(Path file) {
    ModelProto model = new FunctionExpansion(file, parse(file)).expanded();
    List<String> notes = new ArrayList<>();
    GraphProto graph = sorted(model.getGraph(), notes);
    check(new TensorData(file), graph, "");
    return new OnnxModel(model.toBuilder().setGraph(graph).build(), notes);
  }

  static ModelProto parse(Path file) {
    byte[] bytes = InputFiles.readAllBytes(file);
    if (bytes.length == 0) {
      throw new InputException(file, "", "is empty; it should hold an ONNX model");
    }
    ModelProto model;
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      in.setSizeLimit(Integer.MAX_VALUE);
      model = ModelProto.parseFrom(in);
      in.checkLastTagWas(0);
    } catch (InvalidProtocolBufferException malformed) {
      throw new InputException(
          file, "", "is not an ONNX model, or is truncated: " + malformed.getMessage(), malformed);
    } catch (IOException failure) {
      throw InputFiles.unreadable(file, failure);
    }
    if (!model.hasGraph() || model.getOpsetImportCount() == 0 || !model.hasIrVersion()) {
      throw new InputException(
          file,
          "",
          "is not an ONNX model, or is truncated: it has no "
              + (!model.hasGraph()
                  ? "graph"
                  : model.getOpsetImportCount() == 0 ? "opset_import" : "ir_version"));
    }
    return model;
  }

  private static void check(TensorData data, GraphProto graph, String where) {
    for (TensorProto tensor : graph.getInitializerList()) {
      data.check(tensor, where + "initializer \"" + tensor.getName() + "\"");
    }
    graph
        .getSparseInitializerList()
        .forEach(
            sparse -> {
              String what = where + "initializer \"" + sparse.getValues().getName() + "\"";
              data.check(sparse.getValues(), what);
              data.check(sparse.getIndices(), what);
            });
    for (NodeProto node : graph.getNodeList()) {
      String what = where + label(node);
      for (AttributeProto attribute : node.getAttributeList()) {
        String here = what + ", attribute \"" + attribute.getName() + "\"";
        if (attribute.hasT()) {
          data.check(attribute.getT(), here);
        }
        attribute.getTensorsList().forEach(tensor -> data.check(tensor, here));
        bodies(attribute).forEach(body -> check(data, body, what + ": "));
      }
    }
  }

  /** What a node is called in messages. */
  static String label(NodeProto node) {
    String name = node.getName();
    if (name.isEmpty() && node.getOutputCount() > 0) {
      return "op " + node.getOpType() + " that makes \"" + node.getOutput(0) + "\"";
    }
    return "op \"" + name + "\" of type " + node.getOpType();
  }

  static List<GraphProto> bodies(AttributeProto attribute) {
    List<GraphProto> bodies = new ArrayList<>(attribute.getGraphsList());
    if (attribute.hasG()) {
      bodies.add(attribute.getG());
    }
    return bodies;
  }

  static List<GraphProto> bodies(NodeProto node) {
    List<GraphProto> bodies = new ArrayList<>();
    node.getAttributeList().forEach(attribute -> bodies.addAll(bodies(attribute)));
    return bodies;
  }

  static NodeProto withBodies(NodeProto node, UnaryOperator<GraphProto> change) {
    if (bodies(node).isEmpty()) {
      return node;
    }
    NodeProto.Builder builder = node.toBuilder();
    builder.getAttributeBuilderList().forEach(attribute -> changeBodies(attribute, change));
    return builder.build();
  }

  static void changeBodies(AttributeProto.Builder attribute, UnaryOperator<GraphProto> change) {
    if (attribute.hasG()) {
      attribute.setG(change.apply(attribute.getG()));
    }
    for (int g = 0; g < attribute.getGraphsCount(); g++) {
      attribute.setGraphs(g, change.apply(attribute.getGraphs(g)));
    }
  }

  static Optional<AttributeProto> attribute(NodeProto node, String name) {
    return node.getAttributeList().stream().filter(a -> a.getName().equals(name)).findFirst();
  }

  static AttributeProto integer(String name, long value) {
    return AttributeProto.newBuilder().setName(name).setType(2).setI(value).build();
  }

  /** What a graph says of its inputs, its outputs and the values between them. */
  static List<ValueInfoProto> described(GraphProto graph) {
    return Stream.of(graph.getInputList(), graph.getOutputList(), graph.getValueInfoList())
        .flatMap(List::stream)
        .toList();
  }

  /** For each of some nodes the others, by index, that make what it reads. */
  static List<Set<Integer>> needed(List<NodeProto> nodes) {
    Map<String, Integer> maker = new HashMap<>();
    for (int k = 0; k < nodes.size(); k++) {
      for (String output : nodes.get(k).getOutputList()) {
        maker.put(output, k);
      }
    }
    List<Set<Integer>> needed = new ArrayList<>();
    for (int k = 0; k < nodes.size(); k++) {
      Set<Integer> before = new HashSet<>();
      uses(nodes.get(k)).forEach(name -> before.add(maker.get(name)));
      before.remove(null);
      before.remove(k);
      needed.add(before);
    }
    return needed;
  }

  /** The names a graph uses but does not define: values of the graphs around it. */
  static Set<String> freeNames(GraphProto graph) {
    Set<String> defined = new HashSet<>();
    graph.getInputList().forEach(input -> defined.add(input.getName()));
    graph.getInitializerList().forEach(tensor -> defined.add(tensor.getName()));
    graph.getSparseInitializerList().forEach(s -> defined.add(s.getValues().getName()));
    Set<String> used = new HashSet<>();
    for (NodeProto node : graph.getNodeList()) {
      defined.addAll(node.getOutputList());
      used.addAll(uses(node));
    }
    graph.getOutputList().forEach(output -> used.add(output.getName()));
    used.removeAll(defined);
    used.remove("");
    return used;
  }

  /** All names a node reads, those that its graphs take from around them included. */
  static Set<String> uses(NodeProto node) {
    Set<String> used = new HashSet<>(node.getInputList());
    bodies(node).forEach(body -> used.addAll(freeNames(body)));
    used.remove("");
    return used;
  }

  /**
   * The graph with its nodes, and those of inner graphs, in an order in which they can run: the
   * given one where possible. Nodes on a cycle stay at the end, where their use is found undefined.
   * Some exporters write several constants under one name; the last counts, as in ONNX Runtime.
   */
  private static GraphProto sorted(GraphProto graph, List<String> notes) {
    Map<String, NodeProto> constants = new HashMap<>();
    Set<String> initialized = new HashSet<>();
    graph.getInitializerList().forEach(tensor -> initialized.add(tensor.getName()));
    for (NodeProto node : graph.getNodeList()) {
      if (ShapeInference.constantValue(node) != null) {
        constants.put(node.getOutput(0), node);
      }
    }
    List<NodeProto> nodes = new ArrayList<>();
    List<String> twice = new ArrayList<>();
    for (NodeProto node : graph.getNodeList()) {
      if (ShapeInference.constantValue(node) == null) {
        nodes.add(withBodies(node, body -> sorted(body, notes)));
      } else if (constants.get(node.getOutput(0)) == node
          && !initialized.contains(node.getOutput(0))) {
        nodes.add(node);
      } else {
        twice.add(node.getOutput(0));
      }
    }
    if (!twice.isEmpty()) {
      notes.add(
          "%s constants are defined more than once, \"%s\" is one; the last counts"
              .formatted(twice.size(), twice.get(0)));
    }
    GraphProto.Builder builder = graph.toBuilder().clearNode();
    for (int index : TopologicalOrder.ofAll(needed(nodes))) {
      builder.addNode(nodes.get(index));
    }
    return builder.build();
  }
}
