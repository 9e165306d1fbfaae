package stowage.planning.fit.piece;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import stowage.liveness.LivenessOptions;
import stowage.network.Network;
import stowage.network.Op;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.Rewriting;
import stowage.rewrite.range.AxisRules;
import stowage.schedule.NetworkOrders;
import stowage.schedule.model.OrderProblem;

/**
 * Order in which the pieces of runs that follow each other take turns. Where a result stays in
 * pieces, a piece of the next run needs only some of them: so it runs as soon as these are there,
 * and they are freed before the last ones are made. No tensor between the runs is ever whole, and
 * runs of one op each compute no halo twice, as with the line buffers of image processors.
 *
 * <p>Which runs take turns with each other is chosen by the largest load ({@link TurnOrder}). An
 * example: a and b are runs of three pieces each, a piece of b reads its own of a and the ones next
 * to it; then a1 a2 b1 a3 b2 b3, where two runs in turn are a1 a2 a3 b1 b2 b3.
 */
public final class PieceTurns {
  private final StretchLoads known = new StretchLoads();

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
   * The same pieces in turns, or a rewriting as it is where each way takes more bytes.
   *
   * @param rewriting of a network whose ops run in its order
   * @param options what shares a buffer
   * @param most live bytes above which a rewriting is of no use
   * @return null where each order looked at takes more
   */
  public Rewriting of(Rewriting rewriting, LivenessOptions options, long most) {
    OrderProblem problem = NetworkOrders.of(rewriting.network(), options).problem();
    int[] given = IntStream.range(0, problem.ops()).toArray();
    double[] parts =
        rewriting.ops().stream()
            .mapToDouble(op -> op.piece() < 0 ? 1 : (op.piece() + 1.0) / op.pieces())
            .toArray();
    TurnOrder turns = new TurnOrder(problem, places(rewriting), parts, ids(rewriting), known);
    long peak = problem.peak(given);
    int[] order = turns.below(Math.min(peak, most) + 1);
    if (order == null && peak > most) {
      return null;
    }
    return order == null || Arrays.equals(order, given)
        ? rewriting
        : rewriting.then(Rewriting.reordered(rewriting.network(), order));
  }

  /** By op of a rewriting a number that says which one it is, in other rewritings too. */
  private static long[] ids(Rewriting rewriting) {
    long[] ids = new long[rewriting.ops().size()];
    for (int k = 0; k < ids.length; k++) {
      OpOrigin op = rewriting.ops().get(k);
      long piece = StretchLoads.mixed(op.kind().ordinal(), op.piece());
      ids[k] = StretchLoads.mixed(piece, rewriting.network().ops().get(k).name().hashCode());
    }
    return ids;
  }

  /**
   * By op of a rewriting the place of the op that it is a piece of: where its run is, or for a
   * concatenation where the first op is that reads it.
   */
  private static int[] places(Rewriting rewriting) {
    Network network = rewriting.network();
    int[] places = rewriting.ops().stream().mapToInt(OpOrigin::op).toArray();
    Map<String, Integer> readers = new HashMap<>();
    for (int k = places.length - 1; k >= 0; k--) {
      Op op = network.ops().get(k);
      if (rewriting.ops().get(k).kind() == OpOrigin.Kind.CONCAT) {
        places[k] =
            op.presentOutputs().stream()
                .filter(output -> !network.outputs().contains(output))
                .map(readers::get)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(places[k]);
      }
      for (String input : op.presentInputs()) {
        readers.merge(input, places[k], Math::min);
      }
    }
    return places;
  }
}
