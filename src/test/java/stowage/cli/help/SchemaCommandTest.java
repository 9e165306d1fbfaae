package stowage.cli.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.Stowage;

/** The schemas of answers, against the answers of every command. */
class SchemaCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path PROJECT = Path.of(System.getProperty("user.dir"));
  private static final Path GOLDEN = PROJECT.resolve("src/test/resources/stowage/cli/golden");
  private static final Path SCHEMAS = PROJECT.resolve("src/main/resources/stowage/schemas");

  /** Commands whose answer says what file was written. */
  private static final Set<String> WRITING =
      Set.of("export", "convert", "generate", "generate-kernel");

  /** Answers beyond the golden ones. */
  private static final List<String> MORE =
      List.of(
          "schedule ~/models/networks/tiny.json --json --time-limit 2s",
          "fit ~/models/networks/tiny.json --capacity 1MiB --json --time-limit 2s",
          "kernel ~/models/kernels/matmul-4x4x4.json --json --time-limit 1s",
          "plan ~/models/networks/tiny.json --memories ~/models/memories/stm32h7.json --json"
              + " --time-limit 2s",
          "plan ~/models/networks/tiny.json --pareto peak,reuse --json --time-limit 2s",
          "waste ~/models/networks/tiny.json --orders --json --time-limit 1s",
          "explain @/small.csv --capacity 1MiB --json",
          "plan @/other.csv --ignore-offsets --warm-start @/plan.csv --stable --json",
          "check @/small.csv --max-peak 1MiB --json",
          "generate-kernel matmul --size 2,2,2,8,2,2 --out %/kernel.json --json",
          "diff @/plan.csv @/plan.csv --json",
          "plan @/small.csv --slack 1% --json",
          "plan @/small.csv --nonsense --json",
          "verify @/small.csv @/absent.json --json",
          "nonsense --json");

  @TempDir Path written;

  private String full(String word) {
    return word.replace("@/", GOLDEN.resolve("input") + "/")
        .replace("%/", written + "/")
        .replace("~/", PROJECT + "/");
  }

  private static String nameOf(List<String> words) {
    String command = words.get(0);
    if (WRITING.contains(command)) {
      return "written";
    }
    return command.equals("bench") && words.get(1).equals("groups") ? "bench-groups" : command;
  }

  @Test
  void everyAnswerIsAsItsSchemaSays() throws IOException {
    List<List<String>> lines = new ArrayList<>();
    for (String row : Files.readAllLines(GOLDEN.resolve("cases.txt"))) {
      if (!row.isBlank() && !row.startsWith("#")) {
        List<String> words = Arrays.asList(row.split("\\s+"));
        lines.add(words.subList(1, words.size()));
      }
    }
    MORE.forEach(row -> lines.add(Arrays.asList(row.split("\\s+"))));
    Set<String> seen = new TreeSet<>();
    List<String> wrong = new ArrayList<>();
    for (List<String> words : lines) {
      Stowage run = Stowage.run(words.stream().map(this::full).toArray());
      JsonNode answer = run.json();
      String name = answer.has("error") ? "error" : nameOf(words);
      seen.add(name);
      JsonSchema.named(name).faults(answer).forEach(fault -> wrong.add(words + ": " + fault));
      if (name.equals("error")) {
        assertEquals(run.code(), answer.at("/error/code").asInt(), words.toString());
        assertTrue(run.err().contains(answer.at("/error/message").asText()), run.err());
      }
    }
    try (Stream<Path> files = Files.walk(written)) {
      for (Path plan : files.filter(file -> file.endsWith("plan.json")).toList()) {
        JsonSchema.named("plan")
            .faults(MAPPER.readTree(plan.toFile()))
            .forEach(fault -> wrong.add(written.relativize(plan) + ": " + fault));
      }
    }
    assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
    Set<String> answers = new TreeSet<>(SchemaCommand.ANSWERS);
    answers.remove("serve"); // its lines are looked at where it is tested
    assertEquals(answers, seen);
  }

  @Test
  void everySchemaIsListedNamesItselfAndDescribesItself() throws IOException {
    Set<String> files = new TreeSet<>();
    try (Stream<Path> all = Files.walk(SCHEMAS)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        JsonNode schema = MAPPER.readTree(file.toFile());
        String name = file.getFileName().toString().replace(".schema.json", "");
        boolean answer = file.getParent().endsWith("answers");
        String id = "stowage/schemas/" + (answer ? "answers/" : "") + name + ".schema.json";
        assertEquals(id, schema.get("$id").asText());
        assertFalse(schema.get("title").asText().isEmpty());
        files.add((answer ? "answer " : "input ") + name);
        assertEquals(schema, Stowage.run("schema", name).json());
      }
    }
    Set<String> listed = new TreeSet<>();
    SchemaCommand.ANSWERS.forEach(name -> listed.add("answer " + name));
    SchemaCommand.FILES.forEach(name -> listed.add("input " + name));
    assertEquals(listed, files);
    assertEquals(listed.size(), Stowage.run("schema", "--json").json().size());
    assertEquals(2, Stowage.run("schema", "plam").code());
    assertTrue(Stowage.run("schema", "plam").err().contains("plan"));
  }

  /** That the validator here finds what is wrong. */
  @Test
  void faultsAreFound() throws IOException {
    JsonSchema error = JsonSchema.named("error");
    String right = "{\"schemaVersion\": 1, \"error\": {\"code\": 3, \"message\": \"no\"}}";
    assertEquals(List.of(), error.faults(MAPPER.readTree(right)));
    for (String wrong :
        List.of(
            right.replace("1,", "2,"),
            right.replace("3", "\"3\""),
            right.replace("code", "cod"),
            right.replace("\"no\"", "null"),
            right.replace("\"message\": \"no\"", "\"message\": \"no\", \"more\": 1"),
            "[]")) {
      assertFalse(error.faults(MAPPER.readTree(wrong)).isEmpty(), wrong);
    }
  }
}
