package stowage.importer.own;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import stowage.importer.io.JsonCursor;
import stowage.importer.io.Suggestion;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.ReuseProof;
import stowage.packing.SolverClaim;
import stowage.packing.Status;

/**
 * What a plan.json says of itself: its peaks, its status, and the bound with its certificate; so
 * that each can be checked again, by anyone, from the file. What the file does not say is null.
 */
public final class PlanClaim {
  private static final List<String> STATUSES =
      Arrays.stream(Status.values()).map(Status::name).toList();
  private static final Set<String> ONCE =
      Set.of(
          ("peak capacity status infeasibility lowerBound certificate reuseCost reuseBound"
                  + " reuseCertificate paid objective boundKind gap buffers")
              .split(" "));

  /** Kinds of proofs that are said to be checked, and cannot be. */
  final List<String> boasts = new ArrayList<>();

  final List<String> memories = new ArrayList<>();

  /** Of the main memory, in bytes, and its peak. */
  Long capacity;

  Long peak;

  /** The peak of each memory that the file gives one for, by name, and what it is at least. */
  final Map<String, Long> memoryPeaks = new LinkedHashMap<>();

  final Map<String, Long> memoryBounds = new LinkedHashMap<>();

  /** Capacities of the memories that have one, by name. */
  final Map<String, Long> capacities = new LinkedHashMap<>();

  Status status;

  /** Why nothing fits, where it says so. */
  Certificate infeasibility;

  Long lowerBound;
  Certificate certificate;
  String boundKind;

  /** Between peak and bound, as a fraction of the bound. */
  Double gap;

  Long buffers;

  /** What it pays for reuse, and what every plan pays at least. */
  Long cost;

  Long costBound;
  Certificate costCertificate;

  /** The weights of the pairs that are paid for, by buffer index, the smaller in the upper half. */
  Map<Long, Long> paid;

  /** The objective's figures by name, each with its value and its bound, which may be null. */
  final Map<String, Long[]> figures = new LinkedHashMap<>();

  private final JsonCursor json;
  private final CertificateReader names;

  private PlanClaim(JsonCursor json, CertificateReader names) {
    this.json = json;
    this.names = names;
  }

  /**
   * What a plan says of itself; empty where the file is no JSON, or says nothing. It is a fault
   * when a field is of the wrong type or range, or the certificate names what the problem does not
   * have, or is of no known kind.
   */
  public static Optional<PlanClaim> read(Path file, PackingProblem problem) {
    if (!String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).endsWith(".json")) {
      return Optional.empty();
    }
    try (JsonCursor json = new JsonCursor(file)) {
      PlanClaim claim = new PlanClaim(json, new CertificateReader(file, problem));
      Set<String> seen = new HashSet<>();
      json.object(null, field -> claim.field(field, seen));
      if (claim.capacity != null) {
        Memory last = problem.memories().get(problem.memories().size() - 1);
        claim.capacities.putIfAbsent(last.name(), claim.capacity);
      }
      boolean silent =
          Stream.of(claim.peak, claim.status, claim.lowerBound, claim.cost)
              .noneMatch(Objects::nonNull);
      return silent && claim.memoryPeaks.isEmpty() ? Optional.empty() : Optional.of(claim);
    }
  }

  /** The bound with its certificate; empty where one of them is missing. */
  public Optional<Bound> bound() {
    return bound(lowerBound, certificate);
  }

  /** What it says that no peak is below without a certificate, as OPTIMAL does too; else 0. */
  public long bareBound() {
    if (lowerBound != null) {
      return certificate == null ? lowerBound : 0;
    }
    return status == Status.OPTIMAL && isByPeak() && peak != null ? peak : 0;
  }

  /** Whether the peak is the figure that counted first. */
  boolean isByPeak() {
    return firstGoal().isEmpty() || firstGoal().startsWith("peak");
  }

  /** The bound of the price of reuse with its certificate; empty where one of them is missing. */
  public Optional<Bound> reuseBound() {
    return bound(costBound, costCertificate);
  }

  /** Why nothing fits; empty where it does not say so. */
  public Optional<Certificate> infeasibility() {
    return status == Status.INFEASIBLE ? Optional.ofNullable(infeasibility) : Optional.empty();
  }

  /** The problem, where it has no capacities with those that the plan was made for. */
  public PackingProblem asked(PackingProblem problem) {
    PackingProblem asked = problem;
    for (int m = 0; m < problem.memories().size(); m++) {
      Long capacity = capacities.get(problem.memories().get(m).name());
      if (capacity != null && !problem.memories().get(m).isBounded()) {
        asked = asked.withCapacity(m, capacity);
      }
    }
    return asked;
  }

  private static Optional<Bound> bound(Long value, Certificate proof) {
    return value == null || proof == null ? Optional.empty() : Optional.of(Bound.of(value, proof));
  }

  /** The name of the figure that counted first; empty where it says none. */
  String firstGoal() {
    return figures.keySet().stream().findFirst().orElse("");
  }

  /**
   * The problem of which the bound of the price speaks: of plans within the capacities that the
   * plan was made for, and where the peaks came first, within the plan's own. Where the bytes
   * beyond the capacities count, these bind if such bytes counted first and the plan has none.
   */
  public PackingProblem priced(PackingProblem problem, Placement placement) {
    boolean byPeak = firstGoal().startsWith("peak");
    PackingProblem priced = problem;
    boolean bind = !countsOverflow() || firstGoal().equals(Goal.OVERFLOW.word());
    for (int m = 0; m < problem.memories().size(); m++) {
      Memory memory = problem.memories().get(m);
      long said = capacities.getOrDefault(memory.name(), Memory.UNBOUNDED);
      priced = priced.withCapacity(m, Math.min(memory.capacity(), said));
      bind &=
          !countsOverflow() || placement.peak(problem, m) <= priced.memories().get(m).capacity();
    }
    priced = bind ? priced : planned(problem);
    for (int m = 0; m < problem.memories().size() && byPeak; m++) {
      long own = Math.min(placement.peak(problem, m), priced.memories().get(m).capacity());
      priced = priced.withCapacity(m, own);
    }
    return priced;
  }

  /** Whether the bytes beyond the capacities are a figure, so that a plan may exceed them. */
  public boolean countsOverflow() {
    return figures.containsKey(Goal.OVERFLOW.word());
  }

  /** The problem of which the plan is one: the file's, without capacities if bytes beyond count. */
  public PackingProblem planned(PackingProblem problem) {
    return countsOverflow()
        ? problem.withMemories(
            problem.memories().stream().map(m -> m.withCapacity(Memory.UNBOUNDED)).toList())
        : problem;
  }

  /**
   * What the plan itself, valid or not, shows to be false, one sentence each; whether the
   * certificate proves the bound is another question.
   *
   * @param placement null where the plan says that there is none
   */
  public List<String> contradictions(PackingProblem problem, Placement placement, boolean valid) {
    int last = problem.memories().size() - 1;
    long actual = placement == null ? -1 : placement.peak(problem, last);
    return new ClaimCheck(this, problem, placement, actual, new ArrayList<>())
        .contradictions(valid);
  }

  private boolean field(String name, Set<String> seen) {
    if (ONCE.contains(name) && !seen.add(name)) {
      throw json.fault("field \"%s\" is given twice", name);
    }
    switch (name) {
      case "peak" -> peak = bytesOrNull();
      case "capacity" -> capacity = bytesOrNull();
      case "status" -> status = status();
      case "lowerBound" -> lowerBound = json.integer(0, Long.MAX_VALUE);
      case "infeasibility" -> infeasibility = proof(name);
      case "certificate" -> certificate = proof(name);
      case "reuseCost" -> cost = bytesOrNull();
      case "reuseBound" -> costBound = json.integer(0, Long.MAX_VALUE);
      case "reuseCertificate" -> costCertificate = proof(name);
      case "paid" -> paid = pairs(json.tree());
      case "objective" -> json.tree().forEach(this::figure);
      case "boundKind" -> boundKind = json.text();
      case "gap" -> gap = json.isNull() ? null : Double.valueOf(json.number(0, Double.MAX_VALUE));
      case "buffers" -> buffers = json.integer(0, Integer.MAX_VALUE);
      case "memories" -> json.array(this::memory);
      default -> json.skip();
    }
    return true;
  }

  private Certificate proof(String field) {
    JsonNode tree = json.tree();
    Certificate proof = names.read(tree);
    boolean fits =
        proof instanceof SolverClaim
            || proof instanceof ReuseProof == field.equals("reuseCertificate")
                && (proof.checkable() || field.equals("infeasibility"));
    if (!fits) {
      throw json.fault("a proof of kind \"%s\" says nothing about this figure", proof.kind());
    }
    if (tree.path("checked").asBoolean() && !proof.checkable()) {
      boasts.add(proof.kind());
    }
    return proof;
  }

  private void memory() {
    Map<String, Object> read =
        json.fields(
            null,
            name ->
                switch (name) {
                  case "name" -> json.label();
                  case "peak", "capacity", "lowerBound" -> bytesOrNull();
                  default -> json.skipped();
                });
    String memory = (String) read.remove("name");
    Map<String, Map<String, Long>> wanted =
        Map.of("peak", memoryPeaks, "capacity", capacities, "lowerBound", memoryBounds);
    if (memory != null) {
      memories.add(memory);
      read.forEach((figure, bytes) -> wanted.get(figure).put(memory, (Long) bytes));
    }
  }

  private Map<Long, Long> pairs(JsonNode list) {
    Map<Long, Long> pairs = new HashMap<>();
    for (JsonNode pair : list) {
      int a = names.buffer(pair.path("a").asText());
      int b = names.buffer(pair.path("b").asText());
      pairs.put((long) Math.min(a, b) << 32 | Math.max(a, b), whole(pair.path("weight")));
    }
    return pairs;
  }

  private void figure(JsonNode figure) {
    Long[] valueAndBound = {whole(figure.path("value")), whole(figure.path("bound"))};
    figures.put(figure.path("figure").asText(), valueAndBound);
  }

  private Long whole(JsonNode number) {
    if (number.isNull() || number.isMissingNode()) {
      return null;
    }
    if (!number.isIntegralNumber() || !number.canConvertToLong()) {
      throw json.fault("%s should be a whole number", number);
    }
    return number.asLong();
  }

  private Long bytesOrNull() {
    return json.isNull() ? null : Long.valueOf(json.integer(0, Long.MAX_VALUE));
  }

  private Status status() {
    String given = json.text();
    if (!STATUSES.contains(given)) {
      String advice = Suggestion.advice(given, STATUSES);
      throw json.fault("\"%s\" should be one of %s%s", given, STATUSES, advice);
    }
    return Status.valueOf(given);
  }
}
