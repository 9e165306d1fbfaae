package stowage.planning.fit;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.schedule.ScheduleRun;

/**
 * One run from a network to a plan within the limits at the least extra compute: the levers one
 * after the other, cheapest first.
 *
 * <p>Order and sharing cost no compute, so what fits by them alone is proven least at once. A step
 * is left as soon as it is within the limits, unless a curve or the least peak is wanted.
 */
public final class FitRun {
  /** Share of the time that is left for a step that costs nothing, where dearer ones follow. */
  private static final double FREE_SHARE = 0.15;

  private final FitRequest request;
  private final RunControl control;
  private final Consumer<String> progress;
  private final long start = System.nanoTime();
  private final List<FitAnswer.Step> ladder = new ArrayList<>();
  private FitPlan best;
  private String reason;

  private FitRun(FitRequest request, RunControl control, Consumer<String> progress) {
    this.request = request;
    this.control = control;
    this.progress = progress;
  }

  /**
   * Climbs the ladder.
   *
   * @param control when to stop; threads and seed
   * @param progress is given a line for each step
   */
  public static FitAnswer of(FitRequest request, RunControl control, Consumer<String> progress) {
    return new FitRun(request, control, progress).run();
  }

  /** The compute of a network, in its unit. */
  public static long compute(Network network) {
    return 0;
  }

  private FitAnswer run() {
    Set<Lever> climbed = EnumSet.noneOf(Lever.class);
    boolean free = false;
    for (Lever lever : List.of(Lever.ORDER, Lever.SHARING)) {
      if (request.allows(lever)) {
        climbed.add(lever);
        free = true;
        if (arrange(climbed)) {
          break;
        }
      }
    }
    if (!free) {
      arrange(climbed);
    }
    return answer();
  }

  /** Places the given network by means that cost nothing; says whether that is enough. */
  private boolean arrange(Set<Lever> climbed) {
    boolean last = request.levers().equals(climbed);
    ScheduleRun run =
        new ScheduleRun(
            request.network(),
            request.liveness(climbed),
            climbed.contains(Lever.ORDER) ? List.of() : givenOrder(),
            request.loadLimit() < 0 ? request.capacity() : -1);
    RunControl share = last ? control : control.within(FREE_SHARE * control.secondsLeft());
    run.findOrder(share);
    if (!run.infeasible() || !last) {
      run.place(share, request.engines().withFirstFit(request.capacity() >= 0));
    }
    if (run.placement() != null && run.placement().score() != null) {
      take(
          new FitPlan(
              request.network(),
              IntStream.range(0, request.network().ops().size()).boxed().toList(),
              run.planningCase(),
              run.placement(),
              0,
              0,
              0,
              List.of()));
    }
    long bound = run.loadBound();
    ladder.add(
        new FitAnswer.Step(
            EnumSet.copyOf(climbed.isEmpty() ? EnumSet.noneOf(Lever.class) : climbed),
            best == null ? -1 : best.peak(),
            bound,
            0,
            0));
    progress.accept(FitWords.step(ladder.get(ladder.size() - 1)));
    if (last && request.limited() && !request.admits(bound, bound)) {
      reason = FitWords.noOrder(run);
    }
    boolean wanted = request.curve() || request.maxExtra() >= 0;
    return !wanted && best != null && request.admits(best.peak(), best.load());
  }

  /** Pairs of neighbours in the given order, which keep it as it is. */
  private List<int[]> givenOrder() {
    int[] order = request.network().executionOrder();
    return IntStream.range(1, order.length)
        .mapToObj(k -> new int[] {order[k - 1], order[k]})
        .toList();
  }

  private void take(FitPlan plan) {
    boolean within = request.admits(plan.peak(), plan.load());
    boolean had = best != null && request.admits(best.peak(), best.load());
    if (within == had ? plan.isBetterThan(best) : within) {
      best = plan;
    }
  }

  private FitAnswer answer() {
    boolean fits = best != null && request.admits(best.peak(), best.load());
    Status status = Status.UNKNOWN;
    if (reason != null) {
      status = Status.INFEASIBLE;
    } else if (fits) {
      status = Status.OPTIMAL;
    }
    return new FitAnswer(
        request,
        status,
        reason == null ? best : null,
        0,
        "macs",
        0,
        FitWords.scope(request.levers()),
        ladder,
        List.of(),
        reason,
        (System.nanoTime() - start) / 1e9);
  }
}
