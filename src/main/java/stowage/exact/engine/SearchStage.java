package stowage.exact.engine;

import java.util.ArrayList;
import java.util.List;
import stowage.exact.presolve.MemoryAssignment;
import stowage.exact.presolve.NormalPart;
import stowage.exact.presolve.NormalProblem;
import stowage.exact.presolve.Normalizer;
import stowage.exact.presolve.PartLoads;
import stowage.exact.presolve.PartRectangles;
import stowage.exact.search.SearchPortfolio;
import stowage.exact.search.model.SearchControl;
import stowage.exact.search.model.SearchListener;
import stowage.exact.search.model.SearchOptions;
import stowage.exact.search.model.SearchResult;
import stowage.exact.search.tree.DisjunctiveSearch;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * One figure of the objective, settled by {@link SearchEngine}: part by part, as far as it matters.
 */
final class SearchStage {
  private static final double FIRST_PASS = 0.25;
  private static final double FIRST_PASS_SECONDS = 2;

  private final SearchEngine engine;
  private final NormalProblem normal;
  private final int memory;
  private final int figure;
  private final Incumbent incumbent;
  private final RunControl control;
  private final EngineOptions options;
  private final List<long[]> offsets = new ArrayList<>();
  private final List<int[]> places = new ArrayList<>();
  private final boolean[] proven;

  private long bound;

  SearchStage(
      SearchEngine engine,
      PackingProblem problem,
      int memory,
      int figure,
      Incumbent incumbent,
      RunControl control,
      EngineOptions options) {
    this.engine = engine;
    this.normal = Normalizer.normalize(problem);
    this.memory = memory;
    this.figure = figure;
    this.incumbent = incumbent;
    this.control = control;
    this.options = options;
    this.proven = new boolean[normal.parts().size()];
    Bound known = incumbent.bound(figure);
    this.bound = Math.max(normal.settledPeak(memory), known == null ? 0 : known.value());
  }

  /** Proven lower bound of the figure, in bytes. */
  long bound() {
    return bound;
  }

  /** Works on the figure; answers whether it was settled. */
  boolean solve() {
    if (normal.obstacle() >= 0 || normal.isOverfull()) {
      incumbent.provenInfeasible(engine.word(), SearchEngine.NAME);
      return false;
    }
    Placement known = incumbent.placement();
    List<Integer> order = new ArrayList<>();
    for (int p = 0; p < normal.parts().size(); p++) {
      NormalPart part = normal.parts().get(p);
      offsets.add(known == null ? null : start(part, known));
      places.add(known == null || part.memories() == 1 ? null : part.projectMemories(known));
      order.add(p);
    }
    order.sort((a, b) -> Long.compare(load(b), load(a)));
    // Moving what fills the bottom down to it can lower the known placement by itself.
    offer();
    double slice =
        order.size() < 2 || control.isDeterministic()
            ? Double.POSITIVE_INFINITY
            : Math.max(FIRST_PASS_SECONDS, control.secondsLeft() * FIRST_PASS / order.size());
    for (int p : order) {
      if (!pass(p, control.within(slice))) {
        return false;
      }
    }
    for (int p : order) {
      if (!pass(p, control)) {
        return false;
      }
    }
    return settled();
  }

  private boolean settled() {
    for (int p = 0; p < proven.length; p++) {
      if (offsets.get(p) == null || (!proven[p] && peakOf(p) > bound)) {
        return false;
      }
    }
    incumbent.offer(new Bound(figure, bound, engine.word()), SearchEngine.NAME);
    return true;
  }

  /** Works on one part unless nothing is left to do there; false ends the stage. */
  private boolean pass(int p, RunControl limit) {
    if (control.isStopped() || incumbent.isClosed()) {
      return false;
    }
    if (offsets.get(p) != null && (options.firstFit() || proven[p] || peakOf(p) <= bound)) {
      return true;
    }
    NormalPart part = normal.parts().get(p);
    return part.memories() == 1 ? lower(p, part, limit) : assign(p, part, limit);
  }

  private boolean lower(int p, NormalPart part, RunControl limit) {
    PartRectangles rectangles = PartRectangles.of(part, 0, null);
    boolean target = part.memory(0) == memory;
    long[] upper = offsets.get(p) == null ? null : rectangles.select(offsets.get(p));
    try (SearchWatch watch = watch(p, limit)) {
      SearchListener listener =
          target || upper == null ? listener(p, rectangles, limit) : SearchListener.SILENT;
      SearchPortfolio portfolio = portfolio(limit);
      if (upper == null && part.capacity(0) != NormalPart.UNBOUNDED) {
        SearchResult fit = fit(portfolio, rectangles, part.capacity(0), listener, watch.search());
        if (!took(p, rectangles, fit)) {
          return false;
        }
        upper = fit.offsets();
      }
      if (options.firstFit() || (!target && upper != null)) {
        return true;
      }
      long goal = Math.max(0, part.unitsBelow(bound));
      SearchResult best = lowest(portfolio, rectangles, goal, upper, listener, watch.search());
      if (!took(p, rectangles, best)) {
        return false;
      }
      if (target) {
        proven[p] = best.status() == SearchResult.Status.OPTIMAL;
        raise(part, proven[p] ? Math.min(best.peak(), watch.search().knownPeak()) : best.bound());
      }
    }
    return true;
  }

  /** Takes an answer; false when it ends the stage. */
  private boolean took(int p, PartRectangles rectangles, SearchResult fit) {
    engine.count(fit.statistics());
    if (fit.status() == SearchResult.Status.INFEASIBLE && offsets.get(p) == null) {
      incumbent.provenInfeasible(engine.word(), SearchEngine.NAME);
      return false;
    }
    if (fit.offsets() == null) {
      return false;
    }
    improve(p, rectangles, fit.offsets());
    return true;
  }

  private void raise(NormalPart part, long units) {
    long bytes = part.bytes(units);
    if (bytes > bound) {
      bound = bytes;
      incumbent.offer(new Bound(figure, bound, engine.word()), SearchEngine.NAME);
    }
  }

  private SearchListener listener(int p, PartRectangles rectangles, RunControl limit) {
    return new SearchListener() {
      @Override
      public void placement(long[] found, long peak, String source) {
        improve(p, rectangles, found);
      }

      @Override
      public void bound(long raised, String source) {
        // Taken from the result, once the statistics are known.
      }

      @Override
      public void began(String what) {
        incumbent.began(what, SearchEngine.NAME);
      }

      @Override
      public void flattened(int tries) {
        if (normal.parts().size() == 1) {
          limit.flattened(tries);
        }
      }
    };
  }

  private synchronized void improve(int p, PartRectangles rectangles, long[] found) {
    long[] part = new long[normal.parts().get(p).count()];
    rectangles.write(found, part);
    if (offsets.get(p) == null || peak(p, part, places.get(p)) < peakOf(p)) {
      offsets.set(p, part);
      offer();
    }
  }

  private void offer() {
    if (!offsets.contains(null)) {
      incumbent.offer(normal.expand(offsets, places), SearchEngine.NAME);
    }
  }

  private boolean assign(int p, NormalPart part, RunControl limit) {
    int target = part.indexOfMemory(memory);
    long goal = Math.max(0, part.unitsBelow(bound));
    try (SearchWatch watch = watch(p, limit)) {
      boolean[] unsure = new boolean[1];
      boolean whole =
          MemoryAssignment.walk(
              part,
              m -> m == target ? Math.min(part.capacity(m), best(p, target) - 1) : part.capacity(m),
              chosen -> visit(p, part, chosen, target, goal, watch, unsure),
              () -> watch.search().ended());
      boolean reached = best(p, target) <= goal || target < 0 || options.firstFit();
      if (offsets.get(p) == null) {
        if (whole && !unsure[0]) {
          incumbent.provenInfeasible(engine.word(), SearchEngine.NAME);
        }
        return false;
      }
      if (target >= 0 && whole && !unsure[0]) {
        proven[p] = true;
        raise(part, best(p, target));
      }
      return proven[p] || reached || !limit.isStopped() || !control.isStopped();
    }
  }

  private long best(int p, int target) {
    if (offsets.get(p) == null) {
      return Long.MAX_VALUE;
    }
    // Where the figure's memory is none of the part's, any placement will do.
    return target < 0 ? 0 : normal.parts().get(p).peak(target, offsets.get(p), places.get(p));
  }

  private boolean visit(
      int p,
      NormalPart part,
      int[] chosen,
      int target,
      long goal,
      SearchWatch watch,
      boolean[] unsure) {
    if (watch.search().ended()) {
      unsure[0] = true;
      return false;
    }
    long[] found = new long[part.count()];
    for (int m = 0; m < part.memories(); m++) {
      PartRectangles rectangles = PartRectangles.of(part, m, chosen);
      if (rectangles.members().length == 0) {
        continue;
      }
      SearchPortfolio portfolio = portfolio(control);
      SearchResult result;
      if (m == target) {
        SearchControl below = SearchControl.unlimited();
        watch.also(below);
        long ceiling = Math.min(part.capacity(m), best(p, target) - 1);
        result =
            ceiling == Long.MAX_VALUE - 1 || ceiling == NormalPart.UNBOUNDED
                ? lowest(portfolio, rectangles, goal, null, SearchListener.SILENT, below)
                : lowestWithin(portfolio, rectangles, ceiling, goal, below);
      } else {
        long ceiling = Math.min(part.capacity(m), part.horizon());
        result = fit(portfolio, rectangles, ceiling, SearchListener.SILENT, watch.search());
      }
      engine.count(result.statistics());
      if (result.status() == SearchResult.Status.INFEASIBLE) {
        return true;
      }
      if (result.offsets() == null) {
        unsure[0] = true;
        return true;
      }
      unsure[0] |= m == target && result.status() != SearchResult.Status.OPTIMAL;
      rectangles.write(result.offsets(), found);
    }
    synchronized (this) {
      if (offsets.get(p) == null || part.peak(target, found, chosen) < best(p, target)) {
        offsets.set(p, found);
        places.set(p, chosen.clone());
        offer();
      }
    }
    return target >= 0 && !options.firstFit() && best(p, target) > goal;
  }

  /** The lowest peak not above a ceiling. */
  private SearchResult lowestWithin(
      SearchPortfolio portfolio,
      PartRectangles rectangles,
      long ceiling,
      long goal,
      SearchControl below) {
    SearchResult fit = fit(portfolio, rectangles, ceiling, SearchListener.SILENT, below);
    return fit.offsets() == null
        ? fit
        : lowest(portfolio, rectangles, goal, fit.offsets(), SearchListener.SILENT, below);
  }

  private SearchResult fit(
      SearchPortfolio portfolio,
      PartRectangles rectangles,
      long ceiling,
      SearchListener listener,
      SearchControl until) {
    return rectangles.rectangles().windowed
        ? new DisjunctiveSearch(rectangles.rectangles(), until).search(ceiling)
        : portfolio.search(rectangles.rectangles(), ceiling, listener, until);
  }

  private SearchResult lowest(
      SearchPortfolio portfolio,
      PartRectangles rectangles,
      long goal,
      long[] upper,
      SearchListener listener,
      SearchControl until) {
    return rectangles.rectangles().windowed
        ? new DisjunctiveSearch(rectangles.rectangles(), until).minimise(goal, upper, listener)
        : portfolio.minimise(rectangles.rectangles(), goal, upper, listener, until);
  }

  private SearchWatch watch(int p, RunControl limit) {
    return new SearchWatch(limit, incumbent, options.firstFit(), found -> units(p, found));
  }

  private SearchPortfolio portfolio(RunControl limit) {
    return new SearchPortfolio(
        limit.threads(), limit.seed(), limit.isDeterministic(), SearchOptions.all());
  }

  private long[] start(NormalPart part, Placement known) {
    if (part.memories() > 1 && part.projectMemories(known) == null) {
      return null;
    }
    return part.project(known);
  }

  private long load(int p) {
    NormalPart part = normal.parts().get(p);
    long top = 0;
    for (long load : PartLoads.of(part)) {
      top = Math.max(top, load);
    }
    return part.bytes(top);
  }

  private long peakOf(int p) {
    return peak(p, offsets.get(p), places.get(p));
  }

  /** The part's peak in the figure's memory, in bytes; 0 where it is none of the part's. */
  private long peak(int p, long[] at, int[] where) {
    NormalPart part = normal.parts().get(p);
    int own = part.indexOfMemory(memory);
    if (own < 0) {
      return 0;
    }
    return part.bytes(part.peak(own, at, part.memories() == 1 ? null : where));
  }

  private long units(int p, Placement elsewhere) {
    NormalPart part = normal.parts().get(p);
    long[] projected = part.memories() == 1 ? part.project(elsewhere) : null;
    return projected == null ? Long.MAX_VALUE : part.peak(0, projected, null);
  }
}
