package stowage.residency.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.cpsat.NativeLibraries;
import stowage.packing.RunControl;
import stowage.residency.memory.Item;
import stowage.residency.memory.ResidencyProblem;

/**
 * CP-SAT on a {@link ResidencyProblem} by volume: for each event a Boolean f (in the fast memory),
 * for each gap k (kept, which implies f at both ends), for each event with data that may have to go
 * back a Boolean w.
 *
 * <p>A fetch at event e happens where f(e) and not k(e - 1), and k(e - 1) implies f(e), so its
 * price is that of f(e) - k(e - 1). The home is stale after e where e wrote in the fast memory, or
 * where it was stale before and the buffer was kept; then w(e) holds unless k(e). At each step the
 * sizes of what is in use fit into the capacity. Addresses are left out, so the optimum bounds
 * every plan.
 */
public final class ResidencyModel {
  /**
   * What was found.
   *
   * @param fast whether each item is in the fast memory at each event; null where nothing was found
   * @param kept whether each item is kept after each event
   * @param bound a proven lower bound of the price
   */
  public record Answer(boolean[][] fast, boolean[][] kept, long bound) {}

  private final ResidencyProblem problem;
  private final CpModel model = new CpModel();
  private final BoolVar[][] fast;
  private final BoolVar[][] kept;
  private final LinearExprBuilder price = LinearExpr.newBuilder();
  private final LinearExprBuilder[] loads;
  private final long[] most;

  private ResidencyModel(ResidencyProblem problem, long capacity) {
    this.problem = problem;
    int count = problem.items().size();
    fast = new BoolVar[count][];
    kept = new BoolVar[count][];
    loads = new LinearExprBuilder[problem.steps()];
    most = new long[problem.steps()];
    for (int i = 0; i < count; i++) {
      add(i, problem.items().get(i), capacity);
    }
    for (int t = 0; t < loads.length; t++) {
      if (most[t] > capacity) {
        model.addLessOrEqual(loads[t].build(), capacity);
      }
    }
    model.minimize(price.build());
  }

  private void add(int i, Item item, long capacity) {
    int events = item.events().size();
    fast[i] = new BoolVar[events];
    kept[i] = new BoolVar[events];
    for (int e = 0; e < events; e++) {
      fast[i][e] = model.newBoolVar("");
      if (problem.mustBeFast(item)) {
        model.addEquality(fast[i][e], 1);
      } else if (item.bytes() > capacity) {
        model.addEquality(fast[i][e], 0);
      }
      int step = item.events().get(e).step();
      occupy(step, fast[i][e], item.bytes());
      price.addTerm(fast[i][e], -problem.slowPrice(item, e)).add(problem.slowPrice(item, e));
      if (e + 1 < events) {
        kept[i][e] = model.newBoolVar("");
        model.addImplication(kept[i][e], fast[i][e]);
        for (int t = step + 1; t < item.events().get(e + 1).step(); t++) {
          occupy(t, kept[i][e], item.bytes());
        }
      }
    }
    for (int e = 0; e + 1 < events; e++) {
      model.addImplication(kept[i][e], fast[i][e + 1]);
      if (item.home() < 0) {
        model.addEquality(kept[i][e], 1);
      }
    }
    long move = problem.movePrice(item);
    BoolVar stale = null;
    for (int e = 0; e < events; e++) {
      if (e > 0 || item.given() && item.home() >= 0) {
        price.addTerm(fast[i][e], move);
      }
      if (e > 0) {
        price.addTerm(kept[i][e - 1], -move);
      }
      stale = stale(i, e, stale);
      boolean last = e + 1 == events;
      if (stale != null && (!last || item.wanted()) && item.home() >= 0) {
        BoolVar back = model.newBoolVar("");
        if (last) {
          model.addImplication(stale, back);
        } else {
          model.addBoolOr(new Literal[] {stale.not(), kept[i][e], back});
        }
        price.addTerm(back, move);
      }
    }
  }

  /** Whether the home is stale after an event; null where it cannot be. */
  private BoolVar stale(int i, int e, BoolVar before) {
    Item item = problem.items().get(i);
    boolean writes = item.events().get(e).writtenBytes() > 0;
    if (!writes && before == null) {
      return null;
    }
    BoolVar stale = model.newBoolVar("");
    if (writes) {
      model.addImplication(fast[i][e], stale);
    }
    if (before != null) {
      model.addBoolOr(new Literal[] {before.not(), kept[i][e - 1].not(), stale});
    }
    return stale;
  }

  private void occupy(int step, BoolVar there, long bytes) {
    loads[step] = loads[step] == null ? LinearExpr.newBuilder() : loads[step];
    loads[step].addTerm(there, bytes);
    most[step] += bytes;
  }

  /**
   * Solves.
   *
   * @param capacity of the fast memory, at most the map's
   * @param known a choice to begin with, or null: fast and kept
   */
  public static Answer solve(
      ResidencyProblem problem,
      long capacity,
      boolean[][][] known,
      RunControl control,
      double seconds) {
    NativeLibraries.load();
    ResidencyModel made = new ResidencyModel(problem, capacity);
    if (known != null) {
      for (int i = 0; i < made.fast.length; i++) {
        for (int e = 0; e < made.fast[i].length; e++) {
          made.model.addHint(made.fast[i][e], known[0][i][e] ? 1 : 0);
          if (made.kept[i][e] != null) {
            made.model.addHint(made.kept[i][e], known[1][i][e] ? 1 : 0);
          }
        }
      }
    }
    CpSatRun.Result result = CpSatRun.solve(made.model, control, seconds);
    if (!result.hasSolution()) {
      return new Answer(null, null, result.bound(0));
    }
    boolean[][] fast = problem.none();
    boolean[][] kept = problem.none();
    for (int i = 0; i < fast.length; i++) {
      for (int e = 0; e < fast[i].length; e++) {
        fast[i][e] = result.solver().booleanValue(made.fast[i][e]);
        kept[i][e] = made.kept[i][e] != null && result.solver().booleanValue(made.kept[i][e]);
      }
    }
    return new Answer(fast, kept, result.bound(0));
  }
}
