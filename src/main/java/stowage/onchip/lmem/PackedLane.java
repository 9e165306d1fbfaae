package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.ComponentBuilder;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.model.SearchResult;
import stowage.onchip.layer.LaneSize;
import stowage.onchip.lmem.LmemEngine.Fit;
import stowage.packing.RunControl;

/**
 * Question to the canonical search whether the buffers of a group fit into a lane, banks left
 * aside.
 *
 * <p>A live range that goes around the end of the table becomes one from first to last step with a
 * gap. Which results take their operands' places is decided beforehand: first all that may, then
 * none, and where there are few of them every other choice. A result that takes a place is no
 * buffer of its own: the operand's stays live with all its bytes, even where the result is smaller;
 * then that nothing is found proves nothing.
 */
public final class PackedLane {
  /** Every choice is tried for at most so many results. */
  private static final int MOST_CHOICES = 3;

  /** Work units that a node of the search counts. */
  private static final long WORK_OF_A_NODE = 5;

  private static final long MOST_NODES = 200_000;

  private PackedLane() {}

  /** Decides, or says that time ran out. */
  public static Fit fit(LmemProblem problem, RunControl control) {
    int choices = problem.sharings().size();
    int all = (1 << Math.min(choices, 30)) - 1;
    List<Integer> masks = new ArrayList<>(List.of(all));
    if (choices <= MOST_CHOICES) {
      for (int mask = all - 1; mask >= 0; mask--) {
        masks.add(mask);
      }
    } else {
      masks.add(0);
    }
    boolean proven = choices <= MOST_CHOICES;
    for (int mask : masks) {
      double share = control.isDeterministic() ? 1 : 1.0 / masks.size();
      Fit fit = fit(problem, mask, control.within(Math.min(1e9, control.secondsLeft() * share)));
      if (fit.verdict() == LmemEngine.Verdict.FITS) {
        return fit;
      }
      proven &= fit.verdict() == LmemEngine.Verdict.CANNOT_FIT;
    }
    return proven ? Fit.CANNOT : Fit.UNKNOWN;
  }

  private static Fit fit(LmemProblem problem, int mask, RunControl control) {
    int unit = problem.chip().vectorBytes();
    int n = problem.size();
    int[] lender = new int[n];
    Arrays.fill(lender, LmemPlacement.OWN);
    for (int k = 0; k < problem.sharings().size() && k < 30; k++) {
      LmemProblem.Sharing sharing = problem.sharings().get(k);
      if ((mask >> k & 1) == 1 && mayJoin(problem, lender, sharing)) {
        lender[sharing.result()] = sharing.operand();
      }
    }
    int[] root = new int[n];
    Arrays.setAll(root, b -> root(lender, b));
    ComponentBuilder builder = ComponentBuilder.ofOneMemory();
    boolean exact = true;
    int[] index = new int[n];
    Arrays.fill(index, -1);
    for (int b = 0; b < n; b++) {
      if (root[b] == b && problem.buffer(b).size() > 0) {
        long[] needs = needs(problem, root, b, unit);
        index[b] = builder.add(max(needs), 0, problem.steps());
        exact &= gaps(builder, needs);
      }
    }
    long lane = problem.chip().laneBytes() / unit;
    RunControl limit =
        control.isDeterministic()
            ? control.withWork(Math.min(control.workLimit() / WORK_OF_A_NODE, MOST_NODES))
            : control;
    Component lanes = builder.build();
    SearchResult result =
        new SearchTeam(1, control.seed(), control.isDeterministic())
            .search(lanes, lanes.unitsBelow(lane), limit);
    control.did(result.statistics().nodes() * WORK_OF_A_NODE);
    if (result.offsets() == null) {
      return exact && result.status() == SearchResult.Status.INFEASIBLE ? Fit.CANNOT : Fit.UNKNOWN;
    }
    long[] offsets = new long[n];
    for (int b = 0; b < n; b++) {
      offsets[b] = index[root[b]] < 0 ? 0 : lanes.bytes(result.offsets()[index[root[b]]]) * unit;
    }
    return new Fit(LmemEngine.Verdict.FITS, new LmemPlacement(offsets, lender));
  }

  /**
   * Whether of all that would have one place none meet but a result and the operand whose place it
   * takes: around the end of the table a result of a result may meet the first operand.
   */
  private static boolean mayJoin(LmemProblem problem, int[] lender, LmemProblem.Sharing sharing) {
    for (int b = 0; b < lender.length; b++) {
      for (int a = 0; a < lender.length && root(lender, b) == sharing.result(); a++) {
        boolean pair = b == sharing.result() && a == sharing.operand();
        boolean joined = root(lender, a) == root(lender, sharing.operand());
        if (joined && !pair && problem.together(a, b)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The buffer in whose place a buffer is in the end. */
  private static int root(int[] lender, int buffer) {
    int root = buffer;
    while (lender[root] != LmemPlacement.OWN) {
      root = lender[root];
    }
    return root;
  }

  /** Vectors needed in each step by a buffer and all that take its place. */
  private static long[] needs(LmemProblem problem, int[] root, int buffer, int unit) {
    long[] needs = new long[problem.steps()];
    for (int b = 0; b < root.length; b++) {
      if (root[b] != buffer) {
        continue;
      }
      long vectors = LaneSize.ceilDiv(problem.buffer(b).size(), unit);
      for (int step = 0; step < needs.length; step++) {
        if (problem.buffer(b).isLive(step)) {
          needs[step] = Math.max(needs[step], vectors);
        }
      }
    }
    return needs;
  }

  private static long max(long[] values) {
    return Arrays.stream(values).max().orElse(0);
  }

  /** Cuts out the steps in which nothing is needed; says whether all others need the whole. */
  private static boolean gaps(ComponentBuilder builder, long[] needs) {
    long whole = max(needs);
    boolean exact = true;
    int from = 0;
    for (int step = 1; step <= needs.length; step++) {
      if (step == needs.length || needs[step] != needs[from]) {
        if (needs[from] == 0) {
          builder.gap(from, step);
        }
        exact &= needs[from] == 0 || needs[from] == whole;
        from = step;
      }
    }
    return exact;
  }
}
