package stowage.planning.fit;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.RecomputeProblem;

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

  /** Whether a kind of proof is one that can be worked out. */
  static boolean isKnown(String kind) {
    return kind.equals("gaps") || kind.equals("closure");
  }

  /**
   * The extra compute that a proof proves for all sequences within a limit.
   *
   * @param proof of a kind that is known
   * @throws IllegalArgumentException where it has not the form of a proof
   */
  static long proven(Network network, LivenessOptions liveness, JsonNode proof, long limit) {
    RecomputeClaim claim = new RecomputeClaim(network, liveness);
    boolean gaps = proof.path("kind").asText().equals("gaps");
    return gaps ? claim.gaps(proof, limit) : claim.closure(proof, limit);
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
      lambda[op(row.path("op"))] = row.path("multiplier").asLong(-1);
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
        price[results[k]] = row.path("shares").path(k).asLong(-1);
      }
    }
    boolean all = proof.path("orders").asText().equals("all");
    long scale = proof.path("scale").asLong();
    long below = proof.path("below").asLong();
    return new GapCertificate(lambda, scale, price, below, all).bound(problem, limit);
  }

  private long closure(JsonNode proof, long limit) {
    int[] marks = ops(proof.path("marks"));
    int[] splits = ops(proof.path("splits"));
    long below = proof.path("below").asLong();
    double[] multipliers = new double[rows(problem.below(below), limit, marks, splits)];
    for (JsonNode row : proof.path("multipliers")) {
      int at = row.path("row").asInt(-1);
      if (at < 0 || at >= multipliers.length) {
        throw new IllegalArgumentException(
            "row " + row.path("row") + " of " + multipliers.length + " has a multiplier");
      }
      multipliers[at] = row.path("multiplier").asDouble(-1);
    }
    return new ClosureCertificate(marks, splits, multipliers, below).bound(problem, limit);
  }

  private static int rows(RecomputeProblem problem, long limit, int[] marks, int[] splits) {
    int[] count = new int[1];
    ClosureRows.visit(
        problem,
        limit,
        marks,
        splits,
        new ClosureRows.Sink() {
          @Override
          public void row(boolean bytes, long least, int[] listed, long[] weights, int terms) {
            count[0]++;
          }
        });
    return count[0];
  }

  private int[] ops(JsonNode names) {
    int[] ops = new int[names.size()];
    Arrays.setAll(ops, k -> op(names.get(k)));
    return ops;
  }
}
