package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.ImporterTest.network;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.PublicData;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.LoadProfile;

/** Real files against figures that were found by other means than the importers. */
class RealNetworksTest {
  private static final LivenessOptions PLAIN =
      LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.NONE).withAlignments(1, 1);

  private static List<Long> sizes(Network network, Tensor.Kind kind) {
    return network.tensors().values().stream()
        .filter(tensor -> tensor.kind() == kind)
        .map(Tensor::bytes)
        .sorted()
        .toList();
  }

  private static void compare(Path file, SecondReaders.Counted counted) {
    Network network = network(file);
    assertEquals(
        counted.activations.values().stream().sorted().toList(),
        sizes(network, Tensor.Kind.ACTIVATION),
        file + ": bytes of activations");
    assertEquals(counted.reads.size(), network.ops().size(), file + ": ops");
    boolean variables =
        network.tensors().values().stream().anyMatch(t -> t.kind() == Tensor.Kind.VARIABLE);
    if (!variables) {
      assertEquals(
          counted.maxLoad(),
          LoadProfile.of(Liveness.of(network, PLAIN).problem()).maxLoad(),
          file + ": max load");
    }
    everyActivationOnce(file, network);
  }

  private static void everyActivationOnce(Path file, Network network) {
    PlanningCase planningCase = Liveness.of(network, LivenessOptions.defaults());
    List<String> carried = new ArrayList<>();
    planningCase
        .contents()
        .forEach(content -> content.parts().forEach(part -> carried.add(part.tensor())));
    assertEquals(
        carried.size(), new TreeSet<>(carried).size(), file + ": a tensor is defined twice");
    for (Tensor tensor : network.tensors().values()) {
      assertTrue(tensor.isWeight() || carried.contains(tensor.name()), file + ": " + tensor);
    }
  }

  @Test
  void tfliteFilesAgreeWithASecondReader() throws IOException {
    for (Path file : PublicData.networks("tflite")) {
      SecondReaders.Counted counted = SecondReaders.tflite(file);
      compare(file, counted);
      assertEquals(counted.weightBytes(), network(file).weightBytes(), file.toString());
    }
  }

  @Test
  void openVinoFilesAgreeWithASecondReader() throws Exception {
    for (Path file : PublicData.networks("openvino")) {
      compare(file, SecondReaders.openvino(file));
    }
    // Nothing is computed from constants here, so the weights are what the file stores.
    Path inception = PublicData.network("openvino/openvino-rs_inception.xml");
    assertEquals(SecondReaders.openvino(inception).weightBytes(), network(inception).weightBytes());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"blazeface_bm1688_final.mlir", "blazeface_cv184x_final.mlir", "resnet18_top.mlir"})
  void tpuMlirFilesAgreeWithASecondReader(String name) throws IOException {
    Path file = PublicData.network("tpu-mlir/" + name);
    SecondReaders.Counted counted = SecondReaders.tpuMlir(file);
    compare(file, counted);
    assertEquals(counted.weightBytes(), network(file).weightBytes());
  }

  @Test
  void onnxFilesAgreeWithASecondReader() throws IOException {
    for (Path file : PublicData.networks("onnx")) {
      if (file.getFileName().toString().startsWith("light_")) {
        SecondReaders.Counted counted = SecondReaders.onnx(file);
        Network network = network(file);
        assertEquals(counted.reads.size(), network.ops().size(), file.toString());
        TreeSet<String> activations = new TreeSet<>();
        TreeSet<String> weights = new TreeSet<>();
        network
            .tensors()
            .values()
            .forEach(t -> (t.isWeight() ? weights : activations).add(t.name()));
        assertEquals(new TreeSet<>(counted.activations.keySet()), activations, file.toString());
        assertEquals(new TreeSet<>(counted.weights.keySet()), weights, file.toString());
        everyActivationOnce(file, network);
      }
    }
  }

  /**
   * Weights: parameters published for each network, 4 bytes each (with ResNet's 53,120 running
   * means and variances), and the shapes that reshapes read, 16 bytes each. Loads: worked out from
   * the layers' shapes, each rounded up to 4096.
   *
   * <ul>
   *   <li>ResNet-50: where the first block's sum of 1x256x56x56 is made, its two operands are
   *       alive: three tensors of 3,211,264 bytes. Kept inputs add 602,112.
   *   <li>AlexNet: relu1 beside conv1, two of 1x96x54x54, 1,122,304 each.
   *   <li>SqueezeNet: relu1 beside conv1, two of 1x64x111x111, 3,158,016 each.
   *   <li>MNIST: the first sum beside its operand, two of 1x8x28x28, 28,672 each.
   * </ul>
   */
  @ParameterizedTest
  @CsvSource({
    "light_resnet50.onnx, 102440624, 9633792, 10235904",
    "light_bvlc_alexnet.onnx, 243860912, 2244608, 2846720",
    "light_squeezenet.onnx, 4941984, 6316032, 6918144",
    "ort_mnist.onnx, 23992, 57344, 61440"
  })
  void publishedSizesAndLoadsByHand(String name, long weights, long free, long keep) {
    Network network = network(PublicData.network("onnx/" + name));
    assertEquals(weights, network.weightBytes());
    assertEquals(free, load(network, LivenessOptions.Inputs.FREE));
    assertEquals(keep, load(network, LivenessOptions.Inputs.KEEP));
  }

  private static long load(Network network, LivenessOptions.Inputs inputs) {
    LivenessOptions options = LivenessOptions.defaults().withInputs(inputs);
    return LoadProfile.of(Liveness.of(network, options).problem()).maxLoad();
  }

  /**
   * Figures of TPU-MLIR itself: bytes of the weights' memory, and loads with inputs kept or not.
   */
  @ParameterizedTest
  @CsvSource({
    "blazeface_bm1688_final.mlir, 450560, 909312, 712704",
    "blazeface_cv184x_final.mlir, 454656, 909312, 712704"
  })
  void tpuMlirsOwnFigures(String name, long weights, long keep, long free) {
    Network network = network(PublicData.network("tpu-mlir/" + name));
    assertEquals(keep, load(network, LivenessOptions.Inputs.KEEP));
    assertEquals(free, load(network, LivenessOptions.Inputs.FREE));
    assertEquals(
        weights, Liveness.of(network, LivenessOptions.defaults()).weightBytes(), "coeff_size");
  }

  @Test
  void withoutReuseTheSizesAddUp() {
    // TPU-MLIR laid this file out without reuse: neuron_size is the sum of all, coeff_size of
    // weights.
    Network network = network(PublicData.network("tpu-mlir/resnet18_int8_addr_bm1684.mlir"));
    PlanningCase planningCase =
        Liveness.of(network, LivenessOptions.defaults().withInPlace(LivenessOptions.InPlace.NONE));
    long sum = planningCase.problem().buffers().stream().mapToLong(b -> b.size()).sum();
    assertEquals(16_801_792, sum);
    assertEquals(11_771_904, planningCase.weightBytes());
  }

  @Test
  void freeDimensionsOfRealFilesAreBound() {
    Path bert = PublicData.network("onnx/ort_bert_toy_optimized.onnx");
    Network network = network(bert, Map.of("batch", 1L, "max_seq_len_in_batch", 64L));
    assertFalse(network.notes().toString().contains("zeros"), network.notes().toString());
    assertEquals(List.of(1L, 64L), network.tensor("input_ids").shape());
  }
}
