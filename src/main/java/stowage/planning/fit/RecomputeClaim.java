package stowage.planning.fit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.rewrite.recompute.model.BranchCertificate;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.RequiredCertificate;

/** The proof of an answer whose ops are computed again, read and worked out once more. */
final class RecomputeClaim {
  private final RecomputeProblem problem;
  private final Map<String, Integer> byName = new HashMap<>();

  private RecomputeClaim(Network network, LivenessOptions liveness) {
    LivenessOptions plain = liveness.withInPlace(LivenessOptions.InPlace.NONE);
    this.problem = RecomputeValues.of(network, plain).problem();
    for (int k = 0; k < network.ops().size(); k++) {
      byName.merge(network.ops().get(k).name(), k, (one, other) -> -1);
    }
  }

  /**
   * The extra compute that a proof by sets, gaps, closure or cases proves for all sequences within
   * a limit.
   *
   * @throws IllegalArgumentException for a proof of another kind, or a malformed one
   */
  static long proven(Network network, LivenessOptions liveness, JsonNode proof, long limit) {
    RecomputeClaim claim = new RecomputeClaim(network, liveness);
    return switch (proof.path("kind").asText()) {
      case "exhaustion" -> claim.sets(proof, limit);
      case "gaps" -> claim.gaps(proof, limit);
      case "closure" -> claim.closure(claim.problem, proof, limit).bound(claim.problem, limit);
      case "cases" -> claim.cases(proof, limit).bound(claim.problem, limit);
      default -> throw new IllegalArgumentException("the proof has no certificate");
    };
  }

  /** A whole number; one with a fraction, a text or one beyond 64 bits is a fault. */
  private static long whole(JsonNode number, long missing) {
    if (number.isMissingNode()) {
      return missing;
    }
    if (!number.isIntegralNumber() || !number.canConvertToLong()) {
      throw new IllegalArgumentException("the proof has " + number + ", which is no whole number");
    }
    return number.asLong();
  }

  private static int index(JsonNode number, int missing) {
    return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, whole(number, missing)));
  }

  private int op(JsonNode name) {
    int op = byName.getOrDefault(name.asText(), -1);
    if (op < 0) {
      throw new IllegalArgumentException("op \"" + name.asText() + "\" is unknown or occurs twice");
    }
    return op;
  }

  private long gaps(JsonNode proof, long limit) {
    long[] lambda = new long[problem.ops];
    for (JsonNode row : proof.path("multipliers")) {
      lambda[op(row.path("op"))] = whole(row.path("multiplier"), -1);
    }
    long[] price = new long[problem.values];
    for (int v = 0; v < problem.ops; v++) {
      if (problem.writes[v].length == 1) {
        price[problem.writes[v][0]] = problem.cost[v];
      }
    }
    for (JsonNode row : proof.path("costShares")) {
      int[] results = problem.writes[op(row.path("op"))];
      for (int k = 0; k < results.length; k++) {
        price[results[k]] = whole(row.path("shares").path(k), -1);
      }
    }
    boolean all = proof.path("orders").asText().equals("all");
    long scale = whole(proof.path("scale"), 0);
    long below = whole(proof.path("below"), 0);
    return new GapCertificate(lambda, scale, price, below, all).bound(problem, limit);
  }

  private long sets(JsonNode proof, long limit) {
    long below = whole(proof.path("below"), 0);
    RecomputeProblem cheap = problem.below(below);
    List<RequiredCertificate.Beginning> beginnings = new ArrayList<>();
    for (JsonNode one : proof.path("beginnings")) {
      int done = index(one.path("done"), 0);
      int[] kept = values(one.path("kept"));
      ClosureCertificate closure = closure(cheap.beginning(done, kept), one, limit);
      beginnings.add(new RequiredCertificate.Beginning(done, kept, closure));
    }
    List<RequiredCertificate.Needed> sets = new ArrayList<>();
    for (JsonNode one : proof.path("sets")) {
      int done = index(one.path("done"), -1);
      long spent = whole(one.path("spent"), -1);
      sets.add(new RequiredCertificate.Needed(done, values(one.path("values")), spent));
    }
    long least = whole(proof.path("least"), 0);
    return new RequiredCertificate(below, least, beginnings, sets).bound(problem, limit);
  }

  private static int[] values(JsonNode list) {
    return all(list, value -> index(value, -1));
  }

  private static int[] all(JsonNode list, ToIntFunction<JsonNode> number) {
    return IntStream.range(0, list.size()).map(k -> number.applyAsInt(list.path(k))).toArray();
  }

  private ClosureCertificate closure(RecomputeProblem problem, JsonNode proof, long limit) {
    int[] marks = all(proof.path("marks"), this::op);
    int[] splits = all(proof.path("splits"), this::op);
    if (IntStream.concat(Arrays.stream(marks), Arrays.stream(splits))
        .anyMatch(v -> v >= problem.ops)) {
      throw new IllegalArgumentException("a closure of later ops");
    }
    long below = whole(proof.path("below"), 0);
    Size size = size(problem.below(below), limit, marks, splits);
    return new ClosureCertificate(marks, splits, multipliers(proof, size.rows), below);
  }

  private BranchCertificate cases(JsonNode proof, long limit) {
    int[] marks = all(proof.path("marks"), this::op);
    int[] splits = all(proof.path("splits"), this::op);
    long below = whole(proof.path("below"), 0);
    Size size = size(problem.below(below), limit, marks, splits);
    BranchCertificate.Case root = cases(proof.path("root"), size.rows, size.variables);
    return new BranchCertificate(marks, splits, below, root);
  }

  private static BranchCertificate.Case cases(JsonNode node, int rows, int variables) {
    if (!node.has("cases")) {
      return BranchCertificate.Case.leaf(multipliers(node, rows));
    }
    List<BranchCertificate.Case> cases = new ArrayList<>();
    node.path("cases").forEach(one -> cases.add(cases(one, rows + 1, variables)));
    int first = index(node.path("first"), -1);
    int count = index(node.path("count"), 0);
    if (count > variables) {
      throw new IllegalArgumentException(
          "a case of " + count + " variables, where there are " + variables);
    }
    return new BranchCertificate.Case(null, first, count, index(node.path("most"), 0), cases);
  }

  private static double[] multipliers(JsonNode proof, int rows) {
    double[] multipliers = new double[rows];
    for (JsonNode row : proof.path("multipliers")) {
      int at = index(row.path("row"), -1);
      if (at < 0 || at >= multipliers.length) {
        throw new IllegalArgumentException(
            "row " + row.path("row") + " of " + multipliers.length + " has a multiplier");
      }
      multipliers[at] = row.path("multiplier").asDouble(-1);
    }
    return multipliers;
  }

  /** How many rows and variables there are. */
  private static final class Size implements ClosureRows.Sink {
    private int rows;
    private int variables;

    @Override
    public void variable(long price, int value) {
      variables++;
    }

    @Override
    public void row(boolean bytes, long least, int[] listed, long[] weights, int terms) {
      rows++;
    }
  }

  private static Size size(RecomputeProblem problem, long limit, int[] marks, int[] splits) {
    Size size = new Size();
    ClosureRows.visit(problem, limit, marks, splits, size);
    return size;
  }
}
