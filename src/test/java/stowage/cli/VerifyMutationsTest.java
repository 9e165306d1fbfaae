package stowage.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.terminal.ExitCode;

/**
 * Answers in JSON with one value after another changed by the least: {@code verify} has to refuse
 * each that is a claim about the input or the plan. What may be changed is listed; {@code [+]} is a
 * list with its last entry twice.
 */
class VerifyMutationsTest extends FolderTest {
  private static final Map<String, String> FILES =
      Map.of(
          "TINY", "models/networks/tiny.json",
          "GPT", "models/networks/gpt_block.json",
          "TRAIN", "models/networks/train_mlp.json",
          "KERNEL", "models/kernels/attention-2x5.json",
          "MAP", "models/memories/stm32h7.json");

  private static final Set<Integer> REFUSALS =
      Set.of(ExitCode.INVALID_PLAN, ExitCode.BAD_INPUT, ExitCode.USAGE);

  /** Of many values of one field so many are changed. */
  private static final int MOST = 4;

  private final Map<String, Integer> tried = new HashMap<>();
  private final Set<String> passed = new TreeSet<>();
  private JsonNode answer;
  private Path changed;
  private Object[] words;

  /** The fields, by path without indices, of which some change is not refused. */
  private Set<String> passing(Path file, String verify) throws IOException {
    answer = JsonChecks.read(file);
    changed = file.resolveSibling("changed.json");
    words = words("verify " + verify, changed);
    Files.writeString(changed, answer.toString());
    Stowage.run(words).ends(0);
    change("", answer);
    assertTrue(tried.size() > 10, tried.toString());
    return passed;
  }

  private void change(String path, JsonNode node) throws IOException {
    if (node instanceof ObjectNode object) {
      for (String name : List.copyOf(object.propertyStream().map(Map.Entry::getKey).toList())) {
        JsonNode old = object.get(name);
        String inside = path.isEmpty() ? name : path + "." + name;
        if (old.isContainerNode()) {
          change(inside, old);
        } else if (tried.merge(inside, 1, Integer::sum) <= MOST) {
          object.set(name, other(old));
          held(inside);
          object.set(name, old);
        }
      }
    } else if (node instanceof ArrayNode list) {
      if (!list.isEmpty() && tried.merge(path + "[+]", 1, Integer::sum) == 1) {
        list.add(list.get(list.size() - 1));
        held(path + "[+]");
        list.remove(list.size() - 1);
      }
      for (int k = 0; k < list.size(); k++) {
        JsonNode old = list.get(k);
        if (old.isContainerNode()) {
          change(path + "[]", old);
        } else if (tried.merge(path + "[]", 1, Integer::sum) <= MOST) {
          list.set(k, other(old));
          held(path + "[]");
          list.set(k, old);
        }
      }
    }
  }

  private static JsonNode other(JsonNode old) {
    return old.isBoolean()
        ? BooleanNode.valueOf(!old.asBoolean())
        : old.isNumber()
            ? LongNode.valueOf(old.asLong() + 1)
            : old.isNull() ? IntNode.valueOf(1) : TextNode.valueOf(old.asText() + "x");
  }

  private void held(String path) throws IOException {
    Files.writeString(changed, answer.toString());
    Stowage run = Stowage.run(words);
    if (run.code() == 0) {
      passed.add(path);
    } else {
      assertTrue(REFUSALS.contains(run.code()), path + run);
    }
  }

  private Object[] words(String line, Path file) {
    return Stream.of(line.split(" "))
        .map(word -> FILES.getOrDefault(word, word))
        .map(word -> word.equals("OUT") ? folder : word.equals("FILE") ? file : word)
        .toArray();
  }

  /**
   * One answer.
   *
   * @param make the command that gives it
   * @param file in the folder {@code OUT}; null where it is on stdout
   * @param verify the words after {@code verify}
   * @param free the fields that may be changed, with spaces between
   */
  @ParameterizedTest
  @CsvFileSource(resources = "mutations.txt", delimiter = '|')
  void anAnswer(String make, String file, String verify, String free) throws IOException {
    Stowage made = Stowage.run(words(make, null)).ends(0);
    Path read = file == null ? file("stdout.json", made.out()) : folder.resolve(file);
    assertEquals(free, String.join(" ", passing(read, verify)));
  }
}
