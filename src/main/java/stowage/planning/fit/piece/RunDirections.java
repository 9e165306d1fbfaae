package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.rewrite.RunSplit;

/** The same runs from other ends, in networks whose rows are contiguous. */
public final class RunDirections {
  private static final int MOST = 16;

  private RunDirections() {}

  /**
   * Runs as they are, then by turns from one end and from the other, so that each result grows into
   * what its source leaves and the next one into what that leaves; then the first ones in all ways.
   *
   * @param network with its ops in the order in which they run
   */
  public static List<List<RunSplit>> of(Network network, List<RunSplit> runs) {
    Set<List<RunSplit>> ways = new LinkedHashSet<>();
    int all = Math.min(MOST, 1 << Math.min(runs.size(), 20));
    for (int bits = 0; bits < all; bits++) {
      List<RunSplit> turned = new ArrayList<>();
      for (int k = 0; k < runs.size(); k++) {
        boolean turn = k < 30 && (bits >> k & 1) != 0;
        turned.add(directed(network, runs.get(k), turn != runs.get(k).topDown()));
      }
      ways.add(turned);
      for (int odd = 0; odd < 2 && bits == 0; odd++) {
        List<RunSplit> byTurns = new ArrayList<>();
        for (int k = 0; k < runs.size(); k++) {
          byTurns.add(directed(network, runs.get(k), k % 2 == odd));
        }
        ways.add(byTurns);
      }
    }
    return List.copyOf(ways);
  }

  private static RunSplit directed(Network network, RunSplit run, boolean down) {
    int last = run.ops()[run.ops().length - 1];
    Tensor result = network.tensor(network.ops().get(last).presentOutputs().get(0));
    return run.directed(down, result.extent(run.axes().get(0).axis().dimension(result, true)));
  }
}
