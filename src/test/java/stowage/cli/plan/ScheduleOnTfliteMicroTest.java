package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.PublicData;
import stowage.cli.Stowage;
import stowage.importer.tflite.TfliteMicroRuntime;

/** Models written in the order found, run by TFLite Micro where its program is at hand. */
class ScheduleOnTfliteMicroTest extends FolderTest {
  private static final long MOST_BYTES = 400_000;

  @Test
  void theHeadIsAsPredictedAndNotAboveTheModelsOwn() throws Exception {
    TfliteMicroRuntime.program();
    int ran = 0;
    for (Path model : PublicData.networks("tflite")) {
      if (Files.size(model) > MOST_BYTES) {
        continue;
      }
      JsonNode before = TfliteMicroRuntime.run(model);
      String[] how = before.path("allocated").asBoolean() ? new String[0] : new String[] {"--stub"};
      before = how.length > 0 ? TfliteMicroRuntime.run(model, how) : before;
      if (!before.path("allocated").asBoolean() || before.path("scratch").asInt() > 0) {
        continue; // refused, or kernels ask for memory that the file does not tell of
      }
      Path written = folder.resolve(model.getFileName());
      JsonNode answer = Stowage.run("schedule", model, "--write", written, "--json").json();
      JsonNode after = TfliteMicroRuntime.run(written, how);
      long head = after.get("plannerHead").asLong();
      assertEquals(answer.get("tfliteMicro").get("head").asLong(), head, model.toString());
      assertEquals(
          before.get("plannerHead"), answer.get("tfliteMicro").get("givenHead"), model.toString());
      assertTrue(head <= before.get("plannerHead").asLong(), model.toString());
      assertEquals(before.get("outputs"), after.get("outputs"), model.toString());
      ran++;
    }
    assertTrue(ran > 3, ran + " models ran");
  }
}
