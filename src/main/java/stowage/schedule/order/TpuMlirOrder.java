package stowage.schedule.order;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
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
  private final TreeSet<Integer> open = new TreeSet<>();

  private TpuMlirOrder(Network network) {
    this.graph = new OperandGraph(network);
    for (int k = 0; k < graph.size(); k++) {
      open.add(k);
    }
  }

  /** The order, as indices of ops. O(ops²) at worst. */
  public static int[] of(Network network) {
    return new TpuMlirOrder(network).order();
  }

  private int[] order() {
    int[] order = new int[graph.size()];
    boolean local = true;
    int last = -1;
    LinkedHashSet<Integer> dominant = new LinkedHashSet<>();
    for (int step = 0; step < order.length; ) {
      int next = following(last, local);
      if (next < 0) {
        dominant.removeIf(k -> openUsers(k) == 0);
        next = dominated(new ArrayList<>(dominant), local);
      }
      if (next < 0) {
        next = last(open, local);
      }
      if (next < 0) {
        local = !local;
        continue;
      }
      open.remove(next);
      order[step++] = next;
      last = next;
      if (uses(next) != 1 && openUsers(next) > 0) {
        dominant.add(next);
      }
    }
    return order;
  }

  private int following(int last, boolean local) {
    if (last < 0 || uses(last) != 1) {
      return -1;
    }
    for (int user : graph.users(last)) {
      return fits(user, local) ? user : -1;
    }
    return -1; // the one use is the network's output
  }

  private int dominated(List<Integer> dominant, boolean local) {
    for (int i = dominant.size() - 1; i >= 0; i--) {
      int last = last(graph.users(dominant.get(i)), local);
      if (last >= 0) {
        return last;
      }
    }
    return -1;
  }

  /** The last of some ops that can run now; -1 for none. */
  private int last(NavigableSet<Integer> ops, boolean local) {
    return ops.descendingSet().stream().filter(k -> fits(k, local)).findFirst().orElse(-1);
  }

  private boolean fits(int k, boolean local) {
    return open.contains(k)
        && runsLocally(k) == local
        && graph.producers(k).stream().noneMatch(open::contains);
  }

  private boolean runsLocally(int k) {
    String type = graph.op(k).type();
    String name = type.substring(type.indexOf('.') + 1).replace("_", "").toUpperCase(Locale.ROOT);
    return !GLOBAL.contains(name);
  }

  private int openUsers(int k) {
    return (int) graph.users(k).stream().filter(open::contains).count();
  }

  /** Operands that an op's results are, and outputs of the network. */
  private int uses(int k) {
    int uses = 0;
    for (String output : graph.op(k).presentOutputs()) {
      for (int reader : graph.readers(output)) {
        uses += Collections.frequency(graph.op(reader).presentInputs(), output);
      }
      uses += graph.network().outputs().contains(output) ? 1 : 0;
    }
    return uses;
  }
}
