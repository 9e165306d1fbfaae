package stowage.report.fit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.packing.Bound;
import stowage.packing.CertificateFields;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.planning.RulesOfPlan;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitPlan;
import stowage.planning.fit.FitRequest;
import stowage.planning.fit.Lever;
import stowage.report.RunReport;
import stowage.text.JsonWriter;

/** The answer of {@code stowage fit} as one JSON object. */
public final class FitJson {
  private FitJson() {}

  /**
   * The object with remarks, ended with a line's end; {@code report} is null without a placement.
   */
  public static String of(FitAnswer answer, RunReport report, List<String> remarks) {
    FitRequest request = answer.request();
    FitPlan plan = answer.plan();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("schemaVersion", 1);
    fields.put("problem", request.network().name());
    fields.put("status", answer.status().name());
    fields.put("peak", plan == null ? null : plan.peak());
    putLimit(fields, "capacity", request.capacity());
    putBound(fields, report);
    fields.put("load", plan == null ? null : plan.load());
    putLimit(fields, "loadLimit", request.loadLimit());
    fields.put("compute", answer.compute());
    fields.put("extra", plan == null ? null : plan.extra());
    fields.put("extraBound", answer.extraBound());
    putLimit(fields, "maxExtra", request.maxExtra());
    fields.put("unit", answer.unit());
    fields.put("boundScope", answer.boundScope());
    fields.put("extraBytes", plan == null ? null : plan.extraBytes());
    fields.put("persistentExtra", plan == null ? null : plan.persistentExtra());
    fields.put("levers", words(request.levers()));
    fields.put("ladder", answer.ladder().stream().map(FitJson::step).toList());
    fields.put(
        "runs",
        plan == null ? List.of() : plan.runs().stream().map(run -> run(plan, run)).toList());
    if (request.curve()) {
      fields.put("curve", answer.curve().stream().map(FitJson::point).toList());
    }
    putRecompute(fields, answer);
    if (answer.reason() != null) {
      fields.put("reason", answer.reason());
    }
    fields.put("network", Map.of("plannedAs", RulesOfPlan.of(request.liveness())));
    fields.put(
        "ops",
        plan == null ? request.network().ops().size() : plan.rewriting().network().ops().size());
    fields.put("buffers", plan == null ? 0 : plan.placement().problem().size());
    fields.put("remarks", remarks);
    fields.put("seconds", answer.seconds());
    return JsonWriter.text(json -> json.value(fields));
  }

  private static Map<String, Object> checkpointing(FitAnswer.RecomputeFacts.Checkpointing other) {
    return row("rule", other.rule(), "peak", other.peak(), "extra", other.extra());
  }

  /** Names, each with its value after it. */
  private static Map<String, Object> row(Object... fields) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int k = 0; k < fields.length; k += 2) {
      row.put((String) fields[k], fields[k + 1]);
    }
    return row;
  }

  private static void putRecompute(Map<String, Object> fields, FitAnswer answer) {
    FitAnswer.RecomputeFacts facts = answer.recompute();
    if (answer.proof() != null) {
      fields.put("extraProof", answer.proof().fields());
    }
    if (facts == null) {
      return;
    }
    FitPlan plan = answer.plan();
    fields.put(
        "recomputed",
        plan == null ? List.of() : rows(FitAnswer.RecomputeFacts.again(plan.rewriting()), "times"));
    fields.put("fixedOps", rows(facts.fixed(), "why"));
    if (!facts.checkpoints().isEmpty()) {
      fields.put("checkpoints", facts.checkpoints().stream().map(FitJson::checkpointing).toList());
    }
    fields.put("extraProof", facts.proof());
  }

  private static List<Map<String, Object>> rows(Map<String, ?> values, String name) {
    List<Map<String, Object>> rows = new ArrayList<>();
    values.forEach((op, value) -> rows.add(row("op", op, name, value)));
    return rows;
  }

  private static void putLimit(Map<String, Object> fields, String name, long limit) {
    if (limit >= 0) {
      fields.put(name, limit);
    }
  }

  private static void putBound(Map<String, Object> fields, RunReport report) {
    if (report == null) {
      fields.put("lowerBound", null);
      return;
    }
    PackingProblem problem = report.problem();
    Bound bound = report.bound();
    fields.put("lowerBound", bound.value());
    fields.put("boundKind", bound.kind());
    String why = ProofText.of(problem, bound.certificate(), bound.value());
    fields.put(
        "certificate",
        CertificateFields.of(problem, bound.certificate(), report.isBoundChecked(), why));
  }

  private static List<String> words(Set<Lever> levers) {
    return levers.stream().sorted().map(Lever::word).toList();
  }

  private static Map<String, Object> step(FitAnswer.Step step) {
    Map<String, Object> row = row("levers", words(step.levers()));
    row.put("peak", step.peak() < 0 ? null : step.peak());
    row.putAll(row("lowerBound", step.lowerBound(), "extra", step.extra()));
    return row;
  }

  private static Map<String, Object> run(FitPlan plan, FitPlan.Run run) {
    Map<String, Object> row = row("ops", run.ops(), "axes", run.axes());
    row.putAll(row("pieces", run.pieces(), "direction", plan.direction(run)));
    return row;
  }

  private static Map<String, Object> point(FitAnswer.Point point) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("peak", point.peak());
    fields.put("extra", point.extra());
    fields.put("extraBound", point.extraBound());
    if (point.boundKind() != null) {
      fields.put("boundKind", point.boundKind());
    }
    fields.put("status", point.status().name());
    return fields;
  }
}
