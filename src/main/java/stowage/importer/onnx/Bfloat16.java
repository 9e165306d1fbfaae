package stowage.importer.onnx;

import java.util.Map;
import java.util.Set;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.importer.onnx.proto.TypeProto;
import stowage.importer.onnx.proto.ValueInfoProto;

/**
 * Replacement of 16-bit floats of one kind by the other: ONNX Runtime has few ops for bfloat16 on
 * CPUs, but shapes do not depend on which of the two a value is, and neither do sizes.
 */
final class Bfloat16 {
  private static final int FLOAT16 = 10;
  private static final int BFLOAT16 = 16;

  /** Attributes that name an element type. */
  private static final Set<String> TYPES =
      Set.of("to", "dtype", "output_dtype", "output_datatype", "stash_type");

  private Bfloat16() {}

  /** Whether a graph has inputs, constants or conversions of this type. */
  static boolean isIn(GraphProto.Builder graph) {
    return uses(graph, BFLOAT16);
  }

  private static boolean uses(GraphProto.Builder graph, int type) {
    return graph.getInputList().stream()
            .anyMatch(value -> value.getType().getTensorType().getElemType() == type)
        || graph.getInitializerList().stream().anyMatch(tensor -> tensor.getDataType() == type)
        || graph.getNodeList().stream()
            .flatMap(node -> node.getAttributeList().stream())
            .anyMatch(attribute -> TYPES.contains(attribute.getName()) && attribute.getI() == type);
  }

  /** Replaces the type in a graph and those inside it; false where it has values of the other. */
  static boolean replace(GraphProto.Builder graph) {
    boolean alone = !uses(graph, FLOAT16);
    graph.getInputBuilderList().forEach(Bfloat16::replace);
    graph.getOutputBuilderList().forEach(Bfloat16::replace);
    graph.getValueInfoBuilderList().forEach(Bfloat16::replace);
    graph.getInitializerBuilderList().forEach(Bfloat16::replace);
    for (NodeProto.Builder node : graph.getNodeBuilderList()) {
      for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
        if (TYPES.contains(attribute.getName()) && attribute.getI() == BFLOAT16) {
          attribute.setI(FLOAT16);
        }
        if (attribute.hasT()) {
          replace(attribute.getTBuilder());
        }
        if (attribute.hasG()) {
          replace(attribute.getGBuilder());
        }
        attribute.getGraphsBuilderList().forEach(Bfloat16::replace);
      }
    }
    return alone;
  }

  private static void replace(ValueInfoProto.Builder value) {
    TypeProto type = value.getType();
    if (type.hasTensorType() && type.getTensorType().getElemType() == BFLOAT16) {
      value.getTypeBuilder().getTensorTypeBuilder().setElemType(FLOAT16);
    }
  }

  private static void replace(TensorProto.Builder tensor) {
    if (tensor.getDataType() == BFLOAT16) {
      tensor.setDataType(FLOAT16);
    }
  }

  /** Gives values the type back that they have in the file. */
  static void restore(Map<String, ValueShape> shapes) {
    shapes.replaceAll(
        (name, shape) ->
            shape.elementType() == FLOAT16
                ? new ValueShape(BFLOAT16, shape.dims(), shape.sampled())
                : shape);
  }
}
