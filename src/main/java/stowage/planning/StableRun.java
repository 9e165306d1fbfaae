package stowage.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SolveContext;
import stowage.heuristic.EarlierPlaces;
import stowage.heuristic.EjectionSearch;
import stowage.heuristic.HintPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.InvalidProblemException;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * A search for plans that leave buffers where an earlier plan has them.
 *
 * <p>Before the usual planners {@link #begin} offers what the earlier plan becomes on the changed
 * problem; after them {@link #fewestMoves} looks for the placement that moves the fewest bytes
 * below the peaks they reached, from the earlier plan on and from theirs back ({@link
 * EjectionSearch}).
 */
public final class StableRun {
  /** Levels between the bound and a first plan's peak that are tried. */
  private static final int LEVELS = 5;

  /** Ejections of one try from the earlier plan on, at least and for each buffer. */
  private static final int STEPS = 2_000;

  private static final int STEPS_A_BUFFER = 4;

  private static final int TRIES = 4;

  /** Passes over the moved buffers without gain that end a descent. */
  private static final int PASSES = 4;

  private static final long MOST_BYTES = PackingProblem.LARGEST_SUM;

  private final PackingProblem problem;
  private final EarlierPlaces earlier;

  /** A search for plans near earlier places. */
  public StableRun(PackingProblem problem, EarlierPlaces earlier) {
    this.problem = problem;
    this.earlier = earlier;
  }

  /**
   * Offers plans near the earlier one: what it becomes when buffers that no longer fit take the
   * lowest gaps, and, where that is above the bounds that need no search, lower ones.
   */
  public void begin(Incumbent incumbent, RunControl control) {
    try {
      incumbent.offer(new HintPlanner().plan(hinted(), control), "warm start");
    } catch (NotPlannableException refused) {
      // The planners that follow say what is wrong.
    }
    boolean single = problem.memories().size() == 1 && incumbent.objective().isPeaks();
    if (!single || !problem.isPlain() || incumbent.placement() == null) {
      return;
    }
    SolveContext.of(incumbent, control, EngineOptions.defaults()).offerBounds();
    long low = incumbent.bestBound();
    for (int level = 0; level < LEVELS && low < incumbent.bestFigure(); level++) {
      long top = level == 0 ? low : low + (incumbent.bestFigure() - low) / 2;
      EjectionSearch search =
          new EjectionSearch(problem, earlier, new long[] {top}, control.seed());
      if (search.isTooLarge()) {
        return;
      }
      Placement found = search.repair(steps(), control);
      if (found == null) {
        low = top + 1;
      } else {
        incumbent.offer(found, "warm start");
      }
    }
  }

  private int steps() {
    return STEPS + STEPS_A_BUFFER * problem.size();
  }

  private PackingProblem hinted() {
    List<Buffer> hinted = new ArrayList<>(problem.buffers());
    for (int i = 0; i < problem.size(); i++) {
      if (earlier.offsets()[i] >= 0) {
        hinted.set(i, problem.buffer(i).withHint(earlier.offsets()[i]));
      }
    }
    return problem.withBuffers(hinted);
  }

  /**
   * A placement and what is known of the bytes it moves.
   *
   * @param placement a placement that was not verified here
   * @param atLeast bytes that every placement below the same peaks moves
   */
  public record Found(Placement placement, EarlierPlaces.Moves moves, long atLeast) {
    /** Whether it moves at most so large a share of the bytes. */
    public boolean movesAtMost(double share) {
      return moves.movedBytes() <= share * moves.knownBytes();
    }
  }

  /**
   * The placement that moves the fewest bytes below these ends of memories, as far as it is found
   * before the control says stop; null where the problem has relations or too many pairs.
   */
  public Found fewestMoves(Placement best, long[] tops, RunControl control) {
    if (!problem.isPlain()) {
      return null;
    }
    Placement least = best;
    EjectionSearch search = new EjectionSearch(problem, earlier, tops, control.seed());
    if (search.isTooLarge()) {
      return null;
    }
    long atLeast = search.movedAtLeast();
    for (int k = 0; k < TRIES && moved(least) > atLeast && !control.isStopped(); k++) {
      search = k == 0 ? search : new EjectionSearch(problem, earlier, tops, control.seed() + k);
      Placement repaired = search.repair(steps() << k, control);
      if (repaired != null) {
        least = less(search.descend(repaired, atLeast, PASSES, control), least);
      }
      boolean again = repaired == null || k > 0;
      if (again && moved(least) > atLeast) {
        least = less(search.descend(least, atLeast, PASSES, control), least);
      }
    }
    return new Found(least, earlier.moves(problem, least), atLeast);
  }

  private Placement less(Placement one, Placement other) {
    return moved(one) < moved(other) ? one : other;
  }

  private long moved(Placement placement) {
    return earlier.moves(problem, placement).movedBytes();
  }

  /** The highest ends, within the capacities, for slack as a share of a placement's peaks. */
  public long[] tops(Placement best, double slack) {
    long[] tops = EjectionSearch.capacities(problem);
    for (int m = 0; m < tops.length; m++) {
      long peak = best.peak(problem, m);
      long raised = (long) Math.min(MOST_BYTES, Math.floor(peak * (1 + slack)));
      tops[m] = Math.min(tops[m], Math.max(peak, raised));
    }
    return tops;
  }

  /**
   * A run with pins.
   *
   * @param planners what they did; null where the pins contradict the problem
   * @param bound no plan that keeps the pins has a lower peak, in bytes; -1 where that is not known
   * @param excluded whether the pins are proven to leave no plan within the capacities
   */
  public record Pinned(PlannerRun planners, long bound, boolean excluded) {}

  /** Plans with all buffers that can stay {@linkplain EarlierPlaces#pinned pinned} there. */
  public Pinned pinned(
      PlanningCase planningCase,
      Incumbent incumbent,
      RunControl control,
      List<PlannerCatalogue.Choice> choices,
      EngineOptions options) {
    PackingProblem pinned;
    try {
      pinned = earlier.pinned(problem);
    } catch (InvalidProblemException contradiction) { // places of buffers that are kept together
      return new Pinned(null, -1, true);
    }
    Incumbent inner = new Incumbent(pinned, incumbent.objective());
    inner.feed(incumbent, UnaryOperator.identity(), bound -> null, proof -> null);
    PlannerRun done =
        PlannerRun.of(planningCase.withProblem(pinned), inner, control, choices, options);
    SolveContext.of(incumbent, control, options).offerBounds();
    boolean excluded = inner.placement() == null && inner.infeasibility() != null;
    return new Pinned(done, inner.bestBound(), excluded);
  }
}
