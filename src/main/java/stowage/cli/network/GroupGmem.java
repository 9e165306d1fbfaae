package stowage.cli.network;

import java.util.List;
import java.util.Map;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.NotPlannableException;
import stowage.importer.io.Input;
import stowage.liveness.BaselineCheck;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Chip;
import stowage.onchip.GroupedNetwork;
import stowage.onchip.Grouping;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.report.group.GroupReport;

/** The memory off the chip that is left to plan once ops are in groups. */
final class GroupGmem {
  /** Of the time limit the plan gets no more than this. */
  private static final double MOST_SECONDS = 10;

  /** Of the time limit this share is kept for the plan. */
  private static final double SHARE = 0.1;

  private GroupGmem() {}

  /** The part of a run's limits that the groups may use. */
  static RunControl forGroups(RunControl whole) {
    double left = whole.secondsLeft();
    return whole.within(left - Math.min(MOST_SECONDS, SHARE * left));
  }

  /** Plans the tensors between groups like any other problem. */
  static GroupReport.Gmem planned(Grouping grouping, RunControl control) {
    Incumbent incumbent = planned(GroupedNetwork.inGmem(grouping), control);
    long peak = incumbent.placement() == null ? -1 : incumbent.bestFigure();
    return new GroupReport.Gmem(peak, incumbent.bestBound(), incumbent.status().name());
  }

  private static Incumbent planned(PlanningCase planningCase, RunControl control) {
    Incumbent incumbent = new Incumbent(planningCase.problem());
    PlannerRun.of(
        planningCase,
        incumbent,
        control.share(MOST_SECONDS),
        List.of(PlannerCatalogue.named(PlannerCatalogue.PORTFOLIO)),
        EngineOptions.defaults());
    return incumbent;
  }

  /**
   * Where tensors are in GMEM, in bytes from the start of the activations, and how many bytes they
   * take.
   */
  record Placed(Map<String, Long> offsets, long peak) {}

  /**
   * Places the tensors between the groups of a file.
   *
   * @param before the file that the groups were put into: its rule for graph inputs is kept, and
   *     with a plan of its own the new one is no higher
   * @throws NotPlannableException when no plan as low as the file's own is found in time
   */
  static Placed placed(Input.Graph file, Input.Graph before, Chip chip, RunControl control) {
    if (before.baseline().isEmpty()) {
      return new Placed(Map.of(), 0);
    }
    BaselineCheck check = BaselineCheck.of(before.network(), before.baseline().get());
    PlanningCase planningCase =
        Liveness.of(file.network(), options(chip).withInputs(check.inputs()));
    Incumbent incumbent = planned(planningCase, control);
    if (incumbent.placement() == null
        || (check.peak() >= 0 && incumbent.bestFigure() > check.peak())) {
      throw new NotPlannableException(
          "no plan of the tensors between the groups is as low as the file's "
              + check.peak()
              + " bytes; a higher --time-limit may find one");
    }
    return new Placed(planningCase.offsets(incumbent.placement()), incumbent.bestFigure());
  }

  private static LivenessOptions options(Chip chip) {
    return LivenessOptions.defaults()
        .withAlignments(chip.activationAlignment(), chip.weightAlignment());
  }
}
