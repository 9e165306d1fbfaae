package stowage.cli.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.PublicData;
import stowage.cli.Stowage;
import stowage.importer.tflite.TfliteMicroRuntime;

/**
 * Plans every public TFLite file and puts the plans back into TFLite Micro itself: its own plan is
 * ours tensor by tensor, exported models give the same outputs, and take what was promised.
 */
class TfliteMicroFilesTest extends FolderTest {
  /** Kernels that do nothing take the place of those that the run-time lacks. */
  private static final String[] STUB = {"--stub"};

  private static boolean allocated(JsonNode said) {
    return said.path("allocated").asBoolean();
  }

  /** What the run-time says of a model, and how it was asked. */
  private record Said(JsonNode what, String... how) {
    private static final Map<Path, Said> ALL = new HashMap<>();

    static Said of(Path model) throws IOException, InterruptedException {
      Said said = ALL.get(model);
      if (said == null) {
        said = new Said(TfliteMicroRuntime.run(model));
        said = allocated(said.what) ? said : new Said(TfliteMicroRuntime.run(model, STUB), STUB);
        ALL.put(model, said);
      }
      return said;
    }
  }

  private static List<Path> models() throws IOException {
    List<Path> models = new ArrayList<>(PublicData.networks("tflite"));
    Path cases = models.get(0).getParent().getParent().resolveSibling("tflm-cases");
    if (Files.exists(cases)) {
      models.addAll(files(cases, ""));
    }
    return models;
  }

  @Test
  void plansComeTrueInTfliteMicro() throws IOException, InterruptedException {
    TfliteMicroRuntime.program();
    int allocated = 0;
    for (Path model : models()) {
      Said said = Said.of(model);
      if (allocated(said.what)) {
        allocated++;
        check(model, said.what, said.how);
      }
    }
    assertTrue(allocated >= 9, allocated + " models");
  }

  private void check(Path model, JsonNode said, String[] how)
      throws IOException, InterruptedException {
    String which = model.getFileName().toString();
    Path log = file("log.json", said.toString());
    List<Object> input = new ArrayList<>(List.of(model, "--threads", 1, "--json"));
    if (said.get("scratch").asInt() > 0) {
      input.addAll(List.of("--scratch", log));
    }
    Path own = folder.resolve("own");
    JsonNode tflm = run("plan", input, "--planner", "tflm", "--out", own);
    long head = said.get("plannerHead").asLong();
    assertEquals(head, tflm.get("peak").asLong(), which);
    assertEquals(theirs(said), ours(own, Stowage.run("convert", model, "--to", "json", "-o", "-")));

    Path best = folder.resolve("best");
    JsonNode plan = run("plan", input, "--det-limit", 0.1, "--out", best);
    Path written = folder.resolve("x.tflite");
    List<Object> bare = List.of(model, "--json");
    JsonNode export = run("export", bare, "--plan", best.resolve("plan.json"), "-o", written);
    assertEquals(plan.get("peak").asLong(), export.get("head").asLong(), which);
    assertEquals(head, export.get("ownHead").asLong(), which);
    JsonNode again = TfliteMicroRuntime.run(written, how);
    assertEquals(plan.get("peak").asLong(), again.get("plannerHead").asLong(), which);
    assertTrue(again.get("plannerHead").asLong() <= head, which);
    assertEquals(said.get("outputs"), again.get("outputs"), which);
  }

  private static JsonNode run(String command, List<Object> input, Object... more) {
    return Stowage.run(command, input, more).ends(0).json();
  }

  /** Offsets by a tensor's number among those that are planned, scratch memory after them. */
  private static List<Long> theirs(JsonNode said) {
    List<Long> offsets = new ArrayList<>();
    said.get("buffers").forEach(buffer -> offsets.add(buffer.get("offset").asLong()));
    return offsets;
  }

  private static List<Long> ours(Path plan, Stowage network) throws IOException {
    assertEquals(0, network.code(), network.err());
    TreeMap<String, Integer> index = new TreeMap<>();
    network.json().get("tensors").forEach(t -> index.put(t.get("name").asText(), index.size()));
    JsonNode placements = JsonChecks.read(plan.resolve("plan.json")).get("placements");
    TreeMap<Integer, Long> sorted = new TreeMap<>();
    int scratch = index.size();
    for (JsonNode placement : placements) {
      JsonNode tensor = placement.get("tensors").get(0);
      int at = tensor == null ? scratch++ : index.get(tensor.asText());
      if (placement.get("size").asLong() > 0) {
        sorted.put(at, placement.get("offset").asLong());
      }
    }
    return List.copyOf(sorted.values());
  }

  private static final long MOST_BYTES = 400_000;

  /** Models written in the order found. */
  @Test
  void theHeadIsAsPredictedAndNotAboveTheModelsOwn() throws Exception {
    TfliteMicroRuntime.program();
    int ran = 0;
    for (Path model : PublicData.networks("tflite")) {
      if (Files.size(model) > MOST_BYTES) {
        continue;
      }
      Said said = Said.of(model);
      JsonNode before = said.what;
      if (!allocated(before) || before.path("scratch").asInt() > 0) {
        continue; // refused, or with scratch memory of kernels, which the file does not contain
      }
      Path written = folder.resolve(model.getFileName());
      JsonNode answer = Stowage.run("schedule", model, "--write", written, "--json").json();
      JsonNode after = TfliteMicroRuntime.run(written, said.how);
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
