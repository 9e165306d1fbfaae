package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.cli.help.JsonSchema;

/**
 * The JSON answer and the exit code of every command against those of an earlier version, which are
 * kept in {@code golden/answers.json}: fields may come, but none may go or change. A value {@code
 * "*"} stands for any, where figures depend on the machine and words may be put better. Each answer
 * is as its schema says.
 */
class GoldenAnswersTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("user.dir"), "src/test/resources/stowage/cli/golden");

  /** Answers that list what is known: more may be known by now. */
  private static final List<String> LISTS = List.of("planners", "chips");

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

  private record Case(String name, List<String> words) {}

  private static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    for (String row : Files.readAllLines(GOLDEN.resolve("cases.txt"))) {
      if (!row.isBlank() && !row.startsWith("#")) {
        List<String> words = Arrays.asList(row.split("\\s+"));
        cases.add(new Case(words.get(0), words.subList(1, words.size())));
      }
    }
    return cases;
  }

  private static String schemaOf(List<String> words) {
    String command = words.get(0);
    if (WRITING.contains(command)) {
      return "written";
    }
    return command.equals("bench") && words.get(1).equals("groups") ? "bench-groups" : command;
  }

  private String full(String word) {
    return word.replace("@/", GOLDEN.resolve("input") + "/")
        .replace("%/", written + "/")
        .replace("~/", System.getProperty("user.dir") + "/");
  }

  private String shortened(String text) {
    return text.replace(GOLDEN.resolve("input").toString(), "@").replace(written.toString(), "%");
  }

  @Test
  void everyAnswerIsAsItWasAndAsItsSchemaSays() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode golden = mapper.readTree(GOLDEN.resolve("answers.json").toFile());
    List<String> wrong = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    List<Case> cases = cases();
    assertEquals(golden.size(), cases.size());
    MORE.forEach(row -> cases.add(new Case(null, Arrays.asList(row.split("\\s+")))));
    for (Case each : cases) {
      Stowage run = Stowage.run(each.words.stream().map(this::full).toArray());
      JsonNode answer = run.json();
      String schema = answer.has("error") ? "error" : schemaOf(each.words);
      seen.add(schema);
      JsonSchema.named(schema)
          .faults(answer)
          .forEach(fault -> wrong.add(each.words + ": " + fault));
      if (schema.equals("error")) {
        assertEquals(run.code(), answer.at("/error/code").asInt(), each.words.toString());
        run.says(answer.at("/error/message").asText());
      }
      if (each.name == null) {
        continue;
      }
      JsonNode expected = golden.get(each.name);
      if (run.code() != expected.get("exitCode").asInt()) {
        wrong.add(each.name + ": exit code " + run.code() + ", " + run.err().strip());
      } else if (!expected.get("answer").isNull()) {
        compare(each.name, expected.get("answer"), mapper.readTree(shortened(run.out())), wrong);
      }
    }
    try (Stream<Path> files = Files.walk(written)) {
      for (Path plan : files.filter(file -> file.endsWith("plan.json")).toList()) {
        JsonSchema.named("plan")
            .faults(mapper.readTree(plan.toFile()))
            .forEach(fault -> wrong.add(written.relativize(plan) + ": " + fault));
      }
    }
    assertTrue(wrong.isEmpty(), () -> "\n" + String.join("\n", wrong));
    Set<String> answers = new TreeSet<>();
    for (File schema : new File("src/main/resources/stowage/schemas/answers").listFiles()) {
      answers.add(schema.getName().replace(".schema.json", ""));
    }
    answers.remove("serve"); // its lines are looked at where it is tested
    assertEquals(answers, seen);
  }

  private static void compare(
      String where, JsonNode expected, JsonNode found, List<String> changes) {
    if (expected.isTextual() && expected.asText().equals("*")) {
      return;
    }
    if (found == null || expected.getNodeType() != found.getNodeType()) {
      changes.add(where + ": " + found + ", was " + expected);
    } else if (expected.isObject()) {
      for (Iterator<Map.Entry<String, JsonNode>> fields = expected.fields(); fields.hasNext(); ) {
        Map.Entry<String, JsonNode> field = fields.next();
        JsonNode value = found.get(field.getKey());
        if (value == null && field.getValue().asText().equals("*")) {
          changes.add(where + "." + field.getKey() + " is gone");
        }
        compare(where + "." + field.getKey(), field.getValue(), value, changes);
      }
    } else if (expected.isArray() && LISTS.contains(where)) {
      compareByName(where, expected, found, changes);
    } else if (expected.isArray()) {
      if (expected.size() != found.size()) {
        changes.add(where + ": " + found.size() + " entries, were " + expected.size());
      }
      for (int k = 0; k < Math.min(expected.size(), found.size()); k++) {
        compare(where + "[" + k + "]", expected.get(k), found.get(k), changes);
      }
    } else if (!expected.equals(found) && expected.asDouble() != found.asDouble()
        || expected.isTextual() && !expected.equals(found)) {
      changes.add(where + ": " + found + ", was " + expected);
    }
  }

  private static void compareByName(
      String where, JsonNode expected, JsonNode found, List<String> changes) {
    Map<String, JsonNode> byName = new HashMap<>();
    found.forEach(entry -> byName.put(entry.get("name").asText(), entry));
    for (JsonNode entry : expected) {
      String name = entry.get("name").asText();
      compare(where + "." + name, entry, byName.get(name), changes);
    }
  }
}
