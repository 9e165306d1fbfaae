package stowage.exact.engine;

import java.util.SortedMap;
import java.util.TreeMap;
import stowage.exact.presolve.MemoryAssignment;
import stowage.exact.search.model.SearchStatistics;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * The canonical search and the local searches around it, over all parts and memories of a problem.
 *
 * <p>Figures of the objective are settled one after the other: the peak of the last memory first;
 * its optimum becomes that memory's capacity, and the next one is lowered. Each independent part is
 * solved by itself, the most loaded first, and only as far as it matters: a part whose peak is not
 * above the proven bound of the whole cannot lower the peak any more.
 *
 * <p>Parts whose buffers have a choice of memories are solved by walking over the assignments that
 * the loads admit ({@link MemoryAssignment}); complete, and meant for few such buffers. One object
 * serves one run.
 */
public final class SearchEngine implements Engine {
  /** How the engine names itself in plans and certificates. */
  public static final String NAME = "search";

  private final SortedMap<String, Long> statistics = new TreeMap<>();
  private long proven;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String kind() {
    return NAME;
  }

  @Override
  public String version() {
    return "stowage search";
  }

  @Override
  public String summary() {
    return "Canonical search from the bottom up with nogoods, beside descents from the best plan";
  }

  private synchronized SortedMap<String, Long> statistics() {
    return new TreeMap<>(statistics);
  }

  @Override
  public EngineReport run(
      PackingProblem problem, Incumbent incumbent, RunControl control, EngineOptions options) {
    options.hints().forEach(hint -> incumbent.offer(hint, "hint"));
    settle(problem, incumbent, control, options);
    return new EngineReport(NAME, version(), statistics(), proven, "");
  }

  private void settle(
      PackingProblem problem, Incumbent incumbent, RunControl control, EngineOptions options) {
    int memories = problem.memories().size();
    PackingProblem stage = problem;
    for (int figure = 0; figure < memories; figure++) {
      int memory = memories - 1 - figure;
      SearchStage run = new SearchStage(this, stage, memory, figure, incumbent, control, options);
      boolean settled = run.solve();
      proven = figure == 0 ? run.bound() : proven;
      if (!settled || options.firstFit()) {
        return;
      }
      stage = stage.withCapacity(memory, run.bound());
    }
  }

  /** Adds to the figures of the run. */
  synchronized void count(SearchStatistics more) {
    statistics.merge("nodes", more.nodes(), Long::sum);
    statistics.merge("nogoodHits", more.nogoodHits(), Long::sum);
    statistics.merge("restarts", more.restarts(), Long::sum);
  }

  /** The engine's word, with the figures so far. */
  Certificate word() {
    return Certificate.EngineWord.of(NAME, version(), statistics());
  }
}
