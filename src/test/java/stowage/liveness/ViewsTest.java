package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;

/** Results that are in their operands' buffers, and operands that are in their results'. */
class ViewsTest {
  private static final LivenessOptions EXACT =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.NONE);
  private static final LivenessOptions VIEWS = EXACT.withInPlace(InPlace.VIEWS);

  @Test
  void reshapesShareTheirOperandsBufferInChains() {
    NetworkSketch sketch =
        NetworkSketch.of("x -> y", "x:1,12 a:12 b:3,4 c:3,4,1 y:2")
            .op("a = Squeeze x")
            .op("b = Reshape a")
            .op("c = Unsqueeze b")
            .op("y = Conv c x");
    assertEquals(List.of("x@0+a@0+b@0+c@0 [0, 4) 12", "y@0 [3, 4) 2"), sketch.buffers(VIEWS));
    assertEquals(
        List.of("x@0 [0, 4) 12", "a@0 [0, 2) 12", "b@0 [1, 3) 12", "c@0 [2, 4) 12", "y@0 [3, 4) 2"),
        sketch.buffers(EXACT));
  }

  @Test
  void aViewThatIsAnOutputKeepsTheBuffer() {
    assertEquals(
        List.of("x@0+y@0 [0, 2) 4", "z@0 [1, 2) 1"),
        NetworkSketch.of("x -> y z", "x:4 y:2,2 z:1")
            .op("y = Reshape x")
            .op("z = Conv x")
            .buffers(VIEWS));
  }

  @Test
  void aViewOfAWeightHasNoBytes() {
    assertEquals(
        List.of("v@0 [0, 3) 0", "u@0 [1, 3) 0", "y@0 [2, 3) 6"),
        NetworkSketch.of("-> y", "w:weight,2,3 v:6 u:3 y:6")
            .op("v = Reshape w")
            .op("u = Slice v", "axes", List.of(0L), "starts", List.of(2L), "ends", List.of(5L))
            .op("y = Conv v u")
            .buffers(VIEWS));
  }

  @Test
  void contiguousSlicesAreViewsAndOthersAreNot() {
    NetworkSketch sketch =
        NetworkSketch.of("x -> a b c d e", "x:1,4,3 a:1,2,3 b:1,4,1 c:1,1,3 d:1,2,3 e:1,2,3")
            .op("a = Slice x", "axes", List.of(1L), "starts", List.of(1L), "ends", List.of(3L))
            .op("b = Slice x", "axes", List.of(2L), "starts", List.of(1L), "ends", List.of(2L))
            .op("c = tpu.Slice x", "offset", List.of(0L, -1L, 0L), "steps", List.of(1L, 1L, 1L))
            .op("d = Slice x", "axes", List.of(-2L), "starts", List.of(0L), "steps", List.of(2L))
            .op("e = Slice x");
    assertEquals(
        List.of("x@0+a@3+c@9 [0, 5) 12", "b@0 [1, 5) 4", "d@0 [3, 5) 6", "e@0 [4, 5) 6"),
        sketch.buffers(VIEWS));
  }

  @Test
  void partsOfASplitAreViews() {
    assertEquals(
        List.of("x@0+a@0+b@2+c@5 [0, 2) 9", "d@0 [1, 2) 4", "e@0 [1, 2) 5"),
        NetworkSketch.of("x -> a c d e", "x:1,9 a:1,2 b:1,3 c:1,4 d:1,4 e:1,5")
            .op("a b c = Split x", "axis", 1L)
            .op("d e = Topk x")
            .buffers(VIEWS));
  }

  private static NetworkSketch concat(String op, Object... attributes) {
    return NetworkSketch.of("x -> y", "x:1,1 a:1,2 b:1,3 c:1,5 y:1,1")
        .op("a = Conv x")
        .op("b = Conv a")
        .op(op, attributes)
        .op("y = Conv c");
  }

  @Test
  void operandsOfAConcatLieInsideIt() {
    assertEquals(
        List.of("x@0 [0, 1) 1", "a@0+b@2+c@0 [0, 4) 5", "y@0 [3, 4) 1"),
        concat("c = Concat a b", "axis", 1L).buffers(VIEWS));
    assertEquals(
        List.of("x@0 [0, 1) 1", "a@3+b@0+c@0 [0, 4) 5", "y@0 [3, 4) 1"),
        concat("c = CONCATENATION b a").buffers(VIEWS));
  }

  @Test
  void aConcatThatComputesStaysAnOp() {
    List<String> apart =
        List.of("x@0 [0, 1) 1", "a@0 [0, 3) 2", "b@0 [1, 3) 3", "c@0 [2, 4) 5", "y@0 [3, 4) 1");
    assertEquals(apart, concat("c = Concat a b", "relu", true).buffers(VIEWS));
    assertEquals(apart, concat("c = tpu.Concat a b", "do_relu", true).buffers(VIEWS));
    assertEquals(apart, concat("c = tpu.Concat a b", "only_merge", false).buffers(VIEWS));
    assertEquals(
        apart, concat("c = CONCATENATION a b", "fused_activation_function", "RELU").buffers(VIEWS));
    assertEquals(
        concat("c = Concat a b").buffers(VIEWS),
        concat("c = CONCATENATION a b", "fused_activation_function", "NONE").buffers(VIEWS));
  }

  @Test
  void aTensorHasOnePlaceInOneConcat() {
    // d wants a elsewhere; b appears twice in e.
    assertEquals(
        List.of("x@0 [0, 2) 2", "a@0+b@2+c@0 [0, 5) 4", "d@0 [3, 5) 4", "e@0 [4, 5) 4"),
        NetworkSketch.of("x -> c d e", "x:1,2 a:1,2 b:1,2 c:1,4 d:1,4 e:1,4")
            .op("a = Conv x")
            .op("b = Conv x")
            .op("c = Concat a b")
            .op("d = Concat b a")
            .op("e = Concat b b")
            .buffers(VIEWS));
  }

  @Test
  void aConcatOfAConcatIsOneBuffer() {
    // As in DenseNet: each result is read by a convolution and grows into the next.
    assertEquals(
        List.of("x@0+f1@2+c1@0+f2@3+c2@0 [0, 5) 5", "y@0 [4, 5) 1"),
        NetworkSketch.of("x -> y", "x:1,2 f1:1,1 c1:1,3 f2:1,2 c2:1,5 y:1,1")
            .op("f1 = Conv x")
            .op("c1 = Concat x f1")
            .op("f2 = Conv c1")
            .op("c2 = Concat c1 f2")
            .op("y = Conv c2")
            .buffers(VIEWS));
  }

  @Test
  void concatsOverAnInnerAxisOrWithWeightsAreNotMerged() {
    assertEquals(
        List.of("x@0 [0, 2) 4", "c@0 [0, 2) 8", "d@0 [1, 2) 6"),
        NetworkSketch.of("x -> c d", "x:2,2 w:weight,1,2 c:2,4 d:3,2")
            .op("c = Concat x x")
            .op("d = Concat x w")
            .buffers(VIEWS));
  }

  @Test
  void anOperandThatStaysDoesNotHoldTheWholeConcat() {
    NetworkSketch sketch =
        NetworkSketch.of("x -> y", "x:1,2 a:1,3 c:1,5 y:1,1")
            .op("a = Conv x")
            .op("c = Concat x a")
            .op("y = Conv c");
    assertEquals(List.of("x@0+a@2+c@0 [0, 3) 5", "y@0 [2, 3) 1"), sketch.buffers(VIEWS));
    assertEquals(
        List.of("x@0 [0, 3) 2", "a@0 [0, 2) 3", "c@0 [1, 3) 5", "y@0 [2, 3) 1"),
        sketch.buffers(VIEWS.withInputs(Inputs.KEEP)));
  }
}
