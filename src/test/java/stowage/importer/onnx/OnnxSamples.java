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
}
