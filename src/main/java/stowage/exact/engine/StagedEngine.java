package stowage.exact.engine;

import java.util.SortedMap;
import java.util.TreeMap;
import stowage.exact.bound.LowerBounds;
import stowage.exact.presolve.PresolvedProblem;
import stowage.exact.presolve.Presolver;
import stowage.exact.search.model.ComponentIncumbent;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.SolverClaim;
import stowage.packing.Threads;
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

    protected Session(EngineOptions options) {
      this.options = options;
    }

    /**
     * Works on a part until closed, stopped or spent; not plannable where it cannot be held.
     *
     * @param work units at most; {@link Long#MAX_VALUE} when only time limits it
     */
    protected abstract void solve(ComponentIncumbent incumbent, long work);

    /** Adds to a figure of the statistics. */
    protected final void count(String name, long amount) {
      synchronized (statistics) {
        statistics.merge(name, amount, Long::sum);
      }
    }

    protected final void log(String lines) {
      synchronized (log) {
        log.append(lines).append(lines.endsWith("\n") ? "" : "\n");
      }
      options.log().accept(lines);
    }

    final SortedMap<String, Long> statistics() {
      synchronized (statistics) {
        return new TreeMap<>(statistics);
      }
    }

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
  public final EngineReport run(SolveContext context) {
    Incumbent incumbent = context.incumbent();
    double begin = incumbent.seconds();
    context.offerBounds();
    for (Placement hint : context.options().hints()) {
      if (Verifier.isValid(context.problem(), hint)) {
        incumbent.offer(hint, name() + " (hint)");
      }
    }
    long[] bound = {incumbent.bestBound()};
    RunControl control = context.control().within(Double.POSITIVE_INFINITY);
    // Ends a run that others have made needless; runs that count work end by themselves.
    Incumbent.Listener ending =
        event -> {
          if (!control.isDeterministic() && ended(incumbent, context.options())) {
            control.stop();
          }
        };
    incumbent.addListener(ending);
    try (Session session = open(context.options(), control)) {
      if (!ended(incumbent, context.options())) {
        // A thread of its own, so that the one that waits can be interrupted.
        Threads.run(
            name(), 1, 1, k -> bound[0] = stages(context.within(control), session), control::stop);
      }
      double seconds = incumbent.seconds() - begin;
      return new EngineReport(
          name(), seconds, version(), session.statistics(), bound[0], session.log());
    } finally {
      incumbent.removeListener(ending);
    }
  }

  private static boolean ended(Incumbent incumbent, EngineOptions options) {
    return incumbent.isClosed() || (options.firstFit() && incumbent.placement() != null);
  }

  /** Works on one figure after the other; answers with the bound of the first, in bytes. */
  private long stages(SolveContext context, Session session) {
    RunControl control = context.control();
    Incumbent incumbent = context.incumbent();
    PresolvedProblem presolved = context.presolved();
    if (context.options().firstFit()) {
      new MemoryStage(this, session, context, presolved, 0, -1).run(1);
      return incumbent.bestBound();
    }
    long first = incumbent.bestBound();
    boolean apart = presolved.memoriesAreApart();
    int memories = context.problem().memories().size();
    for (int memory = memories - 1; memory >= 0 && !control.isStopped(); memory--) {
      int figure = memories - 1 - memory;
      // The best bound of the figure under the capacities that earlier figures have set.
      Bound known = apart || figure == 0 ? null : LowerBounds.best(presolved.problem())[figure];
      long derived = known == null ? 0 : known.value();
      MemoryStage stage = new MemoryStage(this, session, context, presolved, derived, memory);
      stage.run(memory + 1);
      if (figure == 0) {
        first = Math.max(first, stage.boundBytes());
      }
      if (incumbent.infeasibility() != null || (!stage.isClosed() && !apart)) {
        break;
      }
      if (stage.isClosed() && memory > 0) {
        presolved = Presolver.presolve(presolved.problem().withCapacity(memory, stage.peak()));
      }
    }
    return first;
  }

  final Certificate claim(Session session) {
    return SolverClaim.of(kind(), version(), session.statistics());
  }

  final void offerBound(Incumbent incumbent, Session session, int figure, long bytes) {
    incumbent.offer(new Bound(figure, bytes, claim(session)), name());
  }
}
