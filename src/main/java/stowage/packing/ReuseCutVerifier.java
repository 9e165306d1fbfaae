package stowage.packing;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The part of the {@link BoundVerifier} that adds up the cuts of a bound of the price of reuse. */
final class ReuseCutVerifier {
  private ReuseCutVerifier() {}

  /** The price that a certificate proves; fails where a cut does not fit. O(cuts * sizes²). */
  static long proven(PackingProblem problem, ReuseProof certificate) {
    Map<Long, Long> weights = new HashMap<>();
    for (Relations.Reuse pair : problem.relations().reuse()) {
      boolean payable =
          problem.relations().exclusive().contains(pair.first(), pair.second())
              || !problem.aliveAtOnce(pair.first(), pair.second());
      if (payable) {
        weights.put(ReuseCut.key(pair.first(), pair.second()), pair.weight());
      }
    }
    int cuts = certificate.cuts().size();
    if (certificate.scale() < 1
        || certificate.multipliers().length != cuts
        || certificate.groups().length != cuts) {
      throw new IllegalArgumentException("the scale or the number of multipliers is wrong");
    }
    long proven = 0;
    Map<Long, Integer> groupOf = new HashMap<>();
    for (int from = 0; from < cuts; ) {
      int to = from;
      while (to < cuts && certificate.groups()[to] == certificate.groups()[from]) {
        to++;
      }
      proven += group(problem, certificate, from, to, weights, groupOf);
      from = to;
    }
    return proven;
  }

  /** The price that the cuts of one group prove, rounded up. */
  private static long group(
      PackingProblem problem,
      ReuseProof certificate,
      int from,
      int to,
      Map<Long, Long> weights,
      Map<Long, Integer> groupOf) {
    Map<Long, Long> charge = new HashMap<>();
    long sum = 0;
    try {
      for (int k = from; k < to; k++) {
        ReuseCut cut = certificate.cuts().get(k);
        long multiplier = certificate.multipliers()[k];
        if (multiplier < 0) {
          throw new IllegalArgumentException("a multiplier is negative");
        }
        check(problem, cut, weights);
        sum = Math.addExact(sum, Math.multiplyExact(multiplier, cut.right(problem)));
        for (Map.Entry<Long, Long> term : cut.left(problem).entrySet()) {
          if (weights.containsKey(term.getKey())) {
            long more = Math.multiplyExact(multiplier, term.getValue());
            charge.merge(term.getKey(), more, Math::addExact);
          }
        }
      }
      for (Map.Entry<Long, Long> pair : charge.entrySet()) {
        Integer other = groupOf.putIfAbsent(pair.getKey(), from);
        if (other != null && other != from) {
          throw new IllegalArgumentException("two groups of cuts speak of one pair");
        }
        long price = Math.multiplyExact(weights.get(pair.getKey()), certificate.scale());
        sum = Math.subtractExact(sum, Math.max(0, pair.getValue() - price));
      }
    } catch (ArithmeticException tooLarge) {
      throw new IllegalArgumentException("the multipliers are too large to add up");
    }
    return sum <= 0 ? 0 : (sum - 1) / certificate.scale() + 1;
  }

  private static void check(PackingProblem problem, ReuseCut cut, Map<Long, Long> weights) {
    BoundVerifier.checkDistinct(problem, cut.buffers());
    if (cut instanceof ReuseCut.Hide hide && hide.divisor() < 1
        || cut instanceof ReuseCut.Turan turan && turan.k() < 1) {
      throw new IllegalArgumentException("a cut's divisor or number is below 1");
    }
    if (cut instanceof ReuseCut.Hide hide) {
      BoundVerifier.checkDistinct(problem, hide.given());
      for (int i : hide.given()) {
        boolean member = Arrays.stream(hide.buffers()).anyMatch(other -> other == i);
        BoundVerifier.require(member, problem, i, "is given, but not in the cut");
      }
    }
    for (int i : cut.buffers()) {
      BoundVerifier.requireHere(problem, cut.memory(), i);
      BoundVerifier.require(problem.buffer(i).needsMemory(), problem, i, "needs no memory");
      BoundVerifier.require(!problem.buffer(i).hasWindows(), problem, i, "has windows");
      for (int j : cut.buffers()) {
        boolean apart = problem.conflicts().contains(i, j) || problem.meet(i, j);
        String what = "may share addresses with \"" + problem.buffer(j).id() + "\" at no price";
        boolean priced = apart || weights.containsKey(ReuseCut.key(i, j));
        BoundVerifier.require(i == j || priced, problem, i, what);
      }
    }
  }
}
