package stowage.exact.engine;

import java.util.function.IntToLongFunction;
import java.util.function.Predicate;
import stowage.exact.presolve.AssignmentSearch;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.MemoryAssignment;
import stowage.exact.search.SearchTeam;
import stowage.exact.search.model.ComponentIncumbent;
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
    protected void solve(ComponentIncumbent incumbent, long work) {
      Component part = incumbent.part();
      RunControl control = incumbent.control();
      Searches searches = new Searches(control, work);
      if (part.memories() == 1 && incumbent.memory() >= 0) {
        lower(incumbent, searches);
      } else if (control.isDeterministic() || AssignmentSearch.choices(part) <= MOST_WALKED) {
        assign(incumbent, searches);
      } else {
        double first = Math.min(FIRST_WALK, control.secondsLeft() / 8);
        assign(incumbent, new Searches(control.within(first), work));
        if (!incumbent.isClosed() && !searches.areOver()) {
          new AssignmentDescent(incumbent, searches::brief).run();
          assign(incumbent, searches);
        }
      }
    }

    /** Lowers the peak of a part with one memory. */
    private static void lower(ComponentIncumbent incumbent, Searches searches) {
      long enough = incumbent.target();
      if (incumbent.placement() == null && incumbent.part().capacity(0) != Component.UNBOUNDED) {
        SearchResult fit = searches.fit(incumbent, incumbent.ceiling(0));
        if (!isPlaced(incumbent, fit)) {
          return;
        }
      }
      if (!incumbent.isStopped() && isPlaced(incumbent, searches.lowest(incumbent, enough))) {
        incumbent.prove(incumbent.bound()); // now that the statistics are known
      }
    }

    /** Whether the part has a placement; tells where it is proven that it has none. */
    private static boolean isPlaced(ComponentIncumbent incumbent, SearchResult result) {
      boolean placed = incumbent.placement() != null;
      if (!placed && result.status() == SearchResult.Status.INFEASIBLE) {
        incumbent.prove(Long.MAX_VALUE);
      }
      return placed;
    }

    /** Lowers the peak of a part whose buffers have a choice, over all assignments. */
    private static void assign(ComponentIncumbent incumbent, Searches searches) {
      Component part = incumbent.part();
      boolean[] unsure = new boolean[1];
      IntToLongFunction ceiling =
          m -> m == incumbent.memory() ? incumbent.upper() : part.capacity(m);
      Predicate<int[]> visitor = chosen -> visit(incumbent, searches, chosen, unsure);
      boolean whole =
          MemoryAssignment.walk(part, incumbent.memory(), ceiling, visitor, searches::areOver);
      if (!whole || unsure[0]) {
        return;
      }
      if (incumbent.placement() == null) {
        incumbent.prove(Long.MAX_VALUE);
      } else if (incumbent.memory() >= 0) {
        incumbent.prove(incumbent.peak());
      }
    }

    /** Looks for the lowest peak under one assignment; answers whether to go on to the next. */
    private static boolean visit(
        ComponentIncumbent incumbent, Searches searches, int[] chosen, boolean[] unsure) {
      Component part = incumbent.part();
      long[] found = new long[part.count()];
      searches.spend(part.count()); // many an assignment is refused before a search begins
      for (int m = 0; m < part.memories(); m++) {
        Component own = part.restrictTo(m, chosen);
        if (own.count() == 0) {
          continue;
        }
        ComponentIncumbent share = new ComponentIncumbent(own);
        boolean target = m == incumbent.memory();
        long ceiling = target ? incumbent.upper() : incumbent.ceiling(m);
        SearchResult result = searches.fit(share, own.unitsBelow(ceiling));
        if (target && result.offsets() != null) {
          result = searches.lowest(share, own.unitsBelow(incumbent.target()));
          unsure[0] |= result.status() != SearchResult.Status.OPTIMAL;
        }
        if (result.offsets() == null) {
          unsure[0] |= result.status() != SearchResult.Status.INFEASIBLE;
          return true;
        }
        own.expand(result.offsets(), found);
      }
      incumbent.offer(found, chosen, "");
      return !incumbent.isClosed();
    }

    private final class Searches {
      private final RunControl control;
      private final SearchTeam team;
      private long work;

      Searches(RunControl control, long work) {
        this.control = control;
        this.work = work;
        this.team = new SearchTeam(control.threads(), control.seed(), control.isDeterministic());
      }

      boolean areOver() {
        return work <= 0 || control.isStopped();
      }

      private RunControl limit() {
        return work == Long.MAX_VALUE ? control : control.withWork(work);
      }

      /** A placement of one memory's share within a ceiling, as low as some time allows. */
      long[] brief(Component own, long ceiling, long enough, double seconds) {
        Searches brief = new Searches(control.within(seconds), work);
        ComponentIncumbent share = new ComponentIncumbent(own);
        long[] fit = brief.fit(share, own.unitsBelow(ceiling)).offsets();
        return fit == null || enough < 0 || own.peak(fit) <= own.maxLoad()
            ? fit
            : brief.lowest(share, own.unitsBelow(enough)).offsets();
      }

      SearchResult fit(ComponentIncumbent incumbent, long capacity) {
        return counted(team.search(incumbent, capacity, limit()));
      }

      SearchResult lowest(ComponentIncumbent incumbent, long enough) {
        return counted(team.minimise(incumbent, enough, limit()));
      }

      void spend(long units) {
        work -= work == Long.MAX_VALUE ? 0 : units;
      }

      private void countOne(String what, String worker) {
        if (!worker.isEmpty()) {
          count(what + worker, 1);
        }
      }

      private SearchResult counted(SearchResult result) {
        spend(result.statistics().nodes());
        count("nodes", result.statistics().nodes());
        count("nogoodHits", result.statistics().nogoodHits());
        count("restarts", result.statistics().restarts());
        countOne("found by ", result.statistics().finder());
        countOne("proved by ", result.statistics().prover());
        return result;
      }
    }
  }
}
