package stowage.liveness;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.network.InvalidNetworkException;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.packing.DisjointSets;
import stowage.packing.IndexOrder;

/**
 * Which ops are over before which others start, however freely they are run.
 *
 * <p>In order, that is every earlier one. Out of order, only those from which data flows, over any
 * number of ops. In between, ops that share a lane run one after the other besides:
 *
 * <ul>
 *   <li>on streams, a lane is a stream;
 *   <li>with branches, it is a branch. An op that is before or after every other op by data flow
 *       alone is a <em>pass</em>: the network narrows to it. What is between two passes falls into
 *       parts that no data connects within that stretch; each part is a branch. A fork inside a
 *       branch is not taken apart further.
 * </ul>
 *
 * <p>Example: in {@code a → b → e, a → c → e, c → d → e} the passes are a and e, the branches {b}
 * and {c, d}: b may run alongside c and d. In attention, where queries q and keys k meet in a
 * product before the values v join, the branches are {q, k, product} and {v}, so that k waits for
 * q, although out of order it need not.
 *
 * <p>An op that runs code of its own, and each part of that code, waits for all before it, and all
 * after it waits for it: see {@link ControlFlow}.
 *
 * <p>Predecessors are kept as one bit set an op: n²/8 bytes for n ops, O(n · edges / 64) time. An
 * op that reads a variable and one that writes it keep their order.
 */
public final class Precedence {
  private final int steps;

  /** The steps before each step; null where every earlier step is. */
  private final BitSet[] before;

  private Precedence(int steps, BitSet[] before) {
    this.steps = steps;
    this.before = before;
  }

  /** Works out the precedence that an order of ops leaves; streams, if asked for, name each op. */
  public static Precedence of(Network network, int[] order, LivenessOptions options) {
    int steps = order.length;
    if (options.order() == LivenessOptions.Order.IN_ORDER) {
      return new Precedence(steps, null);
    }
    List<List<Integer>> flows = flows(network, order);
    addBarriers(flows, new ControlFlow(network, order));
    int[] lanes =
        switch (options.order()) {
          case STREAMS -> streams(network, order, options.streams());
          case BRANCHES -> branches(flows);
          default -> null;
        };
    if (lanes != null) {
      Map<Integer, Integer> last = new HashMap<>();
      for (int step = 0; step < steps; step++) {
        Integer earlier = last.put(lanes[step], step);
        if (earlier != null) {
          flows.get(step).add(earlier);
        }
      }
    }
    return new Precedence(steps, closure(flows));
  }

  /** Has each step wait for all of the stretch before its own. */
  private static void addBarriers(List<List<Integer>> flows, ControlFlow code) {
    int before = 0;
    int own = 0;
    for (int step = 1; step < flows.size(); step++) {
      if (!code.together(step - 1, step)) {
        before = own;
        own = step;
      }
      for (int earlier = before; earlier < own; earlier++) {
        flows.get(step).add(earlier);
      }
    }
  }

  /** The same where each step waits for earlier ones besides. */
  Precedence with(List<List<Integer>> waits) {
    if (before == null || waits.stream().allMatch(List::isEmpty)) {
      return this;
    }
    List<List<Integer>> flows = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      List<Integer> all = new ArrayList<>(waits.get(step));
      before[step].stream().forEach(all::add);
      flows.add(all);
    }
    return new Precedence(steps, closure(flows));
  }

  /** The steps that each step waits for directly, by its operands and by variables. */
  static List<List<Integer>> flows(Network network, int[] order) {
    int[] position = IndexOrder.places(order, order.length);
    List<List<Integer>> flows = new ArrayList<>();
    Map<String, Integer> lastTouch = new HashMap<>();
    for (int step = 0; step < order.length; step++) {
      List<Integer> from = new ArrayList<>();
      Op op = network.ops().get(order[step]);
      for (String input : op.presentInputs()) {
        if (network.tensor(input).kind() == Tensor.Kind.VARIABLE) {
          follow(lastTouch, input, step, from);
        } else if (network.producer(input) >= 0) {
          from.add(position[network.producer(input)]);
        }
      }
      for (String output : op.presentOutputs()) {
        if (network.tensor(output).kind() == Tensor.Kind.VARIABLE) {
          follow(lastTouch, output, step, from);
        }
      }
      flows.add(from);
    }
    return flows;
  }

  private static void follow(
      Map<String, Integer> lastTouch, String name, int step, List<Integer> from) {
    Integer earlier = lastTouch.put(name, step);
    if (earlier != null && earlier != step) {
      from.add(earlier);
    }
  }

  private static int[] streams(Network network, int[] order, Map<String, String> streams) {
    Map<String, Integer> numbers = new HashMap<>();
    int[] lanes = new int[order.length];
    for (int step = 0; step < order.length; step++) {
      String op = network.ops().get(order[step]).name();
      String stream = streams.get(op);
      if (stream == null) {
        throw new InvalidNetworkException(
            "op \"" + op + "\" has no stream; each of the network's ops should be on one");
      }
      lanes[step] = numbers.computeIfAbsent(stream, name -> numbers.size());
    }
    if (streams.size() > order.length) {
      for (String op : streams.keySet()) {
        if (network.ops().stream().noneMatch(known -> known.name().equals(op))) {
          throw new InvalidNetworkException(
              "op \"" + op + "\" is on a stream, but not in the network");
        }
      }
    }
    return lanes;
  }

  private static int[] branches(List<List<Integer>> flows) {
    int steps = flows.size();
    BitSet[] before = closure(flows);
    int[] comparable = new int[steps];
    for (int step = 0; step < steps; step++) {
      comparable[step] += before[step].cardinality();
      before[step].stream().forEach(earlier -> comparable[earlier]++);
    }
    DisjointSets lanes = new DisjointSets(steps);
    int[] stretch = new int[steps];
    int passes = 0;
    for (int step = 0; step < steps; step++) {
      boolean pass = comparable[step] == steps - 1;
      // Steps are in topological order, so every step between two passes is between them here.
      stretch[step] = pass ? -1 : passes;
      passes += pass ? 1 : 0;
    }
    for (int step = 0; step < steps; step++) {
      for (int earlier : flows.get(step)) {
        if (stretch[step] >= 0 && stretch[step] == stretch[earlier]) {
          lanes.join(step, earlier);
        }
      }
    }
    return IntStream.range(0, steps).map(lanes::root).toArray();
  }

  private static BitSet[] closure(List<List<Integer>> flows) {
    BitSet[] before = new BitSet[flows.size()];
    for (int step = 0; step < before.length; step++) {
      before[step] = new BitSet(step);
      for (int earlier : flows.get(step)) {
        before[step].or(before[earlier]);
        before[step].set(earlier);
      }
    }
    return before;
  }

  /** The number of steps, which is that of the ops. */
  public int steps() {
    return steps;
  }

  /** Whether steps run strictly one after the other, as they are. */
  public boolean isInOrder() {
    return before == null;
  }

  /** Whether the op of one step is always over before the op of another starts. O(1). */
  public boolean precedes(int earlier, int later) {
    return before == null ? earlier < later : before[later].get(earlier);
  }

  /**
   * The steps below a limit whose ops need not be over before the op of a step starts, where steps
   * do not run in order.
   */
  IntStream notBefore(int step, int limit) {
    BitSet all = before[step];
    return IntStream.iterate(
        all.nextClearBit(0), earlier -> earlier < limit, earlier -> all.nextClearBit(earlier + 1));
  }
}
