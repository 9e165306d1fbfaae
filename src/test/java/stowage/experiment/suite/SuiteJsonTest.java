package stowage.experiment.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.importer.InputException;

class SuiteJsonTest {
  private static final String BUFFERS = "id,lower,upper,size\na,0,4,3\nb,2,6,5\n";

  @TempDir Path folder;

  private Path suite(String instances, String planners) throws IOException {
    return Files.writeString(
        folder.resolve("suite.json"),
        "{\"name\": \"s\", \"instances\": ["
            + instances
            + "], \"planners\": ["
            + planners
            + "], \"seeds\": [1, 2], \"limits\": {\"seconds\": 1}}");
  }

  @Test
  void runsAreTheProductOfAll() throws IOException {
    Files.writeString(folder.resolve("x.csv"), BUFFERS);
    Files.createDirectories(folder.resolve("deep/er"));
    Files.writeString(folder.resolve("deep/er/y.csv"), BUFFERS + "c,0,1,1\n");
    Path file =
        suite(
            "{\"path\": \"x.csv\"}, {\"glob\": \"deep/**.csv\"}, {\"generator\": \"guillotine\","
                + " \"parameters\": {\"buffers\": [5, 6], \"seed\": [1, 2, 3]}}",
            "\"greedy-size\", {\"name\": \"search\", \"config\": \"fast\", \"seeds\": [7]}");
    Suite read = SuiteJson.read(file, null);
    assertEquals(
        List.of("x", "y"), read.instances().subList(0, 2).stream().map(Instance::name).toList());
    assertEquals("guillotine-buffers5-s1", read.instances().get(2).name());
    assertEquals("search/fast", read.planners().get(1).label());
    List<RunSpec> runs = read.runs();
    assertEquals((2 + 6) * (2 + 1), runs.size());
    Set<String> ids = new HashSet<>();
    runs.forEach(run -> assertTrue(ids.add(run.id()), run.label()));
    // The manifest goes round trip, and ids are the same when the suite is read again.
    Path manifest = folder.resolve("manifest.jsonl");
    Manifest.write(manifest, runs);
    assertEquals(Manifest.text(runs), Manifest.text(Manifest.read(manifest)));
    assertEquals(runs, SuiteJson.read(file, null).runs());
  }

  @Test
  void idsFollowWhatDecidesTheAnswerAndNotWhereItLies() throws IOException {
    Files.writeString(folder.resolve("x.csv"), BUFFERS);
    Path file = suite("{\"path\": \"x.csv\"}", "\"greedy-size\"");
    String before = SuiteJson.read(file, null).runs().get(0).id();
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Files.copy(folder.resolve("x.csv"), elsewhere.resolve("x.csv"));
    Path moved = Files.copy(file, elsewhere.resolve("suite.json"));
    assertEquals(before, SuiteJson.read(moved, null).runs().get(0).id());
    Files.writeString(folder.resolve("x.csv"), BUFFERS + "c,0,1,1\n");
    assertNotEquals(before, SuiteJson.read(file, null).runs().get(0).id());
  }

  @Test
  void dataIsLeftOutWhereThereIsNone() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data/set"));
    Files.writeString(data.resolve("A.csv"), BUFFERS);
    Path file =
        suite("{\"data\": \"set/*.csv\"}, {\"generator\": \"guillotine\"}", "\"greedy-size\"");
    assertEquals(1, SuiteJson.read(file, null).instances().size());
    Suite all = SuiteJson.read(file, folder.resolve("data"));
    assertEquals("set", all.instances().get(0).family());
  }

  @Test
  void sameNamesAreToldApart() throws IOException {
    for (String name : List.of("one", "two")) {
      Path sub = Files.createDirectories(folder.resolve(name));
      Files.writeString(sub.resolve("A.csv"), BUFFERS + name + ",0,1,1\n");
    }
    Path file = suite("{\"glob\": \"*/A.csv\"}", "\"greedy-size\"");
    assertEquals(
        List.of("one/A", "two/A"),
        SuiteJson.read(file, null).instances().stream().map(Instance::name).toList());
  }

  @Test
  void mistakesAreNamed() throws IOException {
    Map<String, String> wrong = new TreeMap<>();
    wrong.put("{\"generator\": \"guilotine\"}", "maybe you meant \"guillotine\"");
    wrong.put("{\"path\": \"absent.csv\"}", "there is no file");
    wrong.put("{\"glob\": \"*.nothing\"}", "no file in");
    wrong.put("{\"generator\": \"guillotine\", \"path\": \"x\"}", "not several");
    wrong.put("{\"family\": \"f\"}", "missing");
    wrong.put(
        "{\"generator\": \"guillotine\", \"parameters\": {\"bufers\": 3}}",
        "maybe you meant \"buffers\"");
    for (Map.Entry<String, String> entry : wrong.entrySet()) {
      Path file = suite(entry.getKey(), "\"greedy-size\"");
      String message =
          assertThrows(InputException.class, () -> SuiteJson.read(file, null)).getMessage();
      assertTrue(message.contains(entry.getValue()), message);
      assertTrue(message.contains("suite.json"), message);
    }
    Path unknown = suite("{\"generator\": \"guillotine\"}", "\"greedy-sise\"");
    String message =
        assertThrows(InputException.class, () -> SuiteJson.read(unknown, null)).getMessage();
    assertTrue(message.contains("maybe you meant \"greedy-size\""), message);
    Path twice = suite("{\"generator\": \"guillotine\"}", "\"search\", \"search\"");
    assertThrows(InputException.class, () -> SuiteJson.read(twice, null));
  }

  @Test
  void commandsAreSplitAsAShellWould() {
    assertEquals(List.of("a b", "--x={in}", "c'd"), PlannerSpec.words("'a b'  --x={in} \"c'd\""));
    assertThrows(IllegalArgumentException.class, () -> PlannerSpec.words("'open"));
    assertThrows(IllegalArgumentException.class, () -> PlannerSpec.words("  "));
  }

  @Test
  void shippedSuitesCanBeRead() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("models/suites"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).toList()) {
        assertTrue(SuiteJson.read(file, null).runs().size() >= 30, file.toString());
      }
    }
    Suite quick = SuiteJson.read(Path.of("models/suites/quick.json"), null);
    assertTrue(quick.instances().stream().map(Instance::family).distinct().count() >= 3);
  }

  @Test
  void theSchemaKnowsTheSameFields() throws IOException {
    JsonNode schema;
    try (InputStream in =
        SuiteJson.class.getResourceAsStream("/stowage/schemas/suite.schema.json")) {
      schema = new ObjectMapper().readTree(in);
    }
    JsonNode parts = schema.get("$defs");
    assertEquals(Set.copyOf(SuiteJson.FIELDS), fields(schema));
    assertEquals(Set.copyOf(SuiteJson.INSTANCE_FIELDS), fields(parts.get("instance")));
    assertEquals(Set.copyOf(SuiteJson.PLANNER_FIELDS), fields(parts.get("planner")));
    assertEquals(Set.copyOf(SuiteJson.LIMIT_FIELDS), fields(parts.get("limits")));
  }

  private static Set<String> fields(JsonNode schema) {
    Set<String> names = new TreeSet<>();
    schema.get("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }
}
