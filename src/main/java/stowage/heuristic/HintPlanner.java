package stowage.heuristic;

import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Planner that puts every buffer with a hint where its hint says, if it is free there, and then the
 * others into the lowest gap, the largest first; a buffer whose hint is taken is one of the others.
 *
 * <p>A plan that was made before, given as hints, comes back unchanged where it still holds, and
 * changes only where the problem did. Without hints this is the first-fit greedy by size. O(n log
 * n) for the order; see {@link GapPlacer} for the rest.
 */
public final class HintPlanner implements Planner {
  @Override
  public String name() {
    return "hints";
  }

  @Override
  public String summary() {
    return "Hints first, in the file's order, then the largest buffer into the lowest gap";
  }

  /** Whether some buffer of a problem has a hint. O(n). */
  public static boolean hasHints(PackingProblem problem) {
    return problem.buffers().stream().anyMatch(buffer -> buffer.hint() != Buffer.NONE);
  }

  @Override
  public Placement plan(PackingProblem problem, RunControl control) {
    GapPlacer placer = new GapPlacer(problem);
    for (int i = 0; i < problem.size(); i++) {
      NotPlannableException.throwIfStopped(control, i, problem.size());
      if (problem.buffer(i).hint() != Buffer.NONE) {
        placer.placeAt(i, problem.buffer(i).hint());
      }
    }
    return placer.placeAll(GreedyPlanner.Order.SIZE.of(problem), Fit.FIRST, control);
  }
}
