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
import org.junit.jupiter.api.Test;
import stowage.FolderTest;
import stowage.JsonChecks;
import stowage.cli.terminal.ExitCode;

/**
 * Answers in JSON with one value after another changed by the least: {@code verify} has to refuse
 * each that is a claim about the input or the plan. What may be changed is listed.
 */
class VerifyMutationsTest extends FolderTest {
  private static final Path TINY = Path.of("models/networks/tiny.json");

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
  private Set<String> passing(Path file, Object... verify) throws IOException {
    answer = JsonChecks.read(file);
    changed = file.resolveSibling("changed.json");
    words = new Object[] {"verify", List.of(verify), changed};
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

  @Test
  void layerGroups() throws IOException {
    String line = "group %s --chip bm1688 --precision int8 --lmem today --out %s";
    Stowage.line(line, TINY, folder).ends(0);
    String free = "network.name partition seconds";
    assertEquals(free, String.join(" ", passing(folder.resolve("groups.json"), TINY)));
  }

  @Test
  void aPlan() throws IOException {
    Stowage.line("plan %s --capacity 100000 --out %s", TINY, folder).ends(0);
    String proof = "certificate.checked certificate.reason "; // said to be less, and in words
    String run = "deterministic foundBy improvements[].lowerBound improvements[].peak";
    run += " improvements[].seconds improvements[].who network.format network.name peakRssBytes";
    run += " planner problem seconds seed threads versions.java versions.stowage";
    assertEquals(proof + run, String.join(" ", passing(folder.resolve("plan.json"), TINY)));
  }
}
