package stowage.rewrite.recompute.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A proof by multipliers that every sequence within a limit costs at least so much more than
 * computing each op once; {@link GapProblem} has the theorem. The check derives loads and gaps from
 * the problem alone and shares nothing with what found the multipliers.
 *
 * @param lambda the multiplier of each op in units of 1 / scale of a cost unit a byte, 0 or more
 * @param scale the whole, 1 or more
 * @param price each value's share of what its maker costs
 * @param below sequences that cost so much more or above are left aside: in the others no op of
 *     that cost runs again; {@link Long#MAX_VALUE} for none
 * @param allOrders whether it is said of sequences with any order of first computations
 */
public record GapCertificate(long[] lambda, long scale, long[] price, long below, boolean allOrders)
    implements ExtraCertificate {

  /** A proof for the given order of first computations. */
  public GapCertificate(long[] lambda, long scale, long[] price, long below) {
    this(lambda, scale, price, below, false);
  }

  /** The same multipliers, said of all orders of first computations. */
  public GapCertificate ofAllOrders() {
    return new GapCertificate(lambda, scale, price, below, true);
  }

  /** Proves nothing. */
  public static GapCertificate none(RecomputeProblem problem) {
    return new GapCertificate(new long[problem.ops], 1, new long[problem.values], Long.MAX_VALUE);
  }

  /** Proves {@code below}, by one op at which more than the limit has to be alive. */
  public static GapCertificate of(RecomputeProblem problem, int op, long below) {
    long[] lambda = new long[problem.ops];
    lambda[op] = Long.MAX_VALUE;
    return new GapCertificate(lambda, 1, new long[problem.values], below);
  }

  /**
   * The extra cost that is proven, 0 at least, rounded up to a multiple of what all costs are
   * multiples of; {@code below} at most. O(values + reads) operations on big integers; for all
   * orders O(ops) each.
   *
   * @throws IllegalArgumentException when a multiplier is below 0, there are more or fewer than
   *     ops, or the prices of an op's results add up to more than its cost
   */
  @Override
  public long bound(RecomputeProblem problem, long limit) {
    check(problem);
    BigInteger[] upTo = new BigInteger[problem.ops + 1];
    upTo[0] = BigInteger.ZERO;
    for (int j = 0; j < problem.ops; j++) {
      upTo[j + 1] = upTo[j].add(BigInteger.valueOf(lambda[j]));
    }
    BigInteger whole = BigInteger.valueOf(scale);
    Reach reach = allOrders ? new Reach(problem) : null;
    BigInteger proven = BigInteger.valueOf(-limit).multiply(upTo[problem.ops]);
    for (int j = 0; j < problem.ops; j++) {
      BigInteger own = BigInteger.valueOf(problem.workingSet(j));
      proven = proven.add(own.multiply(BigInteger.valueOf(lambda[j])));
    }
    for (int i = 0; i < problem.values; i++) {
      BigInteger bytes = BigInteger.valueOf(problem.bytes[i]);
      BigInteger drop = whole.multiply(BigInteger.valueOf(price[i]));
      boolean again = problem.maker[i] >= 0 && repeats(problem, problem.maker[i]);
      int last = problem.maker[i];
      int[] users = problem.users[i];
      int touches = users.length + (problem.kept[i] ? 1 : 0);
      for (int k = 0; k < touches; k++) {
        int next = k < users.length ? users[k] : problem.ops;
        if (allOrders && !reach.isBefore(last, next)) {
          continue;
        }
        int back = again && !allOrders ? problem.until[problem.maker[i]] : next;
        int open = Math.max(last + 1, Math.min(next, back));
        BigInteger within =
            allOrders ? within(reach, last, next) : upTo[open].subtract(upTo[last + 1]);
        BigInteger covered = bytes.multiply(within);
        proven = proven.add(again ? covered.min(drop) : covered);
        proven = proven.add(bytes.multiply(upTo[next].subtract(upTo[open])));
        last = next;
      }
      if (touches == 0 && problem.maker[i] < 0 && problem.ops > 0 && !allOrders) {
        proven = proven.add(bytes.multiply(BigInteger.valueOf(lambda[0])));
      }
    }
    if (proven.signum() <= 0) {
      return 0;
    }
    BigInteger[] parts = proven.divideAndRemainder(whole);
    BigInteger least = parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
    return ExtraCertificate.rounded(least, problem, below);
  }

  @Override
  public Map<String, Object> fields(RecomputeProblem problem, List<String> ops) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("orders", allOrders ? "all" : "given");
    fields.put("scale", scale);
    fields.put("below", below);
    List<Map<String, Object>> rows = new ArrayList<>();
    List<Map<String, Object>> shares = new ArrayList<>();
    for (int v = 0; v < lambda.length; v++) {
      if (lambda[v] > 0) {
        rows.add(row(ops.get(v), "multiplier", lambda[v]));
      }
      if (problem.writes[v].length > 1) {
        List<Long> each = Arrays.stream(problem.writes[v]).mapToObj(i -> price[i]).toList();
        shares.add(row(ops.get(v), "shares", each));
      }
    }
    fields.put("multipliers", rows);
    if (!shares.isEmpty()) {
      fields.put("costShares", shares);
    }
    return fields;
  }

  private static Map<String, Object> row(String op, String name, Object value) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("op", op);
    row.put(name, value);
    return row;
  }

  /** The multipliers of the ops that run between two others in every order. */
  private BigInteger within(Reach reach, int first, int second) {
    BigInteger sum = BigInteger.ZERO;
    for (int j = first + 1; j < second; j++) {
      if (lambda[j] > 0 && reach.isBefore(first, j) && reach.isBefore(j, second)) {
        sum = sum.add(BigInteger.valueOf(lambda[j]));
      }
    }
    return sum;
  }

  private boolean repeats(RecomputeProblem problem, int op) {
    return problem.repeatable[op] && problem.cost[op] < below;
  }

  private void check(RecomputeProblem problem) {
    if (lambda.length != problem.ops || price.length != problem.values || scale < 1) {
      throw new IllegalArgumentException(
          lambda.length + " multipliers and " + price.length + " prices at scale " + scale);
    }
    for (int j = 0; j < lambda.length; j++) {
      if (lambda[j] < 0) {
        throw new IllegalArgumentException("lambda[" + j + "] = " + lambda[j] + " is below 0");
      }
      long left = problem.cost[j];
      for (int i : problem.writes[j]) {
        if (price[i] < 0 || price[i] > left) {
          throw new IllegalArgumentException("op " + j + ": shares below 0 or above its cost");
        }
        left -= price[i];
      }
    }
  }
}
