package stowage.heuristic;

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
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/** Greedy placement, largest first: the order, and a gap for each buffer among those placed. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GreedyBenchmark {
  /** Whether a buffer goes into the lowest gap that holds it or into the snuggest. */
  @Param public Fit fit;

  /** About so many buffers. */
  @Param({"400", "4000"})
  public int buffers;

  private PackingProblem problem;

  /** Makes the instance. */
  @Setup
  public void generate() {
    problem = Generators.generate("network-like", Map.of("seed", 1, "buffers", buffers));
  }

  /** Places all buffers. */
  @Benchmark
  public Placement largestFirst() {
    return new GreedyPlanner(GreedyPlanner.Order.SIZE, fit).plan(problem, RunControl.unlimited());
  }
}
