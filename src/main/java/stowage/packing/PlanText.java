package stowage.packing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** JSON answer of a plan, with the fields that {@code plan.json} gives the same meaning. */
public final class PlanText {
  private static final int SCHEMA_VERSION = 1;

  private PlanText() {}

  static String json(Plan plan) {
    PackingProblem problem = plan.problem();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("schemaVersion", SCHEMA_VERSION);
    answer.put("problem", problem.name());
    answer.put("status", plan.status().name());
    answer.put("peak", orNull(plan.peak()));
    BestBound best = BestBound.of(problem, plan.peakBound());
    answer.put("lowerBound", best.bound().value());
    answer.put("boundKind", best.bound().kind());
    Certificate why = best.bound().certificate();
    String reason = ProofText.of(problem, why, best.bound().value());
    answer.put("certificate", CertificateFields.of(problem, why, best.checked(), reason));
    if (plan.status() == Status.INFEASIBLE && plan.infeasibility() != null) {
      answer.put("infeasibility", infeasibility(plan));
    }
    answer.put("gap", gap(plan.peak(), best.bound().value()));
    answer.putAll(goals(plan));
    answer.put("foundBy", plan.finder());
    answer.put("seconds", plan.seconds());
    answer.put("capacity", capacity(problem.memories().get(problem.memories().size() - 1)));
    answer.put("buffers", problem.size());
    answer.put("conflicts", problem.conflicts().count());
    answer.put("memories", memories(plan, best.bound().value()));
    answer.put("placements", plan.hasPlacement() ? placements(plan) : List.of());
    return text(answer);
  }

  /**
   * The JSON fields about what a plan was lowered by: the price of reuse where the problem has
   * prices, and the goals where they are not the peaks alone; empty for most plans.
   *
   * @param plan with or without a placement
   * @return values that are texts, numbers, lists and maps, in the order of plan.json
   */
  public static Map<String, Object> goals(Plan plan) {
    Map<String, Object> fields = new LinkedHashMap<>();
    PackingProblem problem = plan.problem();
    List<Objective.Figure> figures = plan.objective().parts();
    if (!problem.relations().reuse().isEmpty()) {
      int figure = plan.objective().indexOf(Goal.REUSE);
      Bound found = figure < 0 ? null : plan.bounds()[figure];
      Bound bound = found == null ? new Bound(Math.max(0, figure), 0, ReuseProof.none()) : found;
      fields.put("reuseCost", plan.hasPlacement() ? ReuseCost.of(problem, plan.placement()) : null);
      fields.put("reuseBound", bound.value());
      Certificate why = bound.certificate();
      boolean checked = BoundVerifier.fault(problem, bound).isEmpty();
      String reason = ProofText.ofReuse(problem, why, bound.value());
      fields.put("reuseCertificate", CertificateFields.of(problem, why, checked, reason));
      fields.put("paid", plan.hasPlacement() ? paid(problem, plan.placement()) : List.of());
    }
    if (!plan.objective().isPeaks()) {
      List<Map<String, Object>> rows = new ArrayList<>();
      for (int f = 0; f < figures.size(); f++) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("figure", figures.get(f).name());
        row.put("value", plan.hasPlacement() ? orNull(plan.score().figure(f)) : null);
        row.put("bound", plan.bounds()[f] == null ? null : orNull(plan.bounds()[f].value()));
        rows.add(row);
      }
      fields.put("objective", rows);
    }
    return fields;
  }

  private static List<Map<String, Object>> paid(PackingProblem problem, Placement placement) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Relations.Reuse pair : ReuseCost.paid(problem, placement)) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("a", problem.buffer(pair.first()).id());
      row.put("b", problem.buffer(pair.second()).id());
      row.put("weight", pair.weight());
      if (!pair.reason().isEmpty()) {
        row.put("reason", pair.reason());
      }
      rows.add(row);
    }
    return rows;
  }

  private static Map<String, Object> infeasibility(Plan plan) {
    Certificate why = plan.infeasibility();
    boolean checked = BestBound.provesInfeasible(plan.problem(), why);
    String reason = ProofText.infeasible(plan.problem(), why);
    return CertificateFields.of(plan.problem(), why, checked, reason);
  }

  private static List<Map<String, Object>> memories(Plan plan, long lastBound) {
    List<Map<String, Object>> rows = new ArrayList<>();
    List<Memory> memories = plan.objective().memories(); // whose capacities overflow counts from
    for (int m = 0; m < memories.size(); m++) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", memories.get(m).name());
      row.put("capacity", capacity(memories.get(m)));
      row.put("peak", plan.hasPlacement() ? plan.placement().peak(plan.problem(), m) : null);
      row.put("lowerBound", m == memories.size() - 1 ? lastBound : plan.lowerBound(m));
      rows.add(row);
    }
    return rows;
  }

  private static Long capacity(Memory memory) {
    return memory.isBounded() ? memory.capacity() : null;
  }

  private static Iterable<Map<String, Object>> placements(Plan plan) {
    PackingProblem problem = plan.problem();
    boolean several = problem.memories().size() > 1;
    return () ->
        IntStream.range(0, problem.size()).mapToObj(i -> placement(plan, i, several)).iterator();
  }

  private static Map<String, Object> placement(Plan plan, int i, boolean several) {
    Buffer buffer = plan.problem().buffer(i);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("id", buffer.id());
    row.put("lower", buffer.live().start());
    row.put("upper", buffer.live().end());
    row.put("size", buffer.size());
    row.put("offset", plan.offset(i));
    if (several) {
      row.put("memory", plan.problem().memories().get(plan.memory(i)).name());
    }
    return row;
  }

  private static Double gap(long peak, long bound) {
    double gap = peak == bound ? 0 : (double) (peak - bound) / bound;
    return peak < 0 ? null : Double.valueOf(gap);
  }

  private static Long orNull(long bytes) {
    return bytes < 0 ? null : bytes;
  }

  /**
   * A value as JSON on one line: maps become objects, in their order; iterables become arrays;
   * numbers that JSON does not know (NaN, infinite) become null.
   */
  static String text(Object value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  private static void append(StringBuilder out, Object value) {
    if (value instanceof Map<?, ?> fields) {
      char separator = '{';
      for (Map.Entry<?, ?> field : fields.entrySet()) {
        quote(out.append(separator), String.valueOf(field.getKey()));
        append(out.append(':'), field.getValue());
        separator = ',';
      }
      out.append(fields.isEmpty() ? "{}" : "}");
    } else if (value instanceof Iterable<?> elements) {
      int begin = out.length();
      for (Object element : elements) {
        append(out.append(out.length() == begin ? '[' : ','), element);
      }
      out.append(out.length() == begin ? "[]" : "]");
    } else if (value instanceof String text) {
      quote(out, text);
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      out.append("null");
    } else {
      out.append(value);
    }
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '"', '\\' -> out.append('\\').append(letter);
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> {
          if (letter < ' ' || Character.isSurrogate(letter)) {
            out.append(String.format("\\u%04x", (int) letter));
          } else {
            out.append(letter);
          }
        }
      }
    }
    out.append('"');
  }
}
