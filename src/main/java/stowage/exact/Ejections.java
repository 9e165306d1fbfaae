package stowage.exact;

import java.util.function.Consumer;
import stowage.exact.engine.SolveContext;
import stowage.heuristic.EjectionDescent;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.LeftOut;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * The descent by ejections ({@link EjectionDescent}) in a run of the portfolio: in parallel with
 * the engines, or before them where there is one thread.
 *
 * <p>They run where buffers grow or shrink, since the search of bottom-left placements does not
 * apply there, and where buffers are so many that a search brings little.
 */
final class Ejections {
  private static final int MOST = 20_000;

  /** The part of a run on one thread that ejections have, inverted. */
  private static final int SHARE = 3;

  private final PackingProblem problem;
  private final Incumbent incumbent;
  private final RunControl control;
  private final Consumer<Throwable> failed;
  private final boolean suit;

  /**
   * Ejections until a context's control stops. O(n).
   *
   * @param searches whether the search is among the engines, to which ejections belong
   * @param failed is given what ends them otherwise
   */
  Ejections(SolveContext context, boolean searches, Consumer<Throwable> failed) {
    this.problem = context.problem();
    this.incumbent = context.incumbent();
    this.control = context.control();
    this.failed = failed;
    this.suit =
        searches
            && !LeftOut.has(EjectionDescent.NAME)
            && problem.memories().size() == 1
            && incumbent.objective().isPeaks()
            && problem.size() <= MOST
            && (problem.size() > EjectionDescent.MANY
                || problem.buffers().stream().anyMatch(Buffer::hasWindows));
  }

  /** Lowers the peak for a part of the time or work that is left. */
  void first() {
    lower(
        control.isDeterministic()
            ? control.withWork(control.workLimit() / SHARE)
            : control.within(control.secondsLeft() / SHARE));
  }

  /** Runs engines, and lowers the peak on another thread until they end. */
  void during(Runnable engines) {
    if (!suit) {
      engines.run();
      return;
    }
    Thread thread = Threads.start(EjectionDescent.NAME, () -> lower(control));
    try {
      engines.run();
    } finally {
      control.stop();
      Threads.join(thread, control::stop);
    }
  }

  private void lower(RunControl limit) {
    if (!suit) {
      return;
    }
    incumbent.working(EjectionDescent.NAME, true);
    try {
      EjectionDescent.lower(problem, incumbent, 1, limit);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError broken) {
      failed.accept(broken);
    } finally {
      incumbent.working(EjectionDescent.NAME, false);
    }
  }
}
