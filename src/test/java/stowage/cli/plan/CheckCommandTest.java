package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.terminal.ExitCode;

class CheckCommandTest extends FolderTest {
  /** Fourteen buffers with a peak of 39,936, which no load at a step explains. */
  private static final String HARD = "models/packing/hard-4.csv";

  /** Buffers with a peak of 14,336. */
  private static final String EASY = "models/examples/example.csv";

  @Test
  void aPeakWithinItsLimitPasses() {
    Stowage.run("check", EASY, HARD, "--max-peak", "39KiB", "--json")
        .ends(ExitCode.OK)
        .holds("status=within exitCode=0 models/0/peak=14336 models/1/peak=39936");
  }

  @Test
  void aLimitThatNoPlanKeepsIsNamedWithItsBuffers() throws Exception {
    Path junit = folder.resolve("check.xml");
    Path markdown = folder.resolve("check.md");
    Stowage run =
        Stowage.line(
                "check %s %s --max-peak %s --json --junit %s --markdown %s",
                EASY, HARD, 39_935, junit, markdown)
            .ends(ExitCode.INFEASIBLE);
    JsonNode hard = run.json().at("/models/1");
    assertEquals("within", run.json().at("/models/0/status").asText());
    JsonChecks.holds(hard, "status=impossible blocking/irreducible=true blocking/needed=39936");
    assertTrue(hard.at("/blocking/maxLoad").asLong() < 39_935);

    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit.toFile());
    assertEquals("1", xml.getDocumentElement().getAttribute("failures"));
    assertEquals(2, xml.getElementsByTagName("testcase").getLength());
    Element failure = (Element) xml.getElementsByTagName("failure").item(0);
    assertEquals(hard.get("reason").asText(), failure.getAttribute("message"));
    for (JsonNode buffer : hard.at("/blocking/buffers")) {
      assertTrue(failure.getTextContent().contains(buffer.get("id").asText() + ", "));
    }
    String text = Files.readString(markdown);
    assertTrue(text.contains("| `" + HARD + "` | impossible |"), text);
    assertTrue(text.startsWith("### Memory: 1 of 2"), text);
  }

  @Test
  void theCommandsThatAreNextAreLinesOfAShell() throws Exception {
    Path model =
        Files.copy(Path.of("models/examples/keywords.tflite"), folder.resolve("a b.tflite"));
    String next = "stowage fit '" + model + "' --capacity 10240";
    Stowage.run("check", model, "--max-peak", "10KiB").ends(ExitCode.INFEASIBLE).says(next);
    Stowage.run("schedule", model, "--capacity", "10KiB").ends(ExitCode.INFEASIBLE).says(next);
    Stowage.run("explain", model, "--capacity", "10KiB").says(next);
    Stowage.run("plan", model).prints("stowage schedule '" + model + "'\n");
    Path out = folder.resolve("o ut");
    Stowage.run("fit", model, "--capacity", "20KiB", "--alignment", 32, "--out", out)
        .prints("stowage plan '" + out.resolve("network.json") + "' --schedule '");
  }

  @Test
  void withoutAProofThePeakIsAbove() {
    Stowage run =
        Stowage.run("check", HARD, "--max-peak", 39_935, "--time-limit", "0", "--json")
            .ends(ExitCode.ABOVE_LIMIT)
            .holds("models/0/status=above");
    assertTrue(run.json().at("/models/0/reason").asText().contains("not proven"));
  }

  @Test
  void anEarlierPlanIsTheLimitWhereNoneIsGiven() throws Exception {
    Path out = folder.resolve("out");
    Stowage.run("plan", EASY, "--out", out, "--json").ends(0);
    Path plan = out.resolve("plan.json");
    Stowage.run("check", EASY, "--against", plan, "--json")
        .ends(ExitCode.OK)
        .holds("models/0/against/change=0");
    String rows = Files.readString(Path.of(EASY)).replace("8192", "12288") + "more,0,9,64\n";
    Path larger = file("larger.csv", rows);
    Stowage grown =
        Stowage.run("check", larger, "--against", plan, "--json").ends(ExitCode.INFEASIBLE);
    JsonNode against = grown.json().at("/models/0/against");
    JsonChecks.holds(against, "peak=14336 added=1");
    assertTrue(against.get("resized").asInt() > 0);
    assertTrue(against.get("grownBytes").asLong() > 0);
    assertTrue(grown.json().at("/models/0/reason").asText().contains("1 buffer added"));
    Stowage.run("check", HARD, "--against", plan).says("is it the plan of another model?");
  }

  @Test
  void limitsAreAskedFor() {
    Stowage.run("check", EASY).ends(ExitCode.USAGE);
    Stowage.run("check", EASY, "--max-peak", "-1").ends(ExitCode.USAGE);
    Stowage.run("check", EASY, HARD, "--against", "out/plan.json").ends(ExitCode.USAGE);
  }
}
