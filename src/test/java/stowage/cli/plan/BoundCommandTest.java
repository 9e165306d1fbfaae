package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.Stowage;
import stowage.generator.Generators;
import stowage.importer.own.PackingCsv;

/** Bounds with their certificates: listed, written with plans, and checked again from the file. */
class BoundCommandTest {
  @TempDir Path folder;

  private Path exchange(long seed) throws IOException {
    Path file = folder.resolve("exchange.csv");
    PackingCsv.write(
        file,
        Generators.generate(
            "exchange", Map.of("seed", seed, "live", 6, "buffers", 50, "capacity", 60)));
    return file;
  }

  @Test
  void everyKindIsListedWithItsCertificate() throws IOException {
    Path input = exchange(2);
    JsonNode answer = Stowage.run("bound", input, "--json").json();
    assertEquals("window", answer.at("/bounds/0/kind").asText());
    assertEquals(answer.get("lowerBound"), answer.at("/bounds/0/value"));
    assertEquals("max-load", answer.at("/bounds/1/kind").asText());
    for (JsonNode bound : answer.get("bounds")) {
      assertTrue(bound.at("/certificate/checked").asBoolean(), bound.toString());
      assertTrue(bound.get("seconds").asDouble() >= 0);
    }
    String text = Stowage.run("bound", input).out();
    assertTrue(text.contains("window") && text.contains("max-load"), text);
  }

  @Test
  void aPlansCertificateIsCheckedAgainFromItsFile() throws IOException {
    Path input = exchange(2);
    Path out = folder.resolve("out");
    JsonNode planned = Stowage.run("plan", input, "--out", out, "--json").json();
    assertEquals("OPTIMAL", planned.get("status").asText());
    assertEquals("window", planned.get("boundKind").asText());
    Path plan = out.resolve("plan.json");
    Stowage valid = Stowage.run("verify", input, plan, "--json").ends(0);
    assertTrue(valid.json().at("/bound/proven").asBoolean(), valid.out());
    assertTrue(Stowage.run("verify", input, plan).out().contains("window: re-checked"));

    long bound = planned.get("lowerBound").asLong();
    String text = Files.readString(plan);
    Path tampered = folder.resolve("tampered.json");
    Files.writeString(
        tampered,
        text.replaceFirst("\"lowerBound\"( ?: ?)" + bound, "\"lowerBound\"$1" + (bound + 1)));
    Stowage refused = Stowage.run("verify", input, tampered, "--json").ends(6);
    assertEquals(false, refused.json().at("/bound/proven").asBoolean());
    assertTrue(Stowage.run("verify", input, tampered).out().contains("invalid: bound"));
  }

  @Test
  void aCertificateThatNamesWhatIsNotThereIsRefused() throws IOException {
    Path input = exchange(2);
    Path out = folder.resolve("out");
    Stowage.run("plan", input, "--out", out);
    String text = Files.readString(out.resolve("plan.json"));
    Path tampered = folder.resolve("tampered.json");
    Files.writeString(tampered, text.replaceFirst("\"kind\"( ?: ?)\"window\"", "\"kind\"$1\"w\""));
    Stowage.run("verify", input, tampered).ends(3).says("kind \"w\" is not known");
  }
}
