package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.importer.ImporterTest;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Tensor;

/** What public collections of ONNX files hold beside plain float networks. */
class OnnxVariantsTest extends ImporterTest {
  OnnxVariantsTest() {
    super("net.onnx");
  }

  private Network read(String statements) throws IOException {
    return network(OnnxBuilder.of(statements).bytes());
  }

  @Test
  void filesNewerThanOnnxRuntimeAreRead() throws IOException {
    OnnxBuilder builder =
        OnnxBuilder.of("x:float[1,3,8,8]; weight w:float[4,3,3,3]; c = Conv x w; y = Relu c; -> y");
    builder.model.setIrVersion(99);
    assertEquals("F32[1, 4, 6, 6]", values(network(builder.bytes()), "y"));
    assertEquals("F32[1, 4, 6, 6]", values(network(builder.opset("", 99).bytes()), "y"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"float16", "bfloat16"})
  void smallFloatsAreRead(String type) throws IOException {
    String statements =
        "x:T[1,3,8,8]; weight w:T[4,3,3,3] v:T[144,5]; c = Conv x w; r = Relu c; a = Add r r;"
            + " f = Flatten a; m = MatMul f v; y = Softmax m; -> y";
    Network network = network(OnnxBuilder.of(statements.replace("T", type)).opset("", 22).bytes());
    ElementType expected = type.equals("float16") ? ElementType.F16 : ElementType.BF16;
    assertEquals(expected + "[1, 4, 6, 6] " + expected + "[1, 5]", values(network, "a", "y"));
    for (Tensor tensor : network.tensors().values()) {
      assertEquals(expected, tensor.type(), tensor.name());
    }
    assertEquals(2 * (108 + 720), network.weightBytes());
  }

  @Test
  void conversionsBetweenFloatsAreRead() throws IOException {
    Network network =
        read(
            "x:float[2,3]; weight w:bfloat16[3,4]; h = Cast x to=16; m = MatMul h w;"
                + " s = Softsign m; y = Cast s to=1; -> y");
    assertEquals("BF16[2, 3] BF16[2, 4] F32[2, 4]", values(network, "h", "s", "y"));
  }

  @Test
  void fourBitWeightsCountHalfBytes() throws IOException {
    Network network =
        network(
            OnnxBuilder.of(
                    "x:float[2,8]; weight q:int4[8,5] s:float[5];"
                        + " w = DequantizeLinear q s axis=1; y = MatMul x w; -> y")
                .opset("", 21)
                .bytes());
    assertEquals("F32[2, 5]", values(network, "y"));
    assertTrue(types(network).contains("MatMul"));
  }

  @Test
  void quantisedOpsAreRead() throws IOException {
    Network network =
        read(
            "x:float[1,3,8,8]; weight s:float z:uint8 w:int8[4,3,3,3] wz:int8;"
                + " q = QuantizeLinear x s z; c = QLinearConv q s z w s wz s z;"
                + " a = com.microsoft.QLinearAdd c s z c s z s z;"
                + " p = com.microsoft.QLinearGlobalAveragePool a s z s z;"
                + " d = DequantizeLinear p s z; y ys yz = DynamicQuantizeLinear d; -> y");
    assertEquals("U8[1, 4, 6, 6] U8[1, 4, 1, 1] F32[]", values(network, "a", "y", "ys"));
  }

  @Test
  void opsOfOnnxRuntimesOwnAreRead() throws IOException {
    Network network =
        read(
            "x:float[2,6,8] ids:int32[2,6]; weight g:float[8] b:float[8] w:float[8,24] wb:float[24];"
                + " n _ _ sum = com.microsoft.SkipLayerNormalization x x g b;"
                + " a = com.microsoft.Attention n w wb _ num_heads=2;"
                + " e = com.microsoft.BiasGelu a b; m = com.microsoft.FusedMatMul e x transB=1;"
                + " k = com.microsoft.Gelu m; -> k sum");
    assertEquals("F32[2, 6, 8] F32[2, 6, 6] F32[2, 6, 8]", values(network, "a", "k", "sum"));
  }

  @Test
  void emptyTensorsAndScalarsAreRead() throws IOException {
    Network network =
        read(
            "past:float[1,2,0,4] x:float[1,2,3,4] none2:float[4,2]; weight none:float[0,4];"
                + " all = Concat past x axis=2; sum = ReduceSum all keepdims=0;"
                + " p = MatMul none none2; y = Clip x _ sum; -> y p");
    assertEquals("F32[1, 2, 3, 4] F32[] F32[0, 2]", values(network, "all", "sum", "p"));
    assertEquals(4, network.tensor("sum").bytes());
    assertEquals(0, network.tensor("p").bytes());
    assertEquals(List.of("x", "", "sum"), network.ops().get(3).inputs());
  }

  @Test
  void codeInsideOfCodeIsRead() throws IOException {
    Network network =
        read(
            "x:float[2,3]; weight turns:int64=4; last all = Loop turns _ x"
                + " body={graph body; turn:int64 go:bool state:float[rows,3]; goOn = Identity go;"
                + " next = If go then_branch={graph then; t = Relu state; -> t}"
                + " else_branch={graph else; e = Add state x; -> e}; -> goOn next next};"
                + " -> last all");
    assertEquals("F32[2, 3] F32[4, 2, 3]", values(network, "last", "all"));
    assertEquals("Loop.enter Identity If.enter Relu If.call Add If Loop", types(network));
  }

  @Test
  void oldFilesListWeightsAsInputs() throws IOException {
    OnnxBuilder builder =
        OnnxBuilder.of(
                "x:float[1,3,8,8] w:float[4,3,3,3] s:int64[2];"
                    + " weight w:float[4,3,3,3] s:int64[2]=1,-1; c = Conv x w kernel_shape=[3,3];"
                    + " d mask = Dropout c; y = Reshape d s; -> y")
            .opset("", 7);
    builder.model.setIrVersion(3);
    Network network = network(builder.bytes());
    assertEquals(List.of("x"), network.inputs());
    assertEquals("F32[1, 144]", values(network, "y"));
  }
}
