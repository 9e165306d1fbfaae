package stowage.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.Relations;

/**
 * What it costs to let buffers share addresses where ops may run side by side.
 *
 * <p>Where a buffer takes the place of one that was used before it, every op that touches the
 * earlier one must be over before any op writes the later one. Where the order in which ops may run
 * does not say so already, that is a wait: an edge from the last op to the first. Of these edges
 * those count that do not follow from others of the same pair (the transitive reduction: only the
 * last ops that touch, only the first that write). An edge costs 1, for the wait itself, and the
 * slack that it destroys: the steps by which the waiting op starts later at the earliest, each op
 * taking one step and starting as soon as the order lets it.
 *
 * <p>Example: x → a → y1 and x → b → y2 on two streams, and y2 in the place of a. The op that makes
 * y2 could start at step 1, as soon as b is there; it now waits for the one that reads a, which is
 * over after step 1, and starts at step 2. The pair (a, y2) costs 1 + 1.
 *
 * <p>Waits go from earlier steps of the given order to later ones, so that any number of them can
 * be kept at once. A pair that no wait can bring apart in time, such as a result that stays to the
 * end, stays a conflict. O(buffers² · uses² + ops²).
 */
final class ReusePrices {
  private final Network network;
  private final int[] order;
  private final Precedence precedence;
  private final int[] earliest;
  private final List<int[]> conflicts = new ArrayList<>();
  private final List<Relations.Reuse> pairs = new ArrayList<>();

  private ReusePrices(Network network, int[] order, Precedence precedence) {
    this.network = network;
    this.order = order;
    this.precedence = precedence;
    this.earliest = new int[order.length];
    for (int later = 0; later < order.length; later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        if (precedence.precedes(earlier, later)) {
          earliest[later] = Math.max(earliest[later], earliest[earlier] + 1);
        }
      }
    }
  }

  /** The prices of all pairs, by what is done to each buffer. */
  static ReusePrices of(
      Network network,
      int[] order,
      List<Buffer> buffers,
      List<OrderConflicts.Use> uses,
      Precedence precedence) {
    ReusePrices prices = new ReusePrices(network, order, precedence);
    ConflictPairs between = OrderConflicts.between(buffers, uses, precedence);
    for (int i = 0; i < buffers.size(); i++) {
      for (int j : between.of(i)) {
        if (i < j) {
          prices.add(i, j, buffers, uses);
        }
      }
    }
    return prices;
  }

  private void add(int i, int j, List<Buffer> buffers, List<OrderConflicts.Use> uses) {
    boolean inOrder = buffers.get(i).live().end() <= buffers.get(j).live().start();
    OrderConflicts.Use earlier = uses.get(inOrder ? i : j);
    OrderConflicts.Use later = uses.get(inOrder ? j : i);
    if (earlier.toTheEnd() || later.fromTheStart()) {
      conflicts.add(new int[] {i, j});
      return;
    }
    long price = 0;
    String reason = "";
    int edges = 0;
    for (int from : last(earlier.touches())) {
      for (int to : first(later.writes())) {
        if (from >= to) {
          conflicts.add(new int[] {i, j});
          return;
        }
        if (!precedence.precedes(from, to)) {
          int slack = Math.max(0, earliest[from] + 1 - earliest[to]);
          price += 1 + slack;
          edges++;
          reason =
              reason.isEmpty()
                  ? name(to) + " waits for " + name(from) + (slack > 0 ? ", +" + slack : "")
                  : reason;
        }
      }
    }
    String more = edges > 1 ? ", and " + (edges - 1) + " more" : "";
    pairs.add(new Relations.Reuse(i, j, Math.max(1, price), reason + more));
  }

  private String name(int step) {
    return network.ops().get(order[step]).name();
  }

  /** The steps that no other of them follows. */
  private int[] last(int[] steps) {
    return Arrays.stream(steps)
        .filter(step -> Arrays.stream(steps).noneMatch(next -> precedence.precedes(step, next)))
        .toArray();
  }

  /** The steps that follow no other of them. */
  private int[] first(int[] steps) {
    return Arrays.stream(steps)
        .filter(step -> Arrays.stream(steps).noneMatch(prior -> precedence.precedes(prior, step)))
        .toArray();
  }

  /** The pairs that stay apart. */
  List<int[]> conflicts() {
    return conflicts;
  }

  /** The pairs with a price, each with a wait in words as its reason. */
  List<Relations.Reuse> pairs() {
    return pairs;
  }
}
