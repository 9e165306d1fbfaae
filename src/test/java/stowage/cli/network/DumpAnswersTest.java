package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.help.JsonSchema;
import stowage.importer.executorch.PteBuilder;
import stowage.importer.pytorch.SnapshotSamples;
import stowage.importer.xla.XlaSamples;

/** Dumps from the command line: what show, audit, plan and compare answer, by their schemas. */
class DumpAnswersTest extends FolderTest {
  private List<Path> dumps() throws IOException {
    return List.of(
        file("host.xplane.pb", XlaSamples.protobufs().get(1)),
        file("f-buffer-assignment.txt", XlaSamples.texts().get(0)),
        file("two.pte", PteBuilder.samples().get(2)),
        file("snapshot.pickle", SnapshotSamples.samples().get(0)));
  }

  private static JsonNode answer(String schema, Object... words) {
    Stowage run = Stowage.run(words).ends(0);
    assertEquals(List.of(), JsonSchema.named(schema).faults(run.json()));
    return run.json();
  }

  @Test
  void answersAreAsTheirSchemasSay() throws IOException {
    for (Path dump : dumps()) {
      JsonNode shown = answer("show", "show", dump, "--json");
      JsonChecks.holds(answer("audit", "audit", dump, "--json"), "holds=true");
      JsonNode plan = answer("plan", "plan", dump, "--json", "--time-limit", "5");
      long taken = plan.get("baseline").get("peak").asLong();
      assertEquals(shown.get("baseline").get("peak").asLong(), taken);
      assertTrue(plan.get("peak").asLong() <= taken, dump.toString());
      assertEquals("VALID", plan.get("baseline").get("status").asText());
    }
  }

  @Test
  void modulesWithoutATraceAreListedAllTheSame() throws IOException {
    Path idle = file("idle.pb", XlaSamples.untraced());
    Stowage shown = Stowage.run("show", idle).ends(0);
    shown.prints("jit_idle");
    shown.says("nothing to plan");
    Stowage.run("plan", idle).ends(3);
    assertTrue(Stowage.run("audit", idle).out().contains("1 module has no temporary memory"));
  }

  @Test
  void theToolIsARowAmongThePlanners() throws IOException {
    String line = "compare %s --planner greedy-size --time-limit 2";
    Stowage.line(line, dumps().get(0)).prints("XLA");
    Stowage.line(line, dumps().get(3)).prints("PyTorch");
  }

  @Test
  void aWrongPlanEndsTheAuditWithSix() throws IOException {
    Path text = dumps().get(1);
    String wrong = Files.readString(text).replace("(size=256,offset=512)", "(size=256,offset=400)");
    Files.writeString(text, wrong);
    Stowage.run("audit", text).ends(6).prints("invalid: ");
    Stowage.run("audit", text, "--module", "other").ends(2);
    Stowage.run("plan", file("x.pb", "\n\u0005")).ends(3);
  }

  @Test
  void aPlanIsWrittenIntoAProgram() throws IOException {
    Path program = dumps().get(2);
    Path out = folder.resolve("out");
    long before = answer("plan", "plan", program, "--out", out, "--json").get("peak").asLong();
    Path target = folder.resolve("planned.pte");
    answer(
        "written", "export", program, "--plan", out.resolve("plan.json"), "-o", target, "--json");
    JsonNode audit = answer("audit", "audit", target, "--json");
    assertTrue(audit.get("holds").asBoolean());
    JsonNode after = answer("plan", "plan", target, "--json");
    assertEquals(before, after.get("baseline").get("peak").asLong());
  }
}
