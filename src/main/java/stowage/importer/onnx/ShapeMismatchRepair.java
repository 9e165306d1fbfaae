package stowage.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;

/**
 * Elementwise ops whose operands do not fit together at the sizes given: a language model's mask of
 * 8 positions against 9 scores, say, when the sequence is longer than the model was made for. Such
 * a network cannot run, but what memory it would take is still a fair question, and is answered
 * with a remark: along each axis the largest operand decides.
 *
 * <p>ONNX Runtime names the first such op and stops. Since networks repeat their layers, the cure
 * is applied to all ops of the type at once: each is replaced by a copy of the operand that is the
 * largest one in the op named. At the end every replaced op is checked: what its operands make by
 * the rule above must be the size it was given.
 */
final class ShapeMismatchRepair {
  private static final Pattern NAMED =
      Pattern.compile(
          "Node \\((.+?)\\) Op \\((\\w+)\\) \\[ShapeInferenceError\\] Incompatible dim");

  private static final Set<String> SAME_TYPE =
      Set.of("Add", "Sub", "Mul", "Div", "Pow", "Min", "Max", "Sum", "Mean", "And", "Or", "Where");

  private static final Set<String> TO_BOOLEAN =
      Set.of("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual");

  private static final int BOOL = 9;

  private final GraphProto graph;
  private final Map<String, Integer> operandByType = new HashMap<>();
  private final List<String> found = new ArrayList<>();

  ShapeMismatchRepair(GraphProto graph) {
    this.graph = graph;
  }

  /** The op that a message of ONNX Runtime names, if it is a new one of this kind. */
  NodeProto named(String message) {
    Matcher matcher = NAMED.matcher(message);
    if (!matcher.find()) {
      return null;
    }
    String type = matcher.group(2);
    if (operandByType.containsKey(type)
        || !(SAME_TYPE.contains(type) || TO_BOOLEAN.contains(type))) {
      return null;
    }
    List<NodeProto> nodes =
        graph.getNodeList().stream()
            .filter(n -> n.getName().equals(matcher.group(1)) && n.getOpType().equals(type))
            .toList();
    return nodes.size() == 1 ? nodes.get(0) : null;
  }

  /** The part of a graph that an op's operands are computed by. */
  static GraphProto before(GraphProto graph, NodeProto op) {
    Set<String> wanted = new HashSet<>(op.getInputList());
    List<NodeProto> kept = new ArrayList<>();
    for (int k = graph.getNodeCount() - 1; k >= 0; k--) {
      NodeProto node = graph.getNode(k);
      if (node.getOutputList().stream().anyMatch(wanted::contains)) {
        kept.add(0, node);
        wanted.addAll(OnnxModel.uses(node));
      }
    }
    return graph.toBuilder().clearNode().addAllNode(kept).build();
  }

  /**
   * Decides, by the shapes of an op's operands, which operand takes the place of ops of its type;
   * false when none is as large as all together.
   */
  boolean replace(NodeProto op, Map<String, ValueShape> shapes) {
    Map<String, ValueShape> known = all(shapes);
    long[] largest = largest(op, known);
    int first = op.getOpType().equals("Where") ? 1 : 0;
    int end = op.getOpType().equals("Pow") ? 1 : op.getInputCount(); // its type is the first's
    for (int k = first; largest != null && k < end; k++) {
      if (Arrays.equals(known.get(op.getInput(k)).dims(), largest)) {
        operandByType.put(op.getOpType(), k);
        return true;
      }
    }
    return false;
  }

  /** Some shapes with those of the graph's initializers. */
  private Map<String, ValueShape> all(Map<String, ValueShape> shapes) {
    Map<String, ValueShape> all = new LinkedHashMap<>(shapes);
    for (TensorProto tensor : graph.getInitializerList()) {
      all.putIfAbsent(tensor.getName(), TensorData.shape(tensor));
    }
    graph
        .getSparseInitializerList()
        .forEach(sparse -> all.put(sparse.getValues().getName(), TensorData.shape(sparse)));
    return all;
  }

  /** The op, or the copy it is replaced by. */
  NodeProto substitute(NodeProto node) {
    Integer operand = operandByType.get(node.getOpType());
    if (operand == null || operand >= node.getInputCount() || !node.getDomain().isEmpty()) {
      return node;
    }
    NodeProto.Builder copy =
        NodeProto.newBuilder()
            .setName(node.getName())
            .addInput(node.getInput(operand))
            .addAllOutput(node.getOutputList());
    return TO_BOOLEAN.contains(node.getOpType())
        ? copy.setOpType("Cast").addAttribute(OnnxModel.integer("to", BOOL)).build()
        : copy.setOpType("Identity").build();
  }

  /** Counts ops whose operands do not fit together; each replaced op must have its assumed size. */
  int check(Map<String, ValueShape> inferred) throws ShapeProtocol.Failure {
    found.clear();
    if (operandByType.isEmpty()) {
      return 0;
    }
    Map<String, ValueShape> shapes = all(inferred);
    for (NodeProto node : graph.getNodeList()) {
      if (!substitute(node).equals(node)) {
        long[] largest = largest(node, shapes);
        ValueShape taken = shapes.get(node.getOutput(0));
        if (taken != null && taken.known()) {
          if (largest == null || !Arrays.equals(largest, taken.dims())) {
            throw new ShapeProtocol.Failure(
                "operands of op \"" + node.getName() + "\" do not fit together at these sizes");
          }
          if (misfit(node, shapes, largest)) {
            found.add(node.getName());
          }
        }
      }
    }
    return found.size();
  }

  /** The first op found by {@link #check}. */
  String first() {
    return found.get(0);
  }

  /** Along each axis the largest extent of all operands; null when a shape is not known. */
  private static long[] largest(NodeProto op, Map<String, ValueShape> shapes) {
    int rank = 0;
    for (String name : op.getInputList()) {
      ValueShape shape = shapes.get(name);
      if (shape == null || !shape.known()) {
        return null;
      }
      rank = Math.max(rank, shape.dims().length);
    }
    long[] largest = new long[rank];
    Arrays.fill(largest, 1);
    for (String name : op.getInputList()) {
      long[] dims = shapes.get(name).dims();
      for (int k = 0; k < dims.length; k++) {
        int axis = rank - dims.length + k;
        largest[axis] = Math.max(largest[axis], dims[k]);
      }
    }
    return largest;
  }

  private static boolean misfit(NodeProto op, Map<String, ValueShape> shapes, long[] largest) {
    for (String name : op.getInputList()) {
      long[] dims = shapes.get(name).dims();
      for (int k = 0; k < dims.length; k++) {
        if (dims[k] != 1 && dims[k] != largest[largest.length - dims.length + k]) {
          return true;
        }
      }
    }
    return false;
  }
}
