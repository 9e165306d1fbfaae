package stowage.importer.onnx;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.NodeProto;

/** What planning needs of an op's attributes, wherever the version of the op has them. */
final class NodeAttributes {
  private NodeAttributes() {}

  /**
   * An op's attributes by name, each as a number, a text or a list of these; others are left out.
   *
   * @param inputs what the op reads, null for an operand that is absent
   */
  static Map<String, Object> of(NodeProto node, List<GraphValue> inputs) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (AttributeProto attribute : node.getAttributeList()) {
      Object value = value(attribute);
      if (value != null && !attribute.getName().isEmpty()) {
        attributes.put(attribute.getName(), value);
      }
    }
    if (node.getOpType().equals("Slice")) {
      // Since version 10 these are inputs; whether a slice is a view depends on them.
      List<String> keys = List.of("starts", "ends", "axes", "steps");
      for (int k = 1; k < Math.min(inputs.size(), 5); k++) {
        GraphValue input = inputs.get(k);
        List<Long> integers =
            input == null || input.data == null ? null : TensorData.integers(input.data);
        if (integers != null) {
          attributes.put(keys.get(k - 1), integers);
        } else if (input != null) {
          attributes.put("steps", List.of(0L)); // not known, so no view
        }
      }
    }
    return attributes;
  }

  private static Object value(AttributeProto attribute) {
    return switch (attribute.getType()) {
      case 1 -> (double) attribute.getF();
      case 2 -> attribute.getI();
      case 3 -> attribute.getS().toStringUtf8();
      case 6 -> attribute.getFloatsList().stream().map(Float::doubleValue).toList();
      case 7 -> List.copyOf(attribute.getIntsList());
      case 8 -> attribute.getStringsList().stream().map(s -> s.toStringUtf8()).toList();
      default -> null;
    };
  }
}
