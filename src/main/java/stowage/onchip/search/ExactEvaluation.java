package stowage.onchip.search;

import stowage.onchip.lmem.CachedFit;
import stowage.onchip.lmem.LmemEngine;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.schedule.GroupRun;
import stowage.onchip.schedule.LmemBuilder;
import stowage.onchip.schedule.TimeSteps;
import stowage.onchip.slice.SlicedGroup;
import stowage.onchip.slice.Staying;

/**
 * A sliced group with addresses found by search: first with all its constants staying for all
 * slices, then, where these do not fit, with as few bytes loaded again as can be. A group of one
 * slice runs without a pipeline, since its live ranges are then shorter.
 */
final class ExactEvaluation {
  private final CostModel cost;
  private final CachedFit fits;
  private final RuleBasedEvaluation ruled;
  private boolean open;

  /** Takes the answers of {@code ruled} where the search has none. */
  ExactEvaluation(CostModel cost, CachedFit fits, RuleBasedEvaluation ruled) {
    this.cost = cost;
    this.fits = fits;
    this.ruled = ruled;
  }

  /** Whether constants may be loaded again for each slice. */
  static boolean mayReload(SlicedGroup sliced) {
    return sliced.slicing().isCut() && sliced.group().weightCount() > 0;
  }

  /** Whether a question has stayed without an answer since this was asked before. */
  boolean takeOpen() {
    boolean was = open;
    open = false;
    return was;
  }

  /** Bytes moved when every constant stays: no way of running the slices moves fewer. */
  long traffic(SlicedGroup sliced) {
    return cost.groupTraffic(sliced, Staying.all(sliced));
  }

  /** Cycles when every constant stays. */
  double cycles(SlicedGroup sliced) {
    return cost.groupCycles(allStaying(sliced));
  }

  private GroupRun allStaying(SlicedGroup sliced) {
    return new TimeSteps(sliced, cost).run(sliced.slicing().isCut(), Staying.all(sliced));
  }

  /** The group with every constant staying, or null where no placement was found. */
  GroupOutcome staying(SlicedGroup sliced) {
    GroupRun run = allStaying(sliced);
    LmemProblem problem = run.problem();
    LmemEngine.Fit fit = fits.fit(problem);
    open |= fit.verdict() == LmemEngine.Verdict.UNKNOWN;
    if (fit.verdict() == LmemEngine.Verdict.FITS) {
      return GroupOutcome.found(run, problem, fit.placement(), cost);
    }
    return mayReload(sliced) ? null : byRules(sliced);
  }

  /** The group as rules run it, or null where they find no placement either. */
  private GroupOutcome byRules(SlicedGroup sliced) {
    GroupOutcome today = ruled.run(sliced, GroupOptions.Lmem.TODAY);
    return today != null ? today : ruled.run(sliced, GroupOptions.Lmem.DOCUMENT);
  }

  /** The group with as few bytes of constants loaded again as were found to fit, or null. */
  GroupOutcome reloading(SlicedGroup sliced) {
    GroupOutcome searched = searched(sliced);
    return searched != null ? searched : byRules(sliced);
  }

  private GroupOutcome searched(SlicedGroup sliced) {
    boolean[] weights = new boolean[sliced.group().weightCount()];
    Staying inputs = Staying.all(sliced).withWeights(weights.clone());
    GroupRun run = new TimeSteps(sliced, cost).run(true, inputs);
    LmemBuilder.Built built = LmemBuilder.built(run, null);
    LmemProblem problem = built.problem();
    if (problem.exceedsLane()) {
      return null;
    }
    int[] buffers = built.weights();
    long[] byConstant = sliced.reloads();
    long[] reloads = new long[problem.size()];
    for (int w = 0; w < weights.length; w++) {
      reloads[buffers[w]] = byConstant[w];
    }
    LmemEngine.HeldChoice holding = fits.hold(problem, reloads);
    open |= holding.verdict() == LmemEngine.Verdict.UNKNOWN || !holding.optimal();
    if (holding.verdict() != LmemEngine.Verdict.FITS) {
      return null;
    }
    for (int w = 0; w < weights.length; w++) {
      weights[w] = holding.held()[buffers[w]];
    }
    GroupRun kept = run.with(inputs.withWeights(weights));
    LmemProblem placed = kept.problem();
    LmemEngine.Fit fit = fits.fit(placed);
    open |= fit.verdict() == LmemEngine.Verdict.UNKNOWN;
    return fit.verdict() == LmemEngine.Verdict.FITS
        ? GroupOutcome.found(kept, placed, fit.placement(), cost)
        : null;
  }
}
