package stowage.planning;

import java.util.List;
import stowage.compiler.tflite.TfliteMicro;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.packing.ByteText;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Plans that TFLite Micro carries out: scratch memory, and whatever else the run-time places
 * itself, is put where the run-time will put it, and the peak is that of the arena's head.
 *
 * <p>The plan found is settled as it is. If that raises its peak, a plan with each op's scratch
 * memory in one piece is looked for, which {@linkplain TfliteMicro never rises}, and the lower of
 * the two is kept. The bound is that of the problem in which scratch memory may be anywhere, so it
 * holds for every plan.
 */
public final class TfliteMicroPlacement {
  private final TfliteMicro runtime;

  private TfliteMicroPlacement(LoadedProblem planned) {
    this.runtime = new TfliteMicro(planned.planningCase(), planned.placedByRuntime());
  }

  /**
   * The plan as it comes true, searched for further where there is a control; {@code found} itself
   * where the run-time follows a plan in all, or where the plan is the one that it makes by itself.
   */
  public static Incumbent settled(LoadedProblem planned, Incumbent found, RunControl control) {
    if (found.placement() == null || !planned.isForTfliteMicro()) {
      return found;
    }
    TfliteMicroPlacement placement = new TfliteMicroPlacement(planned);
    boolean itsOwn = found.placement().equals(placement.runtime.own());
    return placement.runtime.placesSome() && !itsOwn ? placement.settle(found, control) : found;
  }

  /** Sentences for the answer; none where TFLite Micro does not run the network. */
  public static List<String> remarks(LoadedProblem planned, Incumbent incumbent) {
    if (!planned.isForTfliteMicro()) {
      return List.of();
    }
    long own =
        TfliteMicro.of(planned.planningCase().network(), planned.placedByRuntime()).ownHead();
    boolean less = incumbent.placement() != null && incumbent.bestFigure() > own;
    String head =
        "TFLite Micro's own planner takes %s%s"
            .formatted(ByteText.both(own), less ? ", less than this plan." : ".");
    boolean scratch =
        planned.planningCase().network().ops().stream().anyMatch(op -> op.scratchBytes() > 0);
    return scratch
        ? List.of(head)
        : List.of(
            head,
            "The file does not contain scratch memory; it is not planned: --scratch LOG adds it.");
  }

  private Incumbent settle(Incumbent found, RunControl control) {
    Incumbent settled = found.withoutPlacement();
    offer(settled, found.placement(), found.finder());
    if (settled.bestFigure() > found.bestFigure()) {
      offer(settled, runtime.own(), "tflm");
      if (control != null) {
        offerMerged(settled, control);
      }
    }
    return settled;
  }

  private void offer(Incumbent settled, Placement plan, String who) {
    try {
      settled.offer(runtime.settled(plan), who);
    } catch (NotPlannableException clash) {
      throw new IllegalStateException("tensors of a verified plan clash", clash);
    }
  }

  private void offerMerged(Incumbent settled, RunControl control) {
    PackingProblem merged = runtime.merged();
    Incumbent best = new Incumbent(merged);
    PlanningCase alone = PlanningCase.ofBuffers(merged);
    PlannerRun.ofOne(PlannerCatalogue.PORTFOLIO, alone, best, control);
    if (best.placement() != null) {
      settled.offer(runtime.settledMerged(merged, best.placement()), best.finder());
    }
  }
}
