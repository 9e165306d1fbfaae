package stowage.exact.bound.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import stowage.exact.bound.LowerBounds;
import stowage.exact.bound.sweep.ArrangementSweep;
import stowage.exact.presolve.Component;
import stowage.exact.presolve.PresolvedProblem;
import stowage.exact.presolve.Presolver;
import stowage.packing.Bound;
import stowage.packing.BoundVerifier;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.LeftOut;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.packing.SolverClaim;

/**
 * Bounds above the max load: buffers that during some steps need more than any load says.
 *
 * <p>What some of the buffers need, all need, and what is needed during some of the steps is
 * needed. So a stretch of sections in which few buffers change, a <em>window</em>, is decided by
 * itself at rising ceilings: by a sweep over its arrangements ({@link ArrangementSweep}), and where
 * buffers have constraints that the sweep leaves out, by the exact search ({@link
 * SearchedWindows}). Then sections and buffers without which still nothing fits are left out, so
 * that the verifier, which decides the window again by methods of its own, has little to do.
 *
 * <p>Why one step is never enough: the free buffers of a step can always be stacked to their load,
 * with any of them at the bottom or on top. And as live ranges are given, neither can sizes
 * transformed by dual-feasible functions say more: buffers alive at one step are a clique of an
 * interval graph, interval graphs are perfect, and so loads imply every such inequality. It takes
 * four sections or more that cannot all have the order each needs. docs/bounds.md has the arguments
 * and figures.
 *
 * <p>A window that is a whole part may also turn out to fit: then its placement is optimal where
 * the ceiling is the bound, and is offered too.
 */
public final class WindowBounds {
  /** Work for a first look: some hundredths of a second. */
  public static final long QUICK = 4_000_000;

  /** Work for problems whose gap nothing else closes: some seconds. */
  public static final long THOROUGH = 200_000_000;

  private static final int LARGEST_PROBLEM = 20_000;
  private static final int[] WIDTHS = {5, 6, 7, 8, 9, 10, 12, 15};

  private static final long FIRST_WORK = 200_000;

  private static final int MOST_WINDOWS = 8;

  private final PackingProblem problem;
  private final int memory;
  private final PresolvedProblem presolved;
  private final Incumbent incumbent;
  private final BooleanSupplier stop;
  private final Consumer<Runnable> passing;
  private final long shrinking;
  private final long mostWork;
  private final long allWork;
  private long workLeft;
  private Bound best;
  private Bound word;

  private WindowBounds(
      PresolvedProblem presolved,
      Incumbent incumbent,
      long work,
      BooleanSupplier stop,
      Consumer<Runnable> passing) {
    this.problem = presolved.problem();
    this.memory = problem.memories().size() - 1;
    this.incumbent = incumbent;
    this.stop = stop;
    this.passing = passing;
    this.presolved = presolved;
    this.allWork = work;
    this.workLeft = work;
    this.shrinking = work / 4;
    this.mostWork = work / 2;
  }

  /**
   * Looks for a bound of the first figure above the one known.
   *
   * @param known proven bound of the figure in bytes, 0 for none
   * @param work about how many figures may be looked at, of some ten nanoseconds each
   * @param stop ends it with the best bound so far
   * @return the bound, whose certificate the verifier accepted; null for none above {@code known}
   */
  public static Bound above(PackingProblem problem, long known, long work, BooleanSupplier stop) {
    if (problem.size() > LARGEST_PROBLEM) {
      return null;
    }
    return new WindowBounds(Presolver.presolve(problem), null, work, stop, Runnable::run)
        .run(known);
  }

  /**
   * Offers what is found to an incumbent: bounds, with them the proof that the capacity cannot be
   * met where that follows, and placements.
   *
   * @param known bytes; bounds above it are looked for
   * @param work about how many figures may be looked at, of some ten nanoseconds each
   * @param passing runs every offer, or drops it
   * @return whether a bound above the known one was found
   */
  public static boolean offer(
      PresolvedProblem presolved,
      Incumbent incumbent,
      RunControl control,
      long known,
      long work,
      Consumer<Runnable> passing) {
    PackingProblem problem = presolved.problem();
    BooleanSupplier stop = control::isStopped;
    if (problem.size() > LARGEST_PROBLEM || stop.getAsBoolean() || LeftOut.has("window")) {
      return false;
    }
    WindowBounds windows = new WindowBounds(presolved, incumbent, work, stop, passing);
    windows.run(known);
    for (Bound bound : new Bound[] {windows.best, windows.word}) {
      if (bound != null) {
        passing.accept(
            () -> {
              incumbent.offer(bound, bound.kind());
              LowerBounds.infeasibility(problem, List.of(bound))
                  .ifPresent(why -> incumbent.provenInfeasible(why, why.kind()));
            });
      }
    }
    return windows.best != null || windows.word != null;
  }

  private Bound run(long known) {
    if (presolved.obstacle() >= 0) {
      return null;
    }
    for (Component part : presolved.components()) {
      if (part.memories() == 1 && part.memory(0) == memory && !isDone()) {
        ofPart(part, best == null ? known : best.value());
      }
    }
    return best;
  }

  private boolean isDone() {
    return workLeft <= 0 || stop.getAsBoolean();
  }

  private void ofPart(Component part, long known) {
    SpanRectangles pieces = SpanRectangles.of(part);
    long load = Arrays.stream(pieces.loads()).max().orElse(0);
    WindowFinder hunt = new WindowFinder(part, pieces, Math.max(load, part.unitsBelow(known)));
    if (hunt.proven <= hunt.limit) {
      hunt.run();
      best = hunt.bound(best);
      if (!hunt.proofs.isEmpty() && (best == null || best.value() < part.bytes(hunt.proven))) {
        word = hunt.claim();
      }
    }
    if (!pieces.exact() && !isDone()) {
      long from = best == null ? known : Math.max(known, best.value());
      Bound found = SearchedWindows.above(problem, memory, part, from, allWork, stop);
      best = found == null ? best : found;
    }
  }

  private final class WindowFinder {
    final Component part;
    final SpanRectangles pieces;

    record Proof(SweptWindow window, long value) {}

    final List<Proof> proofs = new ArrayList<>();

    /** The part's peak is not below it. */
    long proven;

    /** No ceiling above it is worth a question: the part is placed there, or nothing needs more. */
    long limit;

    WindowFinder(Component part, SpanRectangles pieces, long proven) {
      this.part = part;
      this.pieces = pieces;
      this.proven = proven;
      this.limit = Math.min(part.horizon(), part.capacity(0));
      if (incumbent != null && incumbent.bestFigure() != Long.MAX_VALUE) {
        this.limit = Math.min(limit, part.unitsBelow(incumbent.bestFigure() - 1));
      }
    }

    /**
     * Asks windows with little work each, then those left open with more, and so on. Once half of
     * the windows of a width take too long, wider ones are left for the next round.
     */
    void run() {
      SectionWindows sections = new SectionWindows(pieces, workLeft / 4);
      workLeft -= sections.cells();
      Set<Long> fitting = new HashSet<>();
      for (long each = 0; each < mostWork && workLeft > 0; ) {
        each = Math.min(mostWork, Math.max(FIRST_WORK, 5 * each));
        for (int width : WIDTHS) {
          int asked = 0;
          int tooLong = 0;
          for (SectionWindows.Window window : sections.ofWidth(width, proven - proven / 10)) {
            if (proven > limit || isDone()) {
              return;
            }
            long key = (long) window.from() << 32 | window.to();
            if (asked < MOST_WINDOWS && !fitting.contains(key)) {
              asked++;
              SweptWindow swept = SweptWindow.of(pieces, window.from(), window.to());
              switch (raise(swept, each)) {
                case FITS -> fitting.add(key);
                case TOO_LONG -> tooLong++;
                default -> {}
              }
            }
          }
          if (2 * tooLong > asked) {
            break;
          }
        }
      }
    }

    /**
     * Raises the bound as far as a window does with so much work for each question.
     *
     * @return FITS where the window fits at the bound, so that nothing more can come of it;
     *     EXCLUDED where the bound has risen; TOO_LONG where nothing was learnt
     */
    private ArrangementSweep.Answer raise(SweptWindow window, long each) {
      long before = proven;
      long stride = 1;
      long most = limit;
      ArrangementSweep.Answer answer = ArrangementSweep.Answer.FITS;
      while (proven <= most && !isDone()) {
        long ceiling = Math.min(proven - 1 + stride, most);
        answer = window.decide(ceiling, Math.min(each, workLeft), stop);
        workLeft -= window.spent() + 1_000;
        if (answer == ArrangementSweep.Answer.EXCLUDED) {
          proven = Math.max(ceiling + 1, Math.min(window.nextCeiling(), limit + 1));
          proofs.add(new Proof(window, proven));
          stride *= 2;
        } else {
          if (answer == ArrangementSweep.Answer.FITS) {
            offer(window.positions());
            if (ceiling == proven) {
              return answer;
            }
          }
          most = Math.min(limit, ceiling - 1);
          stride = Math.max(1, (most - proven + 2) / 2);
        }
      }
      return proven > before ? ArrangementSweep.Answer.EXCLUDED : answer;
    }

    private void offer(long[] positions) {
      if (positions == null || !pieces.exact() || incumbent == null) {
        return;
      }
      Placement known = incumbent.placement();
      List<long[]> offsets = new ArrayList<>();
      for (Component other : presolved.components()) {
        long[] own = pieces.offsets(positions, part.count());
        if (other != part) {
          own = known == null || other.memories() > 1 ? null : other.project(known);
        }
        offsets.add(own);
      }
      if (!offsets.contains(null)) {
        Placement whole = presolved.expand(offsets, Collections.nCopies(offsets.size(), null));
        passing.accept(() -> incumbent.offer(whole, "sweep"));
        limit = Math.min(limit, part.unitsBelow(incumbent.bestFigure() - 1));
      }
    }

    /** The highest of the proofs, as a solver's claim, for what takes the verifier too long. */
    Bound claim() {
      Map<String, Long> work = Map.of("work", allWork - Math.max(0, workLeft));
      return Bound.of(part.bytes(proven), SolverClaim.of("search", "arrangement sweep", work));
    }

    /** The highest of the proofs that the verifier accepts, or what was known. */
    Bound bound(Bound known) {
      for (int k = proofs.size() - 1; k >= 0 && !stop.getAsBoolean(); k--) {
        Proof proof = proofs.get(k);
        SweptWindow shrunk = proof.window.shrunk(proof.value - 1, shrinking, stop);
        for (SweptWindow window : List.of(shrunk, proof.window)) {
          Bound bound = Bound.of(part.bytes(proof.value), certificate(window));
          if (BoundVerifier.fault(problem, bound).isEmpty()) {
            return bound;
          }
        }
      }
      return known;
    }

    private Certificate certificate(SweptWindow window) {
      LiveRange steps = SpanRectangles.steps(part, window.from(), window.to());
      return new Certificate.Window(memory, steps, SpanRectangles.named(part, window.buffers()));
    }
  }
}
