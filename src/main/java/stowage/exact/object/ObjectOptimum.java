package stowage.exact.object;

import java.util.List;
import java.util.function.BiConsumer;
import stowage.packing.ObjectProblem;
import stowage.packing.ObjectVerifier;
import stowage.packing.RunControl;

/**
 * The least total of objects: levels bound it, first fit and iterated greedy find it, and where a
 * gap stays a complete method is to close it.
 */
public final class ObjectOptimum {
  /** The kind of the bound that {@link ObjectLevels} gives. */
  public static final String LEVELS = "object-levels";

  private static final int LARGEST_CHECKED = 20_000;

  private static final double HEURISTIC_SHARE = 0.2;

  private ObjectOptimum() {}

  /**
   * Works until proven, stopped or out of time.
   *
   * @param starts assignments known beforehand, the object of each item by any number
   * @param engine works on the incumbent's problem until it is closed or the control says stop;
   *     what it finds and proves goes through the incumbent
   * @return the best assignment and bound; always with an assignment
   */
  public static ObjectIncumbent of(
      ObjectProblem problem,
      List<int[]> starts,
      BiConsumer<ObjectIncumbent, RunControl> engine,
      RunControl control) {
    ObjectIncumbent incumbent = new ObjectIncumbent(problem);
    starts.forEach(start -> incumbent.offer(start, "start"));
    ObjectLevels levels = ObjectLevels.of(problem);
    if (problem.count() > LARGEST_CHECKED
        || ObjectVerifier.provenBy(problem, levels.certificate()) == levels.value()) {
      incumbent.offerBound(levels.value(), LEVELS);
    } else {
      throw new IllegalStateException("the levels of the objects do not hold");
    }
    new ObjectHeuristic(incumbent, heuristicControl(control)).run();
    if (!incumbent.isClosed() && !control.isStopped()) {
      engine.accept(incumbent, control);
    }
    return incumbent;
  }

  private static RunControl heuristicControl(RunControl control) {
    double left = control.secondsLeft();
    return control.isDeterministic() || Double.isInfinite(left)
        ? control
        : control.within(HEURISTIC_SHARE * left);
  }
}
