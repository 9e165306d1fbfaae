package stowage.liveness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.liveness.LivenessOptions.InPlace;
import stowage.liveness.LivenessOptions.Inputs;
import stowage.network.ElementType;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.InvalidProblemException;
import stowage.packing.LoadProfile;

class LivenessTest {
  private static final LivenessOptions EXACT =
      LivenessOptions.defaults().withAlignments(1, 1).withInPlace(InPlace.NONE);
  private static final LivenessOptions VIEWS = EXACT.withInPlace(InPlace.VIEWS);
  private static final LivenessOptions ELEMENTWISE = EXACT.withInPlace(InPlace.ELEMENTWISE);

  /** Writes small networks of byte tensors: {@code "y = Relu x"}, one op a text. */
  private static final class Sketch {
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private final List<Op> ops = new ArrayList<>();
    private List<String> inputs = List.of();
    private List<String> outputs = List.of();

    Sketch tensor(String name, long... shape) {
      return tensor(name, Tensor.Kind.ACTIVATION, shape);
    }

    Sketch tensor(String name, Tensor.Kind kind, long... shape) {
      List<Long> extents = Arrays.stream(shape).boxed().toList();
      tensors.put(name, new Tensor(name, extents, ElementType.U8, kind));
      return this;
    }

    Sketch op(String text, Object... attributes) {
      String[] words = text.split(" ");
      int equals = List.of(words).indexOf("=");
      Map<String, Object> map = new LinkedHashMap<>();
      for (int k = 0; k < attributes.length; k += 2) {
        map.put((String) attributes[k], attributes[k + 1]);
      }
      List<String> results = List.of(words).subList(0, equals);
      List<String> operands = List.of(words).subList(equals + 2, words.length);
      ops.add(new Op("op" + ops.size(), words[equals + 1], map, operands, results, 0));
      return this;
    }

    Sketch scratch(String name, long bytes, String operand, String result) {
      ops.add(new Op(name, "Op", Map.of(), List.of(operand), List.of(result), bytes));
      return this;
    }

    Sketch inputs(String... names) {
      inputs = List.of(names);
      return this;
    }

    Sketch outputs(String... names) {
      outputs = List.of(names);
      return this;
    }

    Network network() {
      return new Network("sketch", "json", tensors.values(), ops, inputs, outputs, List.of());
    }

    /** Every buffer as {@code tensor@offset+tensor@offset [start, end) size}. */
    List<String> buffers(LivenessOptions options) {
      PlanningCase planning = Liveness.of(network(), options);
      List<String> shown = new ArrayList<>();
      for (int i = 0; i < planning.contents().size(); i++) {
        Buffer buffer = planning.problem().buffer(i);
        List<String> parts = new ArrayList<>();
        for (PlanningCase.Part part : planning.contents().get(i).parts()) {
          parts.add(part.tensor() + "@" + part.offset());
        }
        shown.add(
            (parts.isEmpty() ? buffer.id() : String.join("+", parts))
                + " "
                + buffer.live()
                + " "
                + buffer.size());
      }
      return shown;
    }
  }

  private static Sketch chain() {
    return new Sketch()
        .tensor("x", 10)
        .tensor("y", 20)
        .tensor("z", 30)
        .inputs("x")
        .outputs("z")
        .op("y = Conv x")
        .op("z = Conv y");
  }

  @Test
  void operandAndResultOfAnOpOverlap() {
    assertEquals(
        List.of("x@0 [0, 1) 10", "y@0 [0, 2) 20", "z@0 [1, 2) 30"), chain().buffers(EXACT));
  }

  @Test
  void keptInputsLiveToTheEnd() {
    assertEquals(
        List.of("x@0 [0, 2) 10", "y@0 [0, 2) 20", "z@0 [1, 2) 30"),
        chain().buffers(EXACT.withInputs(Inputs.KEEP)));
  }

  @Test
  void sizesAreRoundedUpAndOffsetsAligned() {
    PlanningCase planning = Liveness.of(chain().network(), EXACT.withAlignments(16, 64));
    assertEquals(
        List.of(16L, 32L, 32L), planning.problem().buffers().stream().map(Buffer::size).toList());
    assertTrue(planning.problem().buffers().stream().allMatch(buffer -> buffer.alignment() == 16));
  }

  @Test
  void aDeadResultLivesInItsStepAndAnUnreadInputInTheFirst() {
    assertEquals(
        List.of("x@0 [0, 2) 1", "idle@0 [0, 1) 2", "dead@0 [0, 1) 3", "y@0 [1, 2) 4"),
        new Sketch()
            .tensor("x", 1)
            .tensor("idle", 2)
            .tensor("dead", 3)
            .tensor("y", 4)
            .inputs("x", "idle")
            .outputs("y")
            .op("dead = Conv x")
            .op("y = Conv x")
            .buffers(EXACT));
  }

  @Test
  void anInputThatIsAnOutputLivesThroughout() {
    assertEquals(
        List.of("x@0 [0, 1) 5"),
        new Sketch().tensor("x", 5).inputs("x").outputs("x").buffers(EXACT));
  }

  @Test
  void variablesLiveThroughoutAndScratchInItsStep() {
    assertEquals(
        List.of(
            "x@0 [0, 1) 1",
            "state@0 [0, 2) 9",
            "y@0 [0, 2) 2",
            "a#scratch [0, 1) 70",
            "z@0 [1, 2) 3"),
        new Sketch()
            .tensor("x", 1)
            .tensor("state", Tensor.Kind.VARIABLE, 9)
            .tensor("y", 2)
            .tensor("z", 3)
            .inputs("x")
            .outputs("z")
            .scratch("a", 70, "x", "y")
            .op("z = Lstm y state")
            .buffers(EXACT));
  }

  @Test
  void weightsLieOneAfterTheOtherBefore() {
    Network network =
        new Sketch()
            .tensor("w", Tensor.Kind.WEIGHT, 5)
            .tensor("x", 1)
            .tensor("v", Tensor.Kind.WEIGHT, 64)
            .tensor("u", Tensor.Kind.WEIGHT, 1)
            .tensor("y", 1)
            .inputs("x")
            .outputs("y")
            .op("y = Conv x w v u")
            .network();
    PlanningCase planning = Liveness.of(network, EXACT.withAlignments(1, 64));
    assertEquals(
        List.of(
            new PlanningCase.WeightPlace("w", 0, 5),
            new PlanningCase.WeightPlace("v", 64, 64),
            new PlanningCase.WeightPlace("u", 128, 1)),
        planning.weights());
    assertEquals(192, planning.weightBytes());
  }

  @Test
  void reshapesShareTheirOperandsBufferInChains() {
    Sketch sketch =
        new Sketch()
            .tensor("x", 1, 12)
            .tensor("a", 12)
            .tensor("b", 3, 4)
            .tensor("c", 3, 4, 1)
            .tensor("y", 2)
            .inputs("x")
            .outputs("y")
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
        new Sketch()
            .tensor("x", 4)
            .tensor("y", 2, 2)
            .tensor("z", 1)
            .inputs("x")
            .outputs("y", "z")
            .op("y = Reshape x")
            .op("z = Conv x")
            .buffers(VIEWS));
  }

  @Test
  void aViewOfAWeightHasNoBytes() {
    assertEquals(
        List.of("v@0 [0, 3) 0", "u@0 [1, 3) 0", "y@0 [2, 3) 6"),
        new Sketch()
            .tensor("w", Tensor.Kind.WEIGHT, 2, 3)
            .tensor("v", 6)
            .tensor("u", 3)
            .tensor("y", 6)
            .outputs("y")
            .op("v = Reshape w")
            .op("u = Slice v", "axes", List.of(0L), "starts", List.of(2L), "ends", List.of(5L))
            .op("y = Conv v u")
            .buffers(VIEWS));
  }

  @Test
  void contiguousSlicesAreViewsAndOthersAreNot() {
    Sketch sketch =
        new Sketch()
            .tensor("x", 1, 4, 3)
            .tensor("a", 1, 2, 3)
            .tensor("b", 1, 4, 1)
            .tensor("c", 1, 1, 3)
            .tensor("d", 1, 2, 3)
            .tensor("e", 1, 2, 3)
            .inputs("x")
            .outputs("a", "b", "c", "d", "e")
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
        new Sketch()
            .tensor("x", 1, 9)
            .tensor("a", 1, 2)
            .tensor("b", 1, 3)
            .tensor("c", 1, 4)
            .tensor("d", 1, 4)
            .tensor("e", 1, 5)
            .inputs("x")
            .outputs("a", "c", "d", "e")
            .op("a b c = Split x", "axis", 1L)
            .op("d e = Topk x")
            .buffers(VIEWS));
  }

  private static Sketch concat(String op, Object... attributes) {
    return new Sketch()
        .tensor("x", 1, 1)
        .tensor("a", 1, 2)
        .tensor("b", 1, 3)
        .tensor("c", 1, 5)
        .tensor("y", 1, 1)
        .inputs("x")
        .outputs("y")
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
    // d wants a elsewhere; b stands twice in e.
    assertEquals(
        List.of("x@0 [0, 2) 2", "a@0+b@2+c@0 [0, 5) 4", "d@0 [3, 5) 4", "e@0 [4, 5) 4"),
        new Sketch()
            .tensor("x", 1, 2)
            .tensor("a", 1, 2)
            .tensor("b", 1, 2)
            .tensor("c", 1, 4)
            .tensor("d", 1, 4)
            .tensor("e", 1, 4)
            .inputs("x")
            .outputs("c", "d", "e")
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
        new Sketch()
            .tensor("x", 1, 2)
            .tensor("f1", 1, 1)
            .tensor("c1", 1, 3)
            .tensor("f2", 1, 2)
            .tensor("c2", 1, 5)
            .tensor("y", 1, 1)
            .inputs("x")
            .outputs("y")
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
        new Sketch()
            .tensor("x", 2, 2)
            .tensor("w", Tensor.Kind.WEIGHT, 1, 2)
            .tensor("c", 2, 4)
            .tensor("d", 3, 2)
            .inputs("x")
            .outputs("c", "d")
            .op("c = Concat x x")
            .op("d = Concat x w")
            .buffers(VIEWS));
  }

  @Test
  void viewsOfWeightsAreNeitherMergedNorWrittenOver() {
    assertEquals(
        List.of("x@0 [0, 3) 2", "v@0 [0, 3) 0", "c@0 [1, 3) 4", "r@0 [2, 3) 2"),
        new Sketch()
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
  void anOperandThatStaysDoesNotHoldTheWholeConcat() {
    Sketch sketch =
        new Sketch()
            .tensor("x", 1, 2)
            .tensor("a", 1, 3)
            .tensor("c", 1, 5)
            .tensor("y", 1, 1)
            .inputs("x")
            .outputs("y")
            .op("a = Conv x")
            .op("c = Concat x a")
            .op("y = Conv c");
    assertEquals(List.of("x@0+a@2+c@0 [0, 3) 5", "y@0 [2, 3) 1"), sketch.buffers(VIEWS));
    assertEquals(
        List.of("x@0 [0, 3) 2", "a@0 [0, 2) 3", "c@0 [1, 3) 5", "y@0 [2, 3) 1"),
        sketch.buffers(VIEWS.withInputs(Inputs.KEEP)));
  }

  @Test
  void elementwiseOpsWriteOverWhatDies() {
    Sketch sketch =
        new Sketch()
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
    Sketch sketch =
        new Sketch()
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
        new Sketch()
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
        new Sketch()
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
        new Sketch()
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
        new Sketch()
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

  @Test
  void anotherOrderMustBeOne() {
    Network network = chain().network();
    assertThrows(
        InvalidNetworkException.class, () -> Liveness.of(network, new int[] {1, 0}, EXACT));
    assertThrows(InvalidNetworkException.class, () -> Liveness.of(network, new int[] {0}, EXACT));
    assertThrows(
        InvalidNetworkException.class, () -> Liveness.of(network, new int[] {0, 0}, EXACT));
  }

  @Test
  void sizesBeyondALongAreRefused() {
    Network network = chain().network();
    assertThrows(
        InvalidProblemException.class,
        () -> Liveness.of(network, EXACT.withAlignments(Long.MAX_VALUE / 2, 1)));
    assertThrows(
        InvalidProblemException.class,
        () -> Liveness.of(network, EXACT.withAlignments(Long.MAX_VALUE - 5, 1)));
  }

  @Test
  void theLoadOfAChainIsWhatTwoNeighboursTake() {
    assertEquals(50, LoadProfile.of(Liveness.of(chain().network(), EXACT).problem()).maxLoad());
  }
}
