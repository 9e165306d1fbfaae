package stowage.exact.search;

import java.util.Map;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.Presolver;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.exact.search.model.SearchResult;
import stowage.generator.Generators;
import stowage.packing.RunControl;

/** Searches of whole components without hints, and generated components. */
public final class Searches {
  private Searches() {}

  /** The search for the least peak. */
  public static SearchResult least(SearchTeam team, Component problem, RunControl control) {
    return team.minimise(new ComponentIncumbent(problem), 0, control);
  }

  /** The search for any placement within a capacity. */
  public static SearchResult within(
      SearchTeam team, Component problem, long capacity, RunControl control) {
    return team.search(problem, capacity, control);
  }

  /** The first component of a generated problem. */
  public static Component generated(String generator, Map<String, Object> values) {
    return Presolver.presolve(Generators.generate(generator, values))
        .components()
        .get(0)
        .restrictTo(0, null);
  }
}
