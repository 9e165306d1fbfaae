package stowage.exact.engine;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import stowage.exact.bound.LowerBounds;
import stowage.exact.presolve.Normalizer;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.Verifier;

/**
 * The frame that engines share: bounds and hints first, then stage by stage and part by part, with
 * everything found going to the incumbent.
 *
 * <p>In a stage one memory's peak is lowered. The problem is normalised with the capacities known
 * by then, and each part is a task of its own. The largest of the parts' bounds is a bound of the
 * whole, and no part needs to go below it: whatever a part reaches there is enough. Time is shared
 * evenly among the open parts and what is left over is shared again.
 */
public abstract class StagedEngine implements Engine {

  /** What one run of an engine works with; made by {@link #open}. */
  public abstract static class Session implements AutoCloseable {
    private final SortedMap<String, Long> statistics = new TreeMap<>();
    private final StringBuilder log = new StringBuilder();
    private final EngineOptions options;

    /** A session under the given options. */
    protected Session(EngineOptions options) {
      this.options = options;
    }

    /**
     * Works on one part until the task is closed or stopped, or its time or work is spent.
     *
     * @throws stowage.heuristic.NotPlannableException when the engine cannot hold the part
     */
    protected abstract void solve(PartTask task);

    /** Adds to a figure of the statistics. */
    protected final void count(String name, long amount) {
      synchronized (statistics) {
        statistics.merge(name, amount, Long::sum);
      }
    }

    /** Adds lines to the log. */
    protected final void log(String lines) {
      synchronized (log) {
        log.append(lines).append(lines.endsWith("\n") ? "" : "\n");
      }
      options.log().accept(lines);
    }

    /** A copy of the statistics. */
    final SortedMap<String, Long> statistics() {
      synchronized (statistics) {
        return new TreeMap<>(statistics);
      }
    }

    /** The log so far. */
    final String log() {
      synchronized (log) {
        return log.toString();
      }
    }

    @Override
    public void close() {}
  }

  /** Makes what a run needs: settings read, libraries loaded. */
  protected abstract Session open(EngineOptions options, RunControl control);

  @Override
  public final EngineReport run(
      PackingProblem problem, Incumbent incumbent, RunControl control, EngineOptions options) {
    var bounds = LowerBounds.of(problem);
    bounds.forEach(bound -> incumbent.offer(bound, "bounds"));
    LowerBounds.infeasibility(problem, bounds)
        .ifPresent(why -> incumbent.provenInfeasible(why, "bounds"));
    for (Placement hint : options.hints()) {
      if (Verifier.isValid(problem, hint)) {
        incumbent.offer(hint, name() + " (hint)");
      }
    }
    try (Session session = open(options, control)) {
      if (!ended(incumbent, options)) {
        stages(problem, incumbent, control, options, session);
      }
      SortedMap<String, Long> statistics = session.statistics();
      long bound = incumbent.bestBound();
      statistics.put("bound", bound);
      return new EngineReport(name(), version(), statistics, bound, session.log());
    }
  }

  private static boolean ended(Incumbent incumbent, EngineOptions options) {
    return incumbent.isClosed() || (options.firstFit() && incumbent.placement() != null);
  }

  private void stages(
      PackingProblem problem,
      Incumbent incumbent,
      RunControl control,
      EngineOptions options,
      Session session) {
    int memories = problem.memories().size();
    if (options.firstFit()) {
      new Stage(this, session, problem, incumbent, control, -1, options).run(1);
      return;
    }
    PackingProblem limited = problem;
    boolean apart = Normalizer.normalize(problem).memoriesAreApart();
    for (int memory = memories - 1; memory >= 0 && !control.isStopped(); memory--) {
      Stage stage = new Stage(this, session, limited, incumbent, control, memory, options);
      stage.run(memory + 1);
      if (incumbent.infeasibility() != null) {
        return;
      }
      if (stage.isClosed()) {
        limited = limited.withCapacity(memory, stage.peak());
      } else if (!apart) {
        return;
      }
    }
  }

  /** The engine's word, with its statistics so far. */
  final Certificate word(Session session) {
    Map<String, Long> figures = session.statistics();
    return Certificate.EngineWord.of(kind(), version(), figures);
  }

  /** Offers a bound of a figure under the engine's word. */
  final void offerBound(Incumbent incumbent, Session session, int figure, long bytes) {
    incumbent.offer(new Bound(figure, bytes, word(session)), name());
  }
}
