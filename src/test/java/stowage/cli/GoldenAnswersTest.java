package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JSON answer and the exit code of every command against those of an earlier version, which are
 * kept in {@code golden/answers.json}: fields may come, but none may go or change. A value {@code
 * "*"} stands for any, where figures depend on the machine and words may be put better.
 */
class GoldenAnswersTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("user.dir"), "src/test/resources/stowage/cli/golden");

  /** Answers that list what is known: more may be known by now. */
  private static final List<String> LISTS = List.of("planners", "chips");

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

  private String full(String word) {
    return word.replace("@/", GOLDEN.resolve("input") + "/")
        .replace("%/", written + "/")
        .replace("~/", System.getProperty("user.dir") + "/");
  }

  private String shortened(String text) {
    return text.replace(GOLDEN.resolve("input").toString(), "@").replace(written.toString(), "%");
  }

  @Test
  void everyAnswerIsAsItWas() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode golden = mapper.readTree(GOLDEN.resolve("answers.json").toFile());
    List<String> changes = new ArrayList<>();
    List<Case> cases = cases();
    assertEquals(golden.size(), cases.size());
    for (Case each : cases) {
      Stowage run = Stowage.run(each.words.stream().map(this::full).toArray());
      JsonNode expected = golden.get(each.name);
      if (run.code() != expected.get("exitCode").asInt()) {
        changes.add(each.name + ": exit code " + run.code() + ", " + run.err().strip());
      } else if (!expected.get("answer").isNull()) {
        JsonNode answer = mapper.readTree(shortened(run.out()));
        compare(each.name, expected.get("answer"), answer, changes);
      }
    }
    assertTrue(changes.isEmpty(), () -> "\n" + String.join("\n", changes));
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
