package stowage.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.schedule.order.RuntimeOrders;

/**
 * The blocks that ONNX Runtime 1.29.0 allocates for its memory pattern, against ours from the graph
 * that it writes after its basic optimisation. The figures were measured in the run-time itself, on
 * that graph, by logging its allocations (CPU arena off, prepacking off): the block is the first
 * allocation of the second run.
 */
class OnnxRuntimeBlocksTest extends FolderTest {
  private static final Map<String, Map<String, Long>> DIMENSIONS =
      Map.of(
          "ort_bert_toy_optimized", Map.of("batch", 1L, "max_seq_len_in_batch", 1L),
          "ort_gpt2_past", Map.of("batch_size", 1L, "seq_len", 1L, "seq_len_plus_1", 2L),
          "super_resolution", Map.of("batch_size", 1L));

  @ParameterizedTest
  @CsvSource({
    "ort_mnist, 31488",
    "ort_cnn_mnist_pytorch, 28928",
    "ort_simplified_ssd, 190080000",
    "super_resolution, 25690112",
    "ultraface_RFB-320, 4915200",
    "light_squeezenet, 3928576",
    "ort_bert_toy_optimized, 4352",
  })
  void theBlockIsThatOfTheRuntime(String model, long block) throws Exception {
    check(model, block);
  }

  @Tag("thorough")
  @ParameterizedTest
  @CsvSource({
    "light_inception_v1, 4646400",
    "light_densenet121, 12443648",
    "light_resnet50, 13647872",
    "light_bvlc_alexnet, 2239488",
    "ort_gpt2_past, 4864",
  })
  void theBlocksOfLargeModelsAreTheRuntimes(String model, long block) throws Exception {
    check(model, block);
  }

  private void check(String model, long block) throws Exception {
    Path file = PublicData.network("onnx").resolve(model + ".onnx");
    Path optimised = optimised(file, DIMENSIONS.getOrDefault(model, Map.of()));
    Input.Graph graph = (Input.Graph) InputFormats.read(optimised);
    LivenessOptions options =
        LivenessOptions.defaults()
            .withInPlace(LivenessOptions.InPlace.ONNXRUNTIME)
            .withInputs(LivenessOptions.Inputs.CALLER)
            .withAlignments(256, 256);
    PlanningCase planningCase =
        Liveness.of(graph.network(), RuntimeOrders.onnxRuntime(graph.network()), options);
    var plan = CompilerPlanners.named("onnxruntime").plan(planningCase, RunControl.unlimited());
    assertTrue(Verifier.violations(planningCase.problem(), plan.placement()).isEmpty());
    assertEquals(block, plan.placement().peak(planningCase.problem(), 0));
  }

  private Path optimised(Path model, Map<String, Long> dimensions) throws OrtException {
    Path written = folder.resolve("optimised.onnx");
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.BASIC_OPT);
      options.setOptimizedModelFilePath(written.toString());
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      for (Map.Entry<String, Long> dimension : dimensions.entrySet()) {
        options.setSymbolicDimensionValue(dimension.getKey(), dimension.getValue());
      }
      OrtEnvironment.getEnvironment().createSession(model.toString(), options).close();
    }
    assertTrue(Files.exists(written));
    return written;
  }
}
