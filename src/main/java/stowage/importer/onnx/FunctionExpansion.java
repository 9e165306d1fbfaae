package stowage.importer.onnx;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.io.InputException;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.FunctionProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;

/**
 * Replacement of ops that a model defines by functions of its own with the functions' bodies, as
 * the ONNX specification prescribes (docs/IR.md, "Functions"): parameters represent the op's inputs
 * and outputs, values inside get names of their own, and attributes that refer to the op's
 * attributes take their values.
 */
final class FunctionExpansion {
  /** More nodes than any file has; functions that use each other over and over could make more. */
  private static final int MOST_NODES = 1 << 19;

  private static final int DEEPEST = 50;

  private final Path file;
  private final ModelProto model;
  private final Map<String, FunctionProto> functions = new HashMap<>();
  private int made;

  FunctionExpansion(Path file, ModelProto model) {
    this.file = file;
    this.model = model;
    for (FunctionProto function : model.getFunctionsList()) {
      functions.put(
          key(function.getDomain(), function.getName(), function.getOverload()), function);
    }
  }

  private static String key(String domain, String name, String overload) {
    return domain + "\n" + name + "\n" + overload;
  }

  ModelProto expanded() {
    if (functions.isEmpty()) {
      return model;
    }
    ModelProto.Builder builder = model.toBuilder().clearFunctions();
    Map<String, Long> opsets = new HashMap<>();
    model.getOpsetImportList().forEach(opset -> opsets.put(opset.getDomain(), opset.getVersion()));
    for (FunctionProto function : model.getFunctionsList()) {
      for (OperatorSetIdProto opset : function.getOpsetImportList()) {
        if (opsets.putIfAbsent(opset.getDomain(), opset.getVersion()) == null) {
          builder.addOpsetImport(opset);
        }
      }
    }
    return builder.setGraph(expanded(model.getGraph(), 0)).build();
  }

  private GraphProto expanded(GraphProto graph, int depth) {
    GraphProto.Builder builder = graph.toBuilder().clearNode();
    graph.getNodeList().forEach(node -> builder.addAllNode(expanded(node, depth)));
    return builder.build();
  }

  private List<NodeProto> expanded(NodeProto node, int depth) {
    if (++made > MOST_NODES || depth > DEEPEST) {
      String what = "the model's functions use each other %s";
      throw new InputException(
          file, OnnxModel.label(node), what, depth > DEEPEST ? "without end" : "too often");
    }
    FunctionProto function =
        functions.get(key(node.getDomain(), node.getOpType(), node.getOverload()));
    if (function != null) {
      return body(node, function).stream()
          .flatMap(inner -> expanded(inner, depth + 1).stream())
          .toList();
    }
    return List.of(OnnxModel.withBodies(node, body -> expanded(body, depth + 1)));
  }

  private List<NodeProto> body(NodeProto call, FunctionProto function) {
    String prefix = call.getName().isEmpty() ? function.getName() : call.getName();
    String unique = prefix + "#" + made + "/";
    Map<String, String> names = new HashMap<>();
    for (int k = 0; k < function.getInputCount(); k++) {
      names.put(function.getInput(k), k < call.getInputCount() ? call.getInput(k) : "");
    }
    for (int k = 0; k < function.getOutputCount(); k++) {
      String given = k < call.getOutputCount() ? call.getOutput(k) : "";
      names.put(function.getOutput(k), given.isEmpty() ? unique + function.getOutput(k) : given);
    }
    Map<String, AttributeProto> attributes = new HashMap<>();
    function.getAttributeProtoList().forEach(a -> attributes.put(a.getName(), a));
    call.getAttributeList().forEach(a -> attributes.put(a.getName(), a));
    Renaming renaming = new Renaming(names, unique, attributes);
    return function.getNodeList().stream().map(renaming::node).toList();
  }

  /** What names and attributes of a function's code become in one of its calls. */
  private record Renaming(
      Map<String, String> names, String unique, Map<String, AttributeProto> attributes) {
    NodeProto node(NodeProto node) {
      NodeProto.Builder builder = node.toBuilder().clearAttribute().clearInput().clearOutput();
      if (!node.getName().isEmpty()) {
        builder.setName(unique + node.getName());
      }
      node.getInputList().forEach(name -> builder.addInput(name(name)));
      node.getOutputList().forEach(name -> builder.addOutput(name(name)));
      for (AttributeProto attribute : node.getAttributeList()) {
        if (!attribute.getRefAttrName().isEmpty()) {
          AttributeProto given = attributes.get(attribute.getRefAttrName());
          if (given != null) {
            builder.addAttribute(given.toBuilder().setName(attribute.getName()));
          }
          continue;
        }
        AttributeProto.Builder kept = attribute.toBuilder();
        OnnxModel.changeBodies(kept, this::graph);
        builder.addAttribute(kept);
      }
      return builder.build();
    }

    private GraphProto graph(GraphProto graph) {
      GraphProto.Builder builder = graph.toBuilder().clearNode().clearValueInfo();
      builder.getInputBuilderList().forEach(v -> v.setName(name(v.getName())));
      builder.getOutputBuilderList().forEach(v -> v.setName(name(v.getName())));
      builder.getInitializerBuilderList().forEach(t -> t.setName(name(t.getName())));
      builder
          .getSparseInitializerBuilderList()
          .forEach(s -> s.getValuesBuilder().setName(name(s.getValues().getName())));
      graph.getNodeList().forEach(inner -> builder.addNode(node(inner)));
      return builder.build();
    }

    private String name(String name) {
      return name.isEmpty() ? "" : names.computeIfAbsent(name, n -> unique + n);
    }
  }
}
