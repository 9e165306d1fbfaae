package stowage.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import stowage.packing.PackingProblem;
import stowage.packing.Violation;

/** What the verifier found, for people and for scripts. */
public final class VerificationText {
  private VerificationText() {}

  /**
   * Plain sentences, one a violation.
   *
   * @param peak of the plan in bytes
   */
  public static String plain(PackingProblem problem, List<Violation> violations, long peak) {
    if (violations.isEmpty()) {
      return "valid: " + problem.size() + " buffers, peak " + ByteText.both(peak) + "\n";
    }
    StringBuilder text = new StringBuilder();
    violations.forEach(violation -> text.append("invalid: ").append(violation.text()).append('\n'));
    return text.toString();
  }

  /**
   * One JSON object: {@code {valid, buffers, peak, violations: [{kind, buffers, step, low, high,
   * text}]}}.
   */
  public static String json(PackingProblem problem, List<Violation> violations, long peak) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION);
    root.put("valid", violations.isEmpty());
    root.put("buffers", problem.size());
    root.put("peak", peak);
    ArrayNode list = root.putArray("violations");
    for (Violation violation : violations) {
      ObjectNode entry = list.addObject();
      entry.put("kind", violation.kind().name());
      ArrayNode ids = entry.putArray("buffers");
      violation.buffers().forEach(i -> ids.add(problem.buffer(i).id()));
      entry.put("step", violation.step());
      entry.put("low", violation.low());
      entry.put("high", violation.high());
      entry.put("text", violation.text());
    }
    return root.toPrettyString() + "\n";
  }
}
