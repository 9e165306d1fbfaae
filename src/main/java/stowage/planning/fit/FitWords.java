package stowage.planning.fit;

import java.util.Set;
import java.util.stream.Collectors;
import stowage.packing.ByteText;
import stowage.planning.schedule.ScheduleRun;

/** Sentences about levers, bounds and what cannot get smaller. */
public final class FitWords {
  private FitWords() {}

  /** Levers as one says them: {@code order and sharing}. */
  public static String levers(Set<Lever> levers) {
    return levers.isEmpty()
        ? "as given"
        : levers.stream().sorted().map(Lever::word).collect(Collectors.joining(", "));
  }

  /** A step of the ladder in a line. */
  public static String step(FitAnswer.Step step) {
    return levers(step.levers())
        + runs(step)
        + ": "
        + (step.peak() < 0 ? "no plan" : ByteText.both(step.peak()))
        + ", bound "
        + ByteText.both(step.lowerBound());
  }

  /** A plan found, in a line: the levers, its peak and price, and what bounds the price. */
  static String found(FitRequest request, FitPlan plan, long bound) {
    String peak = ByteText.both(plan.peak());
    return "%s: %s at %s more compute, bound %s"
        .formatted(
            levers(request.levers()), peak, ByteText.exact(plan.extra()), ByteText.exact(bound));
  }

  /** How many runs a step has in pieces, to be appended to its levers. */
  public static String runs(FitAnswer.Step step) {
    return step.runs() == 0
        ? ""
        : " with " + step.runs() + (step.runs() == 1 ? " run" : " runs") + " in pieces";
  }

  /** What a bound of the price ranges over. */
  static String scope(FitRequest request) {
    Set<Lever> levers = request.levers();
    return (levers.contains(Lever.ORDER) ? "all orders" : "the given order")
        + (levers.contains(Lever.SHARING) ? ", all sharing of memory" : "")
        + (levers.contains(Lever.SPLIT) ? ", all runs in pieces of any sizes" : "")
        + (levers.contains(Lever.RECOMPUTE) ? ", ops computed any number of times" : "");
  }

  /** Why no order fits, or where it is kept the given one does not. */
  static String noOrder(FitRequest request, ScheduleRun run) {
    return "%s %s%s"
        .formatted(
            request.allows(Lever.ORDER)
                ? "No order of the ops has a lower load than"
                : "In the given order of the ops the load is at least",
            ByteText.both(run.loadBound()),
            run.closestCut() == null || run.closestCut().op() < 0
                ? "."
                : ": what op \""
                    + run.network().ops().get(run.orders().given()[run.closestCut().op()]).name()
                    + "\" reads and makes is live together, and what is kept across it.");
  }
}
