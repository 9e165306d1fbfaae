package stowage.rewrite.recompute.model;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;

/**
 * The rows of the gap bound together with what computing a value again needs itself: a linear
 * programme with variables within 0 and 1, least sum of their prices, and rows that ask for at
 * least so much of a weighted sum.
 *
 * <p><b>Claim.</b> For every sequence within the limit whose first computations keep the order
 * there is a choice of 0 and 1 that satisfies all rows, at a price no higher than its extra cost.
 *
 * <p><b>Proof.</b> Touches of values are those of {@link GapProblem}. Some ops are <i>marks</i>;
 * "at mark j" means while j is computed first. Set to 1, if it is so and to 0 otherwise,
 *
 * <ul>
 *   <li>D(i, j): value i, touched before mark j and after it, is not there at j. Then its maker
 *       runs again between j and the next touch.
 *   <li>P(i, j): value i, touched before mark j and never again, is there nevertheless.
 *   <li>A(v, j, d): op v, first computed before mark j, has to run again between j and d, which is
 *       one of some ops chosen as <i>splits</i> or the end, since a D(i, j) says so of one of its
 *       results, to be touched by d, or an A(u, j, d) of an op that reads one that is not there.
 *   <li>R(v, s): op v runs again in a period s. Periods of v begin at the touches of its results
 *       and at the splits.
 * </ul>
 *
 * The rows of a mark: (1) D(i, j) is no more than the sum of R of i's maker from j up to the next
 * touch of i; (2) A(v, j, d) is no less than the D of results touched by d, and no more than the
 * sum of all R of v from j to d; (3) where v reads p, touched before j and never again, A(v, j, d)
 * is no more than P(p, j) plus A(u, j, d) of p's maker u; where p is touched again, but after d,
 * A(v, j, d) and D(p, j) together are no more than 1 plus A(u, j, d); (4) the bytes of all D less
 * those of all P are at least {@code load(j) - limit}. What can never be computed again is there. A
 * run falls into one period, so its cost pays for one R. ∎
 *
 * <p><b>Gathering.</b> What op j reads, some of it made by op j - 1, is at hand from the time on at
 * which the last one of these values is computed, next to the others and to what that computation
 * reads. It lies between j - 1 and j; the least bytes over all choices of the last one are alive
 * then. Where that is more than j and j - 1 take, this time is a mark of its own: the rows are the
 * same, with these bytes in place of those of j, and without the values that one of the choices
 * uses. What j reads counts as touched at that time, and a split at j is a split at that time.
 *
 * <p>Unlike the gaps alone, the rows see that a value cannot come back for the price of the last op
 * of a chain: what that op reads has to be held, or computed again as well. O(marks * reads) terms.
 */
public final class ClosureRows {
  /**
   * Receiver of variables and rows one by one, always in the same order; by default it drops them.
   */
  public interface Sink {
    /**
     * The next variable is that of an op's runs from a touch or split up to the next one.
     *
     * @param from when: {@code 2 j + 1} is the first computation of op j, {@code 2 j} its gathering
     */
    default void run(int op, int from) {}

    /** The rows that follow are a mark's, while it is computed or, before that, gathered for. */
    default void mark(int op, boolean gathering) {}

    /**
     * A new variable within 0 and 1, numbered from 0 on.
     *
     * @param value the value that it says is not there at a mark, or is there nevertheless; -1 for
     *     a variable of an op
     */
    default void variable(long price, int value) {}

    /**
     * A row: the weighted sum of the first so many variables listed is at least so much.
     *
     * @param ofBytes whether it is a mark's row of bytes
     */
    default void row(boolean ofBytes, long least, int[] variables, long[] weights, int terms) {}
  }

  /** A row besides these: the weighted sum of the variables is at least so much. */
  public record Row(long least, int[] variables, long[] weights) {}

  private final RecomputeProblem problem;
  private final Sink sink;
  private final int[][] touches;
  private final int[] firstRun;
  private final int[] present;
  private final int[] dropped;
  private final boolean[] there;
  private final int[] splits;
  private final boolean[] gathers;
  private final int[][] needed;
  private int variables;
  private int[] listed = new int[16];
  private long[] weights = new long[16];
  private int terms;
  private final int[] bytesOf;
  private final long[] bytes;
  private int held;

  private ClosureRows(RecomputeProblem problem, int[] splits, Sink sink) {
    this.problem = problem;
    this.gathers = new boolean[problem.ops];
    for (int v = 0; v < problem.ops; v++) {
      gathers[v] = Gathering.more(problem, v) > 0;
    }
    this.splits = Arrays.stream(splits).map(this::touch).toArray();
    this.sink = sink;
    this.touches = new int[problem.ops][];
    this.firstRun = new int[problem.ops];
    this.present = new int[problem.values];
    this.dropped = new int[problem.values];
    this.there = new boolean[problem.values];
    this.needed = new int[splits.length + 1][problem.ops];
    this.bytesOf = new int[problem.values];
    this.bytes = new long[problem.values];
    runs();
  }

  /**
   * Gives all variables and rows.
   *
   * @param marks ops, ascending
   * @param splits ops, ascending, whose first computations split the times of runs
   */
  public static void visit(
      RecomputeProblem problem, long limit, int[] marks, int[] splits, Sink sink) {
    ClosureRows rows = new ClosureRows(problem, splits, sink);
    for (int mark : marks) {
      if (rows.gathers[mark]) {
        rows.gathering(mark, limit);
      }
      rows.mark(mark, limit);
    }
  }

  /** When what an op reads is at hand: as it is computed, or as it is gathered for. */
  private int touch(int op) {
    return gathers[op] ? 2 * op : 2 * op + 1;
  }

  /**
   * A sequence for a choice of variables, which may exceed the limit: each op that is to run again
   * between two touches runs just before the first op after the first one that reads its results,
   * for the first time or again, or before the last op up to which it may. O(ops * reads).
   *
   * @param chosen whether each variable is 1; only the first ones are asked, those of runs
   */
  public static int[] sequence(RecomputeProblem problem, int[] splits, IntPredicate chosen) {
    ClosureRows rows = new ClosureRows(problem, splits, new Sink() {});
    boolean[][] runs = new boolean[problem.ops + 1][problem.ops];
    int count = problem.ops;
    for (int v = problem.ops - 1; v >= 0; v--) {
      int[] all = rows.touches[v];
      for (int k = 0; k < all.length; k++) {
        int read = rows.firstRead(runs, v, (all[k] + 1) / 2);
        int before = Math.min(read, problem.until[v]);
        if (chosen.test(rows.firstRun[v] + k) && read <= problem.ops) {
          count += runs[before][v] ? 0 : 1;
          runs[before][v] = true;
        }
      }
    }
    int[] sequence = new int[count];
    int step = 0;
    for (int j = 0; j <= problem.ops; j++) {
      for (int v = 0; v < problem.ops; v++) {
        if (runs[j][v]) {
          sequence[step++] = v;
        }
      }
      if (j < problem.ops) {
        sequence[step++] = j;
      }
    }
    return sequence;
  }

  /**
   * Splits with some more ops: those before which a solution as a sequence runs most bytes again
   * earlier than their next touch. There, one run was taken to serve two times. The same where
   * there are none.
   */
  public static int[] splits(RecomputeProblem problem, int[] splits, int[] sequence, int more) {
    ClosureRows rows = new ClosureRows(problem, splits, new Sink() {});
    double[] early = new double[problem.ops];
    int done = 0;
    for (int v : sequence) {
      if (v == done) {
        done++;
      } else if (done < problem.ops && Arrays.binarySearch(splits, done) < 0) {
        for (int i : problem.writes[v]) {
          early[done] += rows.nextTouch(i, 2 * done + 1) > 2 * done + 1 ? problem.bytes[i] : 0;
        }
      }
    }
    int[] found =
        IndexOrder.of(
            IntStream.range(0, problem.ops).filter(j -> early[j] > 0),
            Comparator.comparingDouble(j -> -early[j]));
    IntStream added = Arrays.stream(found).limit(more);
    return IntStream.concat(Arrays.stream(splits), added).sorted().toArray();
  }

  /** The first op from one on that reads a result, or that a reader runs again before. */
  private int firstRead(boolean[][] runs, int op, int from) {
    for (int j = from; j <= problem.ops; j++) {
      for (int i : problem.writes[op]) {
        if (j == problem.ops && problem.kept[i]) {
          return j;
        }
        for (int user : problem.users[i]) {
          if (user == j || runs[j][user]) {
            return j;
          }
        }
      }
    }
    return problem.ops + 1;
  }

  private void runs() {
    for (int v = 0; v < problem.ops; v++) {
      int first = 2 * v + 1;
      IntStream touched = IntStream.of(first);
      for (int i : problem.writes[v]) {
        touched = IntStream.concat(touched, Arrays.stream(problem.users[i]).map(this::touch));
      }
      touched = IntStream.concat(touched, Arrays.stream(splits).filter(split -> split > first));
      int until = 2 * problem.until[v] + 1;
      touches[v] = touched.filter(touch -> touch < until).sorted().distinct().toArray();
      firstRun[v] = variables;
      for (int touch : touches[v]) {
        sink.run(v, touch);
        newVariable(problem.cost[v], -1);
      }
    }
  }

  private void mark(int op, long limit) {
    sink.mark(op, false);
    clear();
    int now = 2 * op + 1;
    long load = problem.scratch[op];
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] <= op && nextTouch(i, now) == now) {
        load = Math.addExact(load, problem.bytes[i]);
      }
    }
    rows(now, op, load, limit);
  }

  /** The rows of the time at which the last one of what an op reads is computed. */
  private void gathering(int op, long limit) {
    sink.mark(op, true);
    clear();
    Set<Integer> used = new TreeSet<>();
    long load = Gathering.bytes(problem, op, used);
    used.forEach(i -> there[i] = true);
    rows(2 * op, op - 1, load, limit);
  }

  private void clear() {
    Arrays.fill(present, -1);
    Arrays.fill(dropped, -1);
    Arrays.fill(there, false);
    for (int[] of : needed) {
      Arrays.fill(of, -1);
    }
    held = 0;
  }

  /**
   * The rows of a time.
   *
   * @param last the first computation then, or the last one before
   * @param load bytes of what is used then
   */
  private void rows(int now, int last, long load, long limit) {
    for (int i = 0; i < problem.values; i++) {
      int next = problem.maker[i] > last || there[i] ? -1 : nextTouch(i, now);
      if (next > now && (problem.bytes[i] > 0 || !problem.returns(i, last))) {
        load = Math.addExact(load, problem.bytes[i]);
        if (problem.returns(i, last)) {
          drop(i, now, next);
        }
      }
    }
    for (int v = last; v >= 0; v--) {
      for (int d = 0; d <= splits.length; d++) {
        for (int k = 0; needed[d][v] >= 0 && k < problem.reads[v].length; k++) {
          operand(needed[d][v], problem.reads[v][k], now, last, d);
        }
      }
    }
    sink.row(true, Math.subtractExact(load, limit), bytesOf, bytes, held);
  }

  /** The first touch of a value at a time or after it, for a value computed then or before. */
  private int nextTouch(int value, int now) {
    if (2 * problem.maker[value] + 1 == now || (problem.maker[value] < 0 && now == 1)) {
      return now;
    }
    int next = problem.nextUse(value, now / 2);
    return next < 0 ? -1 : next == problem.ops ? 2 * next + 1 : Math.max(now, touch(next));
  }

  private void drop(int value, int j, int next) {
    int maker = problem.maker[value];
    dropped[value] = newVariable(0, value);
    hold(dropped[value], problem.bytes[value]);
    runs(maker, j, next);
    row(dropped[value]);
    int d = Arrays.binarySearch(splits, next);
    d = d < 0 ? -d - 1 : d;
    if (problem.writes[maker].length == 1) {
      needed[d][maker] = dropped[value];
    } else {
      term(need(maker, j, d), 1);
      row(dropped[value]);
    }
  }

  /** What an op that has to run again before a split asks of one of its operands at a mark. */
  private void operand(int needs, int value, int now, int last, int d) {
    int next = nextTouch(value, now);
    if (problem.bytes[value] == 0 || next == now || there[value]) {
      return;
    }
    if (next >= 0) {
      if (dropped[value] >= 0 && d < splits.length && next > splits[d]) {
        term(need(problem.maker[value], now, d), 1);
        term(dropped[value], -1);
        term(needs, -1);
        row(-1L);
      }
      return;
    }
    if (present[value] < 0) {
      present[value] = newVariable(0, value);
      hold(present[value], -problem.bytes[value]);
    }
    if (problem.returns(value, last)) {
      term(need(problem.maker[value], now, d), 1);
    }
    term(present[value], 1);
    row(needs);
  }

  /** Whether an op has to run again before a split; called before the terms of a row. */
  private int need(int op, int j, int d) {
    if (needed[d][op] < 0) {
      needed[d][op] = newVariable(0, -1);
      runs(op, j, d < splits.length ? splits[d] : Integer.MAX_VALUE);
      row(needed[d][op]);
    }
    return needed[d][op];
  }

  /** Terms for the runs of an op from a mark up to a touch. */
  private void runs(int op, int j, int next) {
    int[] all = touches[op];
    for (int k = all.length - 1; k >= 0; k--) {
      if (all[k] < next) {
        term(firstRun[op] + k, 1);
      }
      if (all[k] <= j) {
        break;
      }
    }
  }

  private int newVariable(long price, int value) {
    sink.variable(price, value);
    return variables++;
  }

  private void hold(int variable, long weight) {
    bytesOf[held] = variable;
    bytes[held++] = weight;
  }

  private void term(int variable, long weight) {
    if (terms + 1 >= listed.length) {
      listed = Arrays.copyOf(listed, 2 * terms + 2);
      weights = Arrays.copyOf(weights, 2 * terms + 2);
    }
    listed[terms] = variable;
    weights[terms++] = weight;
  }

  /** The terms so far are at least a variable. */
  private void row(int atLeast) {
    term(atLeast, -1);
    row(0L);
  }

  private void row(long least) {
    sink.row(false, least, listed, weights, terms);
    terms = 0;
  }
}
