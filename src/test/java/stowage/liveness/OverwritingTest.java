package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;

/** Which results are written over operands that die. */
class OverwritingTest {
  private static final LivenessOptions ELEMENTWISE =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.ELEMENTWISE);

  @Test
  void viewsOfWeightsAreNeitherMergedNorWrittenOver() {
    assertEquals(
        List.of("x@0 [0, 3) 2", "v@0 [0, 3) 0", "c@0 [1, 3) 4", "r@0 [2, 3) 2"),
        NetworkSketch.of("x -> c r", "x:2 w:weight,1,2 v:2 c:4 r:2")
            .op("v = Reshape w")
            .op("c = Concat x v")
            .op("r = Add v x")
            .buffers(ELEMENTWISE.withInputs(Inputs.KEEP)));
  }

  @Test
  void elementwiseOpsWriteOverWhatDies() {
    NetworkSketch sketch =
        NetworkSketch.of("x -> y", "x:4 a:4 b:4 c:4 y:4")
            .op("a = Relu x")
            .op("b = Sigmoid a")
            .op("c = Mul a b") // over a: its first operand that dies here
            .op("y = Conv c x");
    assertEquals(
        List.of("x@0 [0, 4) 4", "a@0+c@0 [0, 4) 4", "b@0 [1, 3) 4", "y@0 [3, 4) 4"),
        sketch.buffers(ELEMENTWISE));
  }

  @Test
  void nothingWritesOverKeptInputsOrBroadcastOperands() {
    NetworkSketch sketch =
        NetworkSketch.of("x s -> z", "x:4 s:1 y:4 z:1").op("y = Add s x").op("z = Conv y");
    assertEquals(
        List.of("x@0+y@0 [0, 2) 4", "s@0 [0, 1) 1", "z@0 [1, 2) 1"), sketch.buffers(ELEMENTWISE));
    assertEquals(
        List.of("x@0 [0, 2) 4", "s@0 [0, 2) 1", "y@0 [0, 2) 4", "z@0 [1, 2) 1"),
        sketch.buffers(ELEMENTWISE.withInputs(Inputs.KEEP)));
  }

  @Test
  void nothingWritesOverABufferThatAViewStillReads() {
    assertEquals(
        List.of("x@0 [0, 1) 4", "a@0+v@0 [0, 4) 4", "b@0 [2, 4) 4", "y@0 [3, 4) 1"),
        NetworkSketch.of("x -> y", "x:4 a:4 v:2,2 b:4 y:1")
            .op("a = Conv x")
            .op("v = Reshape a")
            .op("b = Relu a")
            .op("y = Conv v b")
            .buffers(ELEMENTWISE));
  }

  @Test
  void nothingWritesOverABufferReadUnderTwoShapes() {
    assertEquals(
        List.of("x@0+v@0 [0, 2) 4", "y@0 [1, 2) 16"),
        NetworkSketch.of("x -> y", "x:4 v:4,1 y:4,4")
            .op("v = Reshape x")
            .op("y = Add x v")
            .buffers(ELEMENTWISE));
    assertEquals(
        List.of("x@0+v@0 [0, 2) 4", "y@0 [1, 2) 4"),
        NetworkSketch.of("x -> y", "x:2,2 v:1,4 y:2,2")
            .op("v = Reshape x")
            .op("y = Pow x v")
            .buffers(ELEMENTWISE));
  }

  @Test
  void aResultInsideAConcatIsNotWrittenOverItsOperand() {
    // It would keep the whole concat alive from the start of a.
    assertEquals(
        List.of("x@0 [0, 3) 2", "a@0 [0, 2) 2", "b@0+d@2+c@0 [1, 5) 4", "y@0 [4, 5) 1"),
        NetworkSketch.of("x -> y", "x:1,2 a:1,2 b:1,2 d:1,2 c:1,4 y:1")
            .op("a = Conv x")
            .op("b = Relu a")
            .op("d = Conv x")
            .op("c = Concat b d")
            .op("y = Conv c")
            .buffers(ELEMENTWISE));
  }
}
