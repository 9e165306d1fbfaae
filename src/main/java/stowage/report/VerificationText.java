package stowage.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.PackingProblem;
import stowage.packing.Violation;

/** What the verifier found, for people and for scripts. */
public final class VerificationText {
  private VerificationText() {}

  /**
   * Whether the bound that a plan claims is proven.
   *
   * @param bound as the plan says it
   * @param fault what is wrong with its certificate; empty when it proves the bound
   */
  public record ClaimedBound(Bound bound, Optional<String> fault) {

    /** Checks what a plan claims. */
    public static ClaimedBound of(PackingProblem problem, Bound bound) {
      return new ClaimedBound(bound, BoundVerifier.fault(problem, bound));
    }

    /** Whether there is a certificate, but it proves less than is claimed. */
    public boolean isRefuted() {
      return bound.certificate().checkable() && fault.isPresent();
    }

    private String text() {
      String claim = "bound " + ByteText.both(bound.value()) + ", " + bound.kind();
      return isRefuted()
          ? "invalid: " + claim + ": " + fault.get()
          : claim + (fault.isEmpty() ? ": proven again" : ": an engine's word, not checked");
    }
  }

  /**
   * Plain sentences, one a violation, and one on the bound.
   *
   * @param peak of the plan in bytes
   * @param claim the plan's bound, or null where it has none
   */
  public static String plain(
      PackingProblem problem, List<Violation> violations, long peak, ClaimedBound claim) {
    StringBuilder text = new StringBuilder();
    if (violations.isEmpty()) {
      text.append("valid: ").append(problem.size()).append(" buffers, peak ");
      text.append(ByteText.both(peak)).append('\n');
    }
    if (claim != null) {
      text.append(claim.text()).append('\n');
    }
    violations.forEach(violation -> text.append("invalid: ").append(violation.text()).append('\n'));
    return text.toString();
  }

  /**
   * One JSON object: {@code {valid, buffers, peak, bound: {value, kind, proven, fault}, violations:
   * [{kind, buffers, step, low, high, text}]}}; {@code bound} only where the plan has one.
   */
  public static String json(
      PackingProblem problem, List<Violation> violations, long peak, ClaimedBound claim) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION);
    root.put("valid", violations.isEmpty() && (claim == null || !claim.isRefuted()));
    root.put("buffers", problem.size());
    root.put("peak", peak);
    if (claim != null) {
      ObjectNode bound = root.putObject("bound");
      bound.put("value", claim.bound().value());
      bound.put("kind", claim.bound().kind());
      bound.put("proven", claim.fault().isEmpty());
      bound.put("fault", claim.fault().orElse(null));
    }
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
