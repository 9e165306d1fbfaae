package stowage.report.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.liveness.InputOverwrite;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.ByteText;
import stowage.packing.Certificate;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Status;
import stowage.packing.Violation;
import stowage.report.RunReport;
import stowage.report.format.NameText;

/** What the verifier found, for people and for scripts. */
public final class VerificationText {
  private VerificationText() {}

  /** Whether the bound that a plan claims is proven: the fault of its certificate is empty then. */
  public record ClaimedBound(Bound bound, Optional<String> fault) {
    public static ClaimedBound of(PackingProblem problem, Bound bound) {
      return new ClaimedBound(bound, BoundVerifier.fault(problem, bound));
    }

    /** Checks what a plan claims of the peak that comes first, the last memory's. */
    public static ClaimedBound ofPeak(PackingProblem problem, Bound bound) {
      int said = bound.certificate().memory();
      int last = problem.memories().size() - 1;
      if (said < 0 || said == last) {
        return of(problem, bound);
      }
      String fault =
          "the certificate is about memory \"%s\"; the bound is about \"%s\""
              .formatted(problem.memories().get(said).name(), problem.memories().get(last).name());
      return new ClaimedBound(bound, Optional.of(fault));
    }

    /** Whether there is a certificate, but it proves less than is claimed. */
    public boolean isRefuted() {
      return bound.certificate().checkable() && fault.isPresent();
    }

    private String text(String what) {
      String claim = what + ", " + bound.kind();
      return isRefuted()
          ? "invalid: " + claim + ": " + fault.get()
          : claim + (fault.isEmpty() ? ": re-checked" : ": solver claim, not checked");
    }

    /**
     * How far a peak is from the bound, as the end of a sentence; empty where that says nothing.
     */
    private String distance(long peak) {
      double gap = RunReport.gap(peak, bound.value());
      return isRefuted() || peak < bound.value() || !Double.isFinite(gap)
          ? ""
          : gap == 0
              ? "; the peak is optimal"
              : "; the peak is at most " + ByteText.percent(gap) + " above the optimum";
    }
  }

  /** Whether the proof holds that nothing fits: its fault is empty then; what else is false. */
  public record NoPlan(
      PackingProblem problem,
      Certificate why,
      Optional<String> fault,
      List<String> contradictions) {
    /** Checks a proof at the capacity of its memory. */
    public static NoPlan of(PackingProblem problem, Certificate why, List<String> contradictions) {
      int memory = Math.max(0, why.memory());
      long capacity = problem.memories().get(memory).capacity();
      return new NoPlan(
          problem,
          why,
          capacity == Memory.UNBOUNDED
              ? Optional.of("the memory has no capacity")
              : BoundVerifier.fault(problem, Bound.of(capacity + 1, why)),
          contradictions);
    }

    private String capacity() {
      return ByteText.both(problem.memories().get(why.memory()).capacity());
    }

    private boolean isRefuted() {
      return why.checkable() && fault.isPresent();
    }

    /** Whether the proof holds, or cannot be checked, and nothing else is false. */
    public boolean isValid() {
      return !isRefuted() && contradictions.isEmpty();
    }

    /** A sentence, and one for each contradiction. */
    public String plain() {
      String said = "INFEASIBLE, " + why.kind();
      return invalid(contradictions)
          + (isRefuted()
              ? "invalid: " + said + ": " + NameText.plain(fault.get()) + "\n"
              : fault.isPresent()
                  ? said + ": solver claim, not checked\n"
                  : said + ": re-checked; no plan fits within " + capacity() + "\n");
    }

    /**
     * One JSON object: {@code {status, valid, buffers, infeasibility: {kind, proven, fault},
     * contradictions: [text]}}.
     */
    public String json() {
      ObjectNode root = new ObjectMapper().createObjectNode();
      root.put("schemaVersion", PlanJson.SCHEMA_VERSION).put("status", Status.INFEASIBLE.name());
      root.put("valid", isValid()).put("buffers", problem.size());
      ObjectNode proof = root.putObject("infeasibility").put("kind", why.kind());
      proof.put("proven", fault.isEmpty()).put("fault", fault.orElse(null));
      contradictions.forEach(root.putArray("contradictions")::add);
      return root.toPrettyString() + "\n";
    }
  }

  /** A run that breaks the plan, with the ops from the lost value to the write and its read. */
  public record BrokenRun(Violation violation, List<List<String>> paths) {}

  /** A network's input that does not outlast a run, as a sentence without an end. */
  public static String text(InputOverwrite one) {
    return "input \"%s\" is overwritten by op \"%s\" at step %s"
        .formatted(NameText.shortened(one.input()), NameText.shortened(one.op()), one.step());
  }

  /**
   * What was found out about a plan.
   *
   * @param runs in which it does not hold, though the constraints may
   * @param peaks of all memories in their order, in bytes; empty where they are not known
   * @param price what it pays for reuse, or null where nothing has a price
   * @param claim the plan's bound, or a quick one where it has none; null where neither is known
   * @param priceClaim the plan's bound of the price, or null where it has none
   * @param contradictions what the plan says of itself and is false, one sentence each
   */
  public record Findings(
      List<Violation> violations,
      List<BrokenRun> runs,
      long peak,
      List<Long> peaks,
      Long price,
      ClaimedBound claim,
      ClaimedBound priceClaim,
      List<String> contradictions) {

    /** Whether the plan holds, and all that it says of itself and can be checked. */
    public boolean isValid() {
      return violations.isEmpty()
          && runs.isEmpty()
          && contradictions.isEmpty()
          && (claim == null || !claim.isRefuted())
          && (priceClaim == null || !priceClaim.isRefuted());
    }
  }

  /** Plain sentences, one a violation, contradiction, bound and overwritten input. */
  public static String plain(
      PackingProblem problem, Findings findings, List<InputOverwrite> overwritten) {
    StringBuilder text = new StringBuilder();
    if (findings.violations().isEmpty() && findings.runs().isEmpty()) {
      text.append(findings.isValid() ? "valid: " : "the placement is valid: ");
      text.append(ByteText.count(problem.size(), "buffer")).append(", ");
      text.append(peaks(problem, findings));
      Long price = findings.price();
      text.append(price == null ? "\n" : ", pays " + ByteText.exact(price) + " for reuse\n");
    }
    if (findings.claim() != null) {
      ClaimedBound claim = findings.claim();
      String last = problem.memories().get(problem.memories().size() - 1).name();
      String of = problem.memories().size() > 1 ? " of " + last : "";
      text.append(claim.text("bound " + ByteText.both(claim.bound().value()) + of));
      text.append(claim.distance(findings.peak())).append('\n');
    }
    if (findings.priceClaim() != null) {
      ClaimedBound claim = findings.priceClaim();
      String price = ByteText.exact(claim.bound().value());
      text.append(claim.text("price of reuse at least " + price)).append('\n');
    }
    List<String> invalid = new ArrayList<>(findings.contradictions());
    findings.violations().forEach(violation -> invalid.add(violation.text()));
    findings.runs().forEach(run -> invalid.add(run.violation().text()));
    text.append(invalid(invalid));
    if (findings.isValid()) {
      overwritten.forEach(write -> text.append(NameText.plain(text(write))).append('\n'));
    }
    return text.toString();
  }

  private static String invalid(List<String> faults) {
    return faults.stream()
        .map(why -> "invalid: " + NameText.plain(why) + "\n")
        .collect(Collectors.joining());
  }

  /** The peak, or that of each memory where there are several. */
  private static String peaks(PackingProblem problem, Findings findings) {
    if (findings.peaks().size() < 2) {
      return "peak " + ByteText.both(findings.peak());
    }
    return IntStream.range(0, findings.peaks().size())
        .mapToObj(
            m -> ByteText.both(findings.peaks().get(m)) + " of " + problem.memories().get(m).name())
        .collect(Collectors.joining(", ", "peaks ", ""));
  }

  /**
   * One JSON object: {@code {valid, buffers, peak, bound: {value, kind, proven, fault},
   * contradictions: [text], violations: [{kind, buffers, step, low, high, text, paths}]}}, paths
   * only with the kind {@code RUN}; {@code bound} is the plan's or a quick one, and where reuse has
   * a price {@code reuseCost} and {@code reuseBound}, which is like {@code bound}; {@code
   * overwrittenInputs: [{input, op, step}]} where there are some.
   */
  public static String json(
      PackingProblem problem, Findings findings, List<InputOverwrite> overwritten) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("schemaVersion", PlanJson.SCHEMA_VERSION).put("valid", findings.isValid());
    root.put("buffers", problem.size()).put("peak", findings.peak());
    if (findings.price() != null) {
      root.put("reuseCost", findings.price());
    }
    put(root, "bound", findings.claim());
    put(root, "reuseBound", findings.priceClaim());
    findings.contradictions().forEach(root.putArray("contradictions")::add);
    if (!overwritten.isEmpty()) {
      ArrayNode writes = root.putArray("overwrittenInputs");
      for (InputOverwrite one : overwritten) {
        writes.addObject().put("input", one.input()).put("op", one.op()).put("step", one.step());
      }
    }
    ArrayNode list = root.putArray("violations");
    findings.violations().forEach(violation -> put(list.addObject(), problem, violation));
    for (BrokenRun run : findings.runs()) {
      ObjectNode entry = list.addObject();
      put(entry, problem, run.violation());
      ArrayNode paths = entry.putArray("paths");
      run.paths().forEach(path -> path.forEach(paths.addArray()::add));
    }
    return root.toPrettyString() + "\n";
  }

  private static void put(ObjectNode entry, PackingProblem problem, Violation violation) {
    entry.put("kind", violation.kind().name());
    ArrayNode ids = entry.putArray("buffers");
    violation.buffers().forEach(i -> ids.add(problem.buffer(i).id()));
    entry.put("step", violation.step()).put("low", violation.low()).put("high", violation.high());
    entry.put("text", violation.text());
  }

  private static void put(ObjectNode root, String field, ClaimedBound claim) {
    if (claim != null) {
      ObjectNode bound = root.putObject(field);
      bound.put("value", claim.bound().value()).put("kind", claim.bound().kind());
      bound.put("proven", claim.fault().isEmpty()).put("fault", claim.fault().orElse(null));
    }
  }
}
