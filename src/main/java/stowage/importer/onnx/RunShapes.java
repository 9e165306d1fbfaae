package stowage.importer.onnx;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.ValueInfoProto;

/**
 * Graphs of a single op, for ops whose shapes ONNX Runtime may infer otherwise than it computes
 * them: windows with {@code pads} besides {@code auto_pad}, which the inference alone reads, pools
 * with {@code ceil_mode} or with dilations and padding by the image, transposed convolutions with
 * {@code output_shape} or such padding, and resizing by a policy or by scales that are no binary
 * fractions.
 */
final class RunShapes {
  private static final Set<String> POOLS = Set.of("AveragePool", "MaxPool", "LpPool");
  private static final Set<String> RESIZING = Set.of("Resize", "Upsample");

  /** Multiples of its inverse times an extent are exact. */
  private static final int EXACT = 64;

  private RunShapes() {}

  /**
   * An op of a graph by itself, whose first result is to be that of a run; null where its shape is
   * inferred as it is computed, or follows from data that is not known.
   */
  static GraphProto.Builder alone(
      NodeProto node, GraphProto.Builder graph, Map<String, ValueShape> known) {
    boolean resized = RESIZING.contains(node.getOpType());
    boolean doubtful = isDoubtful(node);
    if (!node.getDomain().isEmpty() || !resized && !doubtful) {
      return null;
    }
    Set<String> operands = new TreeSet<>(node.getInputList());
    GraphProto.Builder alone = GraphProto.newBuilder().setName("alone");
    for (TensorProto constant : graph.getInitializerList()) {
      if (operands.remove(constant.getName())) {
        alone.addInitializer(constant);
        doubtful |= resized && !isExact(constant);
      }
    }
    operands.remove("");
    if (!doubtful || resized && !operands.equals(Set.of(node.getInput(0)))) {
      return null;
    }
    for (ValueInfoProto input : graph.getInputList()) {
      if (operands.remove(input.getName())) {
        alone.addInput(input);
      }
    }
    for (String operand : operands) {
      ValueShape shape = known.get(operand);
      if (shape == null || !shape.known()) {
        return null;
      }
      alone.addInput(ShapeQuery.ofShape(operand, shape));
    }
    String result = node.getOutput(0) + ShapeProtocol.RUN;
    return alone
        .addNode(node.toBuilder().clearOutput().addOutput(result))
        .addOutput(ValueInfoProto.newBuilder().setName(result));
  }

  private static boolean isDoubtful(NodeProto node) {
    boolean padded = text(node, "auto_pad").startsWith("SAME");
    boolean twice = !Set.of("", "NOTSET").contains(text(node, "auto_pad")) && has(node, "pads", -1);
    return switch (node.getOpType()) {
      case "Conv" -> twice;
      case "ConvTranspose" -> padded || twice || has(node, "output_shape", 0);
      case "Resize" -> !text(node, "keep_aspect_ratio_policy").isEmpty();
      default ->
          POOLS.contains(node.getOpType())
              && (twice || has(node, "ceil_mode", 0) || padded && has(node, "dilations", 1));
    };
  }

  /** Whether an attribute has an integer above another one. */
  private static boolean has(NodeProto node, String name, long above) {
    return OnnxModel.attribute(node, name)
        .filter(a -> a.getI() > above || a.getIntsList().stream().anyMatch(i -> i > above))
        .isPresent();
  }

  private static boolean isExact(TensorProto scales) {
    List<Double> factors = TensorData.floats(scales);
    return factors == null || factors.stream().allMatch(s -> s * EXACT == Math.rint(s * EXACT));
  }

  private static String text(NodeProto node, String name) {
    return OnnxModel.attribute(node, name).map(a -> a.getS().toStringUtf8()).orElse("");
  }
}
