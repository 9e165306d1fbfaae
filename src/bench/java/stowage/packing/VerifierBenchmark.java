package stowage.packing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import stowage.generator.Generators;

/** The check of a valid placement, where nothing ends it early, and the load of every step. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class VerifierBenchmark {
  /** The number of buffers. */
  @Param({"10000", "100000"})
  public int buffers;

  private PackingProblem problem;
  private Placement placement;

  /** Makes the instance and lays its buffers end to end, whatever their lives. */
  @Setup
  public void generate() {
    problem = Generators.generate("log-uniform-large", Map.of("seed", 1, "buffers", buffers));
    long[] offsets = new long[problem.size()];
    long end = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = end;
      end += problem.buffer(i).size();
    }
    placement = Placement.of(offsets, new int[offsets.length]);
  }

  /** Verifies the placement. */
  @Benchmark
  public List<Violation> verify() {
    List<Violation> violations = Verifier.violations(problem, placement);
    if (!violations.isEmpty()) {
      throw new IllegalStateException(violations.toString());
    }
    return violations;
  }

  /** The load of every step, and the largest. */
  @Benchmark
  public long maxLoad() {
    return LoadProfile.of(problem).maxLoad();
  }
}
