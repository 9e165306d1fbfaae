package stowage.rewrite.recompute.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * The integer form of the gap bound with its closure, in CP-SAT: which values are alive at chosen
 * first computations (<i>marks</i>), and which ops run again between two marks.
 *
 * <p>Every sequence within the limit whose first computations keep the order satisfies the rows, so
 * the solver's bound is one for all of them, whatever the marks: the bytes alive at a mark are
 * within the limit; a value alive at a mark was so at the mark before, or its maker ran between
 * them; an op that runs, for the first time or again, has its operands alive at the mark before or
 * computed since; and an op that runs again between two marks does so next to all that is alive at
 * the second of them and was not computed in between. Runs between different marks are different,
 * so each costs. Where the solution turns out to be a sequence within the limit, it is optimal.
 *
 * <p>Values that can be of no use any more, and those that have to stay, get no variables. Size:
 * O(marks * reads) terms.
 */
public final class StageModel {
  /**
   * What the solver says.
   *
   * @param bound a solver's claim: no sequence costs less
   * @param sequence its solution as a sequence, which may exceed the limit; null for none
   * @param exact whether the solver was done
   */
  public record Answer(long bound, int[] sequence, boolean exact) {
    static Answer of(CpSatRun.Result result, long unit, long below, Supplier<int[]> sequence) {
      if (result.isInfeasible()) {
        return new Answer(below, null, true);
      }
      long bound = Math.min(result.bound(0) * unit, below);
      boolean exact = result.status() == CpSolverStatus.OPTIMAL;
      return new Answer(bound, result.hasSolution() ? sequence.get() : null, exact);
    }
  }

  /** Searches that keep implications in their linear relaxation: the bound comes from there. */
  private static final List<String> BY_PRICE = List.of("max_lp", "lb_tree_search");

  /** Where most ops cost nothing: the relaxation says little, and a search without it is faster. */
  private static final List<String> BY_ROOM = List.of("max_lp", "no_lp");

  private final RecomputeProblem problem;
  private final long limit;
  private final int[] marks;
  private final CpModel model = new CpModel();
  private final long unit;
  private Literal[][] alive;
  private BoolVar[][] again;
  private boolean[][] useful;

  private StageModel(RecomputeProblem problem, long limit, int[] marks) {
    this.problem = problem;
    this.limit = limit;
    this.marks = marks;
    this.unit = problem.unit();
  }

  /**
   * Solves.
   *
   * @param marks ops, ascending
   * @param known a sequence within the limit, as a hint; null for none
   * @param below only sequences with less extra cost than this are asked for: a bound of this much
   *     says that there are none
   */
  public static Answer solve(
      RecomputeProblem problem,
      long limit,
      int[] marks,
      int[] known,
      long below,
      RunControl control,
      double seconds) {
    NativeLibraries.load();
    return new StageModel(problem, limit, marks).solve(known, below, control, seconds);
  }

  private Answer solve(int[] known, long below, RunControl control, double seconds) {
    build();
    LinearExprBuilder price = LinearExpr.newBuilder();
    for (int k = 0; k <= marks.length; k++) {
      for (int v = 0; v < problem.ops; v++) {
        if (again[k][v] != null) {
          price.addTerm(again[k][v], problem.cost[v] / unit);
        }
      }
    }
    LinearExpr objective = price.build();
    if (below < Long.MAX_VALUE) {
      model.addLessOrEqual(objective, (below - 1) / unit);
    }
    model.minimize(objective);
    if (known != null) {
      hint(known);
    }
    CpSatRun.Result result =
        CpSatRun.solve(model, control, seconds, mostAreFree() ? BY_ROOM : BY_PRICE);
    return Answer.of(result, unit, below, () -> sequence(result));
  }

  private boolean mostAreFree() {
    int[] again = IntStream.range(0, problem.ops).filter(v -> problem.repeatable[v]).toArray();
    return 2 * Arrays.stream(again).filter(v -> problem.cost[v] == 0).count() > again.length;
  }

  /** How many terms the rows for some marks have, about. O(marks * reads). */
  public static long size(RecomputeProblem problem, int marks) {
    return marks
        * IntStream.range(0, problem.ops)
            .filter(v -> problem.repeatable[v])
            .mapToLong(v -> 2 + problem.reads[v].length)
            .sum();
  }

  private void build() {
    int count = marks.length;
    alive = new Literal[count + 1][problem.values];
    again = new BoolVar[count + 1][problem.ops];
    useful = new boolean[count + 1][];
    for (int k = 0; k < count; k++) {
      useful[k] = problem.useful(marks[k] + 1);
      for (int i = 0; i < problem.values; i++) {
        alive[k][i] = alive(k, i);
      }
    }
    for (int i = 0; i < problem.values; i++) {
      alive[count][i] = problem.kept[i] ? model.trueLiteral() : model.falseLiteral();
    }
    useful[count] = problem.kept;
    for (int k = 0; k <= count; k++) {
      int from = k == 0 ? -1 : marks[k - 1];
      int to = k == count ? problem.ops - 1 : marks[k];
      period(k, from, to);
    }
    for (int k = 0; k < count; k++) {
      LinearExprBuilder row = LinearExpr.newBuilder();
      for (int i = 0; i < problem.values; i++) {
        row.addTerm(alive[k][i], problem.bytes[i]);
      }
      model.addLessOrEqual(row.build(), limit - problem.scratch[marks[k]]);
    }
  }

  private Literal alive(int k, int value) {
    int mark = marks[k];
    int maker = problem.maker[value];
    if (maker > mark) {
      return model.falseLiteral();
    }
    boolean comes =
        problem.kept[value] || Arrays.stream(problem.users[value]).anyMatch(u -> u > mark);
    if (maker == mark
        || (maker < 0 && mark == 0)
        || Arrays.binarySearch(problem.users[value], mark) >= 0
        || (comes && !problem.returns(value, mark))) {
      return model.trueLiteral();
    }
    return useful[k][value] ? model.newBoolVar("") : model.falseLiteral();
  }

  /** The rows of the time after one mark's op up to the next mark's. */
  private void period(int k, int from, int to) {
    boolean[] wanted = useful[k].clone();
    for (int v = to; v >= 0; v--) {
      boolean runs = v > from;
      for (int i : problem.writes[v]) {
        runs |= wanted[i] && problem.until[v] > from && v <= from;
      }
      if (runs && v <= from) {
        again[k][v] = model.newBoolVar("");
      }
      for (int i : problem.reads[v]) {
        wanted[i] |= runs;
      }
    }
    for (int v = 0; v <= to; v++) {
      Literal runs = v > from ? model.trueLiteral() : again[k][v];
      if (runs != null) {
        for (int i : problem.reads[v]) {
          available(k, i, from, runs);
        }
      }
    }
    for (int i = 0; i < problem.values; i++) {
      if (!isFalse(alive[k][i])) {
        available(k, i, from, alive[k][i]);
      }
    }
    if (k < marks.length) {
      IntVar stays = stays(k, from);
      for (int v = 0; v <= from; v++) {
        if (again[k][v] != null) {
          room(k, v, from, stays);
        }
      }
    }
  }

  /** What has a literal needs a value at hand: alive at the mark before, or computed since. */
  private void available(int k, int value, int from, Literal runs) {
    int maker = problem.maker[value];
    if (maker > from || (k == 0 && maker < 0)) {
      return;
    }
    Literal before = k == 0 ? model.falseLiteral() : alive[k - 1][value];
    Literal made = maker < 0 ? null : again[k][maker];
    if (isTrue(before)) {
      return;
    }
    // As rows, not as clauses: they are what gives the linear relaxation its bound.
    LinearExprBuilder row = LinearExpr.newBuilder().addTerm(runs, -1).addTerm(before, 1);
    if (made != null) {
      row.addTerm(made, 1);
    }
    model.addGreaterOrEqual(row.build(), 0);
  }

  /** Bytes that stay from one mark to the next: alive there, and not computed in between. */
  private IntVar stays(int k, int from) {
    LinearExprBuilder sum = LinearExpr.newBuilder();
    long low = 0;
    long high = 0;
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] <= from && !isFalse(alive[k][i])) {
        add(sum, k, i, 1);
        high += problem.bytes[i];
        low -= problem.maker[i] >= 0 && again[k][problem.maker[i]] != null ? problem.bytes[i] : 0;
      }
    }
    IntVar stays = model.newIntVar(low, high, "");
    model.addEquality(stays, sum.build());
    return stays;
  }

  private void add(LinearExprBuilder sum, int k, int value, int sign) {
    int maker = problem.maker[value];
    sum.addTerm(alive[k][value], sign * problem.bytes[value]);
    if (maker >= 0 && again[k][maker] != null) {
      sum.addTerm(again[k][maker], -sign * problem.bytes[value]);
    }
  }

  /** An op that runs again does so next to all that stays until the next mark. */
  private void room(int k, int op, int from, IntVar stays) {
    LinearExprBuilder row = LinearExpr.newBuilder().add(stays);
    IntStream.concat(Arrays.stream(problem.reads[op]), Arrays.stream(problem.writes[op]))
        .filter(i -> problem.maker[i] <= from && !isFalse(alive[k][i]))
        .forEach(i -> add(row, k, i, -1));
    model.addLessOrEqual(row.build(), limit - problem.workingSet(op)).onlyEnforceIf(again[k][op]);
  }

  private boolean isTrue(Literal literal) {
    return literal.getIndex() == model.trueLiteral().getIndex();
  }

  private boolean isFalse(Literal literal) {
    return literal.getIndex() == model.falseLiteral().getIndex();
  }

  private void hint(int[] known) {
    Timeline line = new Timeline(problem, known);
    int[] stepOf = new int[problem.ops];
    Arrays.fill(stepOf, -1);
    boolean[][] ran = new boolean[marks.length + 1][problem.ops];
    int period = 0;
    for (int s = 0; s < known.length; s++) {
      int v = known[s];
      ran[period][v] = stepOf[v] >= 0;
      if (stepOf[v] < 0) {
        stepOf[v] = s;
        period += period < marks.length && marks[period] == v ? 1 : 0;
      }
    }
    for (int k = 0; k <= marks.length; k++) {
      for (int v = 0; v < problem.ops; v++) {
        if (again[k][v] != null) {
          model.addHint(again[k][v], ran[k][v] ? 1 : 0);
        }
      }
    }
    for (int k = 0; k < marks.length; k++) {
      boolean[] there = new boolean[problem.values];
      int step = stepOf[marks[k]];
      for (int c = 0; c < line.copies; c++) {
        there[line.value[c]] |= line.begin[c] <= step && step < line.end[c];
      }
      for (int i = 0; i < problem.values; i++) {
        if (alive[k][i] instanceof BoolVar free && !isTrue(free) && !isFalse(free)) {
          model.addHint(free, there[i] ? 1 : 0);
        }
      }
    }
  }

  /** Runs again what the solution runs, as late as its readers allow. */
  private int[] sequence(CpSatRun.Result result) {
    IntStream.Builder sequence = IntStream.builder();
    for (int k = 0; k <= marks.length; k++) {
      int from = k == 0 ? -1 : marks[k - 1];
      int to = k == marks.length ? problem.ops - 1 : marks[k];
      boolean[] open = new boolean[problem.ops];
      for (int v = 0; v <= from; v++) {
        open[v] = again[k][v] != null && result.solver().booleanValue(again[k][v]);
      }
      for (int v = from + 1; v <= to + 1; v++) {
        boolean[] now = v <= to ? before(v, open) : open;
        for (int u = 0; u <= from; u++) {
          if (open[u] && now[u]) {
            sequence.add(u);
            open[u] = false;
          }
        }
        if (v <= to) {
          sequence.add(v);
        }
      }
    }
    return sequence.build().toArray();
  }

  /**
   * The open ops that have to run before an op: its operands' makers, those that may not run after
   * it, and theirs.
   */
  private boolean[] before(int op, boolean[] open) {
    boolean[] now = new boolean[problem.ops];
    for (int v = op; v >= 0; v--) {
      now[v] |= open[v] && problem.until[v] <= op;
      if (v == op || now[v]) {
        for (int i : problem.reads[v]) {
          int maker = problem.maker[i];
          if (maker >= 0 && open[maker]) {
            now[maker] = true;
          }
        }
      }
    }
    return now;
  }
}
