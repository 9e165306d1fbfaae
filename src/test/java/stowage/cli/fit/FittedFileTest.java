package stowage.cli.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.PublicData;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;

/** Models written with their plan, and what {@code verify} says of these. */
class FittedFileTest {
  private static final String INPUT = "input_1_int8";

  @TempDir Path folder;

  private static Path resnet() {
    return PublicData.network("tflite/mlperf_pretrainedResnet_quant.tflite");
  }

  @Test
  void whereTheInputIsOverwrittenIsSaidAndCanBeForbidden() {
    Path fitted = folder.resolve("fitted.tflite");
    Stowage run =
        Stowage.line(
                "fit %s --capacity %s --det-limit 0.6 --write %s --json", resnet(), 33_000, fitted)
            .ends(0);
    Stowage verified = Stowage.run("verify", fitted, "--json").ends(0);
    assertTrue(verified.json().get("valid").asBoolean(), verified.out());
    assertEquals(run.json().get("peak"), verified.json().get("peak"));
    JsonNode overwritten = verified.json().get("overwrittenInputs");
    assertEquals(1, overwritten.size(), verified.out());
    assertEquals(INPUT, overwritten.get(0).get("input").asText());
    Stowage.run("verify", fitted, "--inputs", "keep")
        .ends(ExitCode.INVALID_PLAN)
        .prints("\"" + INPUT + "\" is overwritten by op");
  }

  @Test
  void anInputThatIsKeptIsNotOverwritten() {
    Path fitted = folder.resolve("kept.tflite");
    Stowage.line(
            "fit %s --capacity %s --inputs keep --det-limit 0.6 --write %s --json",
            resnet(), 37_000, fitted)
        .ends(0);
    Stowage verified = Stowage.run("verify", fitted, "--inputs", "keep", "--json").ends(0);
    JsonNode overwritten = verified.json().path("overwrittenInputs");
    assertEquals(0, overwritten.size(), verified.out());
  }

  @Test
  void aModelThatCannotBeWrittenIsRefusedBeforeTheSearch() {
    Path unsigned = PublicData.network("tflite/coral_mobilenet_v1_0.25_128_quant.tflite");
    Path fitted = folder.resolve("unsigned.tflite");
    Stowage run =
        Stowage.line("fit %s --capacity 66000 --write %s", unsigned, fitted)
            .ends(ExitCode.BAD_INPUT);
    assertTrue(run.err().contains("unsigned bytes") && run.out().isEmpty(), run.out() + run.err());
    assertTrue(Files.notExists(fitted));
  }
}
