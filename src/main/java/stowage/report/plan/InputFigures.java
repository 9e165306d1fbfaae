package stowage.report.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.JsonCursor;
import stowage.packing.PackingProblem;
import stowage.report.RunReport;

/**
 * Fields of a plan.json that follow from its input and placement alone, such as the places of
 * weights: what a file says there, held against what an answer with the same placement says.
 */
public record InputFigures(RunReport right, List<String> found) {
  private static final Set<String> FOLLOWING =
      Set.of(
          "conflicts parts weightBytes activationBase totalBytes network baseline weights"
              .split(" "));

  /** Fields in these that options of the run and the names of files decide. */
  private static final Set<String> FREE = Set.of("name", "format", "status");

  /** The rule of a run that no plan says whole: which op is on which stream. */
  private static final String STREAMS = "streams";

  /**
   * What a plan.json says of its input and is false, one sentence each. O(file size).
   *
   * @param right a report of the file's placement
   */
  public static List<String> contradictions(Path file, RunReport right) {
    InputFigures figures = new InputFigures(right, new ArrayList<>());
    JsonNode all = figures.answer();
    try (JsonCursor json = new JsonCursor(file)) {
      json.object(
          null,
          field -> {
            if (FOLLOWING.contains(field) && all.has(field)) {
              figures.compare(field, json.tree(), all.path(field));
            } else if (field.equals("placements") && right.hasTensors() && !json.isNull()) {
              json.array(() -> figures.compareTensors(json.tree()));
            } else {
              json.skip();
            }
            return true;
          });
    }
    return figures.found;
  }

  /** The answer without its placements. */
  private JsonNode answer() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      PlanJson.write(right, out -> out.write("[]".getBytes(StandardCharsets.UTF_8)), text);
      return new ObjectMapper().readTree(text.toByteArray());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void compareTensors(JsonNode place) {
    PackingProblem problem = right.problem();
    String id = place.path("id").asText();
    if (place.has("tensors")) {
      JsonNode tensors = new ObjectMapper().valueToTree(right.tensors(problem.indexOf(id)));
      compare("tensors of \"" + id + "\"", place.get("tensors"), tensors);
    }
  }

  private void compare(String what, JsonNode said, JsonNode is) {
    if (said.isObject() && is.isObject()) {
      for (Map.Entry<String, JsonNode> part : said.properties()) {
        JsonNode same = is.path(part.getKey());
        if (part.getKey().equals("plannedAs")) {
          JsonNode order = part.getValue().path("order");
          compare("order", order, order.asText().equals(STREAMS) ? same.path("order") : order);
        } else if (!FREE.contains(part.getKey())) {
          compare(what + "." + part.getKey(), part.getValue(), same);
        }
      }
    } else if (said.isArray() && is.isArray() && said.size() == is.size()) {
      for (int k = 0; k < said.size(); k++) {
        compare(what + "[" + k + "]", said.get(k), is.get(k));
      }
    } else if (!said.equals(is)) {
      found.add("the plan says that its %s is %s; it is %s".formatted(what, text(said), text(is)));
    }
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? "a list of " + value.size()
        : value.isMissingNode() ? "none" : value.toString();
  }
}
