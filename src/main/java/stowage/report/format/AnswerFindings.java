package stowage.report.format;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import stowage.text.JsonWriter;

/**
 * What was found out about an answer that a command gave before, for people and for scripts.
 *
 * @param figures what follows from the answer's plans, as fields of the JSON
 * @param holds the same for a reader; empty where there is no more to say
 * @param claim what the answer says that no plan is below; null where it says nothing such
 * @param contradictions what the answer says and is false, one sentence each
 */
public record AnswerFindings(
    Map<String, Object> figures, String holds, Claim claim, List<String> contradictions) {

  /** What is said of a proof by a solver. */
  public static final String UNCHECKED = "it has no certificate and is not checked";

  /**
   * A bound that an answer claims.
   *
   * @param field its name in the JSON
   * @param words the claim for a reader
   * @param fault what is wrong with its proof, or that it is not checked; empty where the proof was
   *     checked and holds
   * @param refuted whether the proof was checked, and proves less
   */
  public record Claim(
      String field,
      long value,
      String kind,
      String words,
      Optional<String> fault,
      boolean refuted) {}

  public AnswerFindings {
    contradictions = List.copyOf(contradictions);
  }

  /** Findings of an answer that cannot be compared any further. */
  public static AnswerFindings invalid(String... contradictions) {
    return new AnswerFindings(Map.of(), "", null, List.of(contradictions));
  }

  /** Findings of an answer whose bound has no certificate. */
  public static AnswerFindings unproven(
      Map<String, Object> figures,
      String holds,
      long bound,
      String kind,
      String words,
      List<String> contradictions) {
    Claim claim = new Claim("bound", bound, kind, words, Optional.of(UNCHECKED), false);
    return new AnswerFindings(figures, holds, claim, contradictions);
  }

  /** A bound that is said, brought to what it can be: from 0 to {@code most}, which a plan has. */
  public static long bound(JsonNode said, long most) {
    boolean beyond = said.isIntegralNumber() && !said.canConvertToLong();
    return beyond ? most : Math.max(0, Math.min(most, said.asLong()));
  }

  /** Whether all holds that was checked. */
  public boolean isValid() {
    return contradictions.isEmpty() && (claim == null || !claim.refuted());
  }

  /** A line for each contradiction, for what holds and for the bound. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (String saying : contradictions) {
      text.append("invalid: ").append(NameText.plain(saying)).append('\n');
    }
    if (isValid() && !holds.isEmpty()) {
      text.append("valid: ").append(holds).append('\n');
    }
    if (claim != null) {
      text.append(claim.refuted() ? "invalid: " : "").append(claim.words()).append(": ");
      text.append(claim.fault().orElse("re-checked")).append('\n');
    }
    return text.toString();
  }

  /** The same as one JSON object. */
  public String json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("schemaVersion", 1);
    fields.put("valid", isValid());
    fields.putAll(figures);
    if (claim != null) {
      Map<String, Object> bound = new LinkedHashMap<>();
      bound.put("value", claim.value());
      bound.put("kind", claim.kind());
      bound.put("proven", claim.fault().isEmpty());
      bound.put("fault", claim.fault().orElse(null));
      fields.put(claim.field(), bound);
    }
    fields.put("contradictions", contradictions);
    return JsonWriter.text(json -> json.value(fields));
  }
}
