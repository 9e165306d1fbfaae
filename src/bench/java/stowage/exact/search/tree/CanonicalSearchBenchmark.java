package stowage.exact.search.tree;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import stowage.exact.search.Rectangles;
import stowage.exact.search.model.SearchModel;
import stowage.packing.RunControl;

/**
 * The time of one node of the canonical search, all prunes on, on an instance whose max load is its
 * capacity and which the search does not settle within the nodes it is given.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class CanonicalSearchBenchmark {
  private static final int NODES = 20_000;

  /** About so many buffers. */
  @Param({"200", "400"})
  public int buffers;

  private SearchModel model;
  private Ranker ranker;
  private int[] members;
  private long[] lowest;
  private CanonicalSearch search;

  /** Makes the instance. */
  @Setup
  public void generate() {
    model =
        new SearchModel(
            Rectangles.generated("near-capacity", Map.of("seed", 1, "buffers", buffers)));
    ranker = new Ranker(model, Ordering.TWA);
    members = IntStream.range(0, model.count).toArray();
    lowest = new long[model.count];
  }

  /** Forgets failed states: they would cut the next search short. */
  @Setup(Level.Invocation)
  public void forget() {
    search = new CanonicalSearch(model, RunControl.unlimited());
  }

  /** One node. */
  @Benchmark
  @OperationsPerInvocation(NODES)
  public long node() {
    int answer = search.search(members, lowest, null, model.maxLoad, NODES, ranker, true, null);
    if (answer != CanonicalSearch.STOPPED) {
      throw new IllegalStateException("settled after " + search.totalNodes() + " of " + NODES);
    }
    return search.totalNodes();
  }
}
