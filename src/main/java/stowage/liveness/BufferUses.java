package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import stowage.network.Network;
import stowage.network.Op;

/**
 * Which ops touch which buffer, and which ops must wait for which: what does not depend on the
 * order in which a network's ops run. {@link Liveness} makes live ranges of it for one order; the
 * max load of its problem is the largest load that these uses give in that order.
 *
 * <p>A buffer carries a tensor and its views. Elementwise ops that may write over an operand are
 * listed apart, for that depends on who reads the operand last. Views of weights and tensors
 * without bytes have no buffer here.
 *
 * <p>Ops wait for those whose results they read, and keep the order of their uses of a variable.
 * Ops with effects beyond their results (random numbers, variables by handle, tables) keep their
 * order among each other. An op that runs code of its own (branches, loops, calls) is a barrier:
 * what comes before its code stays before, what comes after it after, and its code keeps its order,
 * as no runtime interleaves it with other ops. The code is laid out before the op; it is taken to
 * begin at the first op of the stretch before it whose results are not read after it.
 *
 * @param network whose ops these are
 * @param buffers the buffers, in the order in which they first appear
 * @param overwrites which results may be written over which operands
 * @param waits for each op, by index in the network, those it waits for directly
 */
public record BufferUses(
    Network network, List<Use> buffers, List<Overwrite> overwrites, int[][] waits) {

  /**
   * A buffer.
   *
   * @param id its name: the tensor that comes first
   * @param bytes its size, rounded up to the alignment
   * @param ops the ops that make, read or write it, by index in the network, ascending
   * @param given whether it is there from the start
   * @param kept whether it must be there at the end
   * @param tensors what it carries; empty for an op's scratch memory
   */
  public record Use(
      String id, long bytes, int[] ops, boolean given, boolean kept, List<String> tensors) {
    /** Copies the names. */
    public Use {
      tensors = List.copyOf(tensors);
    }
  }

  /**
   * An elementwise op that may write its result over an operand, if it is the operand's last use.
   *
   * @param op its index in the network
   * @param from the operand's buffer, by index
   * @param to the result's, of the same bytes
   */
  public record Overwrite(int op, int from, int to) {}

  /** Copies the lists. */
  public BufferUses {
    buffers = List.copyOf(buffers);
    overwrites = List.copyOf(overwrites);
  }

  /**
   * The uses of a network's buffers. O(tensors + operands), with control flow times the ops.
   *
   * @param options sharing, inputs and alignment; the freedom of the order does not count
   */
  public static BufferUses of(Network network, LivenessOptions options) {
    int[] order = network.executionOrder();
    TensorLives lives = new TensorLives(network, order, options);
    LivenessOptions.InPlace views =
        options.inPlace() == LivenessOptions.InPlace.NONE
            ? LivenessOptions.InPlace.NONE
            : LivenessOptions.InPlace.VIEWS;
    SharedBuffers shared = new SharedBuffers(network, order, lives, views, null);
    TreeMap<Integer, Use> found = new TreeMap<>();
    for (int t = 0; t < lives.count(); t++) {
      if (shared.buffer(t) == t || !shared.members(shared.buffer(t)).isEmpty()) {
        found.computeIfAbsent(
            shared.buffer(t), b -> use(network, lives, shared, b, order, options));
      }
    }
    List<Use> buffers = new ArrayList<>();
    int[] number = new int[lives.count()];
    for (var entry : found.entrySet()) {
      number[entry.getKey()] = buffers.size();
      buffers.add(entry.getValue());
    }
    List<Overwrite> overwrites = new ArrayList<>();
    for (int k = 0; k < network.ops().size(); k++) {
      Op op = network.ops().get(k);
      if (op.scratchBytes() > 0) {
        long bytes = WeightLayout.roundedUp(0, op.scratchBytes(), options.alignment(), op.name());
        buffers.add(new Use(op.name() + "#scratch", bytes, new int[] {k}, false, false, List.of()));
      }
      if (options.inPlace() == LivenessOptions.InPlace.ELEMENTWISE) {
        for (int from : shared.overwritable(op)) {
          int to = shared.buffer(lives.of(op.outputs().get(0)));
          overwrites.add(new Overwrite(k, number[shared.buffer(from)], number[to]));
        }
      }
    }
    return new BufferUses(network, buffers, overwrites, waits(network, order));
  }

  private static Use use(
      Network network,
      TensorLives lives,
      SharedBuffers shared,
      int buffer,
      int[] order,
      LivenessOptions options) {
    Set<Integer> ops = new TreeSet<>();
    List<String> tensors = new ArrayList<>();
    boolean given = false;
    boolean kept = false;
    int first = -1;
    for (int t : shared.members(buffer)) {
      if (lives.madeAt(t) == TensorLives.NEVER) {
        continue;
      }
      given |= lives.madeAt(t) == TensorLives.GIVEN;
      kept |= lives.toTheEnd(t);
      if (lives.madeAt(t) >= 0) {
        ops.add(order[lives.madeAt(t)]);
      }
      for (int step : lives.readAt(t)) {
        ops.add(order[step]);
      }
      tensors.add(lives.tensor(t).name());
      if (first < 0 || lives.madeAt(t) < lives.madeAt(first)) {
        first = t;
      }
    }
    String id = lives.tensor(first < 0 ? buffer : first).name();
    long bytes =
        first < 0 || shared.bytes(first) == 0
            ? 0
            : WeightLayout.roundedUp(0, shared.extent(buffer), options.alignment(), id);
    int[] touches = ops.stream().mapToInt(Integer::intValue).toArray();
    return new Use(id, bytes, touches, given, kept, tensors);
  }

  private static int[][] waits(Network network, int[] order) {
    List<List<Integer>> flows = Precedence.flows(network, order);
    int lastEffect = -1;
    int barrier = -1;
    int[] codeFrom = codeFrom(network, order);
    for (int step = 0; step < order.length; step++) {
      if (OpTraits.hasSideEffects(network.ops().get(order[step]))) {
        if (lastEffect >= 0) {
          flows.get(step).add(lastEffect);
        }
        lastEffect = step;
      }
      if (barrier >= 0) {
        flows.get(step).add(barrier);
      }
      if (codeFrom[step] >= 0) {
        for (int earlier = Math.max(0, barrier); earlier < step; earlier++) {
          flows.get(step).add(earlier);
        }
        barrier = step;
      }
    }
    int[][] waits = new int[order.length][];
    for (int step = 0; step < order.length; step++) {
      waits[order[step]] = flows.get(step).stream().mapToInt(from -> order[from]).toArray();
    }
    return waits;
  }

  /**
   * For each step, whether it belongs to the code of an op with code of its own: then it waits for
   * all steps before it, and all after it wait for it; -1 elsewhere.
   */
  private static int[] codeFrom(Network network, int[] order) {
    int[] from = new int[order.length];
    Arrays.fill(from, -1);
    int[] lastRead = null;
    for (int step = order.length - 1; step >= 0; step--) {
      if (from[step] >= 0 || !OpTraits.isControlFlow(network.ops().get(order[step]))) {
        continue;
      }
      lastRead = lastRead == null ? lastReads(network, order) : lastRead;
      int first = step;
      while (first > 0 && lastRead[first - 1] <= step) {
        first--;
      }
      for (int k = first; k <= step; k++) {
        from[k] = first;
      }
    }
    return from;
  }

  /** The last step that reads a result of each step; beyond the last where it is an output. */
  private static int[] lastReads(Network network, int[] order) {
    int[] place = new int[order.length];
    for (int step = 0; step < order.length; step++) {
      place[order[step]] = step;
    }
    int[] last = new int[order.length];
    for (int step = 0; step < order.length; step++) {
      for (String input : network.ops().get(order[step]).presentInputs()) {
        int producer = network.producer(input);
        if (producer >= 0) {
          last[place[producer]] = Math.max(last[place[producer]], step);
        }
      }
    }
    for (String output : network.outputs()) {
      if (network.producer(output) >= 0) {
        last[place[network.producer(output)]] = order.length;
      }
    }
    return last;
  }
}
