package stowage.rewrite.recompute.walk;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.ClosureTerms;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * What a certificate of {@link ClosureTerms} says of the rest of a sequence when some values are
 * held at a mark. The rows of that mark and of later ones hold for the runs to come alone; which
 * values are there at the mark is known then, so its variables of values are constants, and its row
 * of bytes is left out. With any multipliers, what is left proves a sum of a number for the mark
 * and one for each value, held or not. Multipliers are rounded to fractions of a power of two and
 * sums are exact.
 */
final class ClosureEstimate {
  private final int from;
  private final int shift;
  private final RecomputeProblem problem;

  private final long[] base;
  private final long[][] whenAbsent;
  private final long[][] whenHeld;

  /** What the next run of each op costs at least above what the multipliers count. */
  private final long[][] unpaid;

  /** The same of each value's op, where it runs again before the value is touched; -1 for never. */
  private final long[][] unpaidBefore;

  /**
   * An estimate for a problem and limit. O(rows * their terms).
   *
   * @param from the number that the certificate's first mark has in the walk
   */
  ClosureEstimate(RecomputeProblem problem, long limit, int from, ClosureCertificate certificate) {
    this.problem = problem;
    this.from = from;
    int marks = certificate.marks().length;
    this.base = new long[marks];
    this.whenAbsent = new long[marks][problem.values];
    this.whenHeld = new long[marks][problem.values];
    this.unpaid = new long[marks][problem.ops];
    this.unpaidBefore = new long[marks][problem.values];
    ClosureTerms terms = new ClosureTerms(problem, limit, certificate);
    this.shift = Math.max(0, terms.shift);
    if (terms.shift >= 0) { // else sums would be too large: all estimates stay 0
      sum(terms, certificate.marks());
    }
  }

  /** From the last mark on. */
  private void sum(ClosureTerms terms, int[] marks) {
    long[] surplus = new long[terms.runs.size()];
    long asked = 0;
    int k = base.length;
    for (int n = terms.rows.size() - 1; n >= 0; n--) {
      Map<Integer, Long> own = new HashMap<>();
      List<ClosureTerms.Row> ofMark = terms.rows.get(n).rows();
      if (terms.rows.get(n).gathering()) {
        for (ClosureTerms.Row one : ofMark) {
          asked += weigh(one, surplus, own);
        }
        asked -= above(own);
        continue;
      }
      k--;
      ClosureTerms.Row ofBytes = ofMark.get(ofMark.size() - 1);
      for (ClosureTerms.Row one : ofMark.subList(0, ofMark.size() - 1)) {
        asked += weigh(one, surplus, own);
      }
      base[k] = asked - paid(terms, surplus);
      unpaid(k, marks[k], terms, surplus);
      Map<Integer, Long> free = new HashMap<>(own);
      for (int t = 0; t < ofBytes.variables().length; t++) {
        int variable = ofBytes.variables()[t];
        long[] weight = ofBytes.weights()[t] > 0 ? whenAbsent[k] : whenHeld[k];
        weight[terms.valueOf.get(variable)] = -own.getOrDefault(variable, 0L);
        free.remove(variable);
      }
      base[k] -= above(free);
      asked += weigh(ofBytes, surplus, own);
      asked -= above(own);
    }
  }

  private void unpaid(int k, int mark, ClosureTerms terms, long[] surplus) {
    Arrays.fill(unpaid[k], Long.MAX_VALUE);
    for (int i = 0; i < problem.values; i++) {
      int next = problem.nextUse(i, mark + 1);
      int maker = problem.maker[i];
      unpaidBefore[k][i] = next > mark && maker >= 0 && maker <= mark ? Long.MAX_VALUE : -1;
    }
    for (int one = 0; one < surplus.length; one++) {
      int op = terms.runs.get(one)[0];
      boolean last = one + 1 == surplus.length || terms.runs.get(one + 1)[0] != op;
      if (!last && terms.runs.get(one + 1)[1] <= 2 * mark + 1) {
        continue;
      }
      long left = Math.max(0, (terms.price.get(one) << shift) - surplus[one]);
      unpaid[k][op] = Math.min(unpaid[k][op], left);
      for (int i : problem.writes[op]) {
        if (terms.runs.get(one)[1] < 2 * problem.nextUse(i, mark + 1) + 1) {
          unpaidBefore[k][i] = Math.min(unpaidBefore[k][i], left);
        }
      }
    }
  }

  /** Adds a row to the surplus of its variables; what it asks for. */
  private long weigh(ClosureTerms.Row one, long[] surplus, Map<Integer, Long> own) {
    long multiplier = one.scaled(shift);
    for (int t = 0; t < one.variables().length; t++) {
      int variable = one.variables()[t];
      if (variable < surplus.length) {
        surplus[variable] += multiplier * one.weights()[t];
      } else {
        own.merge(variable, multiplier * one.weights()[t], Long::sum);
      }
    }
    return multiplier * one.least();
  }

  private long paid(ClosureTerms terms, long[] surplus) {
    long sum = 0;
    for (int k = 0; k < surplus.length; k++) {
      sum += Math.max(0, surplus[k] - (terms.price.get(k) << shift));
    }
    return sum;
  }

  private static long above(Map<Integer, Long> surplus) {
    return surplus.values().stream().mapToLong(one -> Math.max(0, one)).sum();
  }

  /**
   * What is proven, times a power of two, when these values are held at a mark or after it; 0
   * before the first mark that it says something of.
   *
   * @param again the ops that have to run again then, to be filled
   */
  long scaled(int mark, long[] held, long[] again) {
    Arrays.fill(again, 0);
    if (mark < from) {
      return 0;
    }
    long sum = base[mark - from];
    long[] absent = whenAbsent[mark - from];
    long[] here = whenHeld[mark - from];
    for (int i = 0; i < absent.length; i++) {
      sum += Held.has(held, i) ? here[i] : absent[i] + again(mark, i, held, again);
    }
    return sum;
  }

  /** The same without saying which ops have to run again. */
  long scaled(int mark, long[] held) {
    return scaled(mark, held, new long[(problem.ops + 63) / 64]);
  }

  /**
   * How much more is proven when a value is not held.
   *
   * @param held without the value
   * @param again the ops that have to run again, to which more are added
   */
  long scaledLoss(int mark, int value, long[] held, long[] again) {
    long[] absent = whenAbsent[mark - from];
    return absent[value] - whenHeld[mark - from][value] + again(mark, value, held, again);
  }

  /** How much more is proven when an op runs again that need not. */
  long unpaid(int mark, int op) {
    return mark < from ? 0 : Math.min(unpaid[mark - from][op], problem.cost[op] << shift);
  }

  /** How much more is proven at least when a value is not held, whatever else is not. */
  long lossAlone(int mark, int value) {
    int op = problem.maker[value];
    boolean alone = op >= 0 && problem.writes[op].length == 1;
    long left = alone ? Math.max(0, unpaidBefore[mark - from][value]) : 0;
    long price = alone ? Math.min(left, problem.cost[op] << shift) : 0;
    return whenAbsent[mark - from][value] - whenHeld[mark - from][value] + price;
  }

  private long again(int mark, int value, long[] held, long[] again) {
    long left = unpaidBefore[mark - from][value];
    return left < 0 ? 0 : again(mark, problem.maker[value], left, held, again);
  }

  /** What it costs that an op has to run again, and all whose results it needs and has not. */
  private long again(int mark, int op, long left, long[] held, long[] again) {
    if (Held.has(again, op)) {
      return 0;
    }
    Held.set(again, op);
    long sum = Math.min(left, problem.cost[op] << shift);
    for (int i : problem.reads[op]) {
      if (!Held.has(held, i) && problem.maker[i] >= 0) {
        sum += again(mark, problem.maker[i], unpaid[mark - from][problem.maker[i]], held, again);
      }
    }
    return sum;
  }

  /** The least extra cost that a sum proves. */
  long cost(long scaled) {
    return scaled <= 0 ? 0 : ((scaled - 1) >> shift) + 1;
  }
}
