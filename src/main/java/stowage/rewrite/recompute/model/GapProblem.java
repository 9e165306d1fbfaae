package stowage.rewrite.recompute.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;

/**
 * A lower bound of the extra cost by the gaps between uses, and what is asked of them; for one
 * order of the first computations or for all.
 *
 * <p>A <i>gap</i> of a value is the time between two touches of it in the given order that follow
 * each other with other ops between them; a touch is the value's computation, the first computation
 * of a reader, or the end of the run for a value that is kept. Let {@code load(j)} be the bytes
 * alive at op j when nothing is recomputed, and B the limit.
 *
 * <p><b>Claim.</b> Every sequence within B whose first computations keep the order costs at least
 * the least sum of prices of a set Y of gaps such that at each op j the gaps in Y that cover j have
 * at least {@code load(j) - B} bytes.
 *
 * <p><b>Proof.</b> Take such a sequence and call a gap (a, b) of value i <i>dropped</i> when no
 * copy of i that later serves touch b without being computed again is alive at some first
 * computation j with a &lt; j &lt; b. At that moment the bytes alive are at least those of {@code
 * load(j)} less the values dropped there, so the dropped gaps that cover j have at least {@code
 * load(j) - B} bytes. Touch b needs a copy, so the maker of i runs between the first computations
 * of j and of b, inside the gap. The gaps of one value do not overlap: different gaps of it need
 * different runs of its maker. An op with several results pays once for gaps of several values; its
 * cost is therefore shared out among its results, and one run pays each share at most once. So the
 * sum of the shares of dropped gaps is at most the extra cost. Nothing was assumed of how often or
 * in which order ops run again. ∎
 *
 * <p>What may run again {@linkplain RecomputeProblem#until up to an op} alone has to be there at
 * that op and all later ones of the gap: they are not covered. With all orders that is left out.
 *
 * <p><b>All orders.</b> Where the order of first computations is free, "before" is read as: on all
 * paths of the graph. A value's touches are its computation and readers of which each reads,
 * through others, what the one before makes; a gap covers the ops between its two touches in that
 * sense, and the load of an op is its operands, its results and the gaps that cover it, dropped or
 * not. In every order the gaps of a value follow each other, so the proof holds as it is.
 *
 * <p><b>Certificate.</b> Letting gaps be dropped in part gives a linear programme. For multipliers
 * lambda(j) of at least 0, with L(g) their sum over the ops that gap g covers, weak duality says:
 * extra &gt;= sum of lambda(j) (load(j) - B) - sum over gaps of max(0, bytes(g) L(g) - price(g)).
 * Any multipliers are valid; {@link GapCertificate} evaluates this in one pass.
 *
 * <p><b>Example.</b> Ops 0 to 4; op 4 reads the 3 bytes of op 0 and the 2 bytes of op 3; op 1 reads
 * op 0, op 2 op 1 and op 3 op 2; ops 1 and 2 make 4 bytes, op 4 makes 1; op 0 costs 7. The loads
 * are 3, 7, 11, 9 and 6; the only gap is that of op 0 from 1 to 4, with 3 bytes. For B = 8 the rows
 * of ops 2 and 3 ask for 3 and 1 bytes of it. With lambda(2) = 7 / 3 the bound is 7 / 3 * 3 - 0 =
 * 7: op 0 runs again, once, and that is enough.
 */
public final class GapProblem {
  public final RecomputeProblem problem;

  /** What comes before what in every order; null for the given order alone. */
  private final Reach reach;

  /** Bytes that may be alive at a step. */
  public final long limit;

  /** Bytes alive at each op without recomputing. */
  public final long[] load;

  public final int gaps;

  public final int[] value;

  /** The op after which each gap begins. */
  public final int[] from;

  /** The op before which each gap ends; the number of ops for the end of the run. */
  public final int[] to;

  /** The ops at which more than the limit is alive: the rows that ask for something. */
  public final int[] rows;

  /** What each value's maker costs, shared out among the maker's results. */
  public final long[] price;

  /** The gaps of a problem in its order. O(values + reads). */
  public GapProblem(RecomputeProblem problem, long limit) {
    this(problem, limit, null);
  }

  private GapProblem(RecomputeProblem problem, long limit, Reach reach) {
    this.problem = problem;
    this.limit = limit;
    this.reach = reach;
    this.price = prices(problem);
    this.load = new long[problem.ops];
    long[] change = new long[problem.ops + 1]; // of the load, from each op to the next
    List<int[]> found = new ArrayList<>();
    for (int i = 0; i < problem.values; i++) {
      int last = problem.maker[i];
      for (int k = 0; k <= problem.users[i].length; k++) {
        boolean user = k < problem.users[i].length;
        if (!user && !problem.kept[i]) {
          break;
        }
        int next = user ? problem.users[i][k] : problem.ops;
        if (!isBefore(last, next)) {
          continue;
        }
        if (reach == null && next > last + 1) {
          change[last + 1] += problem.bytes[i];
          change[next] -= problem.bytes[i];
        }
        for (int j = last + 1; j < next && reach != null; j++) {
          load[j] += isBefore(last, j) && isBefore(j, next) ? problem.bytes[i] : 0;
        }
        if (next > last + 1 && problem.bytes[i] > 0 && problem.returns(i)) {
          found.add(new int[] {i, last, next});
        }
        last = next;
      }
    }
    this.gaps = found.size();
    this.value = found.stream().mapToInt(gap -> gap[0]).toArray();
    this.from = found.stream().mapToInt(gap -> gap[1]).toArray();
    this.to = found.stream().mapToInt(gap -> gap[2]).toArray();
    add(change, load);
    for (int j = 0; j < problem.ops; j++) {
      load[j] += problem.workingSet(j);
    }
    this.rows = IntStream.range(0, problem.ops).filter(j -> load[j] > limit).toArray();
  }

  /** Adds to each op the sum of the changes up to it. */
  private static void add(long[] change, long[] sums) {
    long sum = 0;
    for (int j = 0; j < sums.length; j++) {
      sum += change[j];
      sums[j] += sum;
    }
  }

  /** The gaps of a problem in all orders of first computations. O(ops * gaps). */
  public static GapProblem ofAllOrders(RecomputeProblem problem, long limit) {
    return new GapProblem(problem, limit, new Reach(problem));
  }

  private boolean isBefore(int first, int second) {
    return reach == null || reach.isBefore(first, second);
  }

  /** Whether a gap covers an op: its value need not be there, but can come back. */
  public boolean covers(int gap, int op) {
    return from[gap] < op
        && op < to[gap]
        && (reach != null || problem.returns(value[gap], op))
        && isBefore(from[gap], op)
        && isBefore(op, to[gap]);
  }

  /** A maker's cost in parts by the results' bytes, the rest to the last result. */
  private static long[] prices(RecomputeProblem problem) {
    long[] price = new long[problem.values];
    for (int v = 0; v < problem.ops; v++) {
      int[] results = problem.writes[v];
      double bytes = Arrays.stream(results).mapToDouble(i -> problem.bytes[i]).sum();
      long left = problem.cost[v];
      for (int k = 0; k < results.length; k++) {
        double part = bytes > 0 ? problem.bytes[results[k]] / bytes : 0;
        long share = k == results.length - 1 ? left : (long) Math.min(left, problem.cost[v] * part);
        price[results[k]] = share;
        left -= share;
      }
    }
    return price;
  }

  public long bytes(int gap) {
    return problem.bytes[value[gap]];
  }

  /** What dropping in a gap costs at least. */
  public long price(int gap) {
    return price[value[gap]];
  }

  /**
   * The first op at which even dropping all gaps leaves more than the limit, -1 for none: then no
   * sequence is within the limit, because what the op uses and what can never be computed again has
   * to be there. O(ops + gaps); with all orders O(gap lengths).
   */
  public int impossible() {
    long[] least = least();
    return IntStream.range(0, problem.ops).filter(j -> least[j] > limit).findFirst().orElse(-1);
  }

  /**
   * Bytes that are at least alive at each op in any sequence. O(ops + gaps); with all orders O(gap
   * lengths).
   */
  public long[] least() {
    long[] least = load.clone();
    long[] change = new long[problem.ops + 1];
    for (int g = 0; g < gaps; g++) {
      int end = Math.min(to[g], problem.until[problem.maker[value[g]]]);
      if (reach == null && end > from[g]) {
        change[from[g] + 1] -= bytes(g);
        change[end] += bytes(g);
      }
      for (int j = from[g] + 1; j < to[g] && reach != null; j++) {
        least[j] -= covers(g, j) ? bytes(g) : 0;
      }
    }
    add(change, least);
    return least;
  }

  /**
   * The ops nearest to those above the limit, ascending; of these, those with the largest
   * multipliers. O(ops log ops).
   */
  public int[] nearest(long[] multipliers, long most) {
    int[] apart = new int[problem.ops];
    Arrays.fill(apart, problem.ops);
    Arrays.stream(rows).forEach(row -> apart[row] = 0);
    for (int v = 1; v < problem.ops; v++) {
      apart[v] = Math.min(apart[v], apart[v - 1] + 1);
    }
    for (int v = problem.ops - 2; v >= 0; v--) {
      apart[v] = Math.min(apart[v], apart[v + 1] + 1);
    }
    Comparator<Integer> nearest =
        Comparator.comparingInt((Integer v) -> apart[v]).thenComparingLong(v -> -multipliers[v]);
    int[] all = IndexOrder.of(IntStream.range(0, problem.ops), nearest);
    return Arrays.stream(all).limit(most).sorted().toArray();
  }
}
