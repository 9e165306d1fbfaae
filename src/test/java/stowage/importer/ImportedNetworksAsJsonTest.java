package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.PublicData;
import stowage.importer.io.Input;
import stowage.importer.io.InputFormat;
import stowage.importer.onnx.OnnxSamples;
import stowage.importer.openvino.OpenVinoSamples;
import stowage.importer.own.NetworkJson;
import stowage.importer.tflite.TfliteSamples;
import stowage.importer.tpumlir.TpuMlirSamples;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;

/** Every imported network comes through our JSON form as it was. */
class ImportedNetworksAsJsonTest {
  /** Values for the dimensions that real files leave free. */
  private static final Map<String, Map<String, Long>> DIMENSIONS =
      Map.of(
          "ort_bert_toy_optimized.onnx", Map.of("batch", 1L, "max_seq_len_in_batch", 16L),
          "ort_gpt2_past.onnx", Map.of("batch_size", 1L, "seq_len", 8L, "seq_len_plus_1", 9L),
          "super_resolution.onnx", Map.of("batch_size", 1L));

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"onnx", "tflite", "openvino", "tpu-mlir"})
  void realFiles(String kind) throws IOException {
    for (Path file : PublicData.networks(kind)) {
      String name = file.getFileName().toString();
      check(file, new InputFormat.Options(false, DIMENSIONS.getOrDefault(name, Map.of())));
    }
  }

  @Test
  void samples() throws IOException {
    Map<String, List<byte[]>> samples =
        Map.of(
            "onnx", OnnxSamples.all(),
            "tflite", TfliteSamples.all(),
            "xml", OpenVinoSamples.all(),
            "mlir", TpuMlirSamples.all());
    for (Map.Entry<String, List<byte[]>> kind : samples.entrySet()) {
      for (byte[] sample : kind.getValue()) {
        check(
            Files.write(folder.resolve("sample." + kind.getKey()), sample),
            InputFormat.Options.DEFAULT);
      }
    }
  }

  private void check(Path file, InputFormat.Options options) throws IOException {
    Network network = ((Input.Graph) InputFormats.read(file, options)).network();
    Path json = folder.resolve("network.json");
    NetworkJson.write(network, json);
    Network again = ((Input.Graph) InputFormats.read(json)).network();
    assertEquals(network.ops(), again.ops(), file.toString());
    assertEquals(network.tensors(), again.tensors(), file.toString());
    assertEquals(network.inputs(), again.inputs(), file.toString());
    assertEquals(network.outputs(), again.outputs(), file.toString());
    assertEquals(network.notes(), again.notes(), file.toString());
    PlanningCase first = Liveness.of(network, LivenessOptions.defaults());
    PlanningCase second = Liveness.of(again, LivenessOptions.defaults());
    assertEquals(first.problem().buffers(), second.problem().buffers(), file.toString());
    assertEquals(first.contents(), second.contents(), file.toString());
  }
}
