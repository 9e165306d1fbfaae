package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static stowage.network.Graphs.values;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import stowage.importer.ImporterTest;
import stowage.importer.onnx.proto.SparseTensorProto;

class ShapeMismatchRepairTest extends ImporterTest {
  ShapeMismatchRepairTest() {
    super("net.onnx");
  }

  /** A model whose ops have names. */
  private static OnnxBuilder named(String statements) {
    OnnxBuilder model = OnnxBuilder.of(statements);
    model.graph.getNodeBuilderList().forEach(node -> node.setName(node.getOutput(0)));
    return model;
  }

  @Test
  void theLargestOperandDecides() throws IOException {
    String inputs = "x:float[2,8] m:float[2,9]; ";
    assertEquals("F32[2, 9]", values(network(named(inputs + "y = Add x m; -> y").bytes()), "y"));
    refused(named("x:float[3,8] m:float[2,9]; y = Add x m; -> y").bytes(), "ncompatible dim");
  }

  /** What Pow makes is of the type of its first operand, so no copy of the second is it. */
  @Test
  void anExponentIsNoPower() throws IOException {
    assertEquals(
        "F32[2, 9]",
        values(network(named("x:float[2,9] e:int64[2,8]; y = Pow x e; -> y").bytes()), "y"));
    refused(named("x:float[2,8] e:int64[2,9]; y = Pow x e; -> y").bytes(), "ncompatible dim");
  }

  /** Where the second op is given the size of the first's operand, its own sparse one is larger. */
  @Test
  void sparseOperandsCountToo() throws IOException {
    OnnxBuilder model = named("x:float[2,8] m:float[2,9]; a = Add x m; y = Add s a; -> y");
    model.graph.addSparseInitializer(
        SparseTensorProto.newBuilder()
            .setValues(OnnxBuilder.weight("s:float[1]=1"))
            .setIndices(OnnxBuilder.weight("i:int64[1]=0"))
            .addDims(2)
            .addDims(10));
    refused(model.bytes(), "operands of op \"y\" do not fit together");
  }
}
