package stowage.report;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import stowage.network.Network;
import stowage.packing.BestBound;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.Relations;
import stowage.packing.ReuseCost;
import stowage.packing.ReuseProof;
import stowage.packing.Status;
import stowage.planning.Excess;
import stowage.planning.LoadedProblem;
import stowage.planning.SharedArena;
import stowage.report.plan.PlanHtml;
import stowage.report.plan.PlanJson;
import stowage.report.plan.PlanSummary;
import stowage.report.plan.PlanSvg;

/**
 * Report of one run: its plan, what was planned, and what else is known of the run; {@link
 * PlanJson}, {@link PlanSummary}, {@link PlanSvg} and {@link PlanHtml} take nothing else.
 *
 * @param best the best bound of the main memory's peak
 * @param isInfeasibilityChecked whether the certificate of infeasibility was checked
 * @param facts what the run found besides the plan
 * @param ops the network's ops in execution order and their use of buffers, or null
 * @param peakRssBytes bytes of the process's largest resident set
 */
public record RunReport(
    Plan plan,
    BestBound best,
    boolean isInfeasibilityChecked,
    LoadedProblem input,
    RunSettings settings,
    RunFacts facts,
    OpFacts ops,
    BaselineFacts baseline,
    long peakRssBytes) {

  /** A report of a plan of which nothing else is known. */
  public static RunReport of(Plan plan) {
    return of(plan, LoadedProblem.of(plan.problem()), RunSettings.DEFAULTS, RunFacts.NONE, null);
  }

  /**
   * A report that takes the process's peak memory now. O(n log n), or less after a report with the
   * same bound.
   *
   * @param earlier a report of the same run, whose check of the bound is not repeated while the
   *     bound is the same; or null
   */
  public static RunReport of(
      Plan plan, LoadedProblem input, RunSettings settings, RunFacts facts, RunReport earlier) {
    PackingProblem problem = plan.problem();
    boolean known =
        earlier != null
            && earlier.problem() == problem
            && earlier.plan.peakBound() == plan.peakBound();
    return new RunReport(
        plan,
        known ? earlier.best : BestBound.of(problem, plan.peakBound()),
        plan.infeasibility() != null && BestBound.provesInfeasible(problem, plan.infeasibility()),
        input,
        settings,
        facts,
        OpFacts.of(input.planningCase()),
        BaselineFacts.of(input),
        PeakMemory.bytes());
  }

  /** Whether another report has the same placement and bounds, so that its pictures serve both. */
  public boolean tellsSamePlan(RunReport other) {
    return plan.placement() == other.plan.placement()
        && other.problem() == problem()
        && Arrays.equals(plan.bounds(), other.plan.bounds());
  }

  /**
   * The report that pictures are drawn of: of the plan that is too high where none is within the
   * capacity, else this one; it may have no placement.
   */
  public RunReport drawn() {
    Excess excess = facts.excess();
    if (hasPlacement() || excess == null) {
      return this;
    }
    Plan shown =
        new Plan(
            problem(),
            excess.placement(),
            null,
            plan.bounds(),
            plan.status(),
            plan.infeasibility(),
            excess.finder(),
            plan.seconds(),
            plan.objective());
    return new RunReport(
        shown, best, isInfeasibilityChecked, input, settings, facts, ops, baseline, peakRssBytes);
  }

  /** The buffers that prove the bound, or that the capacity cannot hold. */
  public int[] named() {
    return facts.excess() == null
        ? bound().certificate().buffers()
        : facts.excess().blocking().buffers().stream().mapToInt(i -> i).toArray();
  }

  /** The problem that was planned. */
  public PackingProblem problem() {
    return plan.problem();
  }

  /** Whether there is a verified placement. */
  public boolean hasPlacement() {
    return plan.placement() != null;
  }

  /**
   * What is known: as the plan says, and OPTIMAL too where the figure that counts first, the peak
   * or the price of reuse, equals its bound.
   */
  public Status status() {
    boolean met = false;
    if (plan.status() == Status.FEASIBLE) {
      boolean peakAlone = problem().memories().size() == 1 && plan.score().size() == 1;
      met =
          plan.objective().parts().get(0).goal() == Goal.REUSE
              ? reuseCost() == reuseBound().value()
              : plan.objective().indexOf(Goal.PEAK) == 0
                  && peakAlone
                  && plan.peak() == lowerBound();
    }
    return met ? Status.OPTIMAL : plan.status();
  }

  /** Whether buffers have prices on reuse. */
  public boolean hasReuse() {
    return !problem().relations().reuse().isEmpty();
  }

  /** The price of the plan's reuse; -1 without a placement. */
  public long reuseCost() {
    return hasPlacement() ? ReuseCost.of(problem(), plan.placement()) : -1;
  }

  /** The reuse pairs that the plan pays for; empty without a placement. */
  public List<Relations.Reuse> paid() {
    return hasPlacement() ? ReuseCost.paid(problem(), plan.placement()) : List.of();
  }

  /**
   * The best bound of the price of reuse: 0 where it was not lowered. Where other goals come before
   * it, it holds among the plans that are optimal in those.
   */
  public Bound reuseBound() {
    int figure = plan.objective().indexOf(Goal.REUSE);
    Bound bound = figure < 0 ? null : plan.bounds()[figure];
    return bound == null ? new Bound(Math.max(0, figure), 0, ReuseProof.none()) : bound;
  }

  /**
   * The memory whose peak counts first: the last listed, which is the least wanted; the only one of
   * most problems.
   */
  public int mainMemory() {
    return problem().memories().size() - 1;
  }

  /** The peak of the main memory in bytes; -1 without a placement. */
  public long peak() {
    return hasPlacement() ? plan.placement().peak(problem(), mainMemory()) : -1;
  }

  /** The peak of one memory in bytes; -1 without a placement. O(n). */
  public long peak(int memory) {
    return hasPlacement() ? plan.placement().peak(problem(), memory) : -1;
  }

  /** The best bound of the main memory's peak. */
  public Bound bound() {
    return best.bound();
  }

  /** The best bound of the main memory's peak, in bytes. */
  public long lowerBound() {
    return best.bound().value();
  }

  /**
   * The best bound of one memory's peak, in bytes; 0 when nothing is known. For other memories than
   * the main one it holds among the placements with the lowest peaks of those that count before.
   */
  public long lowerBound(int memory) {
    return memory == mainMemory() ? lowerBound() : plan.lowerBound(memory);
  }

  /** Whether the bound's certificate was checked by the bound verifier. */
  public boolean isBoundChecked() {
    return best.checked();
  }

  /** Why no placement respects the capacities, or null. */
  public Certificate infeasibility() {
    return plan.infeasibility();
  }

  /** (peak - bound) / bound; 0 when they meet, NaN without a placement. */
  public double gap() {
    return hasPlacement() ? gap(peak(), lowerBound()) : Double.NaN;
  }

  /** (peak - bound) / bound; 0 when they are equal, infinite over a bound of 0. */
  public static double gap(long peak, long bound) {
    return peak == bound ? 0 : (double) (peak - bound) / bound;
  }

  /** The capacity of the main memory in bytes, or {@link Memory#UNBOUNDED}. */
  public long capacity() {
    return problem().memories().get(mainMemory()).capacity();
  }

  /** What was asked to plan; who found the placement where nothing is said. */
  public String planner() {
    return settings.planners() == null
        ? plan.finder()
        : settings.planners().isEmpty() ? "portfolio" : String.join(",", settings.planners());
  }

  public int parts() {
    return IndependentParts.of(problem());
  }

  /** The network, or null. */
  public Network network() {
    return input.planningCase().network();
  }

  /** The tensors that a buffer carries; empty where nothing is known of them. */
  public List<String> tensors(int buffer) {
    return input.planningCase().tensors(buffer);
  }

  /** Whether it is known which tensors the buffers carry. */
  public boolean hasTensors() {
    return input.planningCase().hasNetwork();
  }

  /** Bytes the weights take, with their padding; of several models those of all. */
  public long weightBytes() {
    SharedArena arena = facts.arena();
    return arena == null ? input.planningCase().weightBytes() : arena.weightBytes();
  }

  /** Weights and peak together, in bytes; -1 without a placement. */
  public long totalBytes() {
    return hasPlacement() ? weightBytes() + peak() : -1;
  }

  /** What each engine of the run did, in the order in which they ended. */
  public List<EngineWork> engines() {
    return EngineWork.of(facts.engines(), facts.trace());
  }

  /** Versions of what took part, by name. */
  public SortedMap<String, String> versions() {
    SortedMap<String, String> versions = new TreeMap<>();
    versions.put("java", Runtime.version().toString());
    String own = RunReport.class.getPackage().getImplementationVersion();
    versions.put("stowage", own == null ? "development" : own);
    facts.engines().forEach(engine -> versions.put(engine.engine(), engine.version()));
    return versions;
  }
}
