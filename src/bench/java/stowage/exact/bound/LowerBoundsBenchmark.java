package stowage.exact.bound;

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
import stowage.packing.Bound;
import stowage.packing.PackingProblem;

/** The bounds that are computed before any search, with their certificates. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LowerBoundsBenchmark {
  /** The generator: {@code banked} adds banks and alignments, and with them kinds of bounds. */
  @Param({"near-capacity", "banked"})
  public String generator;

  private PackingProblem problem;

  /** Makes the instance. */
  @Setup
  public void generate() {
    problem = Generators.generate(generator, Map.of("seed", 1, "buffers", 400));
  }

  /** All bounds of up to 400 buffers. */
  @Benchmark
  public List<Bound> quickBounds() {
    return LowerBounds.of(problem);
  }
}
