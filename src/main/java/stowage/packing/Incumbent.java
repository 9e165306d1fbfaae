package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The best verified placement and the best proven bounds of one run, shared by everything that
 * works on it. It is outside every solver and never gets worse: a placement is taken only when the
 * {@link Verifier} finds nothing wrong with it and its score is lower.
 *
 * <p>Thread-safe. Listeners are called in the order of the improvements, on the thread that brought
 * them, and must be quick.
 */
public final class Incumbent {
  /**
   * A moment at which the best placement or the best bound changed.
   *
   * @param seconds since the incumbent was made
   * @param score of the best placement, or null while there is none
   * @param bounds best bound of each figure, entries may be null
   * @param who the planner or engine that brought the change
   */
  public record Event(double seconds, Score score, Bound[] bounds, String who) {}

  /** Receiver of improvements. */
  public interface Listener {
    void improved(Event event);

    /** Called when a long phase has started, which is said in a few words. */
    default void began(String what, String who) {}

    /** Called when a planner or engine begins to work, and with false when it ends. */
    default void working(String who, boolean begins) {}
  }

  private final PackingProblem problem;
  private final Objective objective;
  private final long startNanos;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final List<Event> trace = new ArrayList<>();
  private final Bound[] bounds;
  private Placement placement;
  private Score score;
  private String finder;
  private volatile long bestFirstFigure = Long.MAX_VALUE;
  private volatile long firstBound;
  private volatile boolean infeasible;

  /** Contradiction of a proof and a verified plan, as a sentence; null where there is none. */
  private volatile String fault;

  private Certificate infeasibility;
  private List<Violation> rejection = List.of();
  private final List<String> remarks = new CopyOnWriteArrayList<>();

  /** An incumbent of a problem under its peaks. */
  public Incumbent(PackingProblem problem) {
    this(problem, Objective.peaks(problem));
  }

  /** An incumbent of a problem under an objective. */
  public Incumbent(PackingProblem problem, Objective objective) {
    this(problem, objective, System.nanoTime());
  }

  /** {@return an incumbent under goals in turn, without capacities where overflow is a goal} */
  public static Incumbent ofGoals(PackingProblem problem, List<Goal> goals) {
    Objective objective = Objective.of(problem, goals.isEmpty() ? List.of(Goal.PEAK) : goals);
    List<Memory> free =
        problem.memories().stream().map(m -> m.withCapacity(Memory.UNBOUNDED)).toList();
    boolean over = goals.contains(Goal.OVERFLOW);
    return new Incumbent(over ? problem.withMemories(free) : problem, objective);
  }

  private Incumbent(PackingProblem problem, Objective objective, long startNanos) {
    this.problem = problem;
    this.objective = objective;
    this.startNanos = startNanos;
    this.bounds = new Bound[objective.parts().size()];
  }

  /**
   * {@return the same run with its bounds, remarks and improvements so far, and without a
   * placement: for what is chosen by more than the objective among the placements that were found}
   */
  public synchronized Incumbent withoutPlacement() {
    Incumbent next = new Incumbent(problem, objective, startNanos);
    System.arraycopy(bounds, 0, next.bounds, 0, bounds.length);
    next.firstBound = firstBound;
    next.trace.addAll(trace);
    next.remarks.addAll(remarks);
    return next;
  }

  /** {@return the problem that placements are verified against, its capacities included} */
  public PackingProblem problem() {
    return problem;
  }

  /** {@return the objective that placements are compared by} */
  public Objective objective() {
    return objective;
  }

  /** {@return whether a placement became the incumbent: verified, and better than the best} */
  public boolean offer(Placement candidate, String who) {
    if (candidate.size() != problem.size()) {
      throw new IllegalArgumentException(
          who + " offered " + candidate.size() + " buffers of " + problem.size());
    }
    Score offered = objective.score(problem, candidate);
    synchronized (this) {
      if (score != null && offered.compareTo(score) >= 0) {
        return false;
      }
    }
    List<Violation> violations = Verifier.violations(problem, candidate);
    synchronized (this) {
      if (!violations.isEmpty()) {
        rejection = violations;
        return false;
      }
      if (score != null && offered.compareTo(score) >= 0) {
        return false;
      }
      placement = candidate;
      score = offered;
      finder = who;
      bestFirstFigure = offered.figure(0);
      checkBounds();
      tell(who);
      return true;
    }
  }

  /**
   * Offers a proven bound; it is kept if it is higher than the best of its figure so far, or as
   * high with a certificate that can be checked where there was only a solver's claim. When two
   * engines prove the same, the first one's claim stays and names the second as agreeing.
   */
  public synchronized boolean offer(Bound bound, String who) {
    Bound best = bounds[bound.figure()];
    if (best != null && best.value() >= bound.value()) {
      if (best.value() == bound.value()) {
        Certificate why = stronger(best.certificate(), bound.certificate());
        bounds[bound.figure()] = new Bound(best.figure(), best.value(), why);
      }
      return false;
    }
    bounds[bound.figure()] = bound;
    if (bound.figure() == 0) {
      firstBound = bound.value();
    }
    checkBounds();
    tell(who);
    return true;
  }

  /**
   * The one of two certificates of the same that stays: a checkable one rather than a solver's
   * claim; of two claims the known one, which the other one's solver then agrees with.
   */
  private static Certificate stronger(Certificate known, Certificate offered) {
    if (offered.checkable() && !known.checkable()) {
      return offered;
    }
    return known instanceof SolverClaim claim
            && offered instanceof SolverClaim other
            && claim.agreed() == null
            && !claim.kind().equals(other.kind())
        ? claim.agreedBy(other.kind())
        : known;
  }

  /** Records a proof that no placement respects the capacities; a checkable one goes first. */
  public synchronized void provenInfeasible(Certificate why, String who) {
    if (infeasible) {
      infeasibility = stronger(infeasibility, why);
      return;
    }
    infeasible = true;
    infeasibility = why;
    checkBounds();
    tell(who);
  }

  /**
   * Notes a proof that a verified placement contradicts. The bound of a figure holds for all
   * placements that are as good in the figures before; so it is looked at while these are proven.
   */
  private void checkBounds() {
    if (score == null || fault != null) {
      return;
    }
    if (infeasible) {
      fault = "that no plan exists is said by " + infeasibility.kind() + ", and one was verified";
    }
    for (int f = 0; f < bounds.length && bounds[f] != null; f++) {
      if (bounds[f].value() > score.figure(f)) {
        String name = objective.parts().get(f).name();
        fault =
            "the %s is said to be at least %s by %s, and a plan with %s was verified"
                .formatted(name, bounds[f].value(), bounds[f].kind(), score.figure(f));
      }
      if (bounds[f].value() != score.figure(f)) {
        return;
      }
    }
  }

  private void tell(String who) {
    Event event = new Event(seconds(), score, bounds.clone(), who);
    trace.add(event);
    listeners.forEach(listener -> listener.improved(event));
  }

  /** Tells listeners, in a few words, what begins that takes seconds before its first result. */
  public void began(String what, String who) {
    listeners.forEach(listener -> listener.began(what, who));
  }

  /** Tells listeners that a planner or engine begins to work, or with false that it ends. */
  public void working(String who, boolean begins) {
    listeners.forEach(listener -> listener.working(who, begins));
  }

  /** Notes what a reader of the answer should know of the run; what is known is not repeated. */
  public void remark(String text) {
    if (!remarks.contains(text)) {
      remarks.add(text);
    }
  }

  /** {@return what has been noted so far, in order} */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** Adds a listener. */
  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  /** Removes a listener: it may still be in a call that has begun. */
  public void removeListener(Listener listener) {
    listeners.remove(listener);
  }

  /**
   * Passes on whatever a run inside another one finds, as it is found, and its progress.
   *
   * @param placements a placement of this problem as one of the other's
   * @param bounds a bound of this problem as one of the other's; null where it says nothing there
   * @param proofs the same of a proof that there is no placement
   * @return passes on what there is now, under a name
   */
  public Consumer<String> feed(
      Incumbent outer,
      UnaryOperator<Placement> placements,
      UnaryOperator<Bound> bounds,
      UnaryOperator<Certificate> proofs) {
    Consumer<String> pass =
        who -> {
          Placement found = placement();
          if (found != null) {
            outer.offer(placements.apply(found), who);
          }
          for (Bound bound : bounds()) {
            Bound there = bound == null ? null : bounds.apply(bound);
            if (there != null) {
              outer.offer(there, who);
            }
          }
          Certificate why = infeasibility();
          Certificate proof = why == null ? null : proofs.apply(why);
          if (proof != null) {
            outer.provenInfeasible(proof, who);
          }
        };
    addListener(
        new Listener() {
          @Override
          public void improved(Event event) {
            pass.accept(event.who());
          }

          @Override
          public void began(String what, String who) {
            outer.began(what, who);
          }

          @Override
          public void working(String who, boolean begins) {
            outer.working(who, begins);
          }
        });
    return pass;
  }

  /** {@return seconds since the incumbent was made} */
  public double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /** {@return the best placement so far, or null} */
  public synchronized Placement placement() {
    return placement;
  }

  /** {@return the score of the best placement so far, or null} */
  public synchronized Score score() {
    return score;
  }

  /** {@return who found the best placement, or null} */
  public synchronized String finder() {
    return finder;
  }

  /** {@return the best bound of a figure, or null} */
  public synchronized Bound bound(int figure) {
    return bounds[figure];
  }

  /** {@return what was wrong with the last placement that the verifier refused; else empty} */
  public synchronized List<Violation> rejection() {
    return rejection;
  }

  /** {@return the first figure of the best placement, {@link Long#MAX_VALUE} without one} */
  public long bestFigure() {
    return bestFirstFigure;
  }

  /** {@return the best bound of the first figure, 0 while there is none} */
  public long bestBound() {
    return firstBound;
  }

  /** {@return why no placement respects the capacities, or null} */
  public synchronized Certificate infeasibility() {
    return infeasible ? infeasibility : null;
  }

  /** {@return whether nothing is left to find: every figure is its bound, or it is infeasible} */
  public synchronized boolean isClosed() {
    return infeasible
        || fault != null
        || score != null
            && IntStream.range(0, bounds.length)
                .allMatch(f -> bounds[f] != null && bounds[f].value() >= score.figure(f));
  }

  /**
   * {@return what is known: OPTIMAL, FEASIBLE, INFEASIBLE or UNKNOWN}
   *
   * @throws IllegalStateException when a proof and a verified placement contradict each other,
   *     which is a fault of this program
   */
  public synchronized Status status() {
    if (fault != null) {
      throw new IllegalStateException(
          "internal fault in problem \"" + problem.name() + "\": " + fault + "; please report it");
    }
    if (infeasible) {
      return Status.INFEASIBLE;
    }
    return score == null ? Status.UNKNOWN : isClosed() ? Status.OPTIMAL : Status.FEASIBLE;
  }

  /** {@return all improvements so far, in order: the anytime trace} */
  public synchronized List<Event> trace() {
    return List.copyOf(trace);
  }

  /** {@return the best bounds, one a figure, entries may be null} */
  public synchronized Bound[] bounds() {
    return Arrays.copyOf(bounds, bounds.length);
  }
}
