package stowage.planning.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.rewrite.Rewriting;

/**
 * The cheapest mix of recomputing with the other levers. A lever that is allowed need not be used,
 * and each search takes time from the next ones: so the question is put by all levers but
 * splitting, by fewer of them, by splitting alone, and by recomputing in networks that are split as
 * far as the limit and to two levels above it. Of these the cheapest answer that fits is taken, at
 * a price the lowest, with a curve the lowest at a usual price. A bound that holds for all levers
 * is kept; what is proven for fewer is not.
 */
final class LeverMix {
  /** How far networks are split before ops are computed again: to the limit, and above it. */
  private static final int LEVELS = 3;

  /** The highest of these levels, by the limit. */
  private static final double LARGEST_PART = 1.5;

  private final FitRequest request;
  private final RunControl control;
  private final Consumer<String> progress;
  private final long start = System.nanoTime();
  private final List<FitAnswer.Step> ladder = new ArrayList<>();
  private final List<FitAnswer.Point> points = new ArrayList<>();
  private FitAnswer best;

  private LeverMix(FitRequest request, RunControl control, Consumer<String> progress) {
    this.request = request;
    this.control = control;
    this.progress = progress;
  }

  /**
   * Answers a request that allows recomputing.
   *
   * @param control when to stop; threads and seed
   * @param progress is given a line for each step
   */
  static FitAnswer of(FitRequest request, RunControl control, Consumer<String> progress) {
    return new LeverMix(request, control, progress).run();
  }

  private FitAnswer run() {
    boolean splits = request.allows(Lever.SPLIT);
    FitRequest whole = request.without(Lever.SPLIT);
    boolean alone = whole.levers().size() == 1 || !request.limited();
    if (!splits && alone) {
      return RecomputeFit.of(request, control, progress);
    }
    FitAnswer split = null;
    if (splits) {
      split = FitRun.of(request.without(Lever.RECOMPUTE), share(4), progress);
      if (split.fits() && split.extra() == 0 && request.limited()) {
        return split;
      }
      take(split);
    }
    List<FitRequest> ways = new ArrayList<>(List.of(whole));
    if (!alone) {
      ways.add(0, whole.without(Lever.ORDER).without(Lever.SHARING));
    }
    if (!alone && whole.allows(Lever.ORDER) && whole.allows(Lever.SHARING)) {
      ways.addAll(List.of(whole.without(Lever.SHARING), whole.without(Lever.ORDER)));
    }
    FitAnswer proven = null;
    for (FitRequest way : ways) {
      if (way != whole && isProven(proven)) {
        continue;
      }
      FitAnswer found = RecomputeFit.of(way, share(way == ways.get(0) ? 2 : 3), progress);
      if (way == whole && !splits) {
        if (found.status() == Status.INFEASIBLE) {
          return found;
        }
        proven = found;
      }
      take(found);
    }
    if (splits) {
      recomputeInPieces(split);
    }
    if (!best.fits() && request.limited() && !control.isStopped()) {
      take(RecomputeFit.of(whole, control, progress));
    }
    return best.of(request, proven, ladder, points, (System.nanoTime() - start) / 1e9);
  }

  private RunControl share(int parts) {
    return control.within(Math.min(1e6, control.secondsLeft()) / parts);
  }

  private boolean isProven(FitAnswer proven) {
    long least = proven == null ? 0 : proven.extraBound();
    return best != null && request.limited() && best.fits() && best.extra() <= least;
  }

  /** Recomputes in the network as it is split for the limit, and for ones above it. */
  private void recomputeInPieces(FitAnswer split) {
    int levels = request.curve() ? 0 : request.limited() ? LEVELS : 1;
    for (int level = 0; level < levels; level++) {
      FitAnswer part = split;
      if (level > 0) {
        double above = 1 + (LARGEST_PART - 1) * level / (LEVELS - 1);
        FitRequest easier = request.without(Lever.RECOMPUTE).withLimitsTimes(above);
        part = FitRun.of(easier, share(2 * (LEVELS - level) + 2), progress);
      }
      boolean dear = request.limited() && best.fits() && best.extra() <= part.extra();
      if (part.plan() != null && part.extra() > 0 && !dear) {
        Rewriting base = part.plan().rewriting();
        FitRequest again = request.without(Lever.SPLIT);
        take(RecomputeFit.of(again, base, share(2 * (LEVELS - level) + 1), progress));
      }
    }
  }

  /** Takes an answer that is better than those before, and what its ladder and curve say. */
  private void take(FitAnswer found) {
    ladder.addAll(found.ladder());
    points.addAll(found.curve());
    best = best == null || isBetter(found) ? found : best;
  }

  private boolean isBetter(FitAnswer found) {
    if (found.plan() == null || best.plan() == null) {
      return found.plan() != null;
    }
    if (found.fits() != best.fits()) {
      return found.fits();
    }
    boolean usual = found.extra() <= request.usual();
    if (request.curve() && usual != (best.extra() <= request.usual())) {
      return usual;
    }
    return request.limited() && found.fits()
        ? found.extra() < best.extra()
        : found.plan().peak() < best.plan().peak();
  }
}
