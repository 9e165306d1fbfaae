package stowage.schedule.order;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import stowage.network.Network;

/**
 * TPU-MLIR's topological sort, which seeks few groups of layers, not little memory.
 *
 * <p>Source: lib/Dialect/Tpu/Transforms/TopoSort.cpp of sophgo/tpu-mlir (January 2026), with depth
 * first on, as the pipeline has it. Ops are taken in turns: first those that can run in local
 * memory as long as there is a ready one, then the others, and so on. In a turn, the next op is
 *
 * <ol>
 *   <li>the user of the op just taken, if that has one use and the user is ready;
 *   <li>else a ready user of the ops with several uses, of which the last taken is asked first, and
 *       its users as MLIR lists them: the one read last in the file first;
 *   <li>else the last ready op in the file.
 * </ol>
 *
 * <p>What can run in local memory is decided op by op there; here by type: all that computes on
 * images and matrices can, while reshapes, gathers, sorts and what selects boxes cannot.
 */
public final class TpuMlirOrder {
  private static final int LOCAL = 1;

  private static final Set<String> GLOBAL =
      Set.of(
          """
          RESHAPE FLATTEN SQUEEZE UNSQUEEZE EXPANDDIMS GATHER GATHERND GATHERELEMENTS
          SCATTERND SCATTERELEMENTS TOPK SORT ARG ARGMAX NMS NONMAXSUPPRESSION NONZERO
          DETECTIONOUTPUT YOLODETECTION ROIALIGN CUMSUM EXPAND TILE RANGE SHAPE IF LOOP
          LSTM GRU CUSTOM CUSTOMCALL
          """
              .split("\\s+"));

  private final OperandGraph graph;

  private TpuMlirOrder(Network network) {
    this.graph = new OperandGraph(network);
  }

  /** The order, as indices of ops. O(n log n) for n ops and operands. */
  public static int[] of(Network network) {
    return new TpuMlirOrder(network).order();
  }

  private int[] order() {
    int ops = graph.size();
    int[] uses = uses();
    int[] waits = graph.openCounts();
    long[] keys = new long[ops]; // the last step of an op of several uses that it reads, and the op
    List<TreeSet<Long>> ready = List.of(new TreeSet<>(), new TreeSet<>()); // by where they run
    for (int k = 0; k < ops; k++) {
      keys[k] = k;
      if (waits[k] == 0) {
        ready.get(place(k)).add(keys[k]);
      }
    }
    int[] order = new int[ops];
    int place = LOCAL;
    int last = -1;
    for (int step = 0; step < ops; ) {
      TreeSet<Long> own = ready.get(place);
      if (own.isEmpty()) {
        place = 1 - place;
        continue;
      }
      boolean one = last >= 0 && uses[last] == 1 && !graph.users(last).isEmpty();
      long following = one ? keys[graph.users(last).first()] : -1;
      long key = own.contains(following) ? following : own.last();
      own.remove(key);
      last = (int) (key % ops);
      order[step++] = last;
      for (int user : graph.users(last)) {
        keys[user] = uses[last] > 1 ? (long) step * ops + user : keys[user];
        if (--waits[user] == 0) {
          ready.get(place(user)).add(keys[user]);
        }
      }
    }
    return order;
  }

  private int place(int k) {
    String type = graph.op(k).type();
    String name = type.substring(type.indexOf('.') + 1).replace("_", "").toUpperCase(Locale.ROOT);
    return GLOBAL.contains(name) ? 1 - LOCAL : LOCAL;
  }

  /** By op the operands that its results are, and outputs of the network. */
  private int[] uses() {
    int[] uses = new int[graph.size()];
    for (int k = 0; k < uses.length; k++) {
      graph.operands(k).forEach(from -> uses[from]++);
    }
    Network network = graph.network();
    network.outputs().stream()
        .distinct()
        .map(network::producer)
        .filter(from -> from >= 0)
        .forEach(from -> uses[from]++);
    return uses;
  }
}
