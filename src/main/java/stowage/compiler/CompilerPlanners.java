package stowage.compiler;

import java.util.List;

/** All planners of real systems: the list that the command line shows. */
public final class CompilerPlanners {
  private static final List<CasePlanner> ALL =
      List.of(
          new TflmGreedy(),
          new TfliteArena(),
          new InductorTree(InductorTree.Mode.INTERMEDIATES),
          new InductorTree(InductorTree.Mode.NONE),
          new InductorTree(InductorTree.Mode.OUTPUTS),
          new InductorTree(InductorTree.Mode.COMBINED),
          new ExecutorchGreedy(true),
          new ExecutorchGreedy(false),
          new VelaGreedy(),
          new VelaHillClimb(),
          new IreeLayout());

  private CompilerPlanners() {}

  /** All of them. */
  public static List<CasePlanner> all() {
    return ALL;
  }

  /** The planner of a name, or null. */
  public static CasePlanner named(String name) {
    return ALL.stream().filter(planner -> planner.name().equals(name)).findFirst().orElse(null);
  }
}
