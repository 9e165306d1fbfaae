package stowage.exact.reuse.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.exact.cpsat.CpSatRun;
import stowage.exact.reuse.ReuseCuts;
import stowage.exact.reuse.ReuseItems;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.ReuseCut;
import stowage.packing.RunControl;

/**
 * The least price of reuse that whole choices of paid pairs have under the cuts, by CP-SAT: what
 * the linear relaxation leaves out is that a pair is paid or not, and a buffer hidden or not. Each
 * round's bound holds; cuts that the chosen pairs violate are added for the next.
 */
final class ReuseMaster {
  private final ReuseItems part;
  private final PackingProblem problem;
  private final Map<String, ReuseCut> cuts = new LinkedHashMap<>();

  ReuseMaster(ReuseItems part, List<ReuseCut> known) {
    this.part = part;
    this.problem = part.problem();
    known.forEach(this::add);
  }

  private boolean add(ReuseCut cut) {
    // Hidden or not is a choice here, so that what is given and divided says nothing more.
    ReuseCut whole =
        cut instanceof ReuseCut.Hide hide
            ? new ReuseCut.Hide(hide.memory(), hide.buffers(), new int[0], 1)
            : cut;
    String key =
        Arrays.toString(whole.buffers()) + (whole instanceof ReuseCut.Turan turan ? turan.k() : "");
    return whole.right(problem) > 0 && cuts.putIfAbsent(key, whole) == null;
  }

  /** What a round came to. */
  record Round(long bound, boolean infeasible, boolean complete) {}

  /** One solve; then the violated cuts are added. */
  Round round(RunControl control, double seconds) {
    CpModel model = new CpModel();
    Map<Long, BoolVar> paid = new HashMap<>();
    LinearExprBuilder price = LinearExpr.newBuilder();
    for (Relations.Reuse pair : problem.relations().reuse()) {
      if (problem.isPayable(pair) && !problem.conflicts().contains(pair.first(), pair.second())) {
        BoolVar x = model.newBoolVar("");
        paid.put(ReuseCut.key(pair.first(), pair.second()), x);
        price.addTerm(x, pair.weight());
      }
    }
    for (ReuseCut cut : cuts.values()) {
      if (cut instanceof ReuseCut.Turan) {
        LinearExprBuilder sum = LinearExpr.newBuilder();
        cut.left(problem).keySet().stream()
            .filter(paid::containsKey)
            .forEach(key -> sum.add(paid.get(key)));
        model.addGreaterOrEqual(sum, cut.right(problem));
      } else {
        hide(model, paid, cut);
      }
    }
    model.minimize(price);
    CpSatRun.Result result = CpSatRun.solve(model, control, seconds);
    if (result.isInfeasible()) {
      return new Round(0, true, true);
    }
    long bound = result.bound(0);
    boolean added = false;
    if (result.hasSolution()) {
      double[][] x = new double[part.problem().size()][part.problem().size()];
      for (Relations.Reuse pair : problem.relations().reuse()) {
        BoolVar var = paid.get(ReuseCut.key(pair.first(), pair.second()));
        if (var != null && result.solver().booleanValue(var)) {
          int a = part.item(pair.first());
          int b = part.item(pair.second());
          x[a][b] = 1;
          x[b][a] = 1;
        }
      }
      for (int m = 0; m < problem.memories().size(); m++) {
        ReuseCuts finder = new ReuseCuts(part, m);
        if (!finder.isIdle()) {
          for (ReuseCut cut : finder.violated(x, 80, control::isStopped)) {
            added |= add(cut);
          }
        }
      }
    }
    return new Round(bound, false, !added);
  }

  /** Sum of sizes of what is hidden is at least the excess; hidden only by a paid pair. */
  private void hide(CpModel model, Map<Long, BoolVar> paid, ReuseCut cut) {
    Map<Integer, List<Literal>> hiding = new HashMap<>();
    Set<Integer> members = new HashSet<>();
    long unit = ReuseCut.unit(problem, cut.memory(), cut.buffers());
    for (int i : cut.buffers()) {
      members.add(i);
      hiding.put(i, new ArrayList<>());
    }
    for (int i : members) {
      for (int j : members) {
        BoolVar x = i < j ? paid.get(ReuseCut.key(i, j)) : null;
        if (x != null) {
          long one = ReuseCut.rounded(problem, i, unit);
          long other = ReuseCut.rounded(problem, j, unit);
          hiding.get(other > one ? i : j).add(x);
        }
      }
    }
    LinearExprBuilder sum = LinearExpr.newBuilder();
    long excess = cut.right(problem);
    for (int i : members) {
      List<Literal> by = hiding.get(i);
      if (!by.isEmpty()) {
        BoolVar hidden = model.newBoolVar("");
        by.add(hidden.not());
        model.addBoolOr(by);
        sum.addTerm(hidden, Math.min(ReuseCut.rounded(problem, i, unit), excess) / unit);
      }
    }
    model.addGreaterOrEqual(sum, (excess + unit - 1) / unit);
  }
}
