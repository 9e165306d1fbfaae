package stowage.onchip.cpsat;

import com.google.ortools.sat.CpSolverStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import stowage.exact.cpsat.CpSatRun;
import stowage.onchip.lmem.LmemAnswer;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.packing.RunControl;

/**
 * CP-SAT on {@link LmemModel}.
 *
 * <p>The figures are settled in order. First it is asked whether all but the peak can be at the
 * bounds that hold without search (no clash but those no placement removes, no operand clash, no
 * crossing): a yes settles three figures at once. Else each figure is minimised under the best of
 * those before; a figure whose minimum is not proven keeps its bound, and later figures are still
 * brought down but not bounded by search.
 */
public final class CpSatLmem implements LmemEngine {
  @Override
  public Fit fit(LmemProblem problem, RunControl control) {
    LmemModel model = new LmemModel(problem);
    CpSatRun.Result result = CpSatRun.solve(model.model(), control, Double.MAX_VALUE);
    if (result.hasSolution()) {
      return new Fit(Verdict.FITS, model.placement(result.solver()));
    }
    return result.isInfeasible() ? Fit.CANNOT : Fit.UNKNOWN;
  }

  @Override
  public HeldChoice hold(LmemProblem problem, long[] reloads, RunControl control) {
    LmemModel model = new LmemModel(problem, reloads);
    model.model().minimize(model.reloaded(reloads));
    CpSatRun.Result result = CpSatRun.solve(model.model(), control, Double.MAX_VALUE);
    if (result.hasSolution()) {
      return new HeldChoice(
          Verdict.FITS, model.held(result.solver()), result.status() == CpSolverStatus.OPTIMAL);
    }
    return new HeldChoice(result.isInfeasible() ? Verdict.CANNOT_FIT : Verdict.UNKNOWN, null, true);
  }

  @Override
  public LmemAnswer improve(LmemProblem problem, LmemPlacement start, RunControl control) {
    List<Long> bounds = new ArrayList<>(LmemAnswer.freeBounds(problem));
    LmemPlacement best = start;
    LmemScore score = LmemScore.of(problem, best);
    if (!meets(score, bounds, 3) && !control.isStopped()) {
      LmemModel model = new LmemModel(problem);
      for (int figure = 0; figure < 3; figure++) {
        model.limit(figure, bounds.get(figure));
      }
      model.hint(best);
      CpSatRun.Result result =
          CpSatRun.solve(model.model(), control, Math.max(0.2, control.secondsLeft() / 4));
      if (result.hasSolution()) {
        best = model.placement(result.solver());
        score = LmemScore.of(problem, best);
      }
    }
    boolean settled = true;
    for (int figure = 0; figure < LmemScore.FIGURES.size(); figure++) {
      if (score.figure(figure) <= bounds.get(figure) || control.isStopped()) {
        settled &= score.figure(figure) <= bounds.get(figure);
        continue;
      }
      LmemModel model = new LmemModel(problem);
      for (int before = 0; before < figure; before++) {
        model.limit(before, score.figure(before));
      }
      var objective = model.figure(figure);
      model.model().addLinearConstraint(objective, bounds.get(figure), score.figure(figure));
      model.model().minimize(objective);
      model.hint(best);
      double share = control.secondsLeft() / (LmemScore.FIGURES.size() - figure);
      CpSatRun.Result result = CpSatRun.solve(model.model(), control, Math.max(0.2, share));
      if (result.hasSolution()) {
        LmemPlacement found = model.placement(result.solver());
        LmemScore now = LmemScore.of(problem, found);
        if (now.compareTo(score) <= 0) {
          best = found;
          score = now;
        }
      }
      if (settled && !result.isInfeasible()) {
        long proven = result.bound(bounds.get(figure));
        bounds.set(figure, Math.min(score.figure(figure), Math.max(bounds.get(figure), proven)));
      }
      settled &= score.figure(figure) <= bounds.get(figure);
    }
    return LmemAnswer.capped(best, score, bounds);
  }

  private static boolean meets(LmemScore score, List<Long> bounds, int figures) {
    return IntStream.range(0, figures).allMatch(f -> score.figure(f) <= bounds.get(f));
  }
}
