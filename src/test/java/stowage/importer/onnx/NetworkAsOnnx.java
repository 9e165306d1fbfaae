package stowage.importer.onnx;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import stowage.importer.onnx.proto.NodeProto;
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
    OnnxBuilder builder = new OnnxBuilder().opset("stowage", 1).and("graph " + network.name());
    for (String input : network.inputs()) {
      builder.graph.addInput(value(network.tensor(input)));
    }
    long offset = 0;
    for (Tensor tensor : network.tensors().values()) {
      if (tensor.isWeight()) {
        builder.graph.addInitializer(OnnxBuilder.external(typed(tensor), "weights.bin", offset));
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
      op.attributes()
          .forEach((name, value) -> node.addAttribute(OnnxBuilder.attribute(name, value)));
      if (!standard) {
        node.setDomain("stowage");
        op.presentOutputs()
            .forEach(output -> builder.graph.addValueInfo(value(network.tensor(output))));
      }
      builder.graph.addNode(node);
    }
    network.outputs().forEach(output -> builder.and("-> " + output));
    return builder.write(file);
  }

  private static ValueInfoProto value(Tensor tensor) {
    if (tensor.type() != ElementType.F32) {
      throw new IllegalArgumentException(tensor + " should be of 32-bit floats");
    }
    return OnnxBuilder.value(typed(tensor));
  }

  private static String typed(Tensor tensor) {
    return tensor.name() + ":float" + tensor.shape();
  }
}
