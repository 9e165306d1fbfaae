package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.importer.tflite.TfliteSamples;

class ShowCommandTest {
  @TempDir Path folder;

  /** A convolution, a slice that is a view, and an op of its own. */
  @Test
  void aNetworkIsShownWithItsPeak() throws IOException {
    Path model = Files.write(folder.resolve("m.tflite"), TfliteSamples.all().get(0));
    Stowage run = Stowage.run("show", model, "--alignment", 1);
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("CONV_2D"), run.out());
    assertTrue(run.out().contains("largest tensors"), run.out());
    assertTrue(run.out().contains("alive at the peak, step 2 (Own y):"), run.out());
    JsonNode json = Stowage.run("show", model, "--alignment", 1, "--json").json();
    assertEquals(3, json.get("ops").asInt());
    assertEquals(1, json.get("opsByType").get("SLICE").asInt());
    assertEquals(64, json.get("weightBytes").asLong());
    assertEquals(2, json.get("peakStep").asInt());
    assertEquals(12 + 28 + 100, json.get("maxLoad").asLong());
  }
}
