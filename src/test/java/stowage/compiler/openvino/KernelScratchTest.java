package stowage.compiler.openvino;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;

class KernelScratchTest {

  private static List<Long> scratch(String type, Map<String, Object> attributes, long[]... shapes) {
    List<Tensor> tensors = new java.util.ArrayList<>();
    List<String> names = new java.util.ArrayList<>();
    for (long[] shape : shapes) {
      names.add("t" + names.size());
      List<Long> extents = java.util.Arrays.stream(shape).boxed().toList();
      tensors.add(
          new Tensor(
              names.get(names.size() - 1), extents, ElementType.F32, Tensor.Kind.ACTIVATION));
    }
    tensors.add(new Tensor("y", List.of(7L), ElementType.F32, Tensor.Kind.ACTIVATION));
    Op op = new Op("op", type, attributes, names, List.of("y"), 0);
    Network network =
        new Network("net", "openvino", tensors, List.of(op), names, List.of("y"), List.of());
    return KernelScratch.added(network).ops().get(0).scratch();
  }

  @Test
  void detectionSortsTheScoresOfEveryClass() {
    long[] locations = {2, 400};
    long[] scores = {2, 300};
    long[] priors = {1, 2, 400};
    // 100 priors shared by 3 classes: 2 · 3 · 100 entries of 10 bytes, 2 · (3 + 2) integers.
    assertEquals(
        List.of(6000L, 40L), scratch("DetectionOutput", Map.of(), locations, scores, priors));
    assertEquals(
        List.of(6000L, 6000L, 40L),
        scratch("DetectionOutput", Map.of("decrease_label_id", true), locations, scores, priors));
    // Locations of each of 5 classes: 20 priors.
    assertEquals(
        List.of(2000L, 56L),
        scratch(
            "DetectionOutput",
            Map.of("share_location", false, "num_classes", 5L),
            locations,
            scores,
            priors));
  }

  @Test
  void suppressionKeepsTwoListsOfBoxes() {
    assertEquals(
        List.of(2 * 3 * 50 * 12L, 2 * 3 * 50 * 12L, 24L),
        scratch("NonMaxSuppression", Map.of(), new long[] {2, 50, 4}, new long[] {2, 3, 50}));
  }

  @Test
  void otherOpsAndOddShapesAreLeftAsTheyAre() {
    assertEquals(List.of(), scratch("Conv", Map.of(), new long[] {2, 50, 4}));
    assertEquals(List.of(), scratch("DetectionOutput", Map.of(), new long[] {2}));
    assertEquals(List.of(), scratch("NonMaxSuppression", Map.of(), new long[] {2, 50, 4}));
  }
}
