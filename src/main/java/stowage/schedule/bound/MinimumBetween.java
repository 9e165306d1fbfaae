package stowage.schedule.bound;

import java.util.List;
import stowage.schedule.model.OrderProblem;

/**
 * Finds the downset with the fewest live bytes between two: one minimum cut. Keeps its network from
 * question to question. Not thread-safe.
 */
public final class MinimumBetween {
  private final OrderProblem problem;
  private final CutNetwork network;

  /** Builds the network. O(ops + touches). */
  public MinimumBetween(OrderProblem problem) {
    this.problem = problem;
    this.network = new CutNetwork(problem);
  }

  /** The largest downset with the fewest live bytes that holds one and is within another. */
  public long[] largest(long[] low, long[] high) {
    network.reset();
    network.forceRun(low);
    for (int v = 0; v < problem.ops(); v++) {
      if ((high[v >> 6] >>> v & 1) == 0) {
        network.forceOpenAlone(v);
      }
    }
    network.cut().maximum(Long.MAX_VALUE);
    return network.largestCut();
  }

  /** After {@link #largest}: chains of buffers that certify that no downset between has less. */
  public List<OpCut.Chain> chains() {
    return network.chains();
  }
}
