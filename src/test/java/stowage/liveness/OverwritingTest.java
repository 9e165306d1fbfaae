package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.network.Graphs;

/** Which results are written over operands that die. */
class OverwritingTest {
  private static final LivenessOptions ELEMENTWISE =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.ELEMENTWISE);

  @Test
  void viewsOfWeightsAreNeitherMergedNorWrittenOver() {
    assertEquals(
        List.of("x@0 [0, 3) 2", "v@0 [0, 3) 0", "c@0 [1, 3) 4", "r@0 [2, 3) 2"),
        Graphs.of(
                "x:2; weight w:1x2; v:2 = Reshape w; c:4 = Concat x v; r:2 = Add v x; " + "-> c r")
            .buffers(ELEMENTWISE.withInputs(Inputs.KEEP)));
  }

  @Test
  void elementwiseOpsWriteOverWhatDies() {
    Graphs sketch =
        Graphs.of("x:4; a:4 = Relu x; b:4 = Sigmoid a; c:4 = Mul a b; y:4 = Conv c x; -> y");
    assertEquals(
        List.of("x@0 [0, 4) 4", "a@0+c@0 [0, 4) 4", "b@0 [1, 3) 4", "y@0 [3, 4) 4"),
        sketch.buffers(ELEMENTWISE));
  }

  @Test
  void nothingWritesOverKeptInputsOrBroadcastOperands() {
    Graphs sketch = Graphs.of("x:4 s:1; y:4 = Add s x; z:1 = Conv y; -> z");
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
        Graphs.of("x:4; a:4 = Conv x; v:2x2 = Reshape a; b:4 = Relu a; y:1 = Conv v b; -> y")
            .buffers(ELEMENTWISE));
  }

  @Test
  void nothingWritesOverABufferReadUnderTwoShapes() {
    assertEquals(
        List.of("x@0+v@0 [0, 2) 4", "y@0 [1, 2) 16"),
        Graphs.of("x:4; v:4x1 = Reshape x; y:4x4 = Add x v; -> y").buffers(ELEMENTWISE));
    assertEquals(
        List.of("x@0+v@0 [0, 2) 4", "y@0 [1, 2) 4"),
        Graphs.of("x:2x2; v:1x4 = Reshape x; y:2x2 = Pow x v; -> y").buffers(ELEMENTWISE));
  }

  @Test
  void aResultInsideAConcatIsNotWrittenOverItsOperand() {
    // It would keep the whole concat alive from the start of a.
    assertEquals(
        List.of("x@0 [0, 3) 2", "a@0 [0, 2) 2", "b@0+d@2+c@0 [1, 5) 4", "y@0 [4, 5) 1"),
        Graphs.of(
                "x:1x2; a:1x2 = Conv x; b:1x2 = Relu a; d:1x2 = Conv x; "
                    + "c:1x4 = Concat b d; y:1 = Conv c; -> y")
            .buffers(ELEMENTWISE));
  }
}
