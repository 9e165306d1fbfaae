package stowage.planning.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import stowage.packing.RunControl;
import stowage.packing.Status;

/**
 * The cheapest mix of recomputing with the other levers. A lever that is allowed need not be used,
 * and each search takes time from the next ones: so the question is put by all levers but
 * splitting, by fewer of them, by splitting alone, and by recomputing in networks that are split as
 * far as the limit and to two levels above it. Where nothing fits without pieces, only the last two
 * are tried, and splitting has half the time. Of these the cheapest answer that fits is taken, at a
 * price the lowest, with a curve the lowest at a usual price. A bound that holds for all levers is
 * kept; what is proven for fewer is not.
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

  /** Answers a request that allows recomputing, with a line of progress for each step. */
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
    FitBound bound = new FitBound(request, control::isStopped);
    boolean wholeValues = !splits && !request.allows(Lever.SHARING);
    if (!wholeValues && bound.peak() > request.limit()) {
      return RecomputeFit.impossible(request, bound, control, progress);
    }
    FitBound wholeBound = splits ? new FitBound(whole, control::isStopped) : null;
    boolean pieces = splits && wholeBound.peak() > request.limit(); // nothing fits without them
    FitAnswer split = null;
    if (splits) {
      split = FitRun.of(request.without(Lever.RECOMPUTE), apart(pieces ? 2 : 4), progress);
      take(split);
      if (split.fits() && split.extra() == 0 && request.limited()) {
        return answer(null);
      }
    }
    List<FitRequest> ways = new ArrayList<>();
    if (pieces) {
      take(RecomputeFit.impossible(whole, wholeBound, control, progress));
    } else {
      ways.add(whole);
    }
    if (!pieces && !alone) {
      ways.add(0, whole.without(Lever.ORDER).without(Lever.SHARING));
    }
    if (!pieces && !alone && whole.allows(Lever.ORDER) && whole.allows(Lever.SHARING)) {
      ways.addAll(List.of(whole.without(Lever.SHARING), whole.without(Lever.ORDER)));
    }
    FitAnswer proven = null;
    for (FitRequest way : ways) {
      if (way != whole && (control.isStopped() || isProven(proven))) {
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
      recomputeInPieces(split, bound.peak());
    }
    if (!best.fits() && request.limited() && !pieces && !control.isStopped()) {
      take(RecomputeFit.of(whole, control, progress));
    }
    return answer(proven);
  }

  private FitAnswer answer(FitAnswer proven) {
    Map<String, String> fixed =
        RecomputeValues.of(request.network(), request.liveness(Set.of())).fixed();
    double seconds = (System.nanoTime() - start) / 1e9;
    return best.of(request, proven, fixed, ladder, points, seconds);
  }

  private RunControl share(int parts) {
    return control.within(Math.min(1e6, control.secondsLeft()) / parts);
  }

  /** The same for what does not count its work. */
  private RunControl apart(int parts) {
    return control.share(Math.min(1e6, control.secondsLeft()) / parts);
  }

  private boolean isProven(FitAnswer proven) {
    long least = proven == null ? 0 : proven.extraBound();
    return best != null && request.limited() && best.fits() && best.extra() <= least;
  }

  /** Recomputes in the network as it is split for the limit, and for ones above it. */
  private void recomputeInPieces(FitAnswer split, long leastPeak) {
    int levels = request.curve() ? 0 : request.limited() ? LEVELS : 1;
    for (int level = 0; level < levels && !control.isStopped(); level++) {
      FitAnswer part = split;
      if (level > 0) {
        double above = 1 + (LARGEST_PART - 1) * level / (LEVELS - 1);
        FitRequest easier = request.without(Lever.RECOMPUTE).withLimitsTimes(above);
        part = FitRun.of(easier, apart(2 * (LEVELS - level) + 2), progress);
      }
      boolean dear = request.limited() && best.fits() && best.extra() <= part.extra();
      if (part.plan() != null && part.extra() > 0 && !dear) {
        FitRequest again = request.without(Lever.SPLIT);
        RunControl share = share(2 * (LEVELS - level) + 1);
        take(RecomputeFit.of(again, part.plan(), leastPeak, share, progress));
      }
    }
  }

  /** Takes an answer that is better than those before, and what its ladder and curve say. */
  private void take(FitAnswer found) {
    found.ladder().forEach(this::take);
    points.addAll(found.curve());
    best = best == null || isBetter(found) ? found : best;
  }

  /** Takes a step of the ladder, in place of one by the same means that answers no better. */
  private void take(FitAnswer.Step step) {
    for (int at = 0; at < ladder.size(); at++) {
      FitAnswer.Step old = ladder.get(at);
      if (old.levers().equals(step.levers())) {
        ladder.set(at, isBetter(step, old) ? step : old);
        return;
      }
    }
    ladder.add(step);
  }

  private boolean isBetter(FitAnswer.Step step, FitAnswer.Step old) {
    if (step.peak() < 0 || old.peak() < 0) {
      return step.peak() >= 0;
    }
    boolean within = request.limited() && Math.max(step.peak(), old.peak()) <= request.limit();
    return within ? step.extra() < old.extra() : step.peak() < old.peak();
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
