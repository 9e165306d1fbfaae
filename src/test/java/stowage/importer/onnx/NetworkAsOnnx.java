package stowage.importer.onnx;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;
import stowage.importer.onnx.proto.ValueInfoProto;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/**
 * Writes our own networks as ONNX. Ops whose words are ONNX's are written as such, and their shapes
 * are left to be inferred; all others get a domain of their own and declared shapes. Weights are in
 * a file that does not exist.
 */
final class NetworkAsOnnx {
  /** Types for which inputs and attributes mean what they mean in ONNX. */
  private static final Map<String, Set<String>> STANDARD =
      Map.of(
          "Conv", Set.of("kernel_shape", "strides", "pads", "dilations", "group"),
          "MaxPool", Set.of("kernel_shape", "strides", "pads"),
          "Add", Set.of(),
          "Mul", Set.of(),
          "Concat", Set.of("axis"),
          "Flatten", Set.of("axis"),
          "Transpose", Set.of("perm"),
          "Softmax", Set.of("axis"));

  private NetworkAsOnnx() {}

  static Path write(Network network, Path file) throws IOException {
    OnnxBuilder builder = new OnnxBuilder();
    builder.model.addOpsetImport(
        OperatorSetIdProto.newBuilder().setDomain("stowage").setVersion(1));
    builder.graph.setName(network.name());
    for (String input : network.inputs()) {
      builder.inputs(value(network.tensor(input)));
    }
    long offset = 0;
    for (Tensor tensor : network.tensors().values()) {
      if (tensor.isWeight()) {
        long[] dims = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        builder.initializers(OnnxBuilder.external(tensor.name(), "weights.bin", offset, dims));
        offset += tensor.bytes();
      }
    }
    for (Op op : network.ops()) {
      boolean standard =
          STANDARD.containsKey(op.type())
              && STANDARD.get(op.type()).containsAll(op.attributes().keySet());
      NodeProto.Builder node =
          NodeProto.newBuilder()
              .setName(op.name())
              .setOpType(op.type())
              .addAllInput(op.inputs())
              .addAllOutput(op.outputs());
      op.attributes().forEach((name, value) -> node.addAttribute(attribute(name, value)));
      if (!standard) {
        node.setDomain("stowage");
        op.presentOutputs()
            .forEach(output -> builder.graph.addValueInfo(value(network.tensor(output))));
      }
      builder.nodes(node.build());
    }
    network.outputs().forEach(builder::outputs);
    return builder.write(file);
  }

  private static ValueInfoProto value(Tensor tensor) {
    if (tensor.type() != ElementType.F32) {
      throw new IllegalArgumentException(tensor + " should be of 32-bit floats");
    }
    return OnnxBuilder.value(tensor.name(), OnnxBuilder.FLOAT, tensor.shape().toArray());
  }

  private static AttributeProto attribute(String name, Object value) {
    AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
    if (value instanceof Boolean flag) {
      return attribute.setType(2).setI(flag ? 1 : 0).build();
    }
    if (value instanceof Long integer) {
      return attribute.setType(2).setI(integer).build();
    }
    if (value instanceof Double number) {
      return attribute.setType(1).setF(number.floatValue()).build();
    }
    if (value instanceof String text) {
      return attribute.setType(3).setS(ByteString.copyFromUtf8(text)).build();
    }
    List<?> list = (List<?>) value;
    attribute.setType(7);
    list.forEach(element -> attribute.addInts(((Number) element).longValue()));
    return attribute.build();
  }
}
