package stowage.experiment.suite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One run: one planner on one instance with one seed under limits. The manifest has a line for
 * each, and the worker gets it as its task.
 *
 * @param id stable name: a hash of all that decides the answer, and of the repetition's number; the
 *     same run has the same id in every folder and on every machine; its files are named after it
 * @param seed of every random choice
 * @param repetition 0 for the first, and so on
 */
public record RunSpec(
    String id,
    String suite,
    Instance instance,
    PlannerSpec planner,
    long seed,
    int repetition,
    int threads,
    Limits limits) {

  /** Refuses a run without what every run has. */
  public RunSpec {
    ExperimentJson.require(
        "id suite instance planner limits", id, suite, instance, planner, limits);
    if (!id.matches("[\\w-][\\w.-]*")) {
      String what =
          "id \"%s\" names files and should be of letters, digits, \"_\", \"-\" and \".\"";
      throw new IllegalArgumentException(what.formatted(id));
    }
  }

  /** A run, with its id made from the rest. */
  static RunSpec of(
      String suite, Instance instance, PlannerSpec planner, long seed, int repetition, Setting on) {
    Limits limits = on.limits();
    List<Object> parts = new ArrayList<>(Arrays.asList(instance.digest(), planner.label()));
    parts.addAll(Arrays.asList(planner.name(), on.configDigest(), planner.external()));
    if (planner.group() != null) {
      parts.add(planner.group());
    }
    parts.addAll(Arrays.asList(seed, repetition, on.threads()));
    parts.addAll(Arrays.asList(limits.seconds(), limits.work(), limits.memoryMiB()));
    String id = Digests.of(parts.toString());
    return new RunSpec(id, suite, instance, planner, seed, repetition, on.threads(), limits);
  }

  /** What a planner runs under, by the settings' name, or a hash of the file's bytes. */
  record Setting(int threads, Limits limits, String configDigest) {}

  /** For people: the instance, the planner and the seed. */
  public String label() {
    return instance.name() + ", " + planner.label() + ", seed " + seed;
  }

  /**
   * How far one run may go.
   *
   * @param seconds the run ends after so many seconds; with {@code work} it is only a guard, after
   *     which the run counts as timed out
   * @param work work units after which a deterministic run ends; 1 unit is about 1 s of one thread;
   *     null for runs that are limited by time
   * @param memoryMiB the worker's Java heap, in MiB; native memory may take as much again and
   *     {@value #NATIVE_ALLOWANCE_MIB} MiB, beyond which the worker is killed
   */
  public record Limits(double seconds, Double work, long memoryMiB) {
    /**
     * What a worker may take beyond twice its heap, in MiB: the JVM itself and solver libraries.
     */
    public static final long NATIVE_ALLOWANCE_MIB = 256;

    private static final long BYTES_PER_MIB = 1L << 20;

    /** Whether the run's limits count work instead of time. */
    public boolean isDeterministic() {
      return work != null;
    }

    /** Bytes of resident memory at which a worker is killed. */
    public long residentBytes() {
      return (2 * memoryMiB + NATIVE_ALLOWANCE_MIB) * BYTES_PER_MIB;
    }
  }
}
