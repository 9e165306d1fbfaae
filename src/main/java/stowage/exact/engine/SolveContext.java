package stowage.exact.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import stowage.exact.bound.LowerBounds;
import stowage.exact.presolve.PresolvedProblem;
import stowage.exact.presolve.Presolver;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * What the engines of one run work with: the problem, its bounds and its presolved form, each made
 * once, the incumbent, and what limits the run. Thread-safe.
 */
public record SolveContext(
    Shared shared, Incumbent incumbent, RunControl control, EngineOptions options) {

  /** Presolving so many buffers takes tens of milliseconds. */
  private static final int MANY = 50_000;

  /** What is the same for all contexts of one problem, made when it is first asked for. */
  static final class Shared {
    private final PackingProblem problem;
    private List<Bound> bounds;
    private PresolvedProblem presolved;

    Shared(PackingProblem problem) {
      this.problem = problem;
    }

    synchronized List<Bound> bounds() {
      if (bounds == null) {
        bounds = LowerBounds.of(problem);
      }
      return bounds;
    }

    synchronized PresolvedProblem presolved() {
      if (presolved == null) {
        presolved = Presolver.presolve(problem);
      }
      return presolved;
    }
  }

  /** The context of a run on an incumbent's problem. */
  public static SolveContext of(Incumbent incumbent, RunControl control, EngineOptions options) {
    return new SolveContext(new Shared(incumbent.problem()), incumbent, control, options);
  }

  /** The same under another control. */
  public SolveContext within(RunControl other) {
    return new SolveContext(shared, incumbent, other, options);
  }

  public SolveContext with(EngineOptions other) {
    return new SolveContext(shared, incumbent, control, other);
  }

  public PackingProblem problem() {
    return shared.problem;
  }

  /** The bounds that need no search. The first call takes {@link LowerBounds}' time. */
  public List<Bound> bounds() {
    return shared.bounds();
  }

  /** The problem, presolved. The first call takes {@link Presolver}'s time. */
  public PresolvedProblem presolved() {
    return shared.presolved();
  }

  /** Presolves a problem of many buffers on another thread, where there may be several. */
  public void presolveAhead() {
    boolean free = control.threads() > 1 && !control.isDeterministic();
    if (free && problem().size() >= MANY && incumbent.objective().isPeaks()) {
      CompletableFuture.runAsync(this::presolved); // a failure is thrown again by presolved()
    }
  }

  /**
   * Offers the bounds that need no search, and the proof of infeasibility where one is above a
   * capacity; they are of the peaks, and nothing is offered where something else counts.
   *
   * @return whether nothing is left to do
   */
  public boolean offerBounds() {
    if (!incumbent.objective().isPeaks()) {
      return incumbent.isClosed();
    }
    return LowerBounds.offer(bounds(), incumbent);
  }
}
