package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.cli.Stowage;
import stowage.generator.Generators;
import stowage.generator.networks.NetworkGenerators;
import stowage.importer.InputFormats;
import stowage.importer.io.Input;
import stowage.packing.PackingProblem;

class GenerateCommandTest extends FolderTest {
  @Test
  void buffersAreThoseOfTheGenerator() throws IOException {
    Path file = folder.resolve("x.csv");
    Stowage.run("generate", "near-capacity", "--buffers", 30, "--seed=7", "-o", file).ends(0);
    PackingProblem expected =
        Generators.generate("near-capacity", Map.of("buffers", 30, "seed", 7));
    PackingProblem written = ((Input.Packing) InputFormats.read(file)).problem();
    assertEquals(expected.size(), written.size());
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.buffer(i).size(), written.buffer(i).size());
      assertEquals(expected.buffer(i).live(), written.buffer(i).live());
    }
    Stowage printed = Stowage.line("generate near-capacity --buffers 30 --seed=7 -o -");
    assertEquals(Files.readString(file), printed.out());
  }

  @Test
  void namesOfSeveralWordsAreWrittenWithHyphens() {
    Stowage run = Stowage.line("generate random-intervals --max-life 5 -o - --buffers=9").ends(0);
    assertEquals(10, run.out().lines().count());
  }

  @Test
  void networksAreWrittenAsJson() {
    Path file = folder.resolve("net.json");
    Stowage run = Stowage.run("generate", "mlp", "--layers", 3, "-o", file, "--json");
    assertEquals(file.toString(), run.json().get("written").asText());
    assertTrue(InputFormats.read(file) instanceof Input.Graph);
  }

  @Test
  void listsWhatThereIs() {
    JsonNode list = Stowage.run("generate", "--json").json();
    assertEquals(Generators.all().size() + NetworkGenerators.all().size(), list.size());
    assertTrue(Stowage.run("generate").out().contains("near-capacity"));
  }

  @Test
  void slipsAreNamed() {
    assertSlip("did you mean \"near-capacity\"", "near-capcity");
    assertSlip("did you mean \"buffers\"", "near-capacity", "--bufers", "3");
    assertSlip("should be a whole number", "near-capacity", "--buffers", "x");
    assertSlip("followed by a value", "near-capacity", "--buffers");
    assertSlip("should be a parameter", "near-capacity", "buffers");
  }

  private void assertSlip(String text, Object... words) {
    Stowage.run("generate", words, "-o", folder.resolve("x.csv")).ends(2).says(text);
  }
}
