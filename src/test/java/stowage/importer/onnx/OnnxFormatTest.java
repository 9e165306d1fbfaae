package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.onnx.OnnxBuilder.BOOL;
import static stowage.importer.onnx.OnnxBuilder.FLOAT;
import static stowage.importer.onnx.OnnxBuilder.INT64;
import static stowage.importer.onnx.OnnxBuilder.STRING;
import static stowage.importer.onnx.OnnxBuilder.external;
import static stowage.importer.onnx.OnnxBuilder.floats;
import static stowage.importer.onnx.OnnxBuilder.graph;
import static stowage.importer.onnx.OnnxBuilder.integer;
import static stowage.importer.onnx.OnnxBuilder.ints;
import static stowage.importer.onnx.OnnxBuilder.longs;
import static stowage.importer.onnx.OnnxBuilder.node;
import static stowage.importer.onnx.OnnxBuilder.tensor;
import static stowage.importer.onnx.OnnxBuilder.untyped;
import static stowage.importer.onnx.OnnxBuilder.value;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.Refusals;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.io.InputFormat;
import stowage.importer.onnx.proto.AttributeProto;
import stowage.importer.onnx.proto.FunctionProto;
import stowage.importer.onnx.proto.GraphProto;
import stowage.importer.onnx.proto.ModelProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

class OnnxFormatTest {
  @TempDir Path folder;

  private Network read(OnnxBuilder builder, Map<String, Long> dimensions) throws IOException {
    Path file = builder.write(folder.resolve("net.onnx"));
    return ((Input.Graph) InputFormats.read(file, new InputFormat.Options(false, dimensions)))
        .network();
  }

  private Network read(OnnxBuilder builder) throws IOException {
    return read(builder, Map.of());
  }

  private String refused(OnnxBuilder builder, Map<String, Long> dimensions) {
    String message =
        assertThrows(InputException.class, () -> read(builder, dimensions)).getMessage();
    return message.replace(folder.resolve("net.onnx").toString(), "FILE");
  }

  private String refused(OnnxBuilder builder) {
    return refused(builder, Map.of());
  }

  private static List<String> types(Network network) {
    return network.ops().stream().map(Op::type).toList();
  }

  /** x → Conv → Relu → Reshape by arithmetic on x's own shape. */
  private static OnnxBuilder convolution(Object batch) {
    return new OnnxBuilder()
        .inputs(value("x", FLOAT, batch, 3, 8, 8))
        .initializers(floats("w", 16, 3, 3, 3), longs("zero", 0), longs("rest", -1))
        .nodes(
            node("Conv", "x,w", "c", ints("kernel_shape", 3, 3)),
            node("Relu", "c", "r"),
            node("Shape", "x", "s"),
            node("Gather", "s,zero", "n"),
            node("Concat", "n,rest", "to", integer("axis", 0)),
            node("Reshape", "r,to", "y"))
        .outputs("y");
  }

  @Test
  void shapeArithmeticIsAWeightOrVanishes() throws IOException {
    Network network = read(convolution(2));
    assertEquals(List.of("Conv", "Relu", "Reshape"), types(network));
    assertEquals(List.of(2L, 16L, 6L, 6L), network.tensor("c").shape());
    assertEquals(List.of(2L, 576L), network.tensor("y").shape());
    assertEquals(Set.of("x", "w", "c", "r", "to", "y"), network.tensors().keySet());
    assertEquals(Tensor.Kind.WEIGHT, network.tensor("to").kind());
    assertEquals(16 * 27 * 4 + 16, network.weightBytes());
    assertEquals(List.of(), network.notes());
  }

  @Test
  void freeDimensionsAreNamedAndBound() throws IOException {
    assertEquals(
        "FILE: input \"x\": the dimension batch is free; give it a value with --dim batch=VALUE",
        refused(convolution("batch")));
    assertEquals(
        List.of(5L, 576L), read(convolution("batch"), Map.of("batch", 5L)).tensor("y").shape());
    assertEquals(
        "FILE: input \"x\": the dimension x.0 is free; give it a value with --dim x.0=VALUE",
        refused(convolution(null)));
    assertEquals(List.of(4L, 576L), read(convolution(null), Map.of("x.0", 4L)).tensor("y").shape());
    assertEquals(
        "FILE: --dim bach=5: no dimension has that name; did you mean \"batch\"?",
        refused(convolution("batch"), Map.of("bach", 5L)));
    assertEquals(
        "FILE: --dim batch=5: the model has no free dimension",
        refused(convolution(1), Map.of("batch", 5L)));
  }

  @Test
  void aDimensionOfOutputsAloneFollowsFromTheInputs() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 3, 4))
            .nodes(node("Concat", "x,x", "y", integer("axis", 0)));
    builder.graph.addOutput(value("y", FLOAT, "twice", 4));
    assertEquals(List.of(6L, 4L), read(builder).tensor("y").shape());
    assertEquals(List.of(), read(builder, Map.of("twice", 6L)).notes());
    assertEquals(
        List.of("output \"y\" is declared to have twice = 7 along axis 0, but has 6"),
        read(builder, Map.of("twice", 7L)).notes());
  }

  @Test
  void randomValuesAreNotConstant() throws IOException {
    Network network =
        read(
            new OnnxBuilder()
                .nodes(
                    node("RandomNormal", "", "x", ints("shape", 4, 4)),
                    node("ConstantOfShape", "size", "w", tensor("value", floats("", 1))),
                    node("Add", "x,w", "y"))
                .initializers(longs("size", 4, 4))
                .outputs("y"));
    assertEquals(List.of("RandomNormal", "Add"), types(network));
    assertEquals(64, network.weightBytes());
  }

  @Test
  void stringsAndSequencesCountNothing() throws IOException {
    Network network =
        read(
            new OnnxBuilder()
                .inputs(value("x", FLOAT, 2, 3), value("t", STRING, 5))
                .nodes(
                    node("Identity", "t", "u"),
                    node("SequenceConstruct", "x,x", "seq"),
                    node("ConcatFromSequence", "seq", "y", integer("axis", 0)))
                .outputs("y", "u"));
    assertEquals(ElementType.OPAQUE, network.tensor("seq").type());
    assertEquals(0, network.tensor("u").bytes());
    assertEquals(List.of(4L, 3L), network.tensor("y").shape());
    assertTrue(network.notes().toString().contains("strings, sequences or maps"));
  }

  @Test
  void dataDependentShapesAreSampledAndSaid() throws IOException {
    Network network =
        read(
            new OnnxBuilder()
                .inputs(value("x", FLOAT, 2, 3))
                .nodes(node("NonZero", "x", "at"), node("Shape", "at", "s"))
                .outputs("at", "s"));
    assertEquals(List.of(2L, 0L), network.tensor("at").shape());
    assertEquals(List.of("NonZero", "Shape"), types(network));
    assertTrue(network.notes().toString().contains("run on zeros"), network.notes().toString());
  }

  @Test
  void unknownRanksAreNotTakenForScalars() throws IOException {
    // A reshape to a shape that is an input: even the number of extents may change.
    Network network =
        read(
            new OnnxBuilder()
                .inputs(value("x", FLOAT, 6), value("rows", INT64, 1))
                .initializers(longs("one", 1))
                .nodes(
                    node("ReduceSum", "x", "sum", integer("keepdims", 0)),
                    node("NonZero", "x", "at"),
                    node("Squeeze", "at", "flat"),
                    node("Add", "x,sum", "y"))
                .outputs("y", "flat"));
    assertEquals(List.of(), network.tensor("sum").shape());
    assertEquals(List.of(0L), network.tensor("flat").shape());
  }

  @Test
  void branchesAreLaidOutBeforeTheirOp() throws IOException {
    GraphProto.Builder then =
        GraphProto.newBuilder().addNode(node("Relu", "x", "a")).addOutput(untyped("a"));
    GraphProto.Builder otherwise =
        GraphProto.newBuilder()
            .addInitializer(floats("w", 2, 3))
            .addNode(node("Add", "x,w", "a"))
            .addOutput(untyped("a"));
    Network network =
        read(
            new OnnxBuilder()
                .inputs(value("x", FLOAT, 2, 3), value("c", BOOL))
                .nodes(
                    node(
                        "If",
                        "c",
                        "y",
                        graph("then_branch", then),
                        graph("else_branch", otherwise)))
                .outputs("y"));
    assertEquals(List.of("If.enter", "Relu", "If.call", "Add", "If"), types(network));
    assertEquals(List.of("c", "a", "a#2"), network.ops().get(4).inputs());
    assertEquals(24, network.weightBytes());
  }

  @Test
  void loopsKeepStateAndWhatTheyCollect() throws IOException {
    GraphProto.Builder body =
        GraphProto.newBuilder()
            .addInput(value("i", INT64))
            .addInput(value("going", BOOL))
            .addInput(untyped("state"))
            .addNode(node("Identity", "going", "go"))
            .addNode(node("Add", "state,x", "next"))
            .addNode(node("Relu", "next", "each"))
            .addOutput(untyped("go"))
            .addOutput(untyped("next"))
            .addOutput(untyped("each"));
    Network network =
        read(
            new OnnxBuilder()
                .inputs(value("x", FLOAT, 2, 3))
                .initializers(
                    longs("turns", 4).toBuilder().clearDims().build(), floats("start", 2, 3))
                .nodes(node("Loop", "turns,,start", "last,all", graph("body", body)))
                .outputs("last", "all"));
    assertEquals(List.of("Loop.enter", "Identity", "Add", "Relu", "Loop"), types(network));
    assertEquals(List.of("i", "going", "state", "all#growing"), network.ops().get(0).outputs());
    assertTrue(
        network.ops().get(4).inputs().containsAll(List.of("state", "x", "next", "all#growing")));
    assertEquals(List.of(4L, 2L, 3L), network.tensor("all").shape());
  }

  @Test
  void functionsAreExpanded() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 2, 3))
            .nodes(
                node("Twice", "x", "a", integer("which", 1)).toBuilder().setDomain("own").build(),
                node("Twice", "a", "y").toBuilder().setDomain("own").build())
            .outputs("y");
    builder.model.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain("own").setVersion(1));
    builder.model.addFunctions(
        FunctionProto.newBuilder()
            .setName("Twice")
            .setDomain("own")
            .addInput("in")
            .addOutput("out")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
            .addAttributeProto(integer("which", 0))
            .addNode(
                node(
                    "Concat",
                    "in,in",
                    "both",
                    AttributeProto.newBuilder()
                        .setName("axis")
                        .setType(2)
                        .setRefAttrName("which")
                        .build()))
            .addNode(node("Relu", "both", "out")));
    Network network = read(builder);
    assertEquals(List.of("Concat", "Relu", "Concat", "Relu"), types(network));
    assertEquals(List.of(2L, 6L), network.tensor("a").shape());
    assertEquals(List.of(4L, 6L), network.tensor("y").shape());
  }

  @Test
  void unknownOpsNeedDeclaredShapes() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 2, 3))
            .nodes(
                node("Magic", "x", "m").toBuilder().setDomain("some.vendor").build(),
                node("Novel", "m", "n"),
                node("Relu", "n", "y"))
            .outputs("y");
    builder.model.addOpsetImport(
        OperatorSetIdProto.newBuilder().setDomain("some.vendor").setVersion(1));
    assertTrue(refused(builder).contains("does not declare the shape of \"m\""));
    builder.graph.addValueInfo(value("m", FLOAT, 7));
    assertTrue(refused(builder).contains("does not declare the shape of \"n\""));
    builder.graph.addValueInfo(value("n", FLOAT, 9));
    assertEquals(List.of(9L), read(builder).tensor("y").shape());
  }

  @Test
  void weightsInOtherFilesAreNotNeeded() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 1, 1000))
            .initializers(external("w", "data/weights.bin", 4096, 1000, 100_000))
            .nodes(node("MatMul", "x,w", "y"))
            .outputs("y");
    Network network = read(builder);
    assertEquals(400_000_000, network.weightBytes());
    assertEquals(List.of(1L, 100_000L), network.tensor("y").shape());
  }

  @Test
  void smallDataInOtherFilesIsReadWhereShapesNeedIt() throws IOException {
    OnnxBuilder builder =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 6))
            .initializers(external("to", "shape.bin", 8, 2).toBuilder().setDataType(INT64).build())
            .nodes(node("Reshape", "x,to", "y"))
            .outputs("y");
    Files.write(
        folder.resolve("shape.bin"),
        new byte[] {9, 9, 9, 9, 9, 9, 9, 9, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0});
    assertEquals(List.of(2L, 3L), read(builder).tensor("y").shape());
    Files.write(folder.resolve("shape.bin"), new byte[20]);
    assertTrue(refused(builder).contains("should be 16 bytes from 8 on in shape.bin"));
  }

  @Test
  void pathsOutOfTheFolderAreRefused() throws IOException {
    Files.createDirectory(folder.resolve("inside"));
    Files.write(folder.resolve("secret"), new byte[64]);
    Files.createSymbolicLink(folder.resolve("inside/link"), folder.resolve("secret"));
    for (String location :
        List.of("../secret", "/etc/passwd", "a/../../secret", "", "link", "a\u0000b")) {
      Path file =
          new OnnxBuilder()
              .inputs(value("x", FLOAT, 4))
              .initializers(external("w", location, 0, 4))
              .nodes(node("Add", "x,w", "y"))
              .outputs("y")
              .write(folder.resolve("inside/net.onnx"));
      Refusals.says(
          InputException.class,
          () -> InputFormats.read(file),
          "should be a file in the model's folder");
    }
  }

  @Test
  void sizesThatAreNotTrueAreFoundBeforeAnyoneUsesThem() {
    OnnxBuilder builder = new OnnxBuilder().inputs(value("x", FLOAT, 4)).outputs("x");
    builder.graph.addInitializer(floats("w", 4).toBuilder().setDims(0, 1L << 40));
    assertTrue(refused(builder).contains("holds 16 bytes; shape [1099511627776] should have"));
    builder.graph.setInitializer(0, floats("w", 4).toBuilder().setDims(0, -1));
    assertTrue(refused(builder).contains("extent -1 should be 0 or more"));
    builder.graph.setInitializer(0, floats("w", 4).toBuilder().addDims(1L << 40).addDims(1L << 40));
    assertTrue(refused(builder).contains("more bytes than a long holds"));
    builder.graph.setInitializer(0, floats("w", 4).toBuilder().setDataType(99));
    assertTrue(refused(builder).contains("element type 99"));
    builder.graph.clearInitializer().setInput(0, value("x", FLOAT, 1L << 40, 1L << 40));
    assertTrue(refused(builder).contains("more bytes than a long holds"));
  }

  @Test
  void faultsNameTheOp() {
    assertTrue(
        refused(
                new OnnxBuilder()
                    .inputs(value("x", FLOAT, 4))
                    .nodes(node("Relu", "z", "y"))
                    .outputs("y"))
            .contains("op Relu that makes \"y\": reads \"z\", which nothing before it makes"));
    assertTrue(
        refused(
                new OnnxBuilder()
                    .inputs(value("x", FLOAT, 4))
                    .nodes(node("Relu", "b", "a"), node("Relu", "a", "b"))
                    .outputs("b"))
            .contains("which nothing before it makes"));
    assertTrue(
        refused(
                new OnnxBuilder()
                    .inputs(value("x", FLOAT, 4))
                    .nodes(node("Relu", "x", "y"), node("Relu", "x", "y"))
                    .outputs("y"))
            .contains("defined before"));
    assertTrue(
        refused(
                new OnnxBuilder()
                    .inputs(value("x", FLOAT, 4, 5), value("z", FLOAT, 3, 4))
                    .nodes(node("MatMul", "x,z", "y"))
                    .outputs("y"))
            .contains("ONNX Runtime cannot infer its shapes"));
  }

  @Test
  void opsInAnyOrderAreSorted() throws IOException {
    Network network =
        read(
            new OnnxBuilder()
                .inputs(value("x", FLOAT, 4))
                .nodes(node("Relu", "a", "y"), node("Abs", "x", "a"))
                .outputs("y"));
    assertEquals(List.of("Abs", "Relu"), types(network));
  }

  @Test
  void aFileCutShortIsRefusedWhereverItIsCut() throws IOException {
    byte[] whole = convolution(1).bytes();
    Path file = folder.resolve("cut.onnx");
    for (int end = 0; end < whole.length; end += 3) {
      Files.write(file, java.util.Arrays.copyOf(whole, end));
      assertThrows(InputException.class, () -> InputFormats.read(file), "cut at " + end);
    }
  }

  @Test
  void fieldsWeDoNotKnowSurvive() throws IOException {
    byte[] original = convolution(1).bytes();
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
}
