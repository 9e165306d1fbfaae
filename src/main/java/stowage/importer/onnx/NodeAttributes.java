package stowage.importer.onnx;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.TensorProto;

/** What planning needs of an op's attributes, wherever the version of the op has them. */
final class NodeAttributes {
  /** Operands that older ops have as attributes, by position: views and cuts depend on them. */
  private static final Map<String, List<String>> OPERANDS =
      Map.of(
          "Slice", List.of("", "starts", "ends", "axes", "steps"),
          "Pad", List.of("", "pads", "", "axes"),
          "Upsample", List.of("", "scales"),
          "Resize", List.of("", "", "scales", "sizes"));

  private NodeAttributes() {}

  /** The numbers of a constant; null where they are not known, or there is no such attribute. */
  private static List<? extends Number> numbers(TensorProto data, String key) {
    if (data == null || key.isEmpty()) {
      return null;
    }
    return key.equals("scales") ? TensorData.floats(data) : TensorData.integers(data);
  }

  /**
   * An op's attributes by name, as far as they are numbers, texts or lists of these; {@code inputs}
   * are null for an operand that is absent.
   */
  static Map<String, Object> of(NodeProto node, List<GraphValue> inputs) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (AttributeProto attribute : node.getAttributeList()) {
      Object value = value(attribute);
      if (value != null && !attribute.getName().isEmpty()) {
        attributes.put(attribute.getName(), value);
      }
    }
    boolean unknown = false;
    List<String> keys = OPERANDS.getOrDefault(node.getOpType(), List.of());
    for (int k = 1; k < Math.min(inputs.size(), keys.size()); k++) {
      GraphValue input = inputs.get(k);
      List<? extends Number> values = input == null ? null : numbers(input.data, keys.get(k));
      if (values != null) {
        attributes.put(keys.get(k), values);
      } else if (input != null && node.getOpType().equals("Slice")) {
        unknown = true;
      }
    }
    if (unknown) {
      attributes.put("steps", List.of(0L)); // so no view
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
