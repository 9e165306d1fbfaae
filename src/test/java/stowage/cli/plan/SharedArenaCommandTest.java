package stowage.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.JsonChecks;
import stowage.cli.Stowage;
import stowage.cli.help.JsonSchema;
import stowage.importer.tflite.TfliteSamples;
import stowage.network.Graphs;

/** Several models in one memory, and caches in one place, from the command line. */
class SharedArenaCommandTest {
  @TempDir Path folder;

  private Path model(String name, int bytes) throws IOException {
    String appended = "x:N past:32; present:48 = Any past x; y:N = Any present; -> y present";
    return Graphs.of(appended.replace("N", "" + bytes)).write(folder.resolve(name));
  }

  @Test
  void modelsRunOneAfterTheOtherOrSideBySide() throws IOException {
    Path a = model("a.json", 16);
    Path b = model("b.json", 64);
    Path out = folder.resolve("out");
    // Alone they take 96 (16 + 32 + 48, at the first step) and 144 bytes.
    for (String run : List.of("sequential", "concurrent")) {
      JsonNode answer =
          Stowage.line("plan %s %s --run %s --alignment 16 --out %s --json", a, b, run, out)
              .ends(0)
              .json();
      assertEquals(List.of(), JsonSchema.named("plan").faults(answer));
      assertEquals("OPTIMAL", answer.get("status").asText());
      assertEquals(run.equals("sequential") ? 144 : 240, answer.get("peak").asLong());
      assertEquals(run, answer.get("arena").get("run").asText());
      assertEquals("b", answer.get("arena").get("models").get(1).get("name").asText());
      for (Path file : List.of(a, b)) {
        String name = file.getFileName().toString().replace(".json", "");
        Path part = out.resolve(name).resolve("plan.json");
        Stowage.run("verify", file, part, "--alignment", "16").ends(0);
      }
    }
  }

  @Test
  void cachesAreApartFromWhatIsShared() throws IOException {
    Path a = model("a.json", 16);
    Path b = model("b.json", 64);
    Stowage plan =
        Stowage.line("plan %s %s --run sequential --alignment 16 --alias past=present --json", a, b)
            .ends(0);
    // 48 bytes of each cache, and 64 of b's input or result.
    JsonChecks.holds(plan.json(), "peak=160 arena/models/0/stateBytes=48");
    Path out = folder.resolve("alone");
    plan = Stowage.run("plan", a, "--alignment", "16", "--alias", "past=present", "--out", out);
    assertEquals(0, plan.code(), plan.err());
    String csv = Files.readString(out.resolve("plan.csv"));
    assertTrue(csv.contains("past present"), csv);
    Stowage.run("plan", a, "--alias", "last=present")
        .ends(2)
        .says("--alias: no graph input is called \"last\"");
  }

  @Test
  void eachModelTakesItsPartOfThePlan() throws IOException {
    byte[] bytes = TfliteSamples.all().get(0);
    Path a = Files.write(folder.resolve("a.tflite"), bytes);
    Path b = Files.write(folder.resolve("b.tflite"), bytes);
    Path out = folder.resolve("out");
    Stowage plan = Stowage.run("plan", a, b, "--run", "concurrent", "--out", out, "--json").ends(0);
    long peak = plan.json().get("peak").asLong();
    Path target = folder.resolve("planned.tflite");
    Stowage.run("export", b, "--plan", out.resolve("b/plan.json"), "-o", target).ends(0);
    JsonNode baseline = Stowage.run("plan", target, "--json").json().get("baseline");
    assertEquals("VALID", baseline.get("status").asText());
    // The plan in the file has no sizes rounded up to 16.
    long found = baseline.get("peak").asLong();
    assertTrue(peak - 16 < found && found <= peak, found + " of " + peak);
  }

  @Test
  void whatCannotShareIsRefused() throws IOException {
    Path a = model("a.json", 16);
    Stowage.run("plan", a, a).ends(2);
    assertTrue(Stowage.run("plan", a, a).err().contains("--run sequential"));
    Path csv = Files.writeString(folder.resolve("p.csv"), "id,lower,upper,size\nx,0,1,4\n");
    Stowage.run("plan", a, csv, "--run", "sequential").ends(2).says("is a list of buffers");
  }
}
