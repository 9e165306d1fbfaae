package stowage.report.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.importer.io.JsonCursor;
import stowage.packing.PackingProblem;
import stowage.report.RunReport;
import stowage.report.format.AnswerContradictions;

/**
 * Fields of a plan.json that follow from its input and placement alone, such as the places of
 * weights: what a file says there, compared with what an answer with the same placement says.
 */
public record InputFigures(RunReport right, List<String> found) {
  private static final String ORDER = "/plannedAs/order";

  /** One for all buffers: making it takes longer than what it is asked. */
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final Set<String> FOLLOWING =
      Set.of(
          "conflicts parts weightBytes activationBase totalBytes network baseline weights"
              .split(" "));

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
              JsonNode said = json.tree();
              JsonNode is = all.path(field);
              figures.compare(
                  field, said, field.equals("weights") ? figures.laidOut(said, is) : is);
              if (said.at(ORDER).asText().equals("streams")) { // not every plan names them all
                figures.compare("order", said.at(ORDER), all.path(field).at(ORDER));
              }
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
      return MAPPER.readTree(text.toByteArray());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void compareTensors(JsonNode place) {
    PackingProblem problem = right.problem();
    String id = place.path("id").asText();
    if (place.has("tensors")) {
      JsonNode tensors = MAPPER.valueToTree(right.tensors(problem.indexOf(id)));
      compare("tensors of \"" + id + "\"", place.get("tensors"), tensors);
    }
  }

  /** The weights in the order that is said, which the files of one network need not share. */
  private JsonNode laidOut(JsonNode said, JsonNode is) {
    Map<String, Long> bytes = new HashMap<>();
    is.forEach(one -> bytes.put(one.path("tensor").asText(), one.path("bytes").asLong()));
    long alignment = right.input().planningCase().options().weightAlignment();
    ArrayNode places = MAPPER.createArrayNode();
    long next = 0;
    for (JsonNode one : said) {
      String tensor = one.path("tensor").asText();
      Long size = bytes.remove(tensor);
      if (size == null) {
        return is;
      }
      places.addObject().put("tensor", tensor).put("offset", next).put("bytes", size);
      next += (size + alignment - 1) / alignment * alignment;
    }
    if (!bytes.isEmpty()) {
      return is;
    }
    try {
      return MAPPER.readTree(places.toString()); // numbers of the kinds that a reader makes
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void compare(String what, JsonNode said, JsonNode is) {
    new AnswerContradictions("the plan", InputFigures::isFree, found).compare(what, said, is);
  }

  /** Whether options of the run, or the names of files, decide a field. */
  private static boolean isFree(String path) {
    return path.matches("(.*\\.)?(name|format|status)|network\\.plannedAs");
  }
}
