package stowage.report.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Fields of an answer in JSON compared with those of the right answer: {@code found} collects what
 * differs, one sentence each.
 *
 * @param whose begins each sentence: {@code the plan}, {@code the answer}
 * @param free fields, by their path, that may differ
 */
public record AnswerContradictions(String whose, Predicate<String> free, List<String> found) {
  /** Compares an answer with the text of the right one. */
  public void compare(JsonNode said, String is) {
    try {
      compare("", said, new ObjectMapper().readTree(is));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Compares what is said in a field, and in the fields that it has, with what is right. */
  public void compare(String what, JsonNode said, JsonNode is) {
    if (free.test(what)) {
      return;
    }
    if (said.isObject() && is.isObject()) {
      String inside = what.isEmpty() ? "" : what + ".";
      for (Map.Entry<String, JsonNode> part : said.properties()) {
        compare(inside + part.getKey(), part.getValue(), is.path(part.getKey()));
      }
    } else if (said.isArray() && is.isArray() && said.size() == is.size()) {
      for (int k = 0; k < said.size(); k++) {
        compare(what + "[" + k + "]", said.get(k), is.get(k));
      }
    } else if (!said.equals(is)) {
      found.add("%s says that its %s is %s; it is %s".formatted(whose, what, text(said), text(is)));
    }
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? "a list of " + value.size()
        : value.isMissingNode() ? "none" : value.toString();
  }
}
