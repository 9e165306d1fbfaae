package stowage.exact.search.tree;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import stowage.exact.presolve.Component;
import stowage.exact.search.Rectangles;
import stowage.exact.search.greedy.SkylineBestFit;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * The bound that every node of the canonical search asks, in a state of 367 unplaced buffers whose
 * lowest offsets are those of a valid placement: so every section ends in time, and no look is cut
 * short by a failure.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReleaseDateBoundBenchmark {
  private SearchModel model;
  private StateKeys layout;
  private ReleaseDateBound bound;
  private long[] keys;
  private long capacity;

  /** Makes the instance, a placement, and the state. */
  @Setup
  public void generate() {
    Component problem = Rectangles.generated("near-capacity", Map.of("seed", 1, "buffers", 400));
    long[] offsets =
        new SkylineBestFit(problem, SkylineBestFit.Preference.WIDE, 0, 0, null)
            .fill(RunControl.unlimited(), () -> Long.MAX_VALUE);
    model = new SearchModel(problem);
    layout = new StateKeys(model.count);
    bound = new ReleaseDateBound(model, layout, true);
    capacity = problem.peak(offsets);
    keys = new long[model.count];
    bound.begin(capacity, null);
    for (int buffer = 0; buffer < model.count; buffer++) {
      keys[buffer] = layout.of(offsets[buffer], buffer);
      bound.add(buffer);
    }
    Arrays.sort(keys);
  }

  /** All sections, all buffers. */
  @Benchmark
  public boolean everySection() {
    return fits(0, model.sections, capacity);
  }

  /** The sections of one buffer, as after its rise; each buffer once. */
  @Benchmark
  public int sectionsOfEachBuffer() {
    int fitting = 0;
    for (long key : keys) {
      int buffer = layout.buffer(key);
      long risen = layout.offset(key);
      if (fits(model.hullStart[buffer], model.hullEnd[buffer], risen)) {
        fitting++;
      }
    }
    return fitting;
  }

  private boolean fits(int from, int to, long risen) {
    if (!bound.fits(keys, 0, keys.length, from, to, risen, -1)) {
      throw new IllegalStateException("section " + bound.failedSection() + " ends too late");
    }
    return true;
  }
}
