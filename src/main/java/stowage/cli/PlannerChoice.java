package stowage.cli;

import java.util.ArrayList;
import java.util.List;
import stowage.compiler.CasePlanner;
import stowage.compiler.CompilerPlanners;
import stowage.exact.Engine;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.Planner;

/**
 * The planners that were named on the command line, by what they are.
 *
 * @param heuristics planners that need only the buffers
 * @param compilers planners of real systems
 * @param engines complete methods
 */
record PlannerChoice(List<Planner> heuristics, List<CasePlanner> compilers, List<Engine> engines) {

  /**
   * Finds planners by name.
   *
   * @throws UsageException for an unknown name, with those that are near it
   */
  static PlannerChoice of(List<String> names) {
    PlannerChoice choice =
        new PlannerChoice(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    names.forEach(choice::add);
    return choice;
  }

  private void add(String name) {
    Planner heuristic = HeuristicPlanners.named(name);
    if (heuristic != null) {
      heuristics.add(heuristic);
      return;
    }
    CasePlanner compiler = CompilerPlanners.named(name);
    if (compiler != null) {
      compilers.add(compiler);
      return;
    }
    Engine engine = Engines.named(name);
    if (engine == null) {
      throw new UsageException(
          "--planner " + name + " is none of ours" + maybeMeant(name) + "; see: stowage planners");
    }
    engines.add(engine);
  }

  private static String maybeMeant(String wanted) {
    String letters = wanted.replaceAll("[^a-z0-9]", "");
    List<String> near = new ArrayList<>();
    for (String known : allNames()) {
      String plain = known.replaceAll("[^a-z0-9]", "");
      if (!letters.isEmpty() && (plain.contains(letters) || letters.contains(plain))) {
        near.add(known);
      }
    }
    return near.isEmpty() ? "" : "; maybe you meant " + String.join(" or ", near);
  }

  private static List<String> allNames() {
    return known().stream().map(Known::name).toList();
  }

  /** A planner as a user sees it. */
  record Known(String name, Planner.Kind kind, String summary) {}

  /** Every planner: heuristics, those of real systems, then the exact engines. */
  static List<Known> known() {
    List<Known> all = new ArrayList<>();
    for (Planner planner : HeuristicPlanners.all()) {
      all.add(new Known(planner.name(), planner.kind(), planner.summary()));
    }
    for (CasePlanner planner : CompilerPlanners.all()) {
      all.add(new Known(planner.name(), planner.kind(), planner.summary()));
    }
    for (Engine engine : Engines.all()) {
      all.add(new Known(engine.name(), Planner.Kind.EXACT, engine.version()));
    }
    return all;
  }
}
