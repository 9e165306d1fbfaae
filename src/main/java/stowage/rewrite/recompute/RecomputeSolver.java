package stowage.rewrite.recompute;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.recompute.RecomputeAnswer.Proof;
import stowage.rewrite.recompute.cpsat.ClosureInteger;
import stowage.rewrite.recompute.cpsat.ClosureLinear;
import stowage.rewrite.recompute.model.ClosureRows;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.Gathering;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.RequiredCertificate;
import stowage.rewrite.recompute.model.Timeline;
import stowage.rewrite.recompute.search.Annealing;
import stowage.rewrite.recompute.search.Checkpoints;
import stowage.rewrite.recompute.search.Evictions;
import stowage.rewrite.recompute.walk.HeldWalk;
import stowage.rewrite.recompute.walk.RequiredWalk;

/**
 * The least extra cost under a limit of the bytes alive at a step: bounds and sequences from all
 * methods together. What costs nothing or cannot be is said at once; small graphs are searched
 * exactly; otherwise annealing finds sequences on one thread while another proves bounds, on the
 * problem cut to the ops that are cheaper than the best sequence.
 */
public final class RecomputeSolver {
  /** Values up to which the exact walk comes first, and up to which it comes at all. */
  private static final int SMALL = 40;

  private static final int FEW = 80;

  /** Seconds from which on one limit is asked for with patience: whole integer forms come first. */
  private static final double PATIENT = 10;

  /** Share of the time for these, and where splits and cases have been asked before. */
  private static final double INTEGERS = 0.55;

  private static final double MOSTLY_INTEGERS = 0.9;

  /** Splits that are added to the closure's periods at a time. */
  private static final int SPLITS = 2;

  /** Share of the time left for the first linear programme, where an answer is gone on from. */
  private static final double FIRST = 0.4;

  /** Sequences by eviction that are tried. */
  private static final int EVICTIONS = 300;

  /** Share of the time left that a walk may take. */
  private static final double WALKED = 0.7;

  /** Seconds for a walk at least: with fewer, the closure's splits prove more. */
  private static final double WALK_SECONDS = 3;

  /** Shares of what is open, within which a walk takes the cheapest repetitions for nothing. */
  private static final double[] FOR_NOTHING = {0.2, 0};

  /** Splits of the closure that a walk estimates by. */
  private static final int WALK_SPLITS = 6;

  /** Work units of 64 moves of the annealing, besides those for each op. */
  private static final long MOVES = 100;

  /** Work units of 256 choices of a walk. */
  private static final long CHOICES = 300;

  /** Work units of a set of the exact walk. */
  private static final long SETS = 20;

  private final RecomputeProblem problem;
  private final long limit;
  private final RunControl control;
  private final RecomputeFindings known;

  private final ClosureBound closure;

  /** The time for whole integer forms; null where there is too little. */
  private RunControl integers;

  /** Whether an earlier answer is gone on from. */
  private boolean isAgain;

  /** Whether only the bound and the sequence of an earlier answer are gone on from. */
  private boolean isAfresh;

  /** An extra cost below which a walk met too many sets. */
  private long tooMany = Long.MAX_VALUE;

  private RecomputeSolver(RecomputeProblem problem, long limit, RunControl control) {
    this.problem = problem;
    this.limit = limit;
    this.control = control;
    this.known = new RecomputeFindings(problem, limit);
    this.closure = new ClosureBound(problem, limit, control, known);
  }

  /**
   * Solves.
   *
   * @param limit bytes that may be alive at a step
   * @param known a sequence to begin with, within the limit or not; null for none
   * @param control when to stop; threads and seed
   */
  public static RecomputeAnswer solve(
      RecomputeProblem problem, long limit, int[] known, RunControl control) {
    return new RecomputeSolver(problem, limit, control).run(known);
  }

  /**
   * Goes on from an answer to the same question.
   *
   * @param start a sequence to begin with, within the limit or not; null for that without
   *     repetitions
   * @param afresh whether splits and walks of the answer are forgotten
   */
  public static RecomputeAnswer solve(
      RecomputeProblem problem,
      long limit,
      int[] start,
      RecomputeAnswer earlier,
      boolean afresh,
      RunControl control) {
    RecomputeSolver solver = new RecomputeSolver(problem, limit, control);
    solver.isAgain = !afresh;
    solver.isAfresh = afresh;
    solver.known.raise(earlier.bound(), earlier.proof(), earlier.certificate());
    solver.closure.splits = earlier.splits();
    solver.tooMany = afresh ? Long.MAX_VALUE : earlier.tooMany();
    solver.known.take(earlier.sequence());
    return solver.run(start);
  }

  /**
   * Whether the closure proves that no sequence is within a limit; false where that takes longer
   * than so many seconds.
   */
  public static boolean isImpossible(
      RecomputeProblem problem, long limit, RunControl control, double seconds) {
    RecomputeSolver solver = new RecomputeSolver(problem, limit, control);
    GapProblem gaps = new GapProblem(problem, limit);
    boolean none =
        gaps.impossible() >= 0 || Gathering.impossible(problem, limit, control::isStopped) >= 0;
    if (!none) {
      solver.closure.bound(problem, gaps, Long.MAX_VALUE, seconds);
    }
    return none || solver.known.bound() == Long.MAX_VALUE;
  }

  private RecomputeAnswer run(int[] given) {
    known.take(problem.once());
    GapProblem gaps = new GapProblem(problem, limit);
    int op = gaps.impossible();
    if (op >= 0 || Gathering.impossible(problem, limit, control::isStopped) >= 0) {
      Proof kind = op < 0 ? Proof.GATHERING : Proof.WORKING_SET;
      return new RecomputeAnswer(
          Status.INFEASIBLE, null, -1, Long.MAX_VALUE, kind, null, closure.splits, tooMany, op);
    }
    known.take(given);
    if (!known.isDone()) {
      known.take(Checkpoints.squareRoot(problem));
      Checkpoints.greedy(problem).forEach(known::take);
    }
    evict();
    if (!isAgain && !known.isDone()) {
      closure.splits = Gathering.widest(problem);
      closure.bound(problem, gaps, Long.MAX_VALUE, control.secondsLeft() / 4);
    }
    if (!known.isDone() && problem.values <= SMALL) {
      anneal(problem.once(), Math.min(problem.values / 200.0, control.secondsLeft() / 10), 0);
      exhaust(control.within(control.secondsLeft() / 2));
    }
    if (!known.isDone()) {
      search(given == null ? problem.once() : given);
    }
    return known.answer(closure.splits, tooMany);
  }

  /** Where nothing is known within the limit: sequences by eviction. */
  private void evict() {
    RunControl share = control.within(control.secondsLeft() / 20);
    if (!isAgain && known.best() == null) {
      known.take(Evictions.sequence(problem, limit, EVICTIONS, new Random(control.seed()), share));
    }
  }

  private void search(int[] start) {
    double all = Double.POSITIVE_INFINITY;
    boolean inTurns = control.isDeterministic();
    Thread annealing = new Thread(() -> anneal(start, all, 0), "recompute-annealing");
    annealing.setDaemon(true);
    if (!inTurns) {
      annealing.start();
    }
    boolean walked = known.extra() >= tooMany;
    if ((!isAgain || walked) && control.secondsLeft() > PATIENT) {
      double part = isAfresh ? MOSTLY_INTEGERS : INTEGERS;
      integers = control.within(control.secondsLeft() * part);
    }
    double slice = 3;
    double share = Math.min(2 + problem.ops / 100.0, control.secondsLeft() / 5);
    if (inTurns) {
      anneal(start, share, 0);
    } else if (!isAgain && !isAfresh) {
      awaitFirst(share);
    }
    for (int turn = 2; !control.isStopped() && !known.isDone(); turn++) {
      double left = control.secondsLeft();
      boolean more = proveBelow(slice);
      if (inTurns) {
        int[] found = known.best();
        anneal(found == null ? start : found, left - control.secondsLeft(), turn);
      }
      slice = Math.min(4 * slice, 200);
      if (!more) {
        if (problem.values <= FEW && !known.isDone()) {
          exhaust(control);
        }
        break;
      }
    }
    if (control.threads() > 1 || inTurns) {
      int[] found = known.best();
      anneal(found == null ? start : found, all, 1);
    }
    try {
      annealing.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives the annealing time to find sequences: the cheaper they are, the smaller the proofs. */
  private void awaitFirst(double share) {
    try {
      for (int k = 0; k < 20 && !known.isDone(); k++) {
        control.awaitStop(share / 20);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void anneal(int[] start, double seconds, int worker) {
    RunControl share = control.within(seconds);
    new Annealing(problem, limit, new Random(control.seed() + worker))
        .run(
            start,
            known.best(),
            known.extra(),
            () -> left(share, MOVES + problem.ops),
            known::take);
  }

  /**
   * Looks for a proof that nothing is cheaper than the best sequence; whether a longer time may
   * bring more.
   */
  private boolean proveBelow(double seconds) {
    long below = known.extra();
    RecomputeProblem cheap = problem.below(below);
    GapProblem gaps = new GapProblem(cheap, limit);
    double most = isAgain ? Math.max(seconds, control.secondsLeft() * FIRST) : seconds;
    closure.bound(cheap, gaps, below, most);
    boolean patient = integers != null;
    if (isAgain && !patient) {
      closure.split(below);
      walk();
      closure.branch(below);
    }
    int[] closed = closure.closed;
    int[] some = closure.tight.length > 0 ? closure.tight : closed;
    RunControl time = patient ? integers : control;
    boolean solved = false;
    for (boolean more = closed.length > 0; more && !known.isDone() && !time.isStopped(); ) {
      double one = patient ? time.secondsLeft() / 2 : seconds;
      ClosureInteger.Answer answer =
          ClosureInteger.solve(cheap, limit, known.bound(), below, some, closure.splits, time, one);
      known.raise(answer.bound(), Proof.SOLVER, null);
      annealFrom(answer.sequence());
      if (!isAgain && !patient && !answer.exact()) {
        closure.split(below);
        walk();
        closure.branch(below);
      } else if (!patient) {
        walk();
      }
      more = answer.exact() && answer.sequence() != null && known.extra() == below;
      if (more && some == closed) {
        int[] next = ClosureRows.splits(problem, closure.splits, answer.sequence(), SPLITS);
        more = next.length > closure.splits.length;
        closure.splits = next;
      }
      some = closed;
      solved = answer.exact();
    }
    if (patient && known.extra() == below) {
      closure.split(below);
      closure.branch(below);
      walk();
    }
    return !known.isDone() && closed.length > 0 && (known.extra() < below || !solved);
  }

  /**
   * Walks over the sets of values held, where a sequence is known and they are not too many; first
   * with small costs taken for nothing, which leaves fewer sets.
   */
  private void walk() {
    int[] closed = closure.closed;
    for (double share : FOR_NOTHING) {
      int[] found = known.best();
      long below = found == null ? Long.MAX_VALUE : problem.extra(found);
      double seconds = control.secondsLeft() * WALKED;
      if (below >= tooMany || known.isDone() || closed.length == 0 || seconds < WALK_SECONDS) {
        return;
      }
      long least = problem.costWithin(found, (long) (share * (below - known.bound())));
      RecomputeProblem cheap = problem.below(below).from(least);
      long most = cheap.extra(found);
      RunControl time = control.within(seconds);
      HeldWalk.Answer answer =
          HeldWalk.of(
              cheap,
              limit,
              closed,
              (from, held) -> {
                int[] rest = Arrays.copyOfRange(closed, from, closed.length);
                int[] some = new int[Math.min(WALK_SPLITS, rest.length)];
                Arrays.setAll(some, k -> rest[(2 * k + 1) * rest.length / (2 * some.length)]);
                IntPredicate there = held == null ? null : i -> (held[i >> 6] >>> i & 1) != 0;
                return ClosureLinear.solve(cheap, limit, most, rest, some, there, time, seconds);
              },
              most,
              () -> left(time, CHOICES) == 0);
      known.raise(answer.bound(), Proof.EXHAUSTION, null);
      annealFrom(answer.sequence());
      if (answer.bound() < most && answer.sequence() == null) {
        tooMany = below;
      }
    }
  }

  /** Looks near the solution of a relaxation for a sequence within the limit. */
  private void annealFrom(int[] solution) {
    if (solution != null && !known.isDone() && Timeline.isInOrder(problem, solution)) {
      known.take(solution);
      anneal(solution, Math.min(integers == null ? 3 : 1, control.secondsLeft() / 4), 2);
    }
  }

  /** The seconds left, 0 where all is known, after so much work. */
  private double left(RunControl share, long units) {
    share.did(units);
    return known.isDone() ? 0 : share.secondsLeft();
  }

  /** The exact walk; its bound has a proof that is checked where that has few sets. */
  private void exhaust(RunControl share) {
    long below = known.extra();
    RequiredWalk walk =
        new RequiredWalk(
            problem.below(below),
            limit,
            beginning -> {
              int[] marks = new GapProblem(beginning, limit).rows;
              double left = share.secondsLeft();
              return ClosureLinear.solve(
                  beginning, limit, below, marks, new int[0], null, share, left);
            },
            below,
            () -> left(share, SETS) == 0);
    HeldWalk.Answer found = walk.run();
    known.take(found.sequence());
    RequiredCertificate proof = walk.certificate(found.bound());
    boolean holds = proof != null && proof.bound(problem, limit) == found.bound();
    known.raise(found.bound(), Proof.EXHAUSTION, holds ? proof : null);
  }
}
