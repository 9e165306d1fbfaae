package stowage.experiment.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static stowage.importer.SchemaFields.properties;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stowage.FolderTest;
import stowage.Refusals;
import stowage.importer.SchemaFields;
import stowage.importer.io.InputException;
import stowage.packing.LoadProfile;

class SuiteJsonTest extends FolderTest {
  private static final String BUFFERS = "id,lower,upper,size\na,0,4,3\nb,2,6,5\n";

  /** A suite of instances and planners, with ' in place of ". */
  private Path suite(String instances, String planners) throws IOException {
    String text =
        "{'name': 's', 'instances': [%s], 'planners': [%s], 'seeds': [1, 2], 'limits': {'seconds':"
            + " 1}}";
    return file("suite.json", text.formatted(instances, planners).replace('\'', '"'));
  }

  @Test
  void runsAreTheProductOfAll() throws IOException {
    file("x.csv", BUFFERS);
    Files.createDirectories(folder.resolve("deep/er"));
    file("deep/er/y.csv", BUFFERS + "c,0,1,1\n");
    Path file =
        suite(
            "{'path': 'x.csv'}, {'glob': 'deep/**.csv'}, {'generator': 'guillotine',"
                + " 'parameters': {'buffers': [5, 6], 'seed': [1, 2, 3]}}",
            "'greedy-size', {'name': 'search', 'config': 'fast', 'seeds': [7]}");
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
    Files.writeString(manifest, ExperimentJson.text(runs));
    assertEquals(ExperimentJson.text(runs), ExperimentJson.text(runsOf(manifest)));
    assertEquals(runs, SuiteJson.read(file, null).runs());
    for (String id : List.of("../x", "a/b", "", ".x")) { // it names files
      Files.writeString(manifest, ExperimentJson.text(runs).replaceFirst(runs.get(0).id(), id));
      Exception fault = assertThrows(InputException.class, () -> runsOf(manifest));
      assertTrue(fault.getMessage().contains("line 1: is not a run: id \"" + id + "\""), id);
    }
  }

  @Test
  void idsFollowWhatDecidesTheAnswerAndNotWhereItLies() throws IOException {
    file("x.csv", BUFFERS);
    Path file = suite("{'path': 'x.csv'}", "'greedy-size'");
    String before = SuiteJson.read(file, null).runs().get(0).id();
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Files.copy(folder.resolve("x.csv"), elsewhere.resolve("x.csv"));
    Path moved = Files.copy(file, elsewhere.resolve("suite.json"));
    assertEquals(before, SuiteJson.read(moved, null).runs().get(0).id());
    file("x.csv", BUFFERS + "c,0,1,1\n");
    assertNotEquals(before, SuiteJson.read(file, null).runs().get(0).id());
  }

  @Test
  void dataIsLeftOutWhereThereIsNone() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data/set"));
    Files.writeString(data.resolve("A.csv"), BUFFERS);
    Path file = suite("{'data': 'set/*.csv'}, {'generator': 'guillotine'}", "'greedy-size'");
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
    Path file = suite("{'glob': '*/A.csv'}", "'greedy-size'");
    assertEquals(
        List.of("one/A", "two/A"),
        SuiteJson.read(file, null).instances().stream().map(Instance::name).toList());
  }

  private String refused(String instances, String planners) throws IOException {
    Path file = suite(instances, planners);
    String message = Refusals.input(() -> SuiteJson.read(file, null)).getMessage();
    assertTrue(message.contains("suite.json"), message);
    return message.replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'generator': 'guilotine'}                                   | 'greedy-size' | did you mean 'guillotine'
          {'path': 'absent.csv'}                                       | 'greedy-size' | there is no file
          {'glob': '*.nothing'}                                        | 'greedy-size' | no file in
          {'generator': 'guillotine', 'path': 'x'}                     | 'greedy-size' | exactly one of
          {'family': 'f'}                                              | 'greedy-size' | missing
          {'generator': 'guillotine', 'parameters': {'bufers': 3}}     | 'greedy-size' | did you mean 'buffers'
          {'generator': 'guillotine'}                                  | 'greedy-sise' | did you mean 'greedy-size'
          {'generator': 'guillotine'}                                  | 'search', 'search' | is used twice
          {'generator': 'random-graph', 'schedule': ['xla-lits']}      | 'greedy-size' | did you mean 'xla-list'
          {'generator': 'guillotine', 'schedule': 'given'}             | 'greedy-size' | an order needs ops
          {'path': 'b.csv', 'schedule': 'given', 'group': {'chip': 'bm1688'}} | 'greedy-size' | in its own order
          {'generator': 'guillotine'}                          | {'group': {'partition': 'dp'}} | group
          """)
  void mistakesAreNamed(String instances, String planners, String words) throws IOException {
    String message = refused(instances, planners);
    assertTrue(message.contains(words), message);
  }

  @Test
  void networksComeInSeveralOrders() throws IOException {
    String instance =
        "{'generator': 'random-graph', 'parameters': {'nodes': 12, 'training': 'sgd'},"
            + " 'schedule': ['given', 'xla-list', 'optimal']}";
    Suite read = SuiteJson.read(suite(instance, "'greedy-size'"), null);
    List<Long> loads = new ArrayList<>();
    for (Instance one : read.instances()) {
      loads.add(LoadProfile.of(one.load().problem()).maxLoad());
    }
    assertEquals(3, Set.copyOf(read.instances().stream().map(Instance::digest).toList()).size());
    assertTrue(loads.get(2) < loads.get(0) && loads.get(2) <= loads.get(1), loads.toString());
    Path manifest = folder.resolve("manifest.jsonl");
    Files.writeString(manifest, ExperimentJson.text(read.runs()));
    assertEquals(
        read.runs().stream().map(run -> run.instance().schedule()).toList(),
        runsOf(manifest).stream().map(run -> run.instance().schedule()).toList());
    file("b.csv", BUFFERS);
    Path buffers = suite("{'path': 'b.csv', 'schedule': 'given'}", "'greedy-size'");
    Instance one = SuiteJson.read(buffers, null).instances().get(0);
    Refusals.input(one::load);
  }

  @Test
  void networksAreGroupedForEveryChipAndObjective() throws IOException {
    Path network = Path.of("models/networks/tiny.json").toAbsolutePath();
    String group =
        "'group': {'chip': ['bm1684x', 'cv181x'], 'objective': ['traffic', 'cycles'],"
            + " 'precision': 'int8'}";
    String instance = "{'path': '" + network + "', " + group + "}";
    Path file =
        suite(
            instance,
            "{'group': {'partition': 'alone'}},"
                + " {'group': {'partition': 'cp', 'lmem': 'today', 'slicing': 'exact'}}");
    Suite read = SuiteJson.read(file, null);
    assertEquals(
        List.of(
            "tiny-bm1684x-int8-traffic",
            "tiny-bm1684x-int8-cycles",
            "tiny-cv181x-int8-traffic",
            "tiny-cv181x-int8-cycles"),
        read.instances().stream().map(Instance::name).toList());
    assertEquals(
        List.of("alone", "cp-today-exact"),
        read.planners().stream().map(PlannerSpec::label).toList());
    Set<String> ids = new HashSet<>();
    read.runs().forEach(run -> assertTrue(ids.add(run.id()), run.label()));
    assertEquals(4 * 2 * 2, ids.size());
    Path manifest = folder.resolve("manifest.jsonl");
    Files.writeString(manifest, ExperimentJson.text(read.runs()));
    assertEquals(read.runs(), runsOf(manifest));

    String[][] wrong = {
      {"{'group': {'partition': 'dq'}}", "did you mean 'dp'"},
      {"{'group': {'lmem': 'exact'}}", "'partition' is missing"},
      {"{'group': {'partition': 'dp', 'lmem': 'exakt'}}", "mean 'exact'"},
      {"'greedy-size'", "places buffers"}
    };
    for (String[] row : wrong) {
      String message = refused(instance, row[0]);
      assertTrue(message.contains(row[1]), message);
    }
    String message =
        refused(instance.replace("bm1684x", "bm1648x"), "{'group': {'partition': 'dp'}}");
    assertTrue(message.contains("did you mean 'bm1684x'"), message);
  }

  @Test
  void commandsAreSplitAsAShellWould() {
    assertEquals(
        List.of("a b", "--x={in}", "c'd", "{out}"),
        PlannerSpec.words("'a b'  --x={in} \"c'd\" {out}"));
    assertThrows(IllegalArgumentException.class, () -> PlannerSpec.words("mine {in}"));
    assertThrows(IllegalArgumentException.class, () -> PlannerSpec.words("'open"));
    assertThrows(IllegalArgumentException.class, () -> PlannerSpec.words("  "));
  }

  @Test
  void shippedSuitesCanBeRead() throws IOException {
    for (Path file : files(Path.of("models/suites"), ".json")) {
      assertTrue(SuiteJson.read(file, null).runs().size() >= 30, file.toString());
    }
    Suite quick = SuiteJson.read(Path.of("models/suites/quick.json"), null);
    assertTrue(quick.instances().stream().map(Instance::family).distinct().count() >= 3);
  }

  @Test
  void theSchemaKnowsTheSameFields() throws IOException {
    JsonNode schema = SchemaFields.schema("suite");
    JsonNode parts = schema.get("$defs");
    assertEquals(Set.copyOf(SuiteJson.FIELDS), properties(schema));
    assertEquals(Set.copyOf(SuiteJson.INSTANCE_FIELDS), properties(parts.get("instance")));
    assertEquals(Set.copyOf(SuiteJson.PLANNER_FIELDS), properties(parts.get("planner")));
    assertEquals(Set.copyOf(SuiteJson.LIMIT_FIELDS), properties(parts.get("limits")));
    assertEquals(Set.copyOf(GroupFields.TASK_FIELDS), properties(parts.get("groupTask")));
    assertEquals(Set.copyOf(GroupFields.METHOD_FIELDS), properties(parts.get("groupMethod")));
  }

  private static List<RunSpec> runsOf(Path manifest) {
    return ExperimentJson.lines(manifest, RunSpec.class, "a run");
  }
}
