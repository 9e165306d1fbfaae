package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.network.OpTypes;
import stowage.network.Tensor;
import stowage.packing.RunControl;
import stowage.planning.schedule.ScheduleRun;
import stowage.rewrite.Rewriting;
import stowage.rewrite.SplitModel;

/**
 * Orders of a network's ops in which runs of them may be cut into pieces: the one found, with ops
 * that free bytes moved forward where that raises no load; that of the least load of {@link
 * ChainedNetwork}; and the one of a system with the least product of both loads.
 */
public final class PieceOrders {
  /** Share of another order's figure below which an order counts as lower. */
  public static final double LOWER = 0.95;

  private final Network network;
  private final ToLongFunction<Network> load;
  private final int[] eager;
  private final ChainedNetwork chained;
  private final ScheduleRun chains;

  /**
   * Prepares the choice. O(ops * operands), and the moves of {@link EagerOrder}.
   *
   * @param found the order of least load that is known, as indices of ops
   * @param liveness rules of the search for an order of chains
   * @param load bytes of the largest load of a network in its own order
   */
  public PieceOrders(
      Network network, int[] found, LivenessOptions liveness, ToLongFunction<Network> load) {
    this.network = network;
    this.load = load;
    Set<String> kept = new HashSet<>(network.outputs());
    kept.addAll(network.inputs());
    int[] moved = EagerOrder.of(network, found, kept);
    this.eager = load(network, moved) <= load(network, found) ? moved : found;
    this.chained = new ChainedNetwork(new SplitModel(network));
    this.chains = new ScheduleRun(chained.network(), liveness, List.of(), -1);
  }

  /** Whether a network's ops may be reordered: none has side effects or inner code, no variable. */
  public static boolean admit(Network network) {
    return network.ops().stream()
            .noneMatch(op -> OpTypes.hasSideEffects(op) || OpTypes.isControlFlow(op))
        && network.tensors().values().stream()
            .noneMatch(tensor -> tensor.kind() == Tensor.Kind.VARIABLE);
  }

  /**
   * The orders, without repetition, the most promising one first: the one found, unless that of the
   * chains is lower.
   *
   * @param control when to stop the search for an order of chains, and among those of systems
   * @param systems orders of systems to choose from; may be empty
   */
  public List<int[]> list(RunControl control, List<ScheduleRun.SystemLoad> systems) {
    chains.findOrder(control);
    long now = load(chained.network(), chained.chainsOf(eager));
    int[] together = chained.opsOf(chains.bestOrder());
    long least = load(chained.network(), chains.bestOrder());
    List<int[]> orders = new ArrayList<>(List.of(eager, together));
    if (least < LOWER * Math.min(now, load(network, eager))) {
      Collections.reverse(orders);
    }
    ToDoubleFunction<ScheduleRun.SystemLoad> both =
        system -> 1.0 * system.load() * load(chained.network(), chained.chainsOf(system.order()));
    systems.stream()
        .takeWhile(system -> !control.isStopped())
        .filter(system -> orders.stream().noneMatch(one -> Arrays.equals(one, system.order())))
        .min(Comparator.comparingDouble(both))
        .ifPresent(system -> orders.add(system.order()));
    if (Arrays.equals(eager, together)) {
      orders.remove(1);
    }
    return orders;
  }

  private long load(Network network, int[] ops) {
    return load.applyAsLong(Rewriting.reordered(network, ops).network());
  }
}
