package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.network.Graphs;

/** Results that are in their operands' buffers, and operands that are in their results'. */
class ViewsTest {
  private static final LivenessOptions EXACT =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.NONE);
  private static final LivenessOptions VIEWS = EXACT.withInPlace(InPlace.VIEWS);

  @Test
  void reshapesShareTheirOperandsBufferInChains() {
    Graphs sketch =
        Graphs.of(
            "x:1x12; a:12 = Squeeze x; b:3x4 = Reshape a; c:3x4x1 = Unsqueeze b; "
                + "y:2 = Conv c x; -> y");
    assertEquals(List.of("x@0+a@0+b@0+c@0 [0, 4) 12", "y@0 [3, 4) 2"), sketch.buffers(VIEWS));
    assertEquals(
        List.of("x@0 [0, 4) 12", "a@0 [0, 2) 12", "b@0 [1, 3) 12", "c@0 [2, 4) 12", "y@0 [3, 4) 2"),
        sketch.buffers(EXACT));
  }

  @Test
  void aViewThatIsAnOutputKeepsTheBuffer() {
    assertEquals(
        List.of("x@0+y@0 [0, 2) 4", "z@0 [1, 2) 1"),
        Graphs.of("x:4; y:2x2 = Reshape x; z:1 = Conv x; -> y z").buffers(VIEWS));
  }

  @Test
  void aViewOfAWeightHasNoBytes() {
    assertEquals(
        List.of("v@0 [0, 3) 0", "u@0 [1, 3) 0", "y@0 [2, 3) 6"),
        Graphs.of(
                "weight w:2x3; v:6 = Reshape w; "
                    + "u:3 = Slice v axes=[0] starts=[2] ends=[5]; y:6 = Conv v u; -> y")
            .buffers(VIEWS));
  }

  @Test
  void contiguousSlicesAreViewsAndOthersAreNot() {
    Graphs sketch =
        Graphs.of(
            "x:1x4x3; a:1x2x3 = Slice x axes=[1] starts=[1] ends=[3]; "
                + "b:1x4x1 = Slice x axes=[2] starts=[1] ends=[2]; "
                + "c:1x1x3 = tpu.Slice x offset=[0,-1,0] steps=[1,1,1]; "
                + "d:1x2x3 = Slice x axes=[-2] starts=[0] steps=[2]; e:1x2x3 = Slice x; "
                + "-> a b c d e");
    assertEquals(
        List.of("x@0+a@3+c@9 [0, 5) 12", "b@0 [1, 5) 4", "d@0 [3, 5) 6", "e@0 [4, 5) 6"),
        sketch.buffers(VIEWS));
  }

  @Test
  void partsOfASplitAreViews() {
    assertEquals(
        List.of("x@0+a@0+b@2+c@5 [0, 2) 9", "d@0 [1, 2) 4", "e@0 [1, 2) 5"),
        Graphs.of(
                "x:1x9; a:1x2 b:1x3 c:1x4 = Split x axis=1; d:1x4 e:1x5 = Topk x; " + "-> a c d e")
            .buffers(VIEWS));
  }

  private static List<String> concat(String op) {
    return Graphs.of("x:1x1; a:1x2 = Conv x; b:1x3 = Conv a; c:1x5 = " + op)
        .and("y:1x1 = Conv c; -> y")
        .buffers(VIEWS);
  }

  @Test
  void operandsOfAConcatLieInsideIt() {
    assertEquals(
        List.of("x@0 [0, 1) 1", "a@0+b@2+c@0 [0, 4) 5", "y@0 [3, 4) 1"),
        concat("Concat a b axis=1"));
    assertEquals(
        List.of("x@0 [0, 1) 1", "a@3+b@0+c@0 [0, 4) 5", "y@0 [3, 4) 1"),
        concat("CONCATENATION b a"));
  }

  @Test
  void aConcatThatComputesStaysAnOp() {
    List<String> apart =
        List.of("x@0 [0, 1) 1", "a@0 [0, 3) 2", "b@0 [1, 3) 3", "c@0 [2, 4) 5", "y@0 [3, 4) 1");
    assertEquals(apart, concat("Concat a b relu=true"));
    assertEquals(apart, concat("tpu.Concat a b do_relu=true"));
    assertEquals(apart, concat("tpu.Concat a b only_merge=false"));
    assertEquals(apart, concat("CONCATENATION a b fused_activation_function=RELU"));
    assertEquals(concat("Concat a b"), concat("CONCATENATION a b fused_activation_function=NONE"));
  }

  @Test
  void aTensorHasOnePlaceInOneConcat() {
    // d wants a elsewhere; b appears twice in e.
    assertEquals(
        List.of("x@0 [0, 2) 2", "a@0+b@2+c@0 [0, 5) 4", "d@0 [3, 5) 4", "e@0 [4, 5) 4"),
        Graphs.of(
                "x:1x2; a:1x2 = Conv x; b:1x2 = Conv x; c:1x4 = Concat a b; "
                    + "d:1x4 = Concat b a; e:1x4 = Concat b b; -> c d e")
            .buffers(VIEWS));
  }

  @Test
  void aConcatOfAConcatIsOneBuffer() {
    // As in DenseNet: each result is read by a convolution and grows into the next.
    assertEquals(
        List.of("x@0+f1@2+c1@0+f2@3+c2@0 [0, 5) 5", "y@0 [4, 5) 1"),
        Graphs.of(
                "x:1x2; f1:1x1 = Conv x; c1:1x3 = Concat x f1; f2:1x2 = Conv c1; "
                    + "c2:1x5 = Concat c1 f2; y:1x1 = Conv c2; -> y")
            .buffers(VIEWS));
  }

  @Test
  void concatsOverAnInnerAxisOrWithWeightsAreNotMerged() {
    assertEquals(
        List.of("x@0 [0, 2) 4", "c@0 [0, 2) 8", "d@0 [1, 2) 6"),
        Graphs.of("x:2x2; weight w:1x2; c:2x4 = Concat x x; d:3x2 = Concat x w; -> c d")
            .buffers(VIEWS));
  }

  @Test
  void anOperandThatStaysDoesNotHoldTheWholeConcat() {
    Graphs sketch = Graphs.of("x:1x2; a:1x3 = Conv x; c:1x5 = Concat x a; y:1x1 = Conv c; -> y");
    assertEquals(List.of("x@0+a@2+c@0 [0, 3) 5", "y@0 [2, 3) 1"), sketch.buffers(VIEWS));
    assertEquals(
        List.of("x@0 [0, 3) 2", "a@0 [0, 2) 3", "c@0 [1, 3) 5", "y@0 [2, 3) 1"),
        sketch.buffers(VIEWS.withInputs(Inputs.KEEP)));
  }
}
