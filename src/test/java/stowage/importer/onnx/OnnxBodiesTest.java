package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.importer.onnx.OnnxBuilder.weight;
import static stowage.network.Graphs.types;
import static stowage.network.Graphs.values;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.importer.onnx.proto.FunctionProto;
import stowage.importer.onnx.proto.OperatorSetIdProto;
import stowage.importer.onnx.proto.SparseTensorProto;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

/** Bodies within functions and scans, and sparse weights, in ONNX models. */
class OnnxBodiesTest extends ImporterTest {
  OnnxBodiesTest() {
    super("net.onnx");
  }

  /** Names of a body within a function are of one call; those of its inputs are the call's. */
  @Test
  void bodiesWithinFunctionsAreExpandedToo() throws IOException {
    OnnxBuilder builder = OnnxBuilder.of("x:float[2,3] c:bool; a = own.F x c; y = own.F a c; -> y");
    builder.model.addFunctions(
        FunctionProto.newBuilder()
            .setName("F")
            .setDomain("own")
            .addInput("in")
            .addInput("when")
            .addOutput("out")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
            .addAllNode(
                OnnxBuilder.of(
                        "t = Neg in; out = If when then_branch={weight w:float[2,3]; a = Add t w;"
                            + " -> a} else_branch={a = Relu in; b = Abs a; -> b}")
                    .graph
                    .getNodeList()));
    Network network = network(builder.bytes());
    String call = "Neg If.enter Add If.call Relu Abs If";
    assertEquals(call + " " + call, types(network));
    assertEquals("F32[2, 3] F32[2, 3]", values(network, "a", "y"));
    assertEquals(2 * 24, network.weightBytes());
    List<Op> ops = network.ops();
    assertEquals(ops.get(0).outputs().get(0), ops.get(2).inputs().get(0));
    assertEquals(List.of("x"), ops.get(4).inputs());
    assertEquals(List.of("a"), ops.get(11).inputs());
  }

  /** A turn of a Scan gets what is left of a scanned input without its axis; state as it is. */
  @Test
  void aScanGivesItsBodySlices() throws IOException {
    for (String[] axes :
        new String[][] {
          {"", "5,7"}, {" scan_input_axes=[1,0]", "4,7"}, {" scan_input_axes=[-1,0]", "4,5"}
        }) {
      Network network =
          network(
              OnnxBuilder.of(
                      "s:float[3] x:float[4,5,7] z:float[E,2]; last all = Scan s x z num_scan_inputs=2"
                              .replace(
                                  "E", axes[0].isEmpty() ? "4" : axes[0].contains("-") ? "7" : "5")
                          + axes[0]
                          + " body={graph body; state slice other; next = Abs state; e = Neg slice;"
                          + " f = Neg other; g = ReduceSum e; -> next e}; -> last all")
                  .bytes());
      String dims = axes[1].replace(",", ", ");
      assertEquals("F32[3] F32[" + dims + "] F32[2]", values(network, "state", "slice", "other"));
    }
  }

  @Test
  void aSliceWhoseAxesAreNotKnownIsNoView() throws IOException {
    String slice =
        "x:float[4,4] axes:int64[1]; weight s:int64[1]=0 e:int64[1]=2 one:int64[1]=1;"
            + " value y:float[2,4]; y = Slice x s e axes one; z = Abs y; -> z";
    Network network = network(OnnxBuilder.of(slice).bytes());
    assertEquals(List.of(0L), network.ops().get(0).integers("steps"));
  }

  /** The sparse weight of a body in a function that is called more than once. */
  @Test
  void sparseWeightsInFunctionsHaveNamesOfTheirOwn() throws IOException {
    OnnxBuilder builder = OnnxBuilder.of("c:bool x:float[8]; a = own.F c x; y = own.F c a; -> y");
    OnnxBuilder body =
        OnnxBuilder.of("o = If p then_branch={t = Add i w; -> t} else_branch={e = Abs i; -> e}");
    body.graph
        .getNodeBuilder(0)
        .getAttributeBuilder(0)
        .getGBuilder()
        .addSparseInitializer(
            SparseTensorProto.newBuilder()
                .setValues(weight("w:float[1]"))
                .setIndices(weight("at:int64[1]=1"))
                .addDims(8));
    builder.model.addFunctions(
        FunctionProto.newBuilder()
            .setName("F")
            .setDomain("own")
            .addInput("p")
            .addInput("i")
            .addOutput("o")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
            .addAllNode(body.graph.getNodeList()));
    Network network = network(builder.bytes());
    assertEquals(2 * 32, network.weightBytes());
  }

  @Test
  void sparseWeightsHaveTheirDenseShape() throws IOException {
    OnnxBuilder builder = OnnxBuilder.of("x:float[8,100]; y = Add x w; -> y");
    SparseTensorProto sparse =
        SparseTensorProto.newBuilder()
            .setValues(weight("w:float[3]"))
            .setIndices(weight("at:int64[3]=1,5,700"))
            .addDims(8)
            .addDims(100)
            .build();
    builder.graph.addSparseInitializer(sparse);
    Network network = network(builder.bytes());
    assertEquals("F32[8, 100]", values(network, "w"));
    assertEquals(Tensor.Kind.WEIGHT, network.tensor("w").kind());
    builder.graph.setSparseInitializer(
        0, sparse.toBuilder().setValues(weight("w:float[3]").toBuilder().setDims(0, 4)));
    refused(builder.bytes(), "initializer \"w\"");
    builder.graph.setSparseInitializer(0, sparse).addInitializer(weight("w:float[8,100]"));
    refused(builder.bytes(), "\"w\" is defined twice");
  }
}
