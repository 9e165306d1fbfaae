package stowage;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.RunControl;

/**
 * Options of a run: how long it may take, what it may use, and where it starts and ends.
 *
 * <p>Immutable: every method returns a copy with one thing changed. Any number of threads may share
 * one.
 */
public final class PlanOptions {
  private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);
  private static final Duration PROOF_LIMIT = Duration.ofHours(1);
  private static final PlanOptions DEFAULTS = new PlanOptions(new Values());

  private final Values values;

  /** What was chosen; changed only while a copy is made. */
  private static final class Values implements Cloneable {
    /** Null where none was chosen. */
    private Duration limit;

    /** Work units; 0 where the limit is time. */
    private long work;

    private int threads = Runtime.getRuntime().availableProcessors();
    private long seed = 1;
    private long capacity = Memory.UNBOUNDED;
    private boolean firstFit;
    private Effort effort = Effort.NORMAL;

    /** Null for none. */
    private Plan start;

    /** Null for all that are there. */
    private List<String> engines;

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  private PlanOptions(Values values) {
    this.values = values;
  }

  /**
   * The options of a run for which none are given: at most 10 seconds, all processors, seed 1, all
   * engines that are there. Such a run may end earlier once going on promises little.
   *
   * @return these options
   */
  public static PlanOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Options of a run that may take so long; it ends earlier only with a proof.
   *
   * @param limit time from the start of the run; zero for what is found at once
   * @return options with this limit
   */
  public static PlanOptions within(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("time limit " + limit + " should be 0 or more");
    }
    Values values = new Values();
    values.limit = limit;
    return new PlanOptions(values);
  }

  /**
   * Limits work in place of time, so that the same problem and seed give the same placement on any
   * machine and with any number of threads.
   *
   * @param work units that each method may spend, 1 or more; one is about a microsecond
   * @return a copy with this limit
   */
  public PlanOptions deterministic(long work) {
    if (work < 1) {
      throw new IllegalArgumentException("work " + work + " should be 1 or more");
    }
    Values copy = values.copy();
    copy.work = work;
    return new PlanOptions(copy);
  }

  /**
   * Sets how much the run is worth.
   *
   * @param effort NORMAL where nothing is said
   * @return a copy with this effort
   */
  public PlanOptions effort(Effort effort) {
    Values copy = values.copy();
    copy.effort = Objects.requireNonNull(effort, "effort");
    return new PlanOptions(copy);
  }

  /**
   * Sets how many threads may work side by side.
   *
   * @param threads 1 or more; all processors where nothing is said
   * @return a copy with so many threads
   */
  public PlanOptions threads(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " should be 1 or more");
    }
    Values copy = values.copy();
    copy.threads = threads;
    return new PlanOptions(copy);
  }

  /**
   * Sets the seed of every random choice.
   *
   * @param seed any number; 1 where nothing is said
   * @return a copy with this seed
   */
  public PlanOptions seed(long seed) {
    Values copy = values.copy();
    copy.seed = seed;
    return new PlanOptions(copy);
  }

  /**
   * Sets the capacity of the memory; of the last one, whose peak counts first, where there are
   * several. No plan is above it.
   *
   * @param bytes 0 or more
   * @return a copy with this capacity
   */
  public PlanOptions capacity(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("capacity " + bytes + " should be 0 or more");
    }
    Values copy = values.copy();
    copy.capacity = bytes;
    return new PlanOptions(copy);
  }

  /**
   * Ends the run at the first verified plan within the capacities, whatever its peak.
   *
   * @return a copy that does
   */
  public PlanOptions firstFit() {
    Values copy = values.copy();
    copy.firstFit = true;
    return new PlanOptions(copy);
  }

  /**
   * Starts from a plan of the same buffers, in the same order. It is verified when the run is
   * submitted; one that is only above a capacity is passed over.
   *
   * @param plan with a placement
   * @return a copy with this start
   */
  public PlanOptions startFrom(Plan plan) {
    if (!plan.hasPlacement()) {
      throw new IllegalArgumentException(
          "the plan to start from has no placement; its status is " + plan.status());
    }
    Values copy = values.copy();
    copy.start = plan;
    return new PlanOptions(copy);
  }

  /**
   * The complete methods to run, in this order; without any, a run ends with the bounds and what
   * the quick heuristics find. {@code search} is always there; {@code cpsat} and {@code choco} are
   * where their libraries and the whole of Stowage are on the class path.
   *
   * <p>A run that is submitted with a name that is not known is refused.
   *
   * @param names of engines; none for no engine
   * @return a copy with these engines
   */
  public PlanOptions engines(String... names) {
    Values copy = values.copy();
    copy.engines = List.of(names);
    return new PlanOptions(copy);
  }

  /** Null for all. */
  List<String> engineNames() {
    return isQuick() ? List.of() : values.engines;
  }

  /** Whether only the quickest heuristics are asked for. */
  boolean isQuick() {
    return values.engines == null && values.effort == Effort.FAST;
  }

  boolean isFirstFit() {
    return values.firstFit;
  }

  /** Null for none. */
  Plan start() {
    return values.start;
  }

  /** The problem with the capacity that was chosen. */
  PackingProblem applyTo(PackingProblem problem) {
    Objects.requireNonNull(problem, "problem");
    return values.capacity == Memory.UNBOUNDED
        ? problem
        : problem.withCapacity(problem.memories().size() - 1, values.capacity);
  }

  /** A control of a run that begins now. */
  RunControl control() {
    if (values.work > 0) {
      return RunControl.ofWork(values.work, values.threads, values.seed);
    }
    boolean proof = values.effort == Effort.PROOF;
    Duration usual = proof ? PROOF_LIMIT : DEFAULT_LIMIT;
    Duration limit = values.limit == null ? usual : values.limit;
    double seconds = limit.toSeconds() + limit.getNano() / 1e9;
    RunControl control = RunControl.ofSeconds(seconds, values.threads, values.seed);
    if (values.limit == null && !proof) {
      control.endWhenFlat();
    }
    return control;
  }
}
