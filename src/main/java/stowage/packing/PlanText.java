package stowage.packing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** JSON answer of a plan, with the fields that {@code plan.json} gives the same meaning. */
final class PlanText {
  private static final int SCHEMA_VERSION = 1;

  private PlanText() {}

  static String json(Plan plan) {
    PackingProblem problem = plan.problem();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("schemaVersion", SCHEMA_VERSION);
    answer.put("problem", problem.name());
    answer.put("status", plan.status().name());
    answer.put("peak", orNull(plan.peak()));
    BestBound best = BestBound.of(problem, plan.bounds().length == 0 ? null : plan.bounds()[0]);
    answer.put("lowerBound", best.bound().value());
    answer.put("boundKind", best.bound().kind());
    Certificate why = best.bound().certificate();
    String reason = ProofText.of(problem, why, best.bound().value());
    answer.put("certificate", CertificateFields.of(problem, why, best.checked(), reason));
    if (plan.status() == Status.INFEASIBLE && plan.infeasibility() != null) {
      answer.put("infeasibility", infeasibility(plan));
    }
    answer.put("gap", gap(plan.peak(), best.bound().value()));
    answer.put("foundBy", plan.finder());
    answer.put("seconds", plan.seconds());
    answer.put("buffers", problem.size());
    answer.put("conflicts", problem.conflicts().count());
    answer.put("memories", memories(plan));
    answer.put("placements", plan.hasPlacement() ? placements(plan) : List.of());
    return JsonText.of(answer);
  }

  private static Map<String, Object> infeasibility(Plan plan) {
    Certificate why = plan.infeasibility();
    boolean checked = BestBound.provesInfeasible(plan.problem(), why);
    String reason = ProofText.infeasible(plan.problem(), why);
    return CertificateFields.of(plan.problem(), why, checked, reason);
  }

  private static List<Map<String, Object>> memories(Plan plan) {
    List<Map<String, Object>> rows = new ArrayList<>();
    List<Memory> memories = plan.problem().memories();
    for (int m = 0; m < memories.size(); m++) {
      int figure = memories.size() - 1 - m;
      Bound bound = figure < plan.bounds().length ? plan.bounds()[figure] : null;
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", memories.get(m).name());
      row.put("capacity", memories.get(m).isBounded() ? memories.get(m).capacity() : null);
      row.put("peak", plan.hasPlacement() ? plan.placement().peak(plan.problem(), m) : null);
      row.put("lowerBound", bound == null ? 0 : bound.value());
      rows.add(row);
    }
    return rows;
  }

  /** Rows made one by one as they are written. */
  private static Iterable<Map<String, Object>> placements(Plan plan) {
    PackingProblem problem = plan.problem();
    boolean several = problem.memories().size() > 1;
    return () ->
        IntStream.range(0, problem.size())
            .mapToObj(
                i -> {
                  Buffer buffer = problem.buffer(i);
                  Map<String, Object> row = new LinkedHashMap<>();
                  row.put("id", buffer.id());
                  row.put("lower", buffer.live().start());
                  row.put("upper", buffer.live().end());
                  row.put("size", buffer.size());
                  row.put("offset", plan.offset(i));
                  if (several) {
                    row.put("memory", problem.memories().get(plan.memory(i)).name());
                  }
                  return row;
                })
            .iterator();
  }

  private static Double gap(long peak, long bound) {
    if (peak < 0) {
      return null;
    }
    return peak == bound ? 0 : (double) (peak - bound) / bound;
  }

  private static Long orNull(long bytes) {
    return bytes < 0 ? null : bytes;
  }
}
