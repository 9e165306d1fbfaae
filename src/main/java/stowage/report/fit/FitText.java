package stowage.report.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitClaim;
import stowage.planning.fit.FitPlan;
import stowage.planning.fit.FitRequest;
import stowage.planning.fit.FitWords;
import stowage.planning.fit.Lever;
import stowage.report.format.AlignedText;
import stowage.report.format.AnswerFindings;
import stowage.report.format.NameText;

/** The answer of {@code stowage fit} for a terminal. */
public final class FitText {
  private static final int MOST_NAMES = 8;
  private static final int MOST_RUNS = 12;

  /** Longer lines of facts are wrapped. */
  private static final int WIDTH = 80;

  private FitText() {}

  /** The answer with remarks of a sentence each, ended with a line's end. */
  public static String of(FitAnswer answer, List<String> remarks) {
    FitRequest request = answer.request();
    StringBuilder text = new StringBuilder();
    text.append(answer.status()).append(": ").append(request.network().name()).append(", ");
    text.append(headline(answer)).append('\n');
    FitPlan plan = answer.plan();
    if (plan != null) {
      line(text, "peak", ByteText.both(plan.peak()));
      line(text, "load", ByteText.both(plan.load()));
      line(text, "extra", price(answer, plan.extra()));
      if (plan.extraBytes() > 0) {
        line(text, "moved", ByteText.both(plan.extraBytes()) + " by added ops");
      }
      if (plan.persistentExtra() > 0) {
        line(text, "kept", "about " + ByteText.both(plan.persistentExtra()) + " more by TFLM");
      }
    }
    recomputed(text, answer);
    if (answer.status() != Status.INFEASIBLE) {
      line(text, "bound", price(answer, answer.extraBound()) + ", over " + answer.boundScope());
    }
    if (request.capacity() >= 0) {
      line(text, "capacity", ByteText.both(request.capacity()));
    }
    if (request.loadLimit() >= 0) {
      line(text, "limit", ByteText.both(request.loadLimit()) + " of live bytes");
    }
    if (answer.reason() != null) {
      line(text, "because", answer.reason());
    }
    line(text, "time", ByteText.seconds(answer.seconds()));
    ladder(text, answer);
    if (plan != null && !plan.runs().isEmpty()) {
      runs(text, plan);
    }
    if (!answer.curve().isEmpty()) {
      curve(text, answer);
    }
    remarks.forEach(remark -> text.append("  ").append(remark).append('\n'));
    return text.toString();
  }

  /**
   * What was found out about an answer of {@code fit}.
   *
   * @param peak of the plan that was checked with it; null where none was
   * @param contradictions all that it says and is false
   */
  public static AnswerFindings verified(
      FitClaim.Findings found, Long peak, List<String> contradictions) {
    boolean none = found.limit() >= 0;
    String claim =
        none
            ? "no plan within " + ByteText.both(found.limit())
            : "extra compute at least " + ByteText.exact(found.bound()) + ", " + found.kind();
    AnswerFindings.Claim bound =
        new AnswerFindings.Claim(
            none ? "bound" : "extraBound",
            found.bound(),
            found.kind(),
            claim,
            found.fault(),
            found.refuted());
    return peak == null
        ? new AnswerFindings(Map.of(), "", bound, contradictions)
        : new AnswerFindings(
            Map.of("peak", peak), "peak " + ByteText.both(peak), bound, contradictions);
  }

  private static void recomputed(StringBuilder text, FitAnswer answer) {
    if (answer.recompute() == null || answer.plan() == null) {
      return;
    }
    Map<String, Integer> again = FitAnswer.RecomputeFacts.again(answer.plan().rewriting());
    List<String> names = new ArrayList<>();
    again.forEach((op, n) -> names.add(NameText.shortened(op) + (n > 1 ? " x " + n : "")));
    int more = again.size() - MOST_NAMES;
    String shown = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
    line(
        text,
        "again",
        again.isEmpty() ? "no op" : shown + (more > 0 ? " and " + more + " more" : ""));
    int fixed = answer.recompute().fixed().size();
    if (fixed > 0) {
      String ops = ByteText.count(fixed, "op") + (fixed == 1 ? " is" : " are");
      line(text, "once", ops + " never computed again");
    }
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(new AlignedText("ll").row("%-8s".formatted(name), value).text("  ", WIDTH));
  }

  private static String price(FitAnswer answer, long extra) {
    boolean known = answer.compute() > 0 && extra > 0;
    String share = known ? " (" + ByteText.percent((double) extra / answer.compute()) + ")" : "";
    return ByteText.exact(extra) + " " + answer.unit() + share;
  }

  /** What came of it, in a few words. */
  static String headline(FitAnswer answer) {
    FitRequest request = answer.request();
    if (answer.status() == Status.INFEASIBLE) {
      return "it cannot be made to fit"
          + (request.allows(Lever.SPLIT) ? "" : " by " + FitWords.levers(request.levers()));
    }
    if (!answer.fits()) {
      return answer.plan() == null
          ? "no plan was found"
          : "no plan within the limits was found; this is the lowest"
              + (request.capacity() >= 0 && answer.plan().peak() > request.capacity()
                  ? ", " + ByteText.both(answer.plan().peak() - request.capacity()) + " above"
                  : "");
    }
    if (request.maxExtra() >= 0) {
      String most = " for at most " + price(answer, request.maxExtra()) + " more";
      return answer.status() == Status.OPTIMAL
          ? "no plan of this peak adds less; it is the lowest found" + most
          : "the lowest peak found" + most;
    }
    if (!answer.curve().isEmpty()) {
      long proven = answer.curve().stream().filter(one -> one.status() == Status.OPTIMAL).count();
      return ByteText.count(answer.curve().size(), "point")
          + " of the curve, "
          + proven
          + " proven; this plan is the lowest found within 5 % more compute";
    }
    return answer.status() == Status.OPTIMAL
        ? "no plan "
            + (request.curve() ? "of a point's peak" : "within the limits")
            + " adds less compute"
        : "the best plan found adds " + price(answer, answer.plan().extra());
  }

  private static void ladder(StringBuilder text, FitAnswer answer) {
    AlignedText table = new AlignedText("lrrr");
    table.row("levers", "peak, bytes", "bound, bytes", "extra");
    for (FitAnswer.Step step : answer.ladder()) {
      String levers = FitWords.levers(step.levers()) + FitWords.runs(step);
      String peak = step.peak() < 0 ? "none" : ByteText.exact(step.peak());
      table.row(levers, peak, step.lowerBound(), share(answer, step.extra()));
    }
    text.append(table.text("  "));
  }

  private static String share(FitAnswer answer, long extra) {
    return extra == 0 || answer.compute() == 0
        ? ByteText.exact(extra)
        : ByteText.percent((double) extra / answer.compute());
  }

  private static void runs(StringBuilder text, FitPlan plan) {
    AlignedText table = new AlignedText("llll");
    table.row("from", "to", "pieces", "direction");
    int shown = Math.min(MOST_RUNS, plan.runs().size());
    for (FitPlan.Run run : plan.runs().subList(0, shown)) {
      StringBuilder pieces = new StringBuilder();
      for (int k = 0; k < run.axes().size(); k++) {
        pieces.append(k == 0 ? "" : ", ").append(run.pieces().get(k)).append(" by ");
        pieces.append(run.axes().get(k));
      }
      String from = NameText.shortened(run.ops().get(0));
      String to = NameText.shortened(run.ops().get(run.ops().size() - 1));
      table.row(from, to, pieces, plan.direction(run));
    }
    text.append(table.text("  "));
    int more = plan.runs().size() - shown;
    text.append(more > 0 ? "  and " + more + " more: add --json\n" : "");
  }

  private static void curve(StringBuilder text, FitAnswer answer) {
    AlignedText table = new AlignedText("rrrl");
    table.row("peak, bytes", "extra", "bound", "status");
    for (FitAnswer.Point point : answer.curve()) {
      String bound = share(answer, point.extraBound());
      table.row(point.peak(), share(answer, point.extra()), bound, point.status());
    }
    if (answer.recompute() != null) {
      for (FitAnswer.RecomputeFacts.Checkpointing other : answer.recompute().checkpoints()) {
        String rule = "checkpoints: " + other.rule();
        table.row(other.peak(), share(answer, other.extra()), "", rule);
      }
    }
    text.append(table.text("  "));
  }
}
