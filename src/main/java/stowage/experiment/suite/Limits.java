package stowage.experiment.suite;

/**
 * How far one run may go.
 *
 * @param seconds the run ends after so many seconds; with {@code work} it is only a guard, after
 *     which the run counts as timed out
 * @param work work units after which a deterministic run ends; 1 unit is about 1 s of one thread;
 *     null for runs that are limited by time
 * @param memoryMiB the worker's Java heap, in MiB; native memory may take as much again and {@value
 *     #NATIVE_ALLOWANCE_MIB} MiB, beyond which the worker is killed
 */
public record Limits(double seconds, Double work, long memoryMiB) {
  /** What a worker may take beyond twice its heap, in MiB: the JVM itself and solver libraries. */
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
