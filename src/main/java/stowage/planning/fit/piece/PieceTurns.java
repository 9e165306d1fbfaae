package stowage.planning.fit.piece;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.rewrite.Rewriting;
import stowage.rewrite.range.AxisRules;

/**
 * Order in which the pieces of runs that follow each other take turns. Where a result stays in
 * pieces, a piece of the next run needs only some of them: so it runs as soon as these are there,
 * and they are freed before the last ones are made. No tensor between the runs is ever whole, and
 * runs of one op each compute no halo twice, as with the line buffers of image processors.
 *
 * <p>Ops that belong to no run keep their order, and so do those that make results of the network.
 * Of the others each runs just before what needs it, in the order of what it is read for. An
 * example: a and b are runs of three pieces each, a piece of b reads its own of a and the ones next
 * to it; then a1 a2 b1 a3 b2 b3, where two runs in turn are a1 a2 a3 b1 b2 b3.
 */
public final class PieceTurns {
  private final Rewriting rewriting;
  private final Network network;
  private final Map<String, Integer> makers = new HashMap<>();
  private final long alignment;

  private PieceTurns(Rewriting rewriting, long alignment) {
    this.rewriting = rewriting;
    this.alignment = alignment;
    this.network = rewriting.network();
    for (int k = 0; k < network.ops().size(); k++) {
      for (String output : network.ops().get(k).presentOutputs()) {
        makers.put(output, k);
      }
    }
  }

  /**
   * Whether results of a network may stay in pieces. They do not where pieces lie next to each
   * other in the whole: in TFLite, and where nothing but ones is in front of rows or tokens.
   */
  public static boolean mayBeTaken(Network network) {
    return !AxisRules.isTflite(network)
        && network.tensors().values().stream()
            .filter(tensor -> tensor.rank() > 2 && network.producer(tensor.name()) >= 0)
            .anyMatch(
                tensor ->
                    IntStream.range(0, tensor.rank() - 2).anyMatch(d -> tensor.extent(d) > 1));
  }

  /**
   * The same pieces in turns, or a rewriting as it is where that takes no more bytes, counted
   * without what tensors share. O(operands).
   *
   * @param alignment what sizes are rounded up to
   */
  public static Rewriting of(Rewriting rewriting, long alignment) {
    PieceTurns turns = new PieceTurns(rewriting, alignment);
    int[] given = IntStream.range(0, rewriting.ops().size()).toArray();
    int[] order = turns.order();
    return Arrays.equals(order, given) || turns.load(order) >= turns.load(given)
        ? rewriting
        : rewriting.then(Rewriting.reordered(rewriting.network(), order));
  }

  private int[] order() {
    Set<String> read = new HashSet<>();
    network.ops().forEach(op -> read.addAll(op.presentInputs()));
    read.removeAll(network.outputs());
    Set<Integer> done = new LinkedHashSet<>();
    for (int k = 0; k < network.ops().size(); k++) {
      boolean inRun = rewriting.ops().get(k).run() >= 0;
      if (!inRun || !read.containsAll(network.ops().get(k).presentOutputs())) {
        add(k, done);
      }
    }
    for (int k = 0; k < network.ops().size(); k++) {
      add(k, done);
    }
    return done.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Adds what an op needs and itself, depth first. */
  private void add(int op, Set<Integer> done) {
    Deque<Integer> open = new ArrayDeque<>();
    open.push(op);
    while (!open.isEmpty()) {
      int at = open.peek();
      Integer needed =
          network.ops().get(at).presentInputs().stream()
              .map(makers::get)
              .filter(maker -> maker != null && !done.contains(maker))
              .findFirst()
              .orElse(null);
      if (needed != null) {
        open.push(needed);
      } else {
        done.add(open.pop());
      }
    }
  }

  /** The largest sum of bytes at a step. */
  private long load(int[] order) {
    Map<String, Integer> last = new HashMap<>();
    for (int k = 0; k < order.length; k++) {
      for (String input : network.ops().get(order[k]).presentInputs()) {
        last.put(input, k);
      }
    }
    network.outputs().forEach(output -> last.put(output, order.length));
    long live = 0;
    for (String input : network.inputs()) {
      live += bytes(input);
    }
    long most = live;
    for (int k = 0; k < order.length; k++) {
      for (String output : network.ops().get(order[k]).presentOutputs()) {
        live += bytes(output);
      }
      most = Math.max(most, live);
      Set<String> touched = new LinkedHashSet<>(network.ops().get(order[k]).presentInputs());
      touched.addAll(network.ops().get(order[k]).presentOutputs());
      for (String name : touched) {
        live -= last.getOrDefault(name, k) == k ? bytes(name) : 0;
      }
    }
    return most;
  }

  private long bytes(String name) {
    Tensor tensor = network.tensor(name);
    return tensor.isWeight() ? 0 : (tensor.bytes() + alignment - 1) / alignment * alignment;
  }
}
