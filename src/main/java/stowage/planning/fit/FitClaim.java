package stowage.planning.fit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import stowage.exact.engine.EngineOptions;
import stowage.importer.own.AnswerFile;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.packing.Status;
import stowage.planning.fit.price.FitCompute;
import stowage.planning.fit.price.PriceCheck;
import stowage.planning.fit.price.PriceProof;

/**
 * What an answer of {@code stowage fit} says of prices, checked against the network that it was
 * asked for: its compute, its bounds with their proof, and what follows from them.
 *
 * <p>A proof by paths is followed again by {@link PriceCheck}; of ops computed again the bound is
 * worked out once more from the multipliers. Points of a curve come without proofs; theirs are
 * found again, and checked.
 */
public final class FitClaim {
  /** Figures that are whole numbers, and those of them that an answer without a plan lacks. */
  private static final List<String> FIGURES =
      List.of(
          "peak", "load", "extra", "lowerBound", "extraBound", "capacity", "loadLimit", "maxExtra");

  private static final List<String> NONE = FIGURES.subList(0, 4);

  private static final List<String> STATUSES =
      Arrays.stream(Status.values()).map(Status::name).toList();

  private static final List<String> WORDS = Arrays.stream(Lever.values()).map(Lever::word).toList();

  /** Proofs that name no certificate. */
  private static final Set<String> UNCHECKED = Set.of("exhaustion", "cp-sat");

  private final JsonNode fields;
  private final List<String> contradictions = new ArrayList<>();

  private FitClaim(JsonNode fields) {
    this.fields = fields;
  }

  /**
   * What was found out.
   *
   * @param limit the bytes within which the answer says that nothing is; -1 where it does not
   * @param bound what the answer says no plan adds less than; with a limit, in bytes, has a peak
   *     below
   * @param fault what is wrong with it, or that it is not checked; empty where it proves the bound
   * @param refuted whether the proof was checked, and proves less
   * @param contradictions what the answer says and is false, one sentence each
   */
  public record Findings(
      long limit,
      long bound,
      String kind,
      Optional<String> fault,
      boolean refuted,
      List<String> contradictions) {}

  /** The fields of an answer, see {@link AnswerFile}; empty where it is not one of {@code fit}. */
  public static Optional<FitClaim> of(JsonNode answer) {
    return answer.has("ladder") && answer.has("levers") && answer.has("extraBound")
        ? Optional.of(new FitClaim(answer))
        : Optional.empty();
  }

  /** A whole number of a field; -1 where there is none. */
  private long number(String field) {
    return number(fields.get(field));
  }

  private static long number(JsonNode value) {
    boolean whole = value != null && value.isIntegralNumber() && value.canConvertToLong();
    return whole && value.asLong() >= 0 ? value.asLong() : -1;
  }

  private String text(String field) {
    return fields.has(field) ? fields.get(field).asText() : "";
  }

  private void say(String what) {
    contradictions.add("the answer says that " + what);
  }

  /**
   * Checks the answer.
   *
   * @param network that was to fit
   * @param liveness what may share a buffer, and what is the caller's
   */
  public Findings check(Network network, LivenessOptions liveness) {
    long compute = FitCompute.of(network);
    if (number("compute") != compute || !text("unit").equals(FitCompute.unit(network))) {
      say(
          "the network's compute is %d %s; it is %d %s"
              .formatted(number("compute"), text("unit"), compute, FitCompute.unit(network)));
    }
    long bound = number("extraBound");
    Set<String> levers = new HashSet<>();
    fields.get("levers").forEach(lever -> levers.add(lever.asText()));
    checkWhole("its ", fields);
    fields.get("ladder").forEach(step -> checkWhole("its ladder's ", step));
    fields.path("curve").forEach(point -> checkWhole("its curve's ", point));
    checkLimits(bound);
    JsonNode proof = fields.get("extraProof");
    String kind = proof == null ? "none" : proof.path("kind").asText();
    boolean paths = proof == null || kind.equals("paths");
    boolean curve = fields.has("curve");
    boolean claim = UNCHECKED.contains(kind) && !proof.has("sets") || curve && !paths;
    Optional<String> fault = bound > 0 ? outside(kind, proof, levers) : Optional.empty();
    boolean checked = fault.isPresent() || !claim && (paths || bound > 0);
    if (!checked) {
      fault = Optional.of("a proof of this kind is not checked");
    } else if (fault.isEmpty() && bound > 0) {
      fault = fault(network, liveness, proof, bound);
    }
    if (curve) {
      checkCurve(network, liveness, levers, paths);
    }
    boolean split = levers.contains(Lever.SPLIT.word());
    long least = new FitBound(request(network, liveness, split)).peak();
    checkLadder(split ? least : Long.MAX_VALUE);
    checkNamed("step of its ladder", fields.get("ladder"));
    if (curve) {
      checkNamed("point of its curve", fields.get("curve"));
    }
    Map<String, String> fixed = new HashMap<>();
    for (JsonNode row : fields.path("fixedOps")) {
      fixed.put(row.path("op").asText(), row.path("why").asText());
    }
    LivenessOptions alone = liveness.withInPlace(LivenessOptions.InPlace.NONE);
    if (fields.has("fixedOps") && !RecomputeValues.of(network, alone).fixed().equals(fixed)) {
      say("other ops are never computed again, or for other reasons, than in the network");
    }
    if (text("status").equals(Status.INFEASIBLE.name())) {
      return impossible(least, split);
    }
    return new Findings(
        -1, bound, kind, fault, checked && fault.isPresent(), List.copyOf(contradictions));
  }

  private void checkWhole(String whose, JsonNode row) {
    for (String field : FIGURES) {
      JsonNode value = row.get(field);
      if (value != null && number(value) < 0 && !(value.isNull() && NONE.contains(field))) {
        say("%s%s is %s; it should be a whole number".formatted(whose, field, value));
      }
    }
  }

  private static FitRequest request(Network network, LivenessOptions liveness, boolean split) {
    Set<Lever> means = split ? Set.of(Lever.SHARING, Lever.SPLIT) : Set.of(Lever.SHARING);
    return new FitRequest(network, liveness, means, -1, -1, -1, true, EngineOptions.defaults());
  }

  /**
   * Whether nothing fits: no plan has a peak below {@code least}, in bytes. That is all there is to
   * say where ops may run in pieces; of whole ops, searches over their orders find more.
   */
  private Findings impossible(long least, boolean split) {
    long limit = limit();
    if (limit < 0) {
      say("it is INFEASIBLE; it names no limit");
    }
    for (String field : NONE) {
      if (number(field) >= 0) {
        say("it is INFEASIBLE; its " + field + " is " + number(field));
      }
    }
    for (JsonNode step : fields.get("ladder")) {
      long peak = number(step.get("peak"));
      if (peak >= 0 && peak <= limit) {
        say("it is INFEASIBLE; a step of its ladder has a peak of " + peak);
      }
    }
    Optional<String> fault =
        least > limit
            ? Optional.empty()
            : Optional.of(
                split ? "proven is only " + least : "a proof of this kind is not checked");
    boolean refuted = split && least <= limit;
    return new Findings(limit, least, "peak", fault, refuted, List.copyOf(contradictions));
  }

  /** The bounds of peaks where ops run in pieces are at most what is proven. */
  private void checkLadder(long least) {
    for (JsonNode step : fields.get("ladder")) {
      boolean split = false;
      for (JsonNode lever : step.path("levers")) {
        split |= lever.asText().equals(Lever.SPLIT.word());
      }
      if (split && number(step.get("lowerBound")) > least) {
        String what = "no plan by the levers %s has a peak below %s bytes; proven is %d";
        say(what.formatted(step.path("levers"), step.get("lowerBound"), least));
      }
    }
  }

  /** The plan's own peak and price are among the steps of a ladder or the points of a curve. */
  private void checkNamed(String what, JsonNode rows) {
    boolean named = number("peak") < 0;
    for (JsonNode row : rows) {
      named |=
          number(row.get("peak")) == number("peak") && number(row.get("extra")) == number("extra");
    }
    if (!named) {
      String plan = "its plan has a peak of %d bytes and adds %d; no %s does";
      say(plan.formatted(number("peak"), number("extra"), what));
    }
  }

  /** The lower limit of memory in bytes; -1 where there is none. */
  private long limit() {
    long limit = Math.max(number("capacity"), number("loadLimit"));
    for (String field : List.of("capacity", "loadLimit")) {
      limit = number(field) < 0 ? limit : Math.min(limit, number(field));
    }
    return limit;
  }

  /**
   * Why a proof says nothing of plans by all levers that the answer allows; empty where it does.
   * Paths are about an op that runs once; of ops computed again, only the gaps know of other
   * orders, and nothing of shared buffers and pieces.
   */
  private static Optional<String> outside(String kind, JsonNode proof, Set<String> levers) {
    Set<String> others = new TreeSet<>(levers);
    boolean again = others.remove(Lever.RECOMPUTE.word());
    if (proof == null || kind.equals("paths")) {
      String what = "the proof does not hold for plans that compute ops again";
      return again ? Optional.of(what) : Optional.empty();
    }
    if (kind.equals("gaps") && proof.path("orders").asText().equals("all")) {
      others.remove(Lever.ORDER.word());
    }
    return again && others.isEmpty()
        ? Optional.empty()
        : Optional.of("the proof does not hold for plans by the levers " + levers);
  }

  /** What follows from the figures alone. */
  private void checkLimits(long bound) {
    long extra = number("extra");
    if (extra >= 0 && bound > extra && fits()) {
      say("no plan adds less than " + bound + "; its own adds " + extra);
    }
    checkPeak("", number("lowerBound"), number("peak"));
    checkLevers(fields.get("levers"));
    for (JsonNode step : fields.get("ladder")) {
      checkLevers(step.path("levers"));
      String which = " by the levers " + step.path("levers");
      checkPeak(which, number(step.get("lowerBound")), number(step.get("peak")));
    }
    String status = text("status");
    if (!STATUSES.contains(status) && !status.isEmpty()) {
      say("its status is " + status + "; it should be one of " + STATUSES);
    }
    boolean proven = !fields.has("curve") && extra == bound;
    boolean solved = status.equals("OPTIMAL") || status.equals("FEASIBLE");
    if (status.equals("OPTIMAL") && !proven && !fields.has("curve")) {
      say("it is OPTIMAL; it adds " + extra + " and its bound is " + bound);
    }
    if (solved && !fits()) {
      say("it is " + status + "; its plan is not within the limits that it names");
    } else if (!solved && number("peak") >= 0 && fits()) {
      say("it is " + status + "; its plan is within the limits that it names");
    }
  }

  private void checkLevers(JsonNode levers) {
    for (JsonNode lever : levers) {
      if (!WORDS.contains(lever.asText())) {
        say("a lever is " + lever + "; it should be one of " + WORDS);
      }
    }
  }

  private void checkPeak(String which, long bound, long peak) {
    if (peak >= 0 && bound > peak) {
      say("no plan%s has a peak below %d bytes; its own is %d".formatted(which, bound, peak));
    }
  }

  private boolean fits() {
    for (String[] pair :
        new String[][] {{"peak", "capacity"}, {"load", "loadLimit"}, {"extra", "maxExtra"}}) {
      if (number(pair[1]) >= 0 && (number(pair[0]) < 0 || number(pair[0]) > number(pair[1]))) {
        return false;
      }
    }
    return true;
  }

  /** Why a proof does not prove a bound for plans within the limits, or for the plan's peak. */
  private Optional<String> fault(
      Network network, LivenessOptions liveness, JsonNode proof, long bound) {
    if (proof == null) {
      return Optional.of("there is no proof");
    }
    long limit = limit() < 0 ? number("peak") : limit();
    if (limit < 0) {
      return Optional.of("there is neither a limit nor a plan");
    }
    try {
      long proven = proven(network, liveness, proof, limit);
      return proven >= bound ? Optional.empty() : Optional.of("the proof proves only " + proven);
    } catch (IllegalArgumentException refused) {
      return Optional.of(refused.getMessage());
    }
  }

  private static long proven(
      Network network, LivenessOptions liveness, JsonNode proof, long limit) {
    if (!proof.path("kind").asText().equals("paths")) {
      return RecomputeClaim.proven(network, liveness, proof, limit);
    }
    long within = number(proof.get("within"));
    if (within < limit) {
      throw new IllegalArgumentException(
          "the proof is about %d bytes; plans of up to %d are asked for".formatted(within, limit));
    }
    List<PriceProof.Path> paths = new ArrayList<>();
    for (JsonNode path : proof.path("paths")) {
      List<String> ops = new ArrayList<>();
      List<Long> reached = new ArrayList<>();
      for (JsonNode step : path) {
        ops.add(step.path("op").asText());
        reached.add(step.path("reached").asLong(-1));
      }
      if (!ops.isEmpty()) {
        paths.add(new PriceProof.Path(ops, reached));
      }
    }
    return new PriceCheck(network, liveness).proven(new PriceProof(within, paths));
  }

  /**
   * Points fall and rise, and their bounds are found again; those of ops computed again are not,
   * which are 0 where buffers are shared or ops run in pieces.
   */
  private void checkCurve(
      Network network, LivenessOptions liveness, Set<String> levers, boolean paths) {
    boolean split = levers.contains(Lever.SPLIT.word());
    boolean known = paths || split || levers.contains(Lever.SHARING.word());
    FitBound bounds = new FitBound(request(network, liveness, split));
    boolean optimal = true;
    long peakBefore = Long.MAX_VALUE;
    long extraBefore = -1;
    long least = 0;
    for (JsonNode point : fields.get("curve")) {
      long peak = number(point.get("peak"));
      long extra = number(point.get("extra"));
      long said = number(point.get("extraBound"));
      if (peak >= peakBefore || extra <= extraBefore) {
        say("its curve has a point at " + peak + " bytes after one that is no worse");
      }
      if (peak < bounds.peak()) {
        say("its curve has a point at " + peak + " bytes; proven is " + bounds.peak());
      }
      least = split && paths ? Math.max(least, bounds.extra(peak)) : known ? 0 : extra;
      if (said > least || said > extra) {
        say(
            "no plan within %d bytes adds less than %d; proven is %d, and the point adds %d"
                .formatted(peak, said, least, extra));
      }
      boolean claimed = point.path("status").asText().equals("OPTIMAL");
      if (claimed && said != extra) {
        say("its point at " + peak + " bytes is OPTIMAL; its bound is " + said + " of " + extra);
      }
      optimal &= claimed;
      peakBefore = peak;
      extraBefore = extra;
    }
    if (text("status").equals("OPTIMAL") && !optimal) {
      say("its curve is OPTIMAL; not all of its points are");
    }
  }
}
