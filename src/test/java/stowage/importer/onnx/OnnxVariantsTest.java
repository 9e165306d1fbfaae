package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.onnx.OnnxBuilder.BOOL;
import static stowage.importer.onnx.OnnxBuilder.FLOAT;
import static stowage.importer.onnx.OnnxBuilder.INT64;
import static stowage.importer.onnx.OnnxBuilder.floats;
import static stowage.importer.onnx.OnnxBuilder.graph;
import static stowage.importer.onnx.OnnxBuilder.integer;
import static stowage.importer.onnx.OnnxBuilder.ints;
import static stowage.importer.onnx.OnnxBuilder.longs;
import static stowage.importer.onnx.OnnxBuilder.node;
import static stowage.importer.onnx.OnnxBuilder.untyped;
import static stowage.importer.onnx.OnnxBuilder.value;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.NodeProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Tensor;

/** What public collections of ONNX files hold beside plain float networks. */
class OnnxVariantsTest {
  private static final int UINT8 = 2;
  private static final int INT8 = 3;
  private static final int INT32 = 6;
  private static final int FLOAT16 = 10;
  private static final int BFLOAT16 = 16;
  private static final int INT4 = 22;

  @TempDir Path folder;

  private Network read(OnnxBuilder builder) throws IOException {
    Path file = builder.write(folder.resolve("net.onnx"));
    return ((Input.Graph) InputFormats.read(file, new InputFormat.Options(false, Map.of())))
        .network();
  }

  private static TensorProto zeros(String name, int type, int bytes, long... dims) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder()
            .setName(name)
            .setDataType(type)
            .setRawData(ByteString.copyFrom(new byte[bytes]));
    for (long extent : dims) {
      tensor.addDims(extent);
    }
    return tensor.build();
  }

  private static OnnxBuilder opset(OnnxBuilder builder, long version) {
    builder.model.setOpsetImport(0, OperatorSetIdProto.newBuilder().setVersion(version));
    return builder;
  }

  private static NodeProto microsoft(NodeProto node) {
    return node.toBuilder().setDomain("com.microsoft").build();
  }

  private static OnnxBuilder withMicrosoft(OnnxBuilder builder) {
    builder.model.addOpsetImport(
        OperatorSetIdProto.newBuilder().setDomain("com.microsoft").setVersion(1));
    return builder;
  }

  @Test
  void filesNewerThanOnnxRuntimeAreRead() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 1, 3, 8, 8))
            .initializers(floats("w", 4, 3, 3, 3))
            .nodes(node("Conv", "x,w", "c"), node("Relu", "c", "y"))
            .outputs("y");
    builder.model.setIrVersion(99);
    assertEquals(List.of(1L, 4L, 6L, 6L), read(builder).tensor("y").shape());
    assertEquals(List.of(1L, 4L, 6L, 6L), read(opset(builder, 99)).tensor("y").shape());
  }

  @ParameterizedTest
  @ValueSource(ints = {FLOAT16, BFLOAT16})
  void smallFloatsAreRead(int type) throws IOException {
    OnnxBuilder builder =
        opset(new OnnxBuilder(), 22)
            .inputs(value("x", type, 1, 3, 8, 8))
            .initializers(
                zeros("w", type, 4 * 3 * 3 * 3 * 2, 4, 3, 3, 3),
                zeros("v", type, 144 * 5 * 2, 144, 5))
            .nodes(
                node("Conv", "x,w", "c"),
                node("Relu", "c", "r"),
                node("Add", "r,r", "a"),
                node("Flatten", "a", "f"),
                node("MatMul", "f,v", "m"),
                node("Softmax", "m", "y"))
            .outputs("y");
    Network network = read(builder);
    assertEquals(List.of(1L, 4L, 6L, 6L), network.tensor("a").shape());
    assertEquals(List.of(1L, 5L), network.tensor("y").shape());
    ElementType expected = type == FLOAT16 ? ElementType.F16 : ElementType.BF16;
    for (Tensor tensor : network.tensors().values()) {
      assertEquals(expected, tensor.type(), tensor.name());
    }
    assertEquals(2 * (108 + 720), network.weightBytes());
  }

  @Test
  void conversionsBetweenFloatsAreRead() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 2, 3))
            .initializers(zeros("w", BFLOAT16, 24, 3, 4))
            .nodes(
                node("Cast", "x", "h", integer("to", BFLOAT16)),
                node("MatMul", "h,w", "m"),
                node("Softsign", "m", "s"),
                node("Cast", "s", "y", integer("to", FLOAT)))
            .outputs("y");
    Network network = read(builder);
    assertEquals(ElementType.BF16, network.tensor("h").type());
    assertEquals(ElementType.BF16, network.tensor("s").type());
    assertEquals(ElementType.F32, network.tensor("y").type());
    assertEquals(List.of(2L, 4L), network.tensor("y").shape());
  }

  @Test
  void fourBitWeightsCountHalfBytes() throws IOException {
    OnnxBuilder builder =
        opset(new OnnxBuilder(), 21)
            .inputs(value("x", FLOAT, 2, 8))
            .initializers(zeros("q", INT4, 20, 8, 5), floats("s", 5))
            .nodes(
                node("DequantizeLinear", "q,s", "w", integer("axis", 1)),
                node("MatMul", "x,w", "y"))
            .outputs("y");
    Network network = read(builder);
    assertEquals(List.of(2L, 5L), network.tensor("y").shape());
    assertTrue(network.ops().stream().anyMatch(op -> op.type().equals("MatMul")));
  }

  @Test
  void quantisedOpsAreRead() throws IOException {
    OnnxBuilder builder =
        withMicrosoft(new OnnxBuilder())
            .inputs(value("x", FLOAT, 1, 3, 8, 8))
            .initializers(
                floats("s"),
                zeros("z", UINT8, 1),
                zeros("w", INT8, 108, 4, 3, 3, 3),
                zeros("wz", INT8, 1))
            .nodes(
                node("QuantizeLinear", "x,s,z", "q"),
                node("QLinearConv", "q,s,z,w,s,wz,s,z", "c"),
                microsoft(node("QLinearAdd", "c,s,z,c,s,z,s,z", "a")),
                microsoft(node("QLinearGlobalAveragePool", "a,s,z,s,z", "p")),
                node("DequantizeLinear", "p,s,z", "d"),
                node("DynamicQuantizeLinear", "d", "y,ys,yz"))
            .outputs("y");
    Network network = read(builder);
    assertEquals(ElementType.U8, network.tensor("a").type());
    assertEquals(List.of(1L, 4L, 6L, 6L), network.tensor("a").shape());
    assertEquals(List.of(1L, 4L, 1L, 1L), network.tensor("y").shape());
    assertEquals(List.of(), network.tensor("ys").shape());
  }

  @Test
  void opsOfOnnxRuntimesOwnAreRead() throws IOException {
    OnnxBuilder builder =
        withMicrosoft(new OnnxBuilder())
            .inputs(value("x", FLOAT, 2, 6, 8), value("ids", INT32, 2, 6))
            .initializers(floats("g", 8), floats("b", 8), floats("w", 8, 24), floats("wb", 24))
            .nodes(
                microsoft(node("SkipLayerNormalization", "x,x,g,b", "n,,,sum")),
                microsoft(node("Attention", "n,w,wb,", "a", integer("num_heads", 2))),
                microsoft(node("BiasGelu", "a,b", "e")),
                microsoft(node("FusedMatMul", "e,x", "m", integer("transB", 1))),
                microsoft(node("NhwcMaxPool", "m", "k")).toBuilder().setOpType("Gelu").build())
            .outputs("k", "sum");
    Network network = read(builder);
    assertEquals(List.of(2L, 6L, 8L), network.tensor("a").shape());
    assertEquals(List.of(2L, 6L, 6L), network.tensor("k").shape());
    assertEquals(List.of(2L, 6L, 8L), network.tensor("sum").shape());
  }

  @Test
  void emptyTensorsAndScalarsAreRead() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("past", FLOAT, 1, 2, 0, 4), value("x", FLOAT, 1, 2, 3, 4))
            .initializers(floats("none", 0, 4))
            .nodes(
                node("Concat", "past,x", "all", integer("axis", 2)),
                node("ReduceSum", "all", "sum", integer("keepdims", 0)),
                node("MatMul", "none,none2", "p"),
                node("Clip", "x,,sum", "y"))
            .outputs("y", "p");
    builder.graph.addInput(value("none2", FLOAT, 4, 2));
    Network network = read(builder);
    assertEquals(List.of(1L, 2L, 3L, 4L), network.tensor("all").shape());
    assertEquals(List.of(), network.tensor("sum").shape());
    assertEquals(4, network.tensor("sum").bytes());
    assertEquals(0, network.tensor("p").bytes());
    assertEquals(List.of("x", "", "sum"), network.ops().get(3).inputs());
  }

  @Test
  void codeInsideOfCodeIsRead() throws IOException {
    GraphProto.Builder then =
        GraphProto.newBuilder()
            .setName("then")
            .addNode(node("Relu", "state", "t"))
            .addOutput(untyped("t"));
    GraphProto.Builder otherwise =
        GraphProto.newBuilder()
            .setName("else")
            .addNode(node("Add", "state,x", "e"))
            .addOutput(untyped("e"));
    GraphProto.Builder body =
        GraphProto.newBuilder()
            .setName("body")
            .addInput(value("turn", INT64))
            .addInput(value("go", BOOL))
            .addInput(value("state", FLOAT, "rows", 3))
            .addNode(node("Identity", "go", "goOn"))
            .addNode(
                node(
                    "If",
                    "go",
                    "next",
                    graph("then_branch", then),
                    graph("else_branch", otherwise)))
            .addOutput(untyped("goOn"))
            .addOutput(untyped("next"))
            .addOutput(untyped("next"));
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 2, 3))
            .initializers(longs("turns", 4).toBuilder().clearDims().build())
            .nodes(node("Loop", "turns,,x", "last,all", graph("body", body)))
            .outputs("last", "all");
    Network network = read(builder);
    assertEquals(List.of(2L, 3L), network.tensor("last").shape());
    assertEquals(List.of(4L, 2L, 3L), network.tensor("all").shape());
    assertEquals(
        List.of("Loop.enter", "Identity", "If.enter", "Relu", "If.call", "Add", "If", "Loop"),
        network.ops().stream().map(op -> op.type()).toList());
  }

  @Test
  void oldFilesListWeightsAsInputs() throws IOException {
    OnnxBuilder builder =
        opset(new OnnxBuilder(), 7)
            .inputs(
                value("x", FLOAT, 1, 3, 8, 8), value("w", FLOAT, 4, 3, 3, 3), value("s", INT64, 2))
            .initializers(floats("w", 4, 3, 3, 3), longs("s", 1, -1))
            .nodes(
                node("Conv", "x,w", "c", ints("kernel_shape", 3, 3)),
                node("Dropout", "c", "d,mask"),
                node("Reshape", "d,s", "y"))
            .outputs("y");
    builder.model.setIrVersion(3);
    Network network = read(builder);
    assertEquals(List.of("x"), network.inputs());
    assertEquals(List.of(1L, 144L), network.tensor("y").shape());
  }
}
