package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Network;
import stowage.network.Op;

/**
 * Spread of a network's ops over a number of streams, where no one has said which runs where.
 *
 * <p>List scheduling (Graham 1966, doi 10.1002/j.1538-7305.1966.tb01709.x) with ops of one unit of
 * time: in execution order each op goes to the stream on which it can start first; of equal ones to
 * one that ends with an op whose result it reads, then to the first. O(ops · (streams + reads)).
 */
public final class StreamSpread {
  private StreamSpread() {}

  /**
   * The stream of each op, by name.
   *
   * @param order indices of the network's ops in execution order
   * @param streams how many there are, 1 or more
   */
  public static Map<String, String> over(Network network, int[] order, int streams) {
    if (streams < 1) {
      throw new IllegalArgumentException(streams + " streams should be 1 or more");
    }
    int[] free = new int[streams];
    int[] lastOp = new int[streams];
    Arrays.fill(lastOp, -1);
    int[] end = new int[network.ops().size()];
    Map<String, String> spread = new LinkedHashMap<>();
    for (int index : order) {
      Op op = network.ops().get(index);
      List<Integer> producers = new ArrayList<>();
      int ready = 0;
      for (String input : op.presentInputs()) {
        int producer = network.producer(input);
        if (producer >= 0) {
          producers.add(producer);
          ready = Math.max(ready, end[producer]);
        }
      }
      int best = 0;
      for (int s = 1; s < streams; s++) {
        int later = Math.max(free[best], ready) - Math.max(free[s], ready);
        boolean follows = producers.contains(lastOp[s]) && !producers.contains(lastOp[best]);
        best = later > 0 || (later == 0 && follows) ? s : best;
      }
      end[index] = Math.max(free[best], ready) + 1;
      free[best] = end[index];
      lastOp[best] = index;
      spread.put(op.name(), Integer.toString(best));
    }
    return spread;
  }
}
