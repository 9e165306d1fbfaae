package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.onnx.OnnxBuilder.BOOL;
import static stowage.importer.onnx.OnnxBuilder.FLOAT;
import static stowage.importer.onnx.OnnxBuilder.INT64;
import static stowage.importer.onnx.OnnxBuilder.graph;
import static stowage.importer.onnx.OnnxBuilder.node;
import static stowage.importer.onnx.OnnxBuilder.untyped;
import static stowage.importer.onnx.OnnxBuilder.value;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.importer.onnx.proto.GraphProto;

class ShapeServiceTest {
  private static ShapeProtocol.Answer ask(byte[] model, long limitMillis) throws ShapeFailure {
    return ShapeService.instance().shapes(model, false, new WorkLimit(limitMillis));
  }

  private static byte[] simple() {
    return new OnnxBuilder()
        .inputs(value("x", FLOAT, 2, 3))
        .nodes(node("Transpose", "x", "y"))
        .outputs("y")
        .bytes();
  }

  private static void stillWorks() throws ShapeFailure {
    assertArrayEquals(new long[] {3, 2}, ask(simple(), 20_000).shapes().get("y").dims());
  }

  @Test
  void aModelThatRunsForeverIsEndedInTime() throws ShapeFailure {
    // The loop never ends, and how much it collects is known only when it does.
    GraphProto.Builder body =
        GraphProto.newBuilder()
            .setName("body")
            .addInput(value("i", INT64))
            .addInput(value("going", BOOL))
            .addNode(node("Not", "going", "stop"))
            .addNode(node("Or", "stop,going", "go"))
            .addNode(node("Identity", "i", "each"))
            .addOutput(untyped("go"))
            .addOutput(untyped("each"));
    byte[] endless =
        new OnnxBuilder()
            .inputs(value("c", BOOL))
            .nodes(
                node("Not", "c", "yes"),
                node("Loop", ",yes", "all", graph("body", body)),
                node("NonZero", "all", "y"))
            .outputs("y")
            .bytes();
    stillWorks();
    ShapeFailure failure = assertThrows(ShapeFailure.class, () -> ask(endless, 1_500));
    assertTrue(
        List.of(ShapeService.TOO_LONG, ShapeService.CRASHED).contains(failure.getMessage()),
        failure.getMessage());
    stillWorks();
  }

  @Test
  void aModelThatWantsTooMuchMemoryIsRefused() throws ShapeFailure {
    byte[] huge =
        new OnnxBuilder()
            .inputs(value("x", FLOAT, 1, 100_000), value("z", FLOAT, 100_000, 1))
            .nodes(
                node("MatMul", "z,x", "m"), node("MatMul", "m,m", "n"), node("NonZero", "n", "y"))
            .outputs("y")
            .bytes();
    assertThrows(ShapeFailure.class, () -> ask(huge, 10_000));
    stillWorks();
  }

  @Test
  void rubbishIsRefusedAndTheNextModelServed() throws ShapeFailure {
    assertThrows(ShapeFailure.class, () -> ask(new byte[] {1, 2, 3}, 10_000));
    assertThrows(ShapeFailure.class, () -> ask(new byte[0], 10_000));
    stillWorks();
  }
}
