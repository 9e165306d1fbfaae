package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.onnx.OnnxBuilder.external;
import static stowage.importer.onnx.OnnxBuilder.value;
import static stowage.importer.onnx.OnnxBuilder.weight;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.Refusals;
import stowage.cli.Stowage;
import stowage.importer.ImporterTest;
import stowage.importer.InputFormats;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.FunctionProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;
import stowage.importer.onnx.proto.TensorProto;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Tensor;

class OnnxFormatTest extends ImporterTest {
  OnnxFormatTest() {
    super("net.onnx");
  }

  private void refused(OnnxBuilder builder, String part) throws IOException {
    refused(builder.bytes(), part);
  }

  private Network read(String statements) throws IOException {
    return network(OnnxBuilder.of(statements).bytes());
  }

  /** x → Conv → Relu → Reshape by arithmetic on x's own shape. */
  private static byte[] convolution(Object batch) {
    return OnnxBuilder.of(
            ("x:float["
                    + batch
                    + ",3,8,8]; weight w:float[16,3,3,3] zero:int64[1]=0 rest:int64[1]=-1;")
                + " c = Conv x w kernel_shape=[3,3]; r = Relu c; s = Shape x; n = Gather s zero;"
                + " to = Concat n rest axis=0; y = Reshape r to; -> y")
        .bytes();
  }

  @Test
  void shapeArithmeticIsAWeightOrVanishes() throws IOException {
    Network network = network(convolution(2));
    assertEquals("Conv Relu Reshape", types(network));
    assertEquals("F32[2, 16, 6, 6] F32[2, 576]", values(network, "c", "y"));
    assertEquals(Set.of("x", "w", "c", "r", "to", "y"), network.tensors().keySet());
    assertEquals(Tensor.Kind.WEIGHT, network.tensor("to").kind());
    assertEquals(16 * 27 * 4 + 16, network.weightBytes());
    assertEquals(List.of(), network.notes());
  }

  @Test
  void freeDimensionsAreNamedAndBound() throws IOException {
    refusedSaying(
        convolution("batch"),
        "input \"x\": the dimension batch is free; give it a value with --dim batch=VALUE");
    assertEquals("F32[5, 576]", values(network(convolution("batch"), Map.of("batch", 5L)), "y"));
    refusedSaying(
        convolution("?"),
        "input \"x\": the dimension x.0 is free; give it a value with --dim x.0=VALUE");
    assertEquals("F32[4, 576]", values(network(convolution("?"), Map.of("x.0", 4L)), "y"));
    refusedSaying(
        convolution("batch"),
        Map.of("bach", 5L),
        "--dim bach=5: no dimension has that name; did you mean \"batch\"?");
    refusedSaying(
        convolution(1), Map.of("batch", 5L), "--dim batch=5: the model has no free dimension");
  }

  @Test
  void aDimensionOfOutputsAloneFollowsFromTheInputs() throws IOException {
    byte[] model =
        OnnxBuilder.of("x:float[3,4]; y = Concat x x axis=0; -> y:float[twice,4]").bytes();
    assertEquals("F32[6, 4]", values(network(model), "y"));
    assertEquals(List.of(), network(model, Map.of("twice", 6L)).notes());
    assertEquals(
        List.of("output \"y\" is declared to have twice = 7 along axis 0, but has 6"),
        network(model, Map.of("twice", 7L)).notes());
  }

  @Test
  void randomValuesAreNotConstant() throws IOException {
    Network network =
        read(
            "weight size:int64[2]=4,4; x = RandomNormal shape=[4,4];"
                + " w = ConstantOfShape size value=float[1]; y = Add x w; -> y");
    assertEquals("RandomNormal Add", types(network));
    assertEquals(64, network.weightBytes());
  }

  @Test
  void stringsAndSequencesCountNothing() throws IOException {
    Network network =
        read(
            "x:float[2,3] t:string[5]; u = Identity t; seq = SequenceConstruct x x;"
                + " y = ConcatFromSequence seq axis=0; -> y u");
    assertEquals(ElementType.OPAQUE, network.tensor("seq").type());
    assertEquals(0, network.tensor("u").bytes());
    assertEquals("F32[4, 3]", values(network, "y"));
    assertTrue(network.notes().toString().contains("strings, sequences or maps"));
  }

  @Test
  void dataDependentShapesAreSampledAndSaid() throws IOException {
    Network network = read("x:float[2,3]; at = NonZero x; s = Shape at; -> at s");
    assertEquals("I64[2, 0]", values(network, "at"));
    assertEquals("NonZero Shape", types(network));
    assertTrue(network.notes().toString().contains("run on zeros"), network.notes().toString());
    OnnxBuilder builder = OnnxBuilder.of("x:float[2,3]; at = NonZero x; -> at");
    Path file = builder.write(folder.resolve("sampled.onnx"));
    for (String command : List.of("plan", "check --max-peak 1M", "schedule", "fit --max-extra 0")) {
      Stowage.line(command + " %s --alignment 1", file).ends(0).says("figures may be too low: ");
    }
  }

  @Test
  void branchesAreLaidOutBeforeTheirOp() throws IOException {
    Network network =
        read(
            "x:float[2,3] c:bool; y = If c then_branch={a = Relu x; -> a}"
                + " else_branch={weight w:float[2,3]; a = Add x w; -> a}; -> y");
    assertEquals("If.enter Relu If.call Add If", types(network));
    assertEquals(List.of("c", "a", "a#2"), network.ops().get(4).inputs());
    assertEquals(24, network.weightBytes());
  }

  @Test
  void loopsKeepStateAndWhatTheyCollect() throws IOException {
    Network network =
        read(
            "x:float[2,3]; weight turns:int64=4 start:float[2,3]; last all = Loop turns _ start"
                + " body={i:int64 going:bool state; go = Identity going; next = Add state x;"
                + " each = Relu next; -> go next each}; -> last all");
    assertEquals("Loop.enter Identity Add Relu Loop", types(network));
    assertEquals(List.of("i", "going", "state", "all#growing"), network.ops().get(0).outputs());
    assertTrue(
        network.ops().get(4).inputs().containsAll(List.of("state", "x", "next", "all#growing")));
    assertEquals("F32[4, 2, 3]", values(network, "all"));
  }

  @Test
  void functionsAreExpanded() throws IOException {
    OnnxBuilder builder =
        OnnxBuilder.of("x:float[2,3]; a = own.Twice x which=1; y = own.Twice a; -> y");
    builder.model.addFunctions(
        FunctionProto.newBuilder()
            .setName("Twice")
            .setDomain("own")
            .addInput("in")
            .addOutput("out")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
            .addAttributeProto(OnnxBuilder.attribute("which", 0L))
            .addAllNode(
                OnnxBuilder.of("both = Concat in in; out = Relu both").graph.getNodeList()));
    builder
        .model
        .getFunctionsBuilder(0)
        .getNodeBuilder(0)
        .addAttribute(
            AttributeProto.newBuilder().setName("axis").setType(2).setRefAttrName("which"));
    Network network = network(builder.bytes());
    assertEquals("Concat Relu Concat Relu", types(network));
    assertEquals("F32[2, 6] F32[4, 6]", values(network, "a", "y"));
  }

  @Test
  void unknownOpsNeedDeclaredShapes() throws IOException {
    OnnxBuilder builder =
        OnnxBuilder.of("x:float[2,3]; m = some.vendor.Magic x; n = Novel m; y = Relu n; -> y");
    refused(builder, "does not declare the shape of \"m\"");
    refused(builder.and("value m:float[7]"), "does not declare the shape of \"n\"");
    assertEquals("F32[9]", values(network(builder.and("value n:float[9]").bytes()), "y"));
  }

  @Test
  void weightsInOtherFilesAreNotNeeded() throws IOException {
    OnnxBuilder builder = OnnxBuilder.of("x:float[1,1000]; y = MatMul x w; -> y");
    builder.graph.addInitializer(external("w:float[1000,100000]", "data/weights.bin", 4096));
    Network network = network(builder.bytes());
    assertEquals(400_000_000, network.weightBytes());
    assertEquals("F32[1, 100000]", values(network, "y"));
  }

  @Test
  void aCopyWithAPlanThatHasItsWeightsElsewhereSaysSo() throws IOException {
    OnnxBuilder builder = OnnxBuilder.of("x:float[1,4]; y = Add x w; -> y");
    builder.graph.addInitializer(external("w:float[4]", "w.bin", 0));
    Path file = builder.write(folder.resolve("model.onnx"));
    Path other = Files.createDirectory(folder.resolve("other")).resolve("model.onnx");
    String lacking = "Weights are in " + folder.resolve("w.bin") + ": copy that to the folder of ";
    Stowage.run("plan", file, "--write", other).ends(0).says(lacking + other);
    Stowage.run("export", file, "--out", other).ends(0).says(lacking + other);
    String beside = Stowage.run("plan", file, "--write", folder.resolve("beside.onnx")).err();
    assertFalse(beside.contains("Weights"), beside);
  }

  @Test
  void smallDataInOtherFilesIsReadWhereShapesNeedIt() throws IOException {
    OnnxBuilder builder = OnnxBuilder.of("x:float[6]; y = Reshape x to; -> y");
    builder.graph.addInitializer(external("to:int64[2]", "shape.bin", 8));
    Files.write(
        folder.resolve("shape.bin"),
        new byte[] {9, 9, 9, 9, 9, 9, 9, 9, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0});
    assertEquals("F32[2, 3]", values(network(builder.bytes()), "y"));
    Files.write(folder.resolve("shape.bin"), new byte[20]);
    refused(builder, "should be 16 bytes from 8 on in shape.bin");
    OnnxBuilder missing = OnnxBuilder.of("x:float[1,1,2,2]; y = Resize x _ by; -> y");
    missing.graph.addInitializer(external("by:float[4]", "by.bin", 0));
    refused(missing, "files with weights are missing: put them into the model's folder");
  }

  @Test
  void pathsOutOfTheFolderAreRefused() throws IOException {
    Files.createDirectory(folder.resolve("inside"));
    Files.write(folder.resolve("secret"), new byte[64]);
    Files.createSymbolicLink(folder.resolve("inside/link"), folder.resolve("secret"));
    for (String location :
        List.of("../secret", "/etc/passwd", "a/../../secret", "", "link", "a\u0000b")) {
      OnnxBuilder builder = OnnxBuilder.of("x:float[4]; y = Add x w; -> y");
      builder.graph.addInitializer(external("w:float[4]", location, 0));
      Path file = builder.write(folder.resolve("inside/net.onnx"));
      Refusals.input(() -> InputFormats.read(file), "should be a file in the model's folder");
    }
  }

  @Test
  void sizesThatAreNotTrueAreFoundBeforeAnyoneUsesThem() throws IOException {
    TensorProto w = weight("w:float[4]");
    OnnxBuilder builder = OnnxBuilder.of("x:float[4]; -> x");
    builder.graph.addInitializer(w.toBuilder().setDims(0, 1L << 40));
    refused(builder, "holds 16 bytes; shape [1099511627776] should have");
    builder.graph.setInitializer(0, w.toBuilder().setDims(0, -1));
    refused(builder, "extent -1 should be 0 or more");
    builder.graph.setInitializer(0, w.toBuilder().addDims(1L << 40).addDims(1L << 40));
    refused(builder, "more bytes than a long holds");
    builder.graph.setInitializer(0, w.toBuilder().setDataType(99));
    refused(builder, "element type 99");
    builder.graph.clearInitializer().setInput(0, value("x:float[1099511627776,1099511627776]"));
    refused(builder, "should have at most 72057594037927935 elements");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x:float[4]; y = Relu z; -> y"
            + " | op Relu that makes \"y\": reads \"z\", which nothing before it makes",
        "x:float[4]; a = Relu b; b = Relu a; -> b | which nothing before it makes",
        "x:float[4]; y = Relu x; y = Relu x; -> y | defined before",
        "x:float[4,5] z:float[3,4]; y = MatMul x z; -> y | ONNX Runtime cannot infer its shapes"
      })
  void faultsNameTheOp(String statements, String fault) throws IOException {
    refused(OnnxBuilder.of(statements), fault);
  }

  @Test
  void aFileCutShortIsRefusedWhereverItIsCut() throws IOException {
    cutShort(convolution(1), 3);
  }

  @Test
  void fieldsWeDoNotKnowSurvive() throws IOException {
    byte[] original = convolution(1);
    ModelProto model =
        ModelProto.parseFrom(original).toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(
                        14,
                        UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFromUtf8("note"))
                            .build())
                    .build())
            .build();
    byte[] bytes = model.toByteArray();
    assertArrayEquals(bytes, ModelProto.parseFrom(bytes).toByteArray());
    assertFalse(bytes.length == original.length);
  }

  // What public collections of ONNX files hold beside plain float networks.

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

  /** A model, the types of its ops, and types and shapes of some of its values. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Ranks that are not known are no scalars.
        "x:float[6] rows:int64[1]; weight one:int64[1]=1; sum = ReduceSum x keepdims=0;"
            + " at = NonZero x; flat = Squeeze at; y = Add x sum; -> y flat"
            + " | ReduceSum NonZero Squeeze Add | sum flat | F32[] I64[0]",
        // Ops in any order are sorted.
        "x:float[4]; y = Relu a; a = Abs x; -> y | Abs Relu | y | F32[4]",
        // Conversions between floats.
        "x:float[2,3]; weight w:bfloat16[3,4]; h = Cast x to=16; m = MatMul h w;"
            + " s = Softsign m; y = Cast s to=1; -> y | Cast MatMul Softsign Cast | h s y"
            + " | BF16[2, 3] BF16[2, 4] F32[2, 4]",
        // Quantised ops.
        "x:float[1,3,8,8]; weight s:float z:uint8 w:int8[4,3,3,3] wz:int8;"
            + " q = QuantizeLinear x s z; c = QLinearConv q s z w s wz s z;"
            + " a = com.microsoft.QLinearAdd c s z c s z s z;"
            + " p = com.microsoft.QLinearGlobalAveragePool a s z s z; d = DequantizeLinear p s z;"
            + " y ys yz = DynamicQuantizeLinear d; -> y"
            + " | QuantizeLinear QLinearConv QLinearAdd QLinearGlobalAveragePool DequantizeLinear DynamicQuantizeLinear"
            + " | a y ys | U8[1, 4, 6, 6] U8[1, 4, 1, 1] F32[]",
        // Ops of ONNX Runtime's own.
        "x:float[2,6,8] ids:int32[2,6];"
            + " weight g:float[8] b:float[8] w:float[8,24] wb:float[24];"
            + " n _ _ sum = com.microsoft.SkipLayerNormalization x x g b;"
            + " a = com.microsoft.Attention n w wb _ num_heads=2; e = com.microsoft.BiasGelu a b;"
            + " m = com.microsoft.FusedMatMul e x transB=1; k = com.microsoft.Gelu m; -> k sum"
            + " | SkipLayerNormalization Attention BiasGelu FusedMatMul Gelu | a k sum"
            + " | F32[2, 6, 8] F32[2, 6, 6] F32[2, 6, 8]",
        // Code inside of code.
        "x:float[2,3]; weight turns:int64=4; last all = Loop turns _ x body={graph body;"
            + " turn:int64 go:bool state:float[rows,3]; goOn = Identity go;"
            + " next = If go then_branch={graph then; t = Relu state;"
            + " -> t} else_branch={graph else; e = Add state x; -> e}; -> goOn next next};"
            + " -> last all | Loop.enter Identity If.enter Relu If.call Add If Loop | last all"
            + " | F32[2, 3] F32[4, 2, 3]"
      })
  void opsAndValuesAreRead(String model, String types, String tensors, String values)
      throws IOException {
    Network network = read(model);
    assertEquals(types, types(network));
    assertEquals(values, values(network, tensors.split(" ")));
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

  /** A body finds what it reads by its name, which is that of the first computation. */
  @Test
  void whatBodiesReadIsComputedOnce() throws Exception {
    Path file =
        OnnxBuilder.of(
                "x:float[1,4] i:int64; a = Neg x; b = Abs x; d = Neg b; c = Cast i to=9;"
                    + " y = If c then_branch={graph t; k = Relu a; -> k:float[1,4]}"
                    + " else_branch={graph e; k = Neg x; -> k:float[1,4]}; z = Add y d; -> z")
            .write(folder.resolve("captured.onnx"));
    Map<String, Boolean> again = new HashMap<>();
    network(file)
        .ops()
        .forEach(op -> op.presentOutputs().forEach(t -> again.put(t, op.repeatable())));
    assertEquals(
        List.of(false, true, true, false),
        List.of("a", "b", "d", "c").stream().map(again::get).toList());
  }
}
