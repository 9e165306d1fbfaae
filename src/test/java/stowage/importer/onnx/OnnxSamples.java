package stowage.importer.onnx;

import static stowage.importer.onnx.OnnxBuilder.BOOL;
import static stowage.importer.onnx.OnnxBuilder.FLOAT;
import static stowage.importer.onnx.OnnxBuilder.floats;
import static stowage.importer.onnx.OnnxBuilder.graph;
import static stowage.importer.onnx.OnnxBuilder.integer;
import static stowage.importer.onnx.OnnxBuilder.ints;
import static stowage.importer.onnx.OnnxBuilder.longs;
import static stowage.importer.onnx.OnnxBuilder.node;
import static stowage.importer.onnx.OnnxBuilder.untyped;
import static stowage.importer.onnx.OnnxBuilder.value;

import java.util.List;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;

/** Small ONNX files that use most of what is understood. */
public final class OnnxSamples {
  private OnnxSamples() {}

  /** All of them, as bytes. */
  public static List<byte[]> all() {
    OnnxBuilder convolution =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 2, 3, 8, 8))
            .initializers(floats("w", 16, 3, 3, 3), longs("zero", 0), longs("rest", -1))
            .nodes(
                node("Conv", "x,w", "c", ints("kernel_shape", 3, 3)),
                node("Relu", "c", "r"),
                node("Shape", "x", "s"),
                node("Gather", "s,zero", "n"),
                node("Concat", "n,rest", "to", integer("axis", 0)),
                node("Reshape", "r,to", "y"),
                node("NonZero", "y", "at"))
            .outputs("y", "at");
    GraphProto.Builder then =
        GraphProto.newBuilder()
            .setName("then")
            .addNode(node("Relu", "x", "a"))
            .addOutput(untyped("a"));
    GraphProto.Builder otherwise =
        GraphProto.newBuilder()
            .setName("else")
            .addInitializer(floats("w", 2, 3))
            .addNode(node("Add", "x,w", "b"))
            .addOutput(untyped("b"));
    OnnxBuilder branch =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 2, 3), value("c", BOOL))
            .nodes(
                node("If", "c", "y", graph("then_branch", then), graph("else_branch", otherwise)))
            .outputs("y");
    return List.of(convolution.bytes(), branch.bytes());
  }

  /** A residual block with a projection, of our own making; its weights are zeros. */
  public static byte[] residual() {
    OnnxBuilder net = new OnnxBuilder();
    net.graph.setName("residual");
    net.inputs(OnnxBuilder.value("image", OnnxBuilder.FLOAT, 1, 3, 32, 32));
    net.initializers(
        OnnxBuilder.floats("stem.weight", 8, 3, 3, 3),
        OnnxBuilder.floats("left.weight", 8, 8, 3, 3),
        OnnxBuilder.floats("right.weight", 8, 8, 1, 1));
    net.nodes(
        conv("image,stem.weight", "stem", 1, 1),
        OnnxBuilder.node("Relu", "stem", "stem.relu"),
        conv("stem.relu,left.weight", "left", 1, 2),
        conv("stem.relu,right.weight", "right", 0, 2),
        OnnxBuilder.node("Add", "left,right", "sum"),
        OnnxBuilder.node("Relu", "sum", "sum.relu"),
        OnnxBuilder.node("GlobalAveragePool", "sum.relu", "features"));
    net.outputs("features");
    return net.bytes();
  }

  private static NodeProto conv(String inputs, String output, long pad, long stride) {
    return OnnxBuilder.node(
        "Conv",
        inputs,
        output,
        OnnxBuilder.ints("pads", pad, pad, pad, pad),
        OnnxBuilder.ints("strides", stride, stride));
  }
}
