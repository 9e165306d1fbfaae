package stowage.importer.own;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import stowage.importer.io.InputException;
import stowage.importer.io.JsonCursor;
import stowage.importer.io.Suggestion;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Status;

/**
 * What a plan.json says of itself: its peaks, its status, and the bound with its certificate; so
 * that each can be checked again, by anyone, from the file.
 *
 * @param peak of the main memory, in bytes; null where the file does not say
 * @param memoryPeaks the peak of each memory that the file gives one for, by name
 * @param status null where the file does not say
 * @param lowerBound in bytes; null where the file gives none
 * @param certificate of the bound; null where the file gives none
 * @param reuse what it says of the price of reuse
 * @param further what follows from the others, or should
 */
public record PlanClaim(
    Long peak,
    Map<String, Long> memoryPeaks,
    Status status,
    Long lowerBound,
    Certificate certificate,
    Reuse reuse,
    Further further) {

  /**
   * What a plan says besides; null for what it does not say.
   *
   * @param boundKind the kind of the bound's certificate
   * @param gap between peak and bound, as a fraction of the bound; null also where it is none
   * @param buffers their number
   * @param memoryBounds what the peak of each memory is at least, by name
   * @param figures of the objective by name, each with its value and its bound, which may be null
   */
  public record Further(
      String boundKind,
      Double gap,
      Long buffers,
      Map<String, Long> memoryBounds,
      Map<String, Long[]> figures) {}

  /**
   * What a plan says of the price of reuse; null for what it does not say.
   *
   * @param cost what it pays
   * @param bound what every plan pays at least
   * @param certificate of that bound
   * @param paid the weights of the pairs that are paid for, by buffer index, the smaller one in the
   *     upper half
   * @param firstGoal the name of the figure that counted first; null where it says none
   * @param capacities of the memories that have one, by name
   */
  public record Reuse(
      Long cost,
      Long bound,
      Certificate certificate,
      Map<Long, Long> paid,
      String firstGoal,
      Map<String, Long> capacities) {
    boolean isFirst() {
      return "reuse".equals(firstGoal);
    }
  }

  private static final List<String> STATUSES =
      Arrays.stream(Status.values()).map(Status::name).toList();

  /**
   * Reads what a plan says of itself; empty where the file is no JSON, or says nothing.
   *
   * @param problem to which the certificate's names refer
   * @throws InputException when the file cannot be read, a field is of the wrong type or range, or
   *     the certificate names what the problem does not have, or is of no known kind
   */
  public static Optional<PlanClaim> read(Path file, PackingProblem problem) {
    if (!String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).endsWith(".json")) {
      return Optional.empty();
    }
    try (JsonCursor json = new JsonCursor(file)) {
      PlanClaim claim = new Fields(json, new CertificateReader(file, problem)).read();
      boolean silent =
          claim.peak == null
              && claim.memoryPeaks.isEmpty()
              && claim.status == null
              && claim.lowerBound == null
              && claim.reuse.cost == null;
      return silent ? Optional.empty() : Optional.of(claim);
    }
  }

  /** The bound with its certificate; empty where one of them is missing. */
  public Optional<Bound> bound() {
    return lowerBound == null || certificate == null
        ? Optional.empty()
        : Optional.of(Bound.of(lowerBound, certificate));
  }

  /** The bound of the price of reuse with its certificate; empty where one of them is missing. */
  public Optional<Bound> reuseBound() {
    return reuse.bound == null || reuse.certificate == null
        ? Optional.empty()
        : Optional.of(Bound.of(reuse.bound, reuse.certificate));
  }

  /**
   * The problem of which the bound of the price speaks: of plans within the capacities that the
   * plan was made for, and where the peaks came first, within the plan's own.
   */
  public PackingProblem priced(PackingProblem problem, Placement placement) {
    boolean byPeak = reuse.firstGoal != null && reuse.firstGoal.startsWith("peak");
    PackingProblem priced = problem;
    for (int m = 0; m < problem.memories().size(); m++) {
      Memory memory = problem.memories().get(m);
      long said = reuse.capacities.getOrDefault(memory.name(), Memory.UNBOUNDED);
      long own = byPeak ? placement.peak(problem, m) : Memory.UNBOUNDED;
      priced = priced.withCapacity(m, Math.min(memory.capacity(), Math.min(said, own)));
    }
    return priced;
  }

  /** Whether the bytes beyond the capacities are a figure, so that a plan may exceed them. */
  public boolean countsOverflow() {
    return further.figures.containsKey(Goal.OVERFLOW.word());
  }

  /**
   * The problem of which the plan is one: without capacities where the bytes beyond them count.
   *
   * @param problem as its file says it
   */
  public PackingProblem planned(PackingProblem problem) {
    return countsOverflow()
        ? problem.withMemories(
            problem.memories().stream().map(m -> m.withCapacity(Memory.UNBOUNDED)).toList())
        : problem;
  }

  /**
   * What the plan itself shows to be false, one sentence each; whether the certificate proves the
   * bound is another question.
   *
   * @param placement the plan's
   * @param valid whether it is a plan of the problem
   */
  public List<String> contradictions(PackingProblem problem, Placement placement, boolean valid) {
    return new ClaimCheck(this, problem, placement).contradictions(valid);
  }

  /** Reads the fields of a plan.json that say something of the plan. */
  private static final class Fields {
    private final JsonCursor json;
    private final CertificateReader names;
    private final Set<String> seen = new HashSet<>();
    private final Map<String, Long> memoryPeaks = new LinkedHashMap<>();
    private Long peak;
    private Status status;
    private Long lowerBound;
    private Certificate certificate;
    private Long cost;
    private Long costBound;
    private Certificate costCertificate;
    private Map<Long, Long> paid;
    private String boundKind;
    private Double gap;
    private Long buffers;
    private Long memoryBound;
    private final Map<String, Long> memoryBounds = new LinkedHashMap<>();
    private final Map<String, Long[]> figures = new LinkedHashMap<>();
    private String memory;
    private Long memoryPeak;
    private Long capacity;
    private final Map<String, Long> capacities = new LinkedHashMap<>();

    Fields(JsonCursor json, CertificateReader names) {
      this.json = json;
      this.names = names;
    }

    PlanClaim read() {
      json.object(null, this::field);
      String first = figures.isEmpty() ? null : figures.keySet().iterator().next();
      Reuse reuse = new Reuse(cost, costBound, costCertificate, paid, first, capacities);
      Further further = new Further(boundKind, gap, buffers, memoryBounds, figures);
      return new PlanClaim(peak, memoryPeaks, status, lowerBound, certificate, reuse, further);
    }

    private boolean field(String name) {
      switch (name) {
        case "peak" -> peak = once(name, this::bytesOrNull);
        case "status" -> status = once(name, this::status);
        case "lowerBound" -> lowerBound = once(name, () -> json.integer(0, Long.MAX_VALUE));
        case "certificate" -> certificate = names.read(once(name, json::tree));
        case "reuseCost" -> cost = once(name, () -> json.integer(0, Long.MAX_VALUE));
        case "reuseBound" -> costBound = once(name, () -> json.integer(0, Long.MAX_VALUE));
        case "reuseCertificate" -> costCertificate = names.read(once(name, json::tree));
        case "paid" -> paid = pairs(once(name, json::tree));
        case "objective" -> once(name, json::tree).forEach(this::figure);
        case "boundKind" -> boundKind = once(name, json::text);
        case "gap" ->
            gap = once(name, () -> json.isNull() ? null : json.number(0, Double.MAX_VALUE));
        case "buffers" -> buffers = once(name, () -> json.integer(0, Integer.MAX_VALUE));
        case "memories" ->
            json.array(
                () -> {
                  json.object(null, this::memoryField);
                  if (memory != null && capacity != null) {
                    capacities.put(memory, capacity);
                  }
                  if (memory != null && memoryPeak != null) {
                    memoryPeaks.put(memory, memoryPeak);
                  }
                  if (memory != null && memoryBound != null) {
                    memoryBounds.put(memory, memoryBound);
                  }
                  memory = null;
                  memoryBound = null;
                  memoryPeak = null;
                  capacity = null;
                });
        default -> json.skip();
      }
      return true;
    }

    private Map<Long, Long> pairs(JsonNode list) {
      Map<Long, Long> pairs = new HashMap<>();
      for (JsonNode pair : list) {
        int a = names.buffer(pair.path("a").asText());
        int b = names.buffer(pair.path("b").asText());
        pairs.put((long) Math.min(a, b) << 32 | Math.max(a, b), pair.path("weight").asLong(-1));
      }
      return pairs;
    }

    private void figure(JsonNode figure) {
      JsonNode value = figure.path("value");
      JsonNode bound = figure.path("bound");
      figures.put(
          figure.path("figure").asText(),
          new Long[] {
            value.canConvertToLong() ? value.asLong() : null,
            bound.canConvertToLong() ? bound.asLong() : null
          });
    }

    private <T> T once(String name, Supplier<T> value) {
      if (!seen.add(name)) {
        throw json.fault("field \"" + name + "\" is given twice");
      }
      return value.get();
    }

    private Long bytesOrNull() {
      return json.isNull() ? null : Long.valueOf(json.integer(0, Long.MAX_VALUE));
    }

    private Status status() {
      String given = json.text();
      if (!STATUSES.contains(given)) {
        throw json.fault(
            "\"" + given + "\" should be one of " + STATUSES + Suggestion.advice(given, STATUSES));
      }
      return Status.valueOf(given);
    }

    private boolean memoryField(String name) {
      switch (name) {
        case "name" -> memory = json.label();
        case "peak" -> memoryPeak = bytesOrNull();
        case "capacity" -> capacity = bytesOrNull();
        case "lowerBound" -> memoryBound = bytesOrNull();
        default -> json.skip();
      }
      return true;
    }
  }
}
