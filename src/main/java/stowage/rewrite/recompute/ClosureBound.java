package stowage.rewrite.recompute;

import java.util.stream.IntStream;
import stowage.packing.RunControl;
import stowage.rewrite.recompute.RecomputeAnswer.Proof;
import stowage.rewrite.recompute.cpsat.ClosureBranches;
import stowage.rewrite.recompute.cpsat.ClosureLinear;
import stowage.rewrite.recompute.cpsat.GapLinear;
import stowage.rewrite.recompute.model.GapCertificate;
import stowage.rewrite.recompute.model.GapProblem;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * Bounds of one limit by linear programmes: those of the gaps and of the closure, the closure's
 * with more splits, and with cases of how often ops run again.
 */
final class ClosureBound {
  /** Rows of the linear programme with closure that can be solved with profit. */
  private static final int MOST_ROWS = 80_000;

  /** Share of the time left for splits of the linear programme alone. */
  private static final double SPLIT = 0.4;

  /** Share of the time left for cases, and of that for one choice of splits. */
  private static final double BRANCH = 0.5;

  private static final double ONE_CHOICE = 0.25;

  /** Splits chosen by the marks that count alone, one after the other. */
  private static final int AT_ONCE = 4;

  /** How often so many splits may prove little more until no more are made. */
  private static final int MOST_LOSSES = 2;

  /** Parts of what is open of which one is little. */
  private static final int LITTLE = 20;

  /** Splits that double the closure's rows, about. */
  private static final int DOUBLE = 8;

  private final RecomputeProblem problem;
  private final long limit;
  private final RunControl control;
  private final RecomputeFindings known;

  /** Marks of the closure, and those whose bytes counted when it was solved last. */
  int[] closed = {};

  int[] tight = {};
  int[] splits = {};

  /** The closure's linear programme, null where it was not solved, and the most it proved. */
  private ClosureLinear.Solution solved;

  private long solvedBound;

  ClosureBound(RecomputeProblem problem, long limit, RunControl control, RecomputeFindings known) {
    this.problem = problem;
    this.limit = limit;
    this.control = control;
    this.known = known;
  }

  /** Both linear programmes; the multipliers of the gaps alone say which ops matter. */
  void bound(RecomputeProblem cheap, GapProblem gaps, long below, double seconds) {
    GapCertificate dual = GapLinear.solve(gaps, below, control, seconds);
    known.prove(dual, Proof.GAPS);
    int size = Math.max(1, cheap.values);
    for (int v = 0; v < cheap.ops; v++) {
      size += cheap.repeatable[v] ? 2 + cheap.reads[v].length : 0;
    }
    long most = MOST_ROWS / size * DOUBLE / (DOUBLE + splits.length);
    closed = gaps.nearest(dual.lambda(), Math.min(gaps.rows.length, most));
    tight = closed;
    solved = null;
    if (!known.isDone() && closed.length > 0) {
      solve(below, closed, splits, seconds);
    }
  }

  /** The linear programme of the closure. */
  private void solve(long below, int[] marks, int[] periods, double seconds) {
    solved = ClosureLinear.solution(problem, limit, below, marks, periods, null, control, seconds);
    if (solved != null) {
      solvedBound = Math.max(solvedBound, known.prove(solved.certificate(), Proof.CLOSURE));
      tight = solved.certificate().binding(problem, limit, closed);
    }
  }

  /**
   * Splits periods as long as the linear programme proves a good deal more: some by the rows of the
   * few marks that count, then by all. Where all splits proved little, they are forgotten.
   */
  void split(long below) {
    RunControl time = control.within(control.secondsLeft() * SPLIT);
    int[] next = splits;
    long start = solvedBound;
    for (int losses = 0; losses < MOST_LOSSES && solved != null && !known.isDone(); ) {
      long before = solvedBound;
      int count = next.length;
      boolean all = false;
      for (int k = 0; !all && solved != null && !time.isStopped(); k++) {
        int[] more = k == AT_ONCE ? next : solved.moreSplits(problem, limit);
        all = more.length == next.length;
        next = more;
        if (next.length > count) {
          solve(below, all ? closed : tight, next, time.secondsLeft());
        }
      }
      boolean little = solvedBound - before < (below - before) / LITTLE;
      losses = next.length == count ? MOST_LOSSES : little ? losses + 1 : 0;
    }
    splits = solvedBound - start < (below - start) / LITTLE ? splits : next;
  }

  /**
   * Proofs by cases with the rows of the marks that count: shortly by these splits and by more,
   * chosen by the case that proves least, then by the best ones in the time that is left.
   */
  void branch(long below) {
    RunControl time = control.within(control.secondsLeft() * BRANCH);
    int[] next = splits;
    int losses = 0;
    while (closed.length > 0 && !known.isDone() && !time.isStopped()) {
      boolean last = losses == MOST_LOSSES;
      RunControl one = time.within(last ? time.secondsLeft() : time.secondsLeft() * ONE_CHOICE);
      ClosureBranches.Found found =
          ClosureBranches.solve(problem, limit, below, tight, next, one, one.secondsLeft());
      if (found == null) {
        return;
      }
      long before = known.bound();
      long proven = known.prove(found.certificate(), Proof.CASES);
      boolean same = found.splits().length == next.length;
      if (last || (same && !one.isStopped())) {
        return;
      }
      splits = proven >= before ? next : splits;
      losses = same ? MOST_LOSSES : proven - before < (below - before) / LITTLE ? losses + 1 : 0;
      next = losses == MOST_LOSSES ? splits : found.splits();
      int[] marks = tight;
      solve(below, marks, next, time.secondsLeft());
      tight =
          IntStream.concat(IntStream.of(marks), IntStream.of(tight)).sorted().distinct().toArray();
    }
  }
}
