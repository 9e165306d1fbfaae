package stowage.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * The main job: bounds first, then quick heuristics, then the exact engines side by side on the
 * threads given, all through one incumbent; it ends when best placement and best bound meet, at the
 * limit, or when told to.
 *
 * <p>The search goes first: on most problems it is done before another engine has loaded. Others
 * join after a while on the problems they are good at. Without threads to spare engines take turns.
 */
public final class Portfolio {

  /**
   * How a run is made up.
   *
   * @param heuristics planners that give first placements, in this order
   * @param engines complete methods, the first one alone at the start
   * @param options what is passed on to the engines
   */
  public record Setup(List<Planner> heuristics, List<Engine> engines, EngineOptions options) {}

  /** How long the first engine is left alone before the others join it. */
  private static final double HEAD_START_SECONDS = 2;

  private Portfolio() {}

  /**
   * Runs until proven, stopped or out of time. Whatever happens, the incumbent keeps the best
   * verified placement and the best bounds; an engine's failure is thrown only after the others
   * have ended, and only if nothing was found.
   *
   * @param incumbent where placements and bounds go; may hold a warm start
   */
  public static void run(
      PackingProblem problem, Incumbent incumbent, RunControl control, Setup setup) {
    if (offerBounds(problem, incumbent)) {
      return;
    }
    for (Planner planner : setup.heuristics()) {
      if (isDone(incumbent, control, setup)) {
        return;
      }
      try {
        incumbent.offer(planner.plan(problem, control), planner.name());
      } catch (NotPlannableException rejected) {
        // Another planner admits the problem; this one's word is for those who asked for it alone.
      }
    }
    runEngines(problem, incumbent, control, setup);
  }

  /**
   * Offers the bounds that need no search, and the proof of infeasibility where one is above a
   * capacity.
   *
   * @return whether nothing is left to do
   */
  public static boolean offerBounds(PackingProblem problem, Incumbent incumbent) {
    List<Bound> bounds = LowerBounds.of(problem);
    bounds.forEach(bound -> incumbent.offer(bound, bound.kind()));
    LowerBounds.infeasibility(problem, bounds)
        .ifPresent(proof -> incumbent.provenInfeasible(proof, proof.kind()));
    return incumbent.isClosed();
  }

  private static boolean isDone(Incumbent incumbent, RunControl control, Setup setup) {
    return control.isStopped()
        || incumbent.isClosed()
        || (setup.options().firstFit() && incumbent.placement() != null);
  }

  private static void runEngines(
      PackingProblem problem, Incumbent incumbent, RunControl control, Setup setup) {
    List<Engine> engines = setup.engines();
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    if (control.isDeterministic() || control.threads() == 1 || engines.size() == 1) {
      takeTurns(problem, incumbent, control, setup, failure);
    } else {
      runSideBySide(problem, incumbent, control, setup, failure);
    }
    if (failure.get() != null && incumbent.placement() == null) {
      throw failure.get();
    }
  }

  /** One engine after the other, each with a growing share of what is left. */
  private static void takeTurns(
      PackingProblem problem,
      Incumbent incumbent,
      RunControl control,
      Setup setup,
      AtomicReference<RuntimeException> failure) {
    double left = control.secondsLeft();
    int engines = setup.engines().size();
    for (int k = 0; k < engines && !isDone(incumbent, control, setup); k++) {
      boolean last = k == engines - 1;
      RunControl share = last ? control : control.within(left / (engines + 1));
      runOne(setup.engines().get(k), problem, incumbent, share, setup, failure);
    }
    if (engines > 1 && !control.isDeterministic() && !isDone(incumbent, control, setup)) {
      runOne(setup.engines().get(0), problem, incumbent, control, setup, failure);
    }
  }

  private static void runSideBySide(
      PackingProblem problem,
      Incumbent incumbent,
      RunControl control,
      Setup setup,
      AtomicReference<RuntimeException> failure) {
    RunControl together = control.within(Double.POSITIVE_INFINITY);
    List<Thread> threads = new ArrayList<>();
    for (int k = 0; k < setup.engines().size(); k++) {
      Engine engine = setup.engines().get(k);
      boolean waits = k > 0;
      Thread thread =
          new Thread(
              () -> {
                if (waits && !waited(incumbent, together, setup)) {
                  return;
                }
                runOne(engine, problem, incumbent, together, setup, failure);
                if (isDone(incumbent, together, setup)) {
                  together.stop();
                }
              },
              engine.name());
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      join(thread, together);
    }
  }

  /** Waits for the head start; false when the run ended meanwhile. */
  private static boolean waited(Incumbent incumbent, RunControl control, Setup setup) {
    long end = System.nanoTime() + (long) (HEAD_START_SECONDS * 1e9);
    while (System.nanoTime() - end < 0) {
      if (isDone(incumbent, control, setup)) {
        return false;
      }
      pause();
    }
    return true;
  }

  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void runOne(
      Engine engine,
      PackingProblem problem,
      Incumbent incumbent,
      RunControl control,
      Setup setup,
      AtomicReference<RuntimeException> failure) {
    try {
      engine.run(problem, incumbent, control, setup.options());
    } catch (RuntimeException broken) {
      failure.compareAndSet(null, broken);
    }
  }

  private static void join(Thread thread, RunControl control) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException asked) {
        interrupted = true;
        control.stop();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
