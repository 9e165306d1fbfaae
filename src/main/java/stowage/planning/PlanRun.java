package stowage.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import stowage.compiler.openvino.GpuAllocation;
import stowage.compiler.openvino.OpenVino;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.importer.io.PackingBaseline;
import stowage.liveness.PlanningCase;
import stowage.packing.Incumbent;
import stowage.packing.Plan;
import stowage.packing.RunControl;

/**
 * One run of planners on an input: from the plans that are known before to the best plan as the
 * network's run-time will make it, with what there is to say of it.
 */
public final class PlanRun {
  private final LoadedProblem planned;
  private final List<PlannerCatalogue.Choice> choices;
  private final EngineOptions options;
  private final EarlierRun earlier;
  private final SharedArena arena;
  private Incumbent incumbent;
  private boolean settled;
  private String refusal;
  private List<EngineReport> engines = List.of();
  private List<String> remarks = List.of();
  private GpuAllocation allocation;

  /** A run that has not begun, with an earlier plan and models planned together, or null. */
  public PlanRun(
      LoadedProblem planned,
      Incumbent incumbent,
      List<PlannerCatalogue.Choice> choices,
      EngineOptions options,
      EarlierRun earlier,
      SharedArena arena) {
    this.planned = planned;
    this.incumbent = incumbent;
    this.choices = choices;
    this.options = options;
    this.earlier = earlier;
    this.arena = arena;
  }

  /**
   * Runs the planners, and then what makes their plan come true.
   *
   * @param fromKnown whether to start from the plan that the input carries, and from plans of the
   *     models one by one, so that what is found is never worse
   */
  public void solve(RunControl control, boolean fromKnown) {
    PackingBaseline dumped = planned.dumped();
    if (fromKnown && dumped != null && dumped.isPlan(planned.problem())) {
      incumbent.offer(dumped.placement(), dumped.source());
    }
    if (fromKnown && arena != null) {
      arena.offerStart(incumbent, control, choices);
    }
    PlanningCase given = planned.planningCase();
    PlannerRun done =
        earlier != null
            ? earlier.run(given, incumbent, control, choices, options)
            : PlannerRun.of(given, incumbent, control, choices, options);
    refusal = done.refusal();
    engines = done.engineReports();
    if (earlier != null) {
      incumbent = earlier.settled(incumbent, options.firstFit(), control);
    }
    List<String> said = new ArrayList<>(done.remarks());
    said.addAll(incumbent.remarks());
    if (refusal != null) {
      said.add(refusal);
    }
    if (control.flatTries() > 0) {
      said.add(
          ("The run ended before its limit, since %d placings in turn had lowered the peak by"
                  + " less than 0.01 %%; --time-limit has it take all of the time given.")
              .formatted(control.flatTries()));
    }
    settle(control);
    said.addAll(TfliteMicroPlacement.remarks(planned, incumbent));
    remarks = said;
    for (PlannerCatalogue.Choice choice :
        refusal == null ? choices : List.<PlannerCatalogue.Choice>of()) {
      if (choice instanceof PlannerCatalogue.Choice.OfCase system
          && system.planner() instanceof OpenVino openVino) {
        allocation = openVino.allocation(given);
      }
    }
  }

  /** What the best plan without the capacity is, where none is within it; else null. */
  public Excess excess(RunControl control) {
    return incumbent.infeasibility() == null
        ? null
        : Excess.of(planned, incumbent.infeasibility(), control);
  }

  /** Makes of what was found what the run-time makes of it, once; null for no further search. */
  public synchronized void settle(RunControl further) {
    if (!settled) {
      settled = true;
      incumbent = TfliteMicroPlacement.settled(planned, incumbent, further);
    }
  }

  /** Adds a remark to the answer; null for none. */
  public void hint(String remark) {
    if (remark != null) {
      remarks = Stream.concat(remarks.stream(), Stream.of(remark)).toList();
    }
  }

  /** Says why planning ended early. */
  public void endedEarly(String why) {
    incumbent.remark("planning ended early: " + why);
    remarks = Stream.concat(incumbent.remarks().stream(), remarks.stream()).distinct().toList();
  }

  /** The best plan and bounds so far. */
  public Incumbent incumbent() {
    return incumbent;
  }

  /** Why the planners asked for cannot plan this, or null. */
  public String refusal() {
    return refusal;
  }

  /** Reports of the engines, in the order in which they ended. */
  public List<EngineReport> engines() {
    return engines;
  }

  /** What else there is to know, a sentence each. */
  public List<String> remarks() {
    return remarks;
  }

  /** What OpenVINO allocates, where it is among the planners; else null. */
  public GpuAllocation allocation() {
    return allocation;
  }

  /** How far a plan is from the earlier one; null where there is none. */
  public Stability stability(Plan plan) {
    return earlier == null ? null : earlier.stability(plan);
  }
}
