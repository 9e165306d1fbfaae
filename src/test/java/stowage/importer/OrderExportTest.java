package stowage.importer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.Refusals;
import stowage.Thorough;
import stowage.importer.onnx.OrtRun;
import stowage.importer.tflite.TfliteMicroRuntime;
import stowage.liveness.BufferUsesTest;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.schedule.NetworkOrders;

/** Models written in other orders are read back in them, and run-times compute the same. */
class OrderExportTest extends FolderTest {
  private static Network read(Path file) {
    return ImporterTest.network(file, PublicData.dimensions(file));
  }

  private static int[] anyOrder(Network network, long seed) {
    NetworkOrders orders = NetworkOrders.of(network, LivenessOptions.defaults());
    return BufferUsesTest.randomOrder(orders, new Random(seed));
  }

  private static List<List<String>> made(Network network, int[] order) {
    return IntStream.of(order).mapToObj(op -> network.ops().get(op).presentOutputs()).toList();
  }

  private Path written(Path model, long seed) throws IOException {
    Network network = read(model);
    int[] order = anyOrder(network, seed);
    Path target = folder.resolve(seed + "-" + model.getFileName());
    OrderExport.write(model, network, order, target);
    Network back = read(target);
    assertEquals(made(network, order), made(back, back.executionOrder()), model.toString());
    return target;
  }

  @Test
  void networksInJsonAreReadBackInTheOrderWritten() throws IOException {
    for (String name : List.of("tiny", "unet", "yolo", "inception_v3")) {
      written(Path.of("models/networks", name + ".json"), 7);
    }
    Path model = Path.of("models/networks/tiny.json");
    Network tiny = read(model);
    Path text = folder.resolve("x.onnx");
    int[] order = tiny.executionOrder();
    Refusals.input(() -> OrderExport.write(model, tiny, order, text));
  }

  @Test
  void mlirFilesAreReadBackInTheOrderWritten() throws IOException {
    written(PublicData.network("tpu-mlir/resnet18_top.mlir"), 3);
  }

  @Test
  void tfliteFilesAreReadBackAndTfliteMicroComputesTheSame() throws Exception {
    List<Path> written = new ArrayList<>();
    List<Path> models = PublicData.networks("tflite");
    for (Path model : models) {
      written.add(written(model, 11));
    }
    TfliteMicroRuntime.program();
    int ran = 0;
    for (int k = 0; k < models.size() && ran < Thorough.of(5, 99); k++) {
      JsonNode outputs = TfliteMicroRuntime.run(models.get(k)).path("outputs");
      if (outputs.size() > 0) {
        JsonNode after = TfliteMicroRuntime.run(written.get(k));
        assertEquals(outputs, after.get("outputs"), models.get(k).toString());
        ran++;
      }
    }
    assertTrue(ran > 3, ran + " models ran");
  }

  @Test
  void onnxFilesAreReadBackAndOnnxRuntimeComputesTheSame() throws Exception {
    int ran = 0;
    List<Path> models = PublicData.networks("onnx");
    for (int k = 0; k < models.size(); k++) {
      Path model = models.get(k);
      Path other = written(model, 5);
      Map<String, float[]> before = Thorough.on() || k % 2 == 0 ? outputs(model) : Map.of();
      if (!before.isEmpty()) {
        Map<String, float[]> after = outputs(other);
        assertEquals(before.keySet(), after.keySet());
        before.forEach((name, values) -> assertArrayEquals(values, after.get(name), name));
        ran++;
      }
    }
    assertTrue(ran > 3, ran + " models ran");
  }

  /** The outputs of a model; none if the run-time cannot run it. */
  private static Map<String, float[]> outputs(Path model) {
    try {
      return OrtRun.outputs(model, Random::nextFloat);
    } catch (OrtException cannot) {
      return Map.of();
    }
  }
}
