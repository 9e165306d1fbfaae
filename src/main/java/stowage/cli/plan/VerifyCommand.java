package stowage.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.GroupSource;
import stowage.cli.input.PrecedenceFile;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.InputException;
import stowage.importer.io.PackingBaseline;
import stowage.importer.kernel.KernelFiles;
import stowage.importer.own.AnswerFile;
import stowage.importer.own.PlanClaim;
import stowage.importer.own.PlanFile;
import stowage.kernel.model.Caches;
import stowage.kernel.verify.KernelVerifier;
import stowage.liveness.BaselineCheck;
import stowage.liveness.InputOverwrite;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Chip;
import stowage.network.Network;
import stowage.network.kernel.KernelGraph;
import stowage.onchip.FileGroup;
import stowage.onchip.layer.LayerGraph;
import stowage.packing.Certificate;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Verifier;
import stowage.packing.Violation;
import stowage.planning.LoadedProblem;
import stowage.planning.RulesOfPlan;
import stowage.planning.fit.FitClaim;
import stowage.report.compare.FrontClaim;
import stowage.report.format.AnswerFindings;
import stowage.report.format.Terminal;
import stowage.report.group.GroupClaim;
import stowage.report.group.GroupDiff;
import stowage.report.group.GroupReport;
import stowage.report.memory.MemoriesClaim;
import stowage.report.plan.VerificationText;
import stowage.report.schedule.ScheduleClaim;

/** {@code stowage verify}: whether a plan holds for a problem, and what is wrong if it does not. */
@Command(
    name = "verify",
    description = "Says whether a plan holds for a problem, and what is wrong if it does not.")
public final class VerifyCommand extends JsonCommand {
  @Mixin FormattedInputOptions input;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PLAN",
      description =
          "A plan.json or plan.csv, an answer of fit, a groups.json of group, a memories.json of"
              + " memories, a front.json of plan --pareto; an answer of schedule or kernel in the"
              + " folder of its other files, or NAME_schedule.txt (default: the plan that the input"
              + " itself carries).")
  Path plan;

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "Bytes of the memory.")
  Long capacity;

  @Option(
      names = "--cache",
      paramLabel = "NAME=UNITS",
      split = ",",
      description =
          "Of a kernel graph: capacities of caches, as kernel was given; may be repeated.")
  Map<String, Long> caches = new LinkedHashMap<>();

  @Option(
      names = "--memories",
      paramLabel = "FILE",
      description = "The memory map of a memories.json.")
  Path memories;

  @Option(
      names = "--precedences",
      paramLabel = "FILE",
      description = "The precedences that schedule was given, of its answer.")
  Path precedences;

  @Override
  public Integer call() {
    if (plan != null && KernelCheck.isSchedule(plan)) {
      KernelGraph graph = KernelFiles.read(input.input);
      KernelVerifier.Result found =
          KernelVerifier.verify(graph, caches().units(), KernelCheck.read(graph, plan));
      print(json ? KernelCheck.json(found) : KernelCheck.text(found));
      return found.holds() ? ExitCode.OK : ExitCode.INVALID_PLAN;
    }
    AnswerFindings answered = plan == null ? null : answered(AnswerFile.read(plan));
    if (answered != null) {
      print(json ? answered.json() : Terminal.dressed(answered.text()));
      return answered.isValid() ? ExitCode.OK : ExitCode.INVALID_PLAN;
    }
    UsageException.when(!caches.isEmpty(), "--cache is for the schedule of a kernel graph alone");
    UsageException.when(memories != null, "--memories is for a memories.json alone");
    UsageException.when(precedences != null, "--precedences is for an answer of schedule alone");
    input.planned = plan;
    LoadedProblem planned = new ProblemLoader(input).load();
    if (capacity != null) {
      planned = planned.withCapacity(capacity);
    }
    if (plan != null && PlanFile.readAnswer(plan).isNone()) {
      return verifyInfeasible(planned);
    }
    VerificationText.Findings findings =
        plan == null ? ofFile(planned) : PlanCheck.of(plan, planned);
    List<InputOverwrite> overwritten =
        plan == null && planned.baseline() != null
            ? InputOverwrite.of(planned.planningCase().network(), planned.baseline())
            : List.of();
    if (input.inputs == LivenessOptions.Inputs.KEEP && !overwritten.isEmpty()) {
      String fault = VerificationText.text(overwritten.get(0)) + ".";
      findings = found(findings.peak(), findings.violations(), fault);
    }
    PackingProblem problem = planned.problem();
    print(
        json
            ? VerificationText.json(problem, findings, overwritten)
            : Terminal.dressed(VerificationText.plain(problem, findings, overwritten)));
    return findings.isValid() ? ExitCode.OK : ExitCode.INVALID_PLAN;
  }

  private Caches caches() {
    return Caches.DEFAULT.with(caches);
  }

  /** What is found out about an answer that is no plan.json; null where the file is none. */
  private AnswerFindings answered(ObjectNode answer) {
    Optional<FitClaim> fit = FitClaim.of(answer);
    if (fit.isPresent()) {
      return FitCheck.of(input, plan, answer, fit.get());
    } else if (GroupDiff.isGrouping(answer)) {
      return verifyGroups(answer);
    } else if (FrontClaim.isFront(answer)) {
      return verifyFront(answer);
    } else if (ScheduleClaim.isSchedule(answer)) {
      return verifySchedule(answer);
    } else if (MemoriesClaim.isMemories(answer)) {
      return verifyMemories(answer);
    } else if (KernelCheck.isAnswer(answer)) {
      Path schedule = KernelCheck.schedule(plan, KernelFiles.name(input.input));
      return KernelCheck.check(answer, KernelFiles.read(input.input), caches(), schedule);
    }
    return null;
  }

  private AnswerFindings verifyFront(JsonNode answer) {
    input.sharing = LivenessOptions.Sharing.PRICED;
    LoadedProblem planned = new ProblemLoader(input).load();
    List<Placement> plans = new ArrayList<>();
    for (int k = 1; k <= answer.path("points").size(); k++) {
      Path point = plan.resolveSibling("front-" + k + ".csv");
      plans.add(PlanFile.read(point).placement(planned.problem()));
    }
    return FrontClaim.check(answer, planned, plans);
  }

  private AnswerFindings verifySchedule(JsonNode answer) {
    boolean placed = answer.path("peak").isNumber();
    Path written = plan.resolveSibling("plan.json");
    if (placed || Files.exists(written)) {
      input.planned = written;
      input.inPlace = null; // of several sharings the plan has the best
    } else if (input.inPlace == LivenessOptions.InPlace.BANDS) {
      input.inPlace = LivenessOptions.InPlace.OPTIMAL; // as schedule has it
    }
    input.orderAs(plan.resolveSibling("order.csv"));
    ProblemLoader loader = new ProblemLoader(input);
    PlanningCase planned = loader.load().planningCase();
    Map<String, int[]> orders = new TreeMap<>();
    for (JsonNode row : answer.path("orders")) {
      String name = row.path("name").asText();
      Path order = plan.resolveSibling("orders").resolve(name + ".csv");
      if (Files.exists(order)) {
        orders.put(name, ProblemLoader.order(planned.network(), order));
      }
    }
    Placement placement = placed ? PlanFile.read(written).placement(planned.problem()) : null;
    Path proof = plan.resolveSibling("certificate.json");
    JsonNode certificate = Files.exists(proof) ? AnswerFile.read(proof) : null;
    List<int[]> pairs = PrecedenceFile.read(precedences, planned.network());
    return ScheduleClaim.check(answer, planned, placement, orders, certificate, pairs);
  }

  private AnswerFindings verifyMemories(JsonNode answer) {
    UsageException.when(memories == null, plan + " is checked with its map: add --memories FILE");
    if (MemoriesClaim.isMisfit(answer)) {
      MemoriesRun.align(input, memories);
    } else if (answer.has("plan")) {
      input.planned = plan;
    } else {
      throw new InputException(plan, "", "has no plan; that is in memories.json of --out DIR");
    }
    LoadedProblem planned = new ProblemLoader(input).load();
    String objective = answer.path("objective").asText("traffic");
    return MemoriesClaim.check(
        answer,
        MemoriesRun.problem(planned, memories, objective),
        RulesOfPlan.of(planned.planningCase()));
  }

  /** Checks the steps, addresses and figures of layer groups. */
  private AnswerFindings verifyGroups(JsonNode answer) {
    boolean detailed = false;
    for (JsonNode group : answer.path("groups")) {
      detailed |= !group.path("grouped").asBoolean() || group.has("table");
    }
    if (!detailed) {
      throw new InputException(
          plan, "groups", "have no steps and addresses; those are in groups.json of --out DIR");
    }
    GroupSource source = GroupSource.read(input.input, input.format, input.dimensions);
    String named = answer.path("chip").asText();
    Chip chip = source.chip(input.chip == null ? named : input.chip);
    AnswerFindings findings = null;
    for (Network network : GroupClaim.networks(answer, source.network())) {
      LayerGraph graph = LayerGraph.of(network, chip);
      List<FileGroup> files = List.copyOf(source.groups(graph, new TreeMap<>()).values());
      GroupReport.Gmem ofFile =
          files.isEmpty() ? null : GroupReport.Gmem.ofFile(source.graph(), chip);
      AnswerFindings found = GroupClaim.check(answer, graph, files, ofFile);
      boolean fewer =
          findings == null || found.contradictions().size() < findings.contradictions().size();
      findings = fewer ? found : findings;
    }
    return findings;
  }

  /** Checks the answer that nothing fits; one without a proof says nothing, which is a fault. */
  private int verifyInfeasible(LoadedProblem planned) {
    PackingProblem problem = planned.problem();
    PlanClaim claim = PlanClaim.read(plan, problem).orElseThrow();
    Certificate why = claim.infeasibility().orElse(null);
    if (why == null) {
      PlanFile.read(plan);
    }
    List<String> contradictions = PlanCheck.contradictions(plan, claim, planned, null, false);
    claim
        .bound()
        .map(bound -> VerificationText.ClaimedBound.ofPeak(problem, bound))
        .filter(VerificationText.ClaimedBound::isRefuted)
        .ifPresent(
            said ->
                contradictions.add(
                    "the plan says that no peak is below %s bytes; %s"
                        .formatted(said.bound().value(), said.fault().get())));
    VerificationText.NoPlan found =
        VerificationText.NoPlan.of(claim.asked(problem), why, contradictions);
    print(json ? found.json() : Terminal.dressed(found.plain()));
    return found.isValid() ? ExitCode.OK : ExitCode.INVALID_PLAN;
  }

  /** Checks the plan that the input's own file carries. */
  private VerificationText.Findings ofFile(LoadedProblem planned) {
    if (planned.baseline() != null) {
      PlanningCase given = planned.planningCase();
      LivenessOptions.InPlace inPlace = given.options().inPlace();
      BaselineCheck check =
          BaselineCheck.of(given.network(), planned.baseline(), inPlace, planned.placedByRuntime());
      return found(check.peak(), List.of(), check.status());
    }
    PackingBaseline dumped = planned.dumped();
    if (dumped == null) {
      throw new InputException(
          input.input, "", "carries no plan; name a plan.json or plan.csv after it");
    }
    List<Violation> violations = Verifier.violations(planned.problem(), dumped.placement());
    return found(
        dumped.headline(planned.problem()),
        violations,
        violations.isEmpty() ? dumped.status(planned.problem()) : BaselineCheck.VALID);
  }

  private static VerificationText.Findings found(
      long peak, List<Violation> violations, String status) {
    List<String> wrong = status.equals(BaselineCheck.VALID) ? List.of() : List.of(status);
    return new VerificationText.Findings(
        violations, List.of(), peak, List.of(), null, null, null, wrong);
  }
}
