package stowage.residency;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.packing.RunControl;
import stowage.residency.cpsat.ResidencyModel;
import stowage.residency.memory.AccessTable;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyProblem;

/**
 * A set of buffers that have no plan together: groups of buffers are taken out, half as many at a
 * time, while CP-SAT proves that the rest still has none. Where a proof takes too long the buffers
 * in question stay, so the set has no plan in any case, but is not said to be irreducible.
 */
public final class MisfitSet {
  private static final double PROOF_SECONDS = 2;

  private MisfitSet() {}

  /** Reduces a problem that is proven to have no plan. */
  public static ResidencyProblem.Misfit of(ResidencyProblem problem, RunControl control) {
    List<HeldBuffer> items = problem.items();
    int[] all = IntStream.range(0, items.size()).toArray();
    boolean[] open = {false};
    int[] left =
        IndexOrder.shrunk(
            all, few -> isImpossible(problem, few, control, open), control::isStopped);
    return new ResidencyProblem.Misfit(
        null,
        null,
        Arrays.stream(left).mapToObj(items::get).map(HeldBuffer::label).toList(),
        !open[0] && !control.isStopped());
  }

  private static boolean isImpossible(
      ResidencyProblem problem, int[] few, RunControl control, boolean[] open) {
    List<HeldBuffer> items = Arrays.stream(few).mapToObj(problem.items()::get).toList();
    ResidencyProblem fewer =
        new ResidencyProblem(problem.map(), problem.ops(), items, problem.byTime());
    if (fewer.misfit() != null) {
      return true;
    }
    long capacity = problem.map().fast().capacity();
    double seconds = Math.min(PROOF_SECONDS, control.secondsLeft());
    ResidencyModel.Answer answer =
        ResidencyModel.solve(new AccessTable(fewer), capacity, null, control, seconds);
    open[0] |= !answer.infeasible() && answer.choice() == null;
    return answer.infeasible();
  }
}
