package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.generator.Generators;
import stowage.importer.own.PackingCsv;

/** Bounds with their certificates: listed, written with plans, and checked again from the file. */
class BoundCommandTest extends FolderTest {
  private Path exchange() throws IOException {
    Path file = folder.resolve("exchange.csv");
    Map<String, Object> values = Map.of("seed", 2L, "live", 6, "buffers", 50, "capacity", 60);
    PackingCsv.write(file, Generators.generate("exchange", values));
    return file;
  }

  @Test
  void everyKindIsListedWithItsCertificate() throws IOException {
    Path input = exchange();
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
    Path input = exchange();
    Path out = folder.resolve("out");
    JsonNode planned = Stowage.run("plan", input, "--out", out, "--json").json();
    JsonChecks.holds(planned, "status=OPTIMAL boundKind=window");
    Path plan = out.resolve("plan.json");
    Stowage.run("verify", input, plan, "--json").ends(0).holds("bound/proven=true");
    Stowage.run("verify", input, plan).prints("window: re-checked");

    long bound = planned.get("lowerBound").asLong();
    String text = Files.readString(plan);
    String higher =
        text.replaceFirst("\"lowerBound\"( ?: ?)" + bound, "\"lowerBound\"$1" + (bound + 1));
    Path tampered = file("tampered.json", higher);
    Stowage.run("verify", input, tampered, "--json").ends(6).holds("bound/proven=false");
    Stowage.run("verify", input, tampered).prints("invalid: bound");
  }

  @Test
  void aCertificateThatNamesWhatIsNotThereIsRefused() throws IOException {
    Path input = exchange();
    Path out = folder.resolve("out");
    Stowage.run("plan", input, "--out", out);
    String text = Files.readString(out.resolve("plan.json"));
    Path tampered =
        file("tampered.json", text.replaceFirst("\"kind\"( ?: ?)\"window\"", "\"kind\"$1\"w\""));
    Stowage.run("verify", input, tampered).ends(3).says("kind \"w\" is not known");
  }
}
