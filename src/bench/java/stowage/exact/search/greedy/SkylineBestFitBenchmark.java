package stowage.exact.search.greedy;

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
import stowage.exact.presolve.Component;
import stowage.exact.search.Rectangles;
import stowage.packing.RunControl;

/** One filling of all valleys, its trees included, and the max load that it is compared with. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class SkylineBestFitBenchmark {
  /** The number of buffers. */
  @Param({"10000", "100000"})
  public int buffers;

  private Component problem;

  /** Makes the instance. */
  @Setup
  public void generate() {
    problem = Rectangles.generated("log-uniform-large", Map.of("seed", 1, "buffers", buffers));
  }

  /** Places all buffers. */
  @Benchmark
  public long[] fill() {
    return new SkylineBestFit(problem, SkylineBestFit.Preference.WIDE, 0, 0, null)
        .fill(RunControl.unlimited(), () -> Long.MAX_VALUE);
  }

  /** The max load over sections. */
  @Benchmark
  public long maxLoad() {
    return problem.maxLoad();
  }
}
