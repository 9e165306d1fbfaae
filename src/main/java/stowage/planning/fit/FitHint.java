package stowage.planning.fit;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import stowage.exact.engine.EngineOptions;
import stowage.liveness.BaselineCheck;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.ByteText;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.planning.LoadedProblem;
import stowage.planning.fit.piece.Stretch;
import stowage.planning.fit.piece.StretchChain;
import stowage.planning.fit.price.FitCompute;
import stowage.rewrite.Rewriting;
import stowage.rewrite.RunSplit;

/**
 * Remark after a plan: what sharing addresses and cutting ops into pieces would save. Only short
 * stretches of ops around the peak are tried, placed by quick rules. Deterministic; O(ops) for
 * networks of up to a thousand ops, larger ones are left out.
 */
public final class FitHint {
  private static final int MOST_OPS = 1000;
  private static final int LONGEST = 4;

  /** A choice is mentioned that saves a tenth for at most a twentieth of the compute. */
  private static final double SAVED = 0.9;

  private static final long SHARE = 20;

  private FitHint() {}

  /**
   * A sentence that says what the network needs then; empty where that is not much less.
   *
   * @param problem what was planned, in the order in which its ops run
   * @param made its plan; one without a placement where none is within the limit
   * @param limit bytes that the peak should be within; null for no limit
   * @param file the network's, with the options that reading it needs
   */
  public static Optional<String> of(LoadedProblem problem, Plan made, Long limit, String file) {
    PlanningCase planned = problem.planningCase();
    if (!planned.hasNetwork()
        || planned.options().order() != LivenessOptions.Order.IN_ORDER
        || made.placement() == null && limit == null
        || planned.network().ops().size() > MOST_OPS
        || planned.network().ops().isEmpty()
        || !FitCompute.isCountable(planned.network(), 1)) {
      return Optional.empty();
    }
    Network network = planned.network();
    long peak = made.placement() == null ? made.lowerBound() : made.peak();
    long capacity = limit == null ? -1 : limit;
    long most = FitCompute.of(network) / SHARE;
    boolean misses = capacity >= 0 && (made.placement() == null || peak > capacity);
    long target = misses ? capacity : (long) (peak * SAVED);
    FitRequest request =
        new FitRequest(
            network,
            planned.options().withInPlace(LivenessOptions.InPlace.OPTIMAL),
            Set.of(Lever.SHARING, Lever.SPLIT),
            -1,
            -1,
            most,
            false,
            EngineOptions.defaults());
    if (problem.baseline() != null) {
      BaselineCheck own =
          BaselineCheck.of(
              network,
              problem.baseline(),
              LivenessOptions.InPlace.BANDS,
              problem.placedByRuntime());
      if (own.valid() && own.peak() < peak && (capacity < 0 || own.peak() <= capacity)) {
        return Optional.of(
            "the plan in the file, whose results overlap what they are made from, takes %s: %s"
                .formatted(
                    ByteText.both(own.peak()), "stowage plan " + file + " --in-place bands"));
      }
    }
    Rewriting base = Rewriting.reordered(network, planned.order());
    SplitChoices choices = new SplitChoices(request, base, RunControl.unlimited());
    List<Stretch> path = cheapest(choices, target, peak, most);
    if (path != null) {
      List<RunSplit> runs = StretchChain.runs(path);
      FitPlan plan = new FitPlaces(request, base, RunControl.unlimited()).of(runs);
      if (plan != null && plan.placement().placement() != null && plan.peak() <= target) {
        return Optional.of(
            "%s the network needs %s with %s: stowage fit %s %s"
                .formatted(
                    runs.isEmpty() ? "with results at their operands' addresses" : "in pieces",
                    ByteText.both(plan.peak()),
                    share(plan, network),
                    file,
                    misses
                        ? "--capacity " + capacity
                        : "--max-extra " + (plan.extra() == 0 ? "0" : "5%")));
      }
    }
    return misses && new FitBound(request).peak() <= capacity
        ? Optional.of("see what makes it fit: stowage fit " + file + " --capacity " + capacity)
        : Optional.empty();
  }

  private static String share(FitPlan plan, Network network) {
    return plan.extra() == 0
        ? "no more compute"
        : ByteText.percent((double) plan.extra() / FitCompute.of(network)) + " more compute";
  }

  private static List<Stretch> cheapest(SplitChoices choices, long target, long peak, long most) {
    for (int length = 1; length <= LONGEST; length++) {
      choices.explore(target, length, most, peak, Stretches.Cuts.EVEN, () -> false);
      List<Stretch> path = choices.cheapest(target);
      if (path != null && StretchChain.extra(path) <= most) {
        return path;
      }
    }
    return null;
  }
}
