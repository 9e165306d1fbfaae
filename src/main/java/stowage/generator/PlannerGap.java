package stowage.generator;

import stowage.heuristic.Planner;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * How far a planner ends above the max load, as a share of it. It never counts as reached, so that
 * the search continues for the worst; it is as reproducible as the planner is.
 */
final class PlannerGap implements Difficulty {
  private static final long WORK = 20_000;

  private final Planner planner;

  PlannerGap(Planner planner) {
    this.planner = planner;
  }

  @Override
  public double of(PackingProblem problem) {
    long load = LoadProfile.of(problem).maxLoad();
    if (load == 0) {
      return 0;
    }
    long peak = planner.planAny(problem, RunControl.ofWork(WORK, 1, 1)).peak(problem, 0);
    // Below 1 whatever the planner does: 1 - load / peak grows with the gap (peak - load) / load.
    return 1 - (double) load / peak;
  }
}
