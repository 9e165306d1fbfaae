package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.network.Tensor;

/** Which results are written over operands that die. */
class OverwritingTest {
  private static final LivenessOptions ELEMENTWISE =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.ELEMENTWISE);

  @Test
  void viewsOfWeightsAreNeitherMergedNorWrittenOver() {
    assertEquals(
        List.of("x@0 [0, 3) 2", "v@0 [0, 3) 0", "c@0 [1, 3) 4", "r@0 [2, 3) 2"),
        new NetworkSketch()
            .tensor("x", 2)
            .tensor("w", Tensor.Kind.WEIGHT, 1, 2)
            .tensor("v", 2)
            .tensor("c", 4)
            .tensor("r", 2)
            .inputs("x")
            .outputs("c", "r")
            .op("v = Reshape w")
            .op("c = Concat x v")
            .op("r = Add v x")
            .buffers(ELEMENTWISE.withInputs(Inputs.KEEP)));
  }

  @Test
  void elementwiseOpsWriteOverWhatDies() {
    NetworkSketch sketch =
        new NetworkSketch()
            .tensor("x", 4)
            .tensor("a", 4)
            .tensor("b", 4)
            .tensor("c", 4)
            .tensor("y", 4)
            .inputs("x")
            .outputs("y")
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
        new NetworkSketch()
            .tensor("x", 4)
            .tensor("s", 1)
            .tensor("y", 4)
            .tensor("z", 1)
            .inputs("x", "s")
            .outputs("z")
            .op("y = Add s x")
            .op("z = Conv y");
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
        new NetworkSketch()
            .tensor("x", 4)
            .tensor("a", 4)
            .tensor("v", 2, 2)
            .tensor("b", 4)
            .tensor("y", 1)
            .inputs("x")
            .outputs("y")
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
        new NetworkSketch()
            .tensor("x", 4)
            .tensor("v", 4, 1)
            .tensor("y", 4, 4)
            .inputs("x")
            .outputs("y")
            .op("v = Reshape x")
            .op("y = Add x v")
            .buffers(ELEMENTWISE));
    assertEquals(
        List.of("x@0+v@0 [0, 2) 4", "y@0 [1, 2) 4"),
        new NetworkSketch()
            .tensor("x", 2, 2)
            .tensor("v", 1, 4)
            .tensor("y", 2, 2)
            .inputs("x")
            .outputs("y")
            .op("v = Reshape x")
            .op("y = Pow x v")
            .buffers(ELEMENTWISE));
  }

  @Test
  void aResultInsideAConcatIsNotWrittenOverItsOperand() {
    // It would keep the whole concat alive from the start of a.
    assertEquals(
        List.of("x@0 [0, 3) 2", "a@0 [0, 2) 2", "b@0+d@2+c@0 [1, 5) 4", "y@0 [4, 5) 1"),
        new NetworkSketch()
            .tensor("x", 1, 2)
            .tensor("a", 1, 2)
            .tensor("b", 1, 2)
            .tensor("d", 1, 2)
            .tensor("c", 1, 4)
            .tensor("y", 1)
            .inputs("x")
            .outputs("y")
            .op("a = Conv x")
            .op("b = Relu a")
            .op("d = Conv x")
            .op("c = Concat b d")
            .op("y = Conv c")
            .buffers(ELEMENTWISE));
  }
}
