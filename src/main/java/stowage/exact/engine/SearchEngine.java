package stowage.exact.engine;

import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import stowage.exact.presolve.AssignmentSearch;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.MemoryAssignment;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.model.SearchListener;
import stowage.exact.search.model.SearchResult;
import stowage.packing.RunControl;

/**
 * The canonical search and the local searches around it.
 *
 * <p>Parts whose buffers have a choice of memories are solved by walking over the assignments that
 * the loads admit ({@link MemoryAssignment}); complete, and meant for few such buffers.
 *
 * <p>With limits that count work, one node of a search is one work unit.
 */
public final class SearchEngine extends StagedEngine {
  /** How the engine names itself in plans and certificates. */
  public static final String NAME = "search";

  /** Up to so many buffers with a choice of memories the walk over assignments has all the time. */
  private static final int MOST_WALKED = 20;

  /** Seconds after which a walk over more of them lets the descent go first. */
  private static final double FIRST_WALK = 0.5;

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
    return "Canonical (bottom-left justified) search with nogoods, and descents from the best plan";
  }

  @Override
  protected Session open(EngineOptions options, RunControl control) {
    return new SearchSession(options);
  }

  private static final class SearchSession extends Session {
    SearchSession(EngineOptions options) {
      super(options);
    }

    @Override
    protected void solve(ComponentTask task) {
      Searches searches = new Searches(task);
      if (task.part().memories() == 1) {
        lower(task, searches);
      } else if (task.control().isDeterministic()
          || AssignmentSearch.choices(task.part()) <= MOST_WALKED) {
        assign(task, searches);
      } else {
        assign(task, new Searches(task, Math.min(FIRST_WALK, task.control().secondsLeft() / 8)));
        if (!task.isClosed() && !searches.areOver()) {
          new AssignmentDescent(task, searches::brief).run();
          assign(task, searches);
        }
      }
    }

    private static void lower(ComponentTask task, Searches searches) {
      Component own = task.part().restrictTo(0, null);
      SearchListener listener = new Listener(task, own);
      boolean bounded = task.part().capacity(0) != Component.UNBOUNDED;
      if (task.placement() == null && (bounded || task.memory() < 0)) {
        SearchResult fit = searches.fit(own, task.ceiling(0), listener);
        if (!took(task, own, fit)) {
          return;
        }
      }
      if (task.memory() < 0 || task.isClosed() || task.isStopped()) {
        return;
      }
      ComponentTask.Hint known = task.placement();
      long[] upper = known == null ? null : own.project(known.offsets());
      SearchResult best = searches.lowest(own, task.goodEnough(), upper, listener);
      if (took(task, own, best)) {
        boolean optimal = best.status() == SearchResult.Status.OPTIMAL;
        long bound = Math.min(own.bytes(optimal ? best.peak() : best.bound()), task.knownPeak());
        // Up to the peak that is low enough the search takes the bound as given.
        if (bound > task.goodEnough()) {
          task.bound(bound);
        }
      }
    }

    /** Takes an answer; false where the part has no placement, proven or not. */
    private static boolean took(ComponentTask task, Component own, SearchResult result) {
      if (result.offsets() != null) {
        task.found(expanded(task, own, result.offsets()), null);
      } else if (result.status() == SearchResult.Status.INFEASIBLE && task.placement() == null) {
        task.impossible();
      }
      return task.placement() != null;
    }

    /** Lowers the peak of a part whose buffers have a choice, over all assignments. */
    private static void assign(ComponentTask task, Searches searches) {
      Component part = task.part();
      boolean[] unsure = new boolean[1];
      IntToLongFunction ceiling = m -> m == task.memory() ? task.upper() : part.capacity(m);
      Predicate<int[]> visitor = chosen -> visit(task, searches, chosen, unsure);
      boolean whole =
          MemoryAssignment.walk(part, task.memory(), ceiling, visitor, searches::areOver);
      if (!whole || unsure[0]) {
        return;
      }
      if (task.placement() == null) {
        task.impossible();
      } else if (task.memory() >= 0) {
        task.bound(task.knownPeak());
      }
    }

    /** Looks for the lowest peak under one assignment; answers whether to go on to the next. */
    private static boolean visit(
        ComponentTask task, Searches searches, int[] chosen, boolean[] unsure) {
      Component part = task.part();
      long[] found = new long[part.count()];
      for (int m = 0; m < part.memories(); m++) {
        Component own = part.restrictTo(m, chosen);
        if (own.count() == 0) {
          continue;
        }
        boolean target = m == task.memory();
        long ceiling = target ? task.upper() : task.ceiling(m);
        SearchResult result = searches.fit(own, ceiling, SearchListener.SILENT);
        if (target && result.offsets() != null) {
          result = searches.lowest(own, task.goodEnough(), result.offsets(), SearchListener.SILENT);
          unsure[0] |= result.status() != SearchResult.Status.OPTIMAL;
        }
        if (result.offsets() == null) {
          unsure[0] |= result.status() != SearchResult.Status.INFEASIBLE;
          return true;
        }
        own.expand(result.offsets(), found);
      }
      task.found(found, chosen);
      return !task.isClosed();
    }

    private final class Searches {
      private final ComponentTask task;
      private final RunControl control;
      private final SearchTeam portfolio;
      private long work;

      Searches(ComponentTask task) {
        this(task, Double.POSITIVE_INFINITY);
      }

      Searches(ComponentTask task, double seconds) {
        this.control = task.control().within(seconds);
        this.task = task;
        this.work = task.work();
        this.portfolio =
            new SearchTeam(control.threads(), control.seed(), control.isDeterministic());
      }

      boolean areOver() {
        return work <= 0 || control.isStopped();
      }

      private RunControl limit() {
        return work == Long.MAX_VALUE ? control : control.withWork(work);
      }

      /** A placement of one memory's share within a ceiling, as low as some time allows. */
      long[] brief(Component own, long ceiling, long enough, double seconds) {
        Searches brief = new Searches(task, seconds);
        SearchResult fit = brief.fit(own, ceiling, SearchListener.SILENT);
        if (fit.offsets() == null || enough < 0 || own.peak(fit.offsets()) <= own.maxLoad()) {
          return fit.offsets();
        }
        return brief.lowest(own, enough, fit.offsets(), SearchListener.SILENT).offsets();
      }

      SearchResult fit(Component own, long ceiling, SearchListener listener) {
        return counted(portfolio.search(own, own.unitsBelow(ceiling), listener, limit()));
      }

      SearchResult lowest(Component own, long enough, long[] upper, SearchListener listener) {
        return counted(portfolio.minimise(own, own.unitsBelow(enough), upper, listener, limit()));
      }

      private void countOne(String what, String worker) {
        if (!worker.isEmpty()) {
          count(what + worker, 1);
        }
      }

      private SearchResult counted(SearchResult result) {
        work -= work == Long.MAX_VALUE ? 0 : result.statistics().nodes();
        count("nodes", result.statistics().nodes());
        count("nogoodHits", result.statistics().nogoodHits());
        count("restarts", result.statistics().restarts());
        countOne("found by ", result.statistics().finder());
        countOne("proved by ", result.statistics().prover());
        return result;
      }
    }
  }

  /** A placement of the part of a task that has one memory. */
  private static long[] expanded(ComponentTask task, Component own, long[] offsets) {
    long[] expanded = new long[task.part().count()];
    own.expand(offsets, expanded);
    return expanded;
  }

  private record Listener(ComponentTask task, Component own) implements SearchListener {
    @Override
    public void placement(long[] offsets, long peak, String source) {
      task.found(expanded(task, own, offsets), null);
    }

    @Override
    public void bound(long bound, String source) {
      // Taken from the result, once the statistics are known.
    }

    @Override
    public long knownPeak() {
      long known = task.memory() < 0 ? Long.MAX_VALUE : task.knownPeak();
      return known == Long.MAX_VALUE ? known : (known - 1) / own.unit() + 1;
    }

    @Override
    public void began(String what) {
      task.began(what);
    }

    @Override
    public void flattened(int tries) {
      task.flattened(tries);
    }
  }
}
