package stowage.residency;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyProblem;

/**
 * An irreducible set of buffers that have no plan together: groups of buffers are taken out, half
 * as many at a time, while CP-SAT proves that the rest still has none. Where a proof takes too long
 * the buffers in question stay, so the set has no plan in any case.
 */
public final class MisfitSet {
  private static final double PROOF_SECONDS = 2;

  private final ResidencyProblem problem;
  private final RunControl control;

  private MisfitSet(ResidencyProblem problem, RunControl control) {
    this.problem = problem;
    this.control = control;
  }

  /** Reduces a problem that is proven to have no plan. */
  public static ResidencyProblem.Misfit of(ResidencyProblem problem, RunControl control) {
    List<HeldBuffer> left = new MisfitSet(problem, control).reduced();
    return new ResidencyProblem.Misfit(
        null, null, left.stream().map(item -> item.id() + " (" + item.bytes() + ")").toList());
  }

  private List<HeldBuffer> reduced() {
    List<HeldBuffer> left = new ArrayList<>(problem.items());
    for (int group = Math.max(1, left.size() / 2); ; group = group / 2) {
      for (int from = 0; from < left.size() && !control.isStopped(); ) {
        List<HeldBuffer> fewer = new ArrayList<>(left);
        fewer.subList(from, Math.min(left.size(), from + group)).clear();
        if (isImpossible(fewer)) {
          left = fewer;
        } else {
          from += group;
        }
      }
      if (group == 1) {
        return left;
      }
    }
  }

  private boolean isImpossible(List<HeldBuffer> items) {
    ResidencyProblem fewer =
        new ResidencyProblem(problem.map(), problem.ops(), items, problem.byTime());
    if (fewer.misfit() != null) {
      return true;
    }
    long capacity = problem.map().fast().capacity();
    double seconds = Math.min(PROOF_SECONDS, control.secondsLeft());
    return ResidencyModel.solve(new AccessTable(fewer), capacity, null, control, seconds)
        .infeasible();
  }
}
