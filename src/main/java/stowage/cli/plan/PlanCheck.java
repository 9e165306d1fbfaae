package stowage.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.exact.bound.LowerBounds;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanClaim;
import stowage.importer.own.PlanFile;
import stowage.liveness.PlanningCase;
import stowage.liveness.RunCheck;
import stowage.packing.Bound;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.ReuseCost;
import stowage.packing.Score;
import stowage.packing.Status;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.planning.LoadedProblem;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.plan.InputFigures;
import stowage.report.plan.VerificationText;

/** A plan.json or plan.csv checked against its problem, with what it says of itself. */
final class PlanCheck {
  private PlanCheck() {}

  /** Checks a plan and what its file says of itself. */
  static VerificationText.Findings of(Path plan, LoadedProblem planned) {
    PackingProblem problem = planned.problem();
    Placement placement = PlanFile.read(plan).placement(problem);
    Optional<PlanClaim> claim = PlanClaim.read(plan, problem);
    PackingProblem limited = claim.map(said -> said.planned(problem)).orElse(problem);
    List<Violation> violations = Verifier.violations(limited, placement);
    long peak = Objective.peaks(problem).score(problem, placement).figure(0);
    Bound proven = claim.flatMap(PlanClaim::bound).orElse(null);
    if (proven == null && violations.isEmpty()) {
      proven = LowerBounds.best(limited)[0];
    }
    List<String> contradictions =
        claim
            .map(said -> contradictions(plan, said, planned, placement, violations.isEmpty()))
            .orElse(new ArrayList<>());
    boolean csv = !plan.toString().toLowerCase(Locale.ROOT).endsWith(".json");
    if (csv && violations.isEmpty()) {
      PlanningCase given = planned.planningCase();
      IntFunction<String> tensors =
          given.hasNetwork() ? i -> String.join(" ", given.tensors(i)) : null;
      contradictions.addAll(PackingCsv.contradictions(plan, problem, placement, tensors));
    }
    long bare = claim.map(PlanClaim::bareBound).orElse(0L);
    if (violations.isEmpty() && bare > (proven == null ? 0 : proven.value())) {
      contradictions.add(
          "the plan says that no peak is below %s bytes; it names no proof, and proven is %s"
              .formatted(bare, proven == null ? 0 : proven.value()));
    }
    return new VerificationText.Findings(
        violations,
        isWithin(violations) ? runs(planned.planningCase(), placement) : List.of(),
        peak,
        IntStream.range(0, problem.memories().size())
            .mapToObj(memory -> placement.peak(problem, memory))
            .toList(),
        problem.relations().reuse().isEmpty() ? null : ReuseCost.of(problem, placement),
        proven == null ? null : VerificationText.ClaimedBound.ofPeak(limited, proven),
        claim.map(said -> priceClaim(said, problem, placement)).orElse(null),
        contradictions);
  }

  /** What a plan says of itself and its input, and is false; without a placement that is null. */
  static List<String> contradictions(
      Path plan, PlanClaim claim, LoadedProblem planned, Placement placement, boolean valid) {
    PackingProblem problem = planned.problem();
    Objective peaks = Objective.peaks(problem);
    Score score = placement == null ? null : peaks.score(problem, placement);
    Bound[] none = new Bound[peaks.parts().size()];
    Plan plain = new Plan(problem, placement, score, none, Status.UNKNOWN, null, "", 0, peaks);
    RunReport right = RunReport.of(plain, planned, RunSettings.DEFAULTS, RunFacts.NONE, null);
    List<String> found = new ArrayList<>(claim.contradictions(problem, placement, valid));
    found.addAll(InputFigures.contradictions(plan, right));
    return found;
  }

  /** Whether every buffer is at addresses that are numbers. */
  private static boolean isWithin(List<Violation> violations) {
    return violations.stream().noneMatch(wrong -> wrong.kind() == Violation.Kind.OFFSET);
  }

  /** What does not hold over the turns, sides and orders in which the network may run. */
  private static List<VerificationText.BrokenRun> runs(PlanningCase given, Placement placement) {
    return RunCheck.of(given, placement).stream()
        .map(clash -> new VerificationText.BrokenRun(violation(clash), clash.paths()))
        .toList();
  }

  private static Violation violation(RunCheck.Clash clash) {
    Violation.Kind kind = Violation.Kind.RUN;
    return new Violation(
        kind, clash.buffers(), clash.step(), clash.low(), clash.high(), clash.text());
  }

  private static VerificationText.ClaimedBound priceClaim(
      PlanClaim claim, PackingProblem problem, Placement placement) {
    return problem.relations().reuse().isEmpty()
        ? null
        : claim
            .reuseBound()
            .map(bound -> VerificationText.ClaimedBound.of(claim.priced(problem, placement), bound))
            .orElse(null);
  }
}
