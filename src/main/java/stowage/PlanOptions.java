package stowage;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
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

  private PlanOptions with(Consumer<Values> change) {
    Values copy = values.copy();
    change.accept(copy);
    return new PlanOptions(copy);
  }

  /**
   * {@return the options of a run for which none are given: at most 10 seconds, all processors,
   * seed 1, all engines that are there} Such a run may end earlier once going on promises little.
   */
  public static PlanOptions defaults() {
    return DEFAULTS;
  }

  /**
   * {@return options of a run that may take so long; it ends earlier only with a proof}
   *
   * @param limit time from the start of the run; zero for what is found at once
   */
  public static PlanOptions within(Duration limit) {
    if (limit.isNegative()) {
      throw new IllegalArgumentException("time limit " + limit + " should be 0 or more");
    }
    return DEFAULTS.with(copy -> copy.limit = limit);
  }

  /**
   * Limits work in place of time, so that the same problem and seed give the same placement on any
   * machine and with any number of threads.
   *
   * @param work units that each method may spend, 1 or more; one is about a microsecond
   */
  public PlanOptions deterministic(long work) {
    if (work < 1) {
      throw new IllegalArgumentException("work " + work + " should be 1 or more");
    }
    return with(copy -> copy.work = work);
  }

  /** {@return a copy that says how much the run is worth; NORMAL where nothing is said} */
  public PlanOptions effort(Effort effort) {
    Objects.requireNonNull(effort, "effort");
    return with(copy -> copy.effort = effort);
  }

  /** {@return a copy with so many threads, 1 or more; all processors where nothing is said} */
  public PlanOptions threads(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads " + threads + " should be 1 or more");
    }
    return with(copy -> copy.threads = threads);
  }

  /** {@return a copy with another seed of every random choice; 1 where nothing is said} */
  public PlanOptions seed(long seed) {
    return with(copy -> copy.seed = seed);
  }

  /**
   * {@return a copy with a capacity of the memory that no plan is above; of the last one, whose
   * peak counts first, where there are several}
   *
   * @param bytes 0 or more
   */
  public PlanOptions capacity(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("capacity " + bytes + " should be 0 or more");
    }
    return with(copy -> copy.capacity = bytes);
  }

  /** {@return a copy that ends at the first verified plan within the capacities} */
  public PlanOptions firstFit() {
    return with(copy -> copy.firstFit = true);
  }

  /**
   * Starts from a plan of the same buffers, in the same order. It is verified when the run is
   * submitted; one that is only above a capacity is passed over.
   */
  public PlanOptions startFrom(Plan plan) {
    if (!plan.hasPlacement()) {
      throw new IllegalArgumentException(
          "the plan to start from has no placement; its status is " + plan.status());
    }
    return with(copy -> copy.start = plan);
  }

  /**
   * The complete methods to run, in this order; without any, a run ends with the bounds and what
   * the quick heuristics find. {@code search} is always there; {@code cpsat} and {@code choco} are
   * where their libraries and the whole of Stowage are on the class path.
   *
   * <p>A run that is submitted with a name that is not known is refused.
   *
   * @param names of engines; none for no engine
   */
  public PlanOptions engines(String... names) {
    List<String> wanted = List.of(names);
    return with(copy -> copy.engines = wanted);
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
