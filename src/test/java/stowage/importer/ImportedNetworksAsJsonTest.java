package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stowage.FolderTest;
import stowage.PublicData;
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
public class ImportedNetworksAsJsonTest extends FolderTest {
  @ParameterizedTest
  @ValueSource(strings = {"onnx", "tflite", "openvino", "tpu-mlir"})
  void realFiles(String kind) throws IOException {
    for (Path file : PublicData.networks(kind)) {
      check(file);
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
        check(file("sample." + kind.getKey(), sample));
      }
    }
  }

  private void check(Path file) throws IOException {
    Network network = ImporterTest.network(file, PublicData.dimensions(file));
    Path json = folder.resolve("network.json");
    NetworkJson.write(network, json);
    Network again = ImporterTest.network(json);
    same(network, again, file.toString());
    PlanningCase first = Liveness.of(network, LivenessOptions.defaults());
    PlanningCase second = Liveness.of(again, LivenessOptions.defaults());
    assertEquals(first.problem().buffers(), second.problem().buffers(), file.toString());
    assertEquals(first.contents(), second.contents(), file.toString());
  }

  /** Holds that a network is another one, except for its name. */
  public static void same(Network network, Network again, String what) {
    assertEquals(network.ops(), again.ops(), what);
    assertEquals(network.tensors(), again.tensors(), what);
    assertEquals(network.inputs(), again.inputs(), what);
    assertEquals(network.outputs(), again.outputs(), what);
    assertEquals(network.notes(), again.notes(), what);
  }
}
