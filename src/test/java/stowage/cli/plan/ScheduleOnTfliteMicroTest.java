package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.Stowage;
import stowage.importer.RealFiles;

/** Models written in the order found, run by TFLite Micro where its program is at hand. */
class ScheduleOnTfliteMicroTest {
  private static final long MOST_BYTES = 400_000;

  @TempDir Path folder;

  @Test
  void theHeadIsAsPredictedAndNotAboveTheModelsOwn() throws Exception {
    Path program =
        Path.of(System.getProperty("stowage.data", "../shared/data"), "../checks/real/tflm_run");
    Assumptions.assumeTrue(Files.isExecutable(program), "no " + program);
    int ran = 0;
    for (Path model : RealFiles.all("tflite")) {
      if (Files.size(model) > MOST_BYTES) {
        continue;
      }
      JsonNode before = run(program, model, false);
      boolean stub = before == null;
      before = stub ? run(program, model, true) : before;
      if (before == null || before.path("scratch").asInt() > 0) {
        continue; // refused, or kernels ask for memory that the file does not tell of
      }
      Path written = folder.resolve(model.getFileName());
      JsonNode answer = Stowage.run("schedule", model, "--write", written, "--json").json();
      JsonNode after = run(program, written, stub);
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

  private JsonNode run(Path program, Path model, boolean stub) throws Exception {
    Path answer = Files.createTempFile(folder, "run", ".json");
    List<String> words = List.of(program.toString(), model.toString(), "--no-min");
    ProcessBuilder builder = new ProcessBuilder(words);
    if (stub) {
      builder.command(words.get(0), words.get(1), words.get(2), "--stub");
    }
    Process process =
        builder
            .redirectOutput(answer.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.waitFor();
    return process.exitValue() == 0 ? new ObjectMapper().readTree(answer.toFile()) : null;
  }
}
