package stowage.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import stowage.packing.BestBound;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.Relations;
import stowage.packing.ReuseCost;
import stowage.packing.Status;
import stowage.report.plan.PlanHtml;
import stowage.report.plan.PlanJson;
import stowage.report.plan.PlanSummary;
import stowage.report.plan.PlanSvg;

/**
 * All facts of one run, gathered once and then shown in many forms: {@link PlanJson}, {@link
 * PlanSummary}, {@link PlanSvg} and {@link PlanHtml} take nothing else.
 *
 * <p>Made by a {@link Builder}; only the plan is a must. Facts that a run does not have (a network,
 * a baseline, an engine) are null or empty.
 */
public final class RunReport {
  private final Plan plan;
  private final BestBound best;
  private final boolean infeasibilityChecked;
  private final String planner;
  private final long seed;
  private final int threads;
  private final boolean deterministic;
  private final long peakRssBytes;
  private final NetworkFacts network;
  private final OpFacts ops;
  private final List<List<String>> tensors;
  private final List<WeightPlace> weights;
  private final long weightBytes;
  private final BaselineFacts baseline;
  private final EngineFacts engine;
  private final List<EngineFacts> engines;
  private final AllocationFacts allocations;
  private final StabilityFacts stability;
  private final ArenaFacts arena;
  private final List<String> remarks;
  private final SortedMap<String, String> versions;
  private final List<Incumbent.Event> trace;

  private final FigureSize figureSize;

  private RunReport(Builder facts) {
    this.figureSize = facts.figureSize;
    this.plan = facts.plan;
    Bound proven = plan.peakBound();
    this.best =
        facts.earlier != null && facts.earlier.hasBound(plan.problem(), proven)
            ? facts.earlier.best
            : BestBound.of(plan.problem(), proven);
    this.infeasibilityChecked =
        plan.infeasibility() != null
            && BestBound.provesInfeasible(plan.problem(), plan.infeasibility());
    this.planner = facts.planner;
    this.seed = facts.seed;
    this.threads = facts.threads;
    this.deterministic = facts.deterministic;
    this.network = facts.network;
    this.ops = facts.ops;
    this.tensors = facts.tensors;
    this.weights = facts.weights;
    this.weightBytes = facts.weightBytes;
    this.baseline = facts.baseline;
    this.engine = facts.engine;
    this.engines = facts.engines;
    this.allocations = facts.allocations;
    this.stability = facts.stability;
    this.arena = facts.arena;
    this.remarks = facts.remarks;
    this.versions = facts.versions;
    this.trace = facts.trace;
    this.peakRssBytes = PeakMemory.bytes();
  }

  /** A report of a plan, to which facts are added. */
  public static Builder of(Plan plan) {
    return new Builder(plan);
  }

  /** Size of the pictures. */
  public FigureSize figureSize() {
    return figureSize;
  }

  /** Gathers the facts of a run; each method gives the builder back. */
  public static final class Builder {
    private final Plan plan;
    private String planner;
    private long seed = 1;
    private int threads = 1;
    private boolean deterministic;
    private NetworkFacts network;
    private OpFacts ops;
    private List<List<String>> tensors = List.of();
    private List<WeightPlace> weights = List.of();
    private long weightBytes;
    private BaselineFacts baseline;
    private AllocationFacts allocations;
    private StabilityFacts stability;
    private ArenaFacts arena;
    private List<String> remarks = List.of();
    private EngineFacts engine;
    private List<EngineFacts> engines = List.of();
    private SortedMap<String, String> versions = new TreeMap<>();
    private List<Incumbent.Event> trace = List.of();
    private RunReport earlier;

    private FigureSize figureSize = FigureSize.USUAL;

    private Builder(Plan plan) {
      this.plan = plan;
    }

    /** Size of the pictures. */
    public Builder figureSize(FigureSize size) {
      figureSize = size;
      return this;
    }

    /** What was asked to plan: a planner's name, or {@code portfolio}. */
    public Builder planner(String name) {
      this.planner = name;
      return this;
    }

    /** The seed of every random choice, the threads given, and whether limits counted work. */
    public Builder run(long givenSeed, int givenThreads, boolean isDeterministic) {
      this.seed = givenSeed;
      this.threads = givenThreads;
      this.deterministic = isDeterministic;
      return this;
    }

    /** The network that was planned. */
    public Builder network(NetworkFacts facts) {
      this.network = facts;
      return this;
    }

    /** The network's ops in execution order; null where none are known. */
    public Builder ops(OpFacts facts) {
      this.ops = facts;
      return this;
    }

    /** What each buffer carries, by buffer index. */
    public Builder tensors(List<List<String>> names) {
      this.tensors = List.copyOf(names);
      return this;
    }

    /** Where the weights are, and the bytes they take together with their padding. */
    public Builder weights(List<WeightPlace> places, long extent) {
      this.weights = List.copyOf(places);
      this.weightBytes = extent;
      return this;
    }

    /** The plan that the input carried. */
    public Builder baseline(BaselineFacts facts) {
      this.baseline = facts;
      return this;
    }

    /** What each engine of the run did. */
    public Builder engines(List<EngineFacts> facts) {
      this.engines = List.copyOf(facts);
      return this;
    }

    /** What the engine that ran alone says of itself. */
    public Builder engine(EngineFacts facts) {
      this.engine = facts;
      return this;
    }

    /** What a system that allocates object by object asks for. */
    public Builder allocations(AllocationFacts facts) {
      this.allocations = facts;
      return this;
    }

    /** The models that share the memory, or null. */
    public Builder arena(ArenaFacts facts) {
      this.arena = facts;
      return this;
    }

    /** How far the plan is from an earlier one, or null. */
    public Builder stability(StabilityFacts facts) {
      this.stability = facts;
      return this;
    }

    /** What else there is to know of the plan, a sentence each. */
    public Builder remarks(List<String> sentences) {
      this.remarks = List.copyOf(sentences);
      return this;
    }

    /** Versions of what took part, by name. */
    public Builder versions(Map<String, String> byName) {
      this.versions = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
      return this;
    }

    /** The improvements of the run, in order. */
    public Builder trace(List<Incumbent.Event> events) {
      this.trace = List.copyOf(events);
      return this;
    }

    /**
     * A report made before, whose check of the bound is not repeated while the bound is the same.
     */
    public Builder after(RunReport report) {
      this.earlier = report;
      return this;
    }

    /**
     * Takes the process's peak memory now, and closes the report. O(n log n), or less after a
     * report with the same bound.
     */
    public RunReport build() {
      return new RunReport(this);
    }
  }

  private boolean hasBound(PackingProblem other, Bound proven) {
    return other == problem() && plan.peakBound() == proven;
  }

  /**
   * Whether another report describes the same placement under the same bounds, so that whatever was
   * drawn and written of them serves both.
   */
  public boolean tellsSamePlan(RunReport other) {
    return plan.placement() == other.plan.placement()
        && other.problem() == problem()
        && Arrays.equals(plan.bounds(), other.plan.bounds());
  }

  /** The plan. */
  public Plan plan() {
    return plan;
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
    return bound == null ? new Bound(Math.max(0, figure), 0, Certificate.ReuseCuts.none()) : bound;
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
    if (memory == mainMemory()) {
      return lowerBound();
    }
    int figure = mainMemory() - memory;
    boolean peaksFirst = plan.objective().indexOf(Goal.PEAK) == 0;
    Bound bound = peaksFirst ? plan.bounds()[figure] : null;
    return bound == null ? 0 : bound.value();
  }

  /** Whether the bound's certificate was checked by the bound verifier. */
  public boolean isBoundChecked() {
    return best.checked();
  }

  /** Why no placement respects the capacities, or null. */
  public Certificate infeasibility() {
    return plan.infeasibility();
  }

  /** Whether the certificate of infeasibility was checked. */
  public boolean isInfeasibilityChecked() {
    return infeasibilityChecked;
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
    return planner == null ? plan.finder() : planner;
  }

  /** The seed of every random choice. */
  public long seed() {
    return seed;
  }

  /** The threads given. */
  public int threads() {
    return threads;
  }

  /** Whether limits counted work instead of time. */
  public boolean isDeterministic() {
    return deterministic;
  }

  /** The number of independent parts. */
  public int parts() {
    return IndependentParts.of(problem());
  }

  /** Bytes of the process's largest resident set. */
  public long peakRssBytes() {
    return peakRssBytes;
  }

  /** The network's ops in execution order and their use of buffers, or null. */
  public OpFacts ops() {
    return ops;
  }

  /** The network, or null. */
  public NetworkFacts network() {
    return network;
  }

  /** The tensors that a buffer carries; empty where nothing is known of them. */
  public List<String> tensors(int buffer) {
    return tensors.isEmpty() ? List.of() : tensors.get(buffer);
  }

  /** Whether it is known which tensors the buffers carry. */
  public boolean hasTensors() {
    return !tensors.isEmpty();
  }

  /** Where the weights are; empty when there are none. */
  public List<WeightPlace> weights() {
    return weights;
  }

  /** Bytes the weights take, with their padding. */
  public long weightBytes() {
    return weightBytes;
  }

  /** Weights and peak together, in bytes; -1 without a placement. */
  public long totalBytes() {
    return hasPlacement() ? weightBytes + peak() : -1;
  }

  /** The plan that the input carried, or null. */
  public BaselineFacts baseline() {
    return baseline;
  }

  /** What each engine of the run did, in the order in which they ended. */
  public List<EngineFacts> engines() {
    return engines;
  }

  /** What the engine that ran alone says of itself, or null. */
  public EngineFacts engine() {
    return engine;
  }

  /** What a system that allocates object by object asks for, or null. */
  public AllocationFacts allocations() {
    return allocations;
  }

  /** The models that share the memory, or null. */
  public ArenaFacts arena() {
    return arena;
  }

  /** How far the plan is from an earlier one, or null. */
  public StabilityFacts stability() {
    return stability;
  }

  /** What else there is to know of the plan, such as that its planner was cut short. */
  public List<String> remarks() {
    return remarks;
  }

  /** Versions of what took part, by name. */
  public SortedMap<String, String> versions() {
    return versions;
  }

  /** The improvements of the run, in order. */
  public List<Incumbent.Event> trace() {
    return trace;
  }
}
