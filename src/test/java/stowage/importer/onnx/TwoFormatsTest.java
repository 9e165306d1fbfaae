package stowage.importer.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.importer.ImportedNetworksAsJsonTest;
import stowage.importer.ImporterTest;
import stowage.importer.own.NetworkJson;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.ElementType;
import stowage.network.Network;
import stowage.network.Tensor;

/** The same network through two formats gives the same problem. */
class TwoFormatsTest extends FolderTest {
  @Test
  void ownNetworksAsOnnxGiveTheProblemsTheyGiveAsJson() throws IOException {
    int compared = 0;
    for (Path model : files(Path.of("models/networks"), ".json")) {
      Network json = NetworkJson.read(model);
      if (json.tensors().values().stream()
          .anyMatch(t -> t.type() != ElementType.F32 || t.kind() == Tensor.Kind.VARIABLE)) {
        continue;
      }
      Path file = NetworkAsOnnx.write(json, folder.resolve("network.onnx"));
      Network onnx = ImporterTest.network(file);
      for (LivenessOptions.InPlace inPlace : LivenessOptions.InPlace.values()) {
        LivenessOptions options = LivenessOptions.defaults().withInPlace(inPlace);
        PlanningCase first = Liveness.of(json, options);
        PlanningCase second = Liveness.of(onnx, options);
        assertEquals(first.problem().buffers(), second.problem().buffers(), model.toString());
        assertEquals(first.contents(), second.contents(), model.toString());
        assertEquals(json.weightBytes(), onnx.weightBytes(), model.toString());
      }
      compared++;
    }
    assertEquals(true, compared >= 5, compared + " networks were compared");
  }

  @Test
  void importedNetworksGoThroughJson() throws IOException {
    Path file =
        NetworkAsOnnx.write(
            NetworkJson.read(Path.of("models/networks/tiny.json")), folder.resolve("network.onnx"));
    Network onnx = ImporterTest.network(file);
    Network again = NetworkJson.read(file("network.json", NetworkJson.text(onnx)));
    ImportedNetworksAsJsonTest.same(onnx, again, "tiny");
  }
}
