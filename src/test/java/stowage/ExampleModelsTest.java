package stowage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.importer.executorch.PteBuilder;
import stowage.importer.onnx.OnnxSamples;
import stowage.importer.pytorch.SnapshotSamples;
import stowage.importer.tflite.TfliteSamples;
import stowage.importer.tpumlir.TpuMlirSamples;

/**
 * The models in {@code models/examples} are what the writers of the tests make; the property {@code
 * stowage.examples=write} writes them again.
 */
class ExampleModelsTest {
  private static final Path FOLDER = Path.of("models/examples");

  @Test
  void everyExampleIsTheOneThatIsMade() throws IOException {
    Map<String, byte[]> made =
        Map.of(
            "keywords.tflite", TfliteSamples.keywords(),
            "residual.onnx", OnnxSamples.residual(),
            "small.mlir", TpuMlirSamples.all().get(0),
            "forward.pte", PteBuilder.example(),
            "snapshot.pickle", SnapshotSamples.example());
    for (Map.Entry<String, byte[]> example : made.entrySet()) {
      Path file = FOLDER.resolve(example.getKey());
      if (System.getProperty("stowage.examples", "").equals("write")) {
        Files.write(file, example.getValue());
      }
      assertTrue(example.getValue().length < 10_000, example.getKey());
      assertArrayEquals(example.getValue(), Files.readAllBytes(file), example.getKey());
    }
  }
}
