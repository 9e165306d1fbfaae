package stowage.planning.fit;

import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.TreeSet;

/**
 * The order of ops as a chain of cuts, with the ways to get from one cut to a later one: the least
 * price below a load is a shortest path over those ways whose load is within it.
 *
 * <p>Complexity: a path takes time linear in the ways.
 */
final class StretchChain {
  private final int ops;
  private final List<List<Stretch>> arriving = new ArrayList<>();

  StretchChain(int ops) {
    this.ops = ops;
    for (int k = 0; k <= ops; k++) {
      arriving.add(new ArrayList<>());
    }
  }

  /** Adds a way, unless one between the same cuts is no worse; drops those it is no worse than. */
  void add(Stretch way) {
    List<Stretch> ways = arriving.get(way.to());
    for (Stretch other : ways) {
      if (other.from() == way.from() && other.dominates(way)) {
        return;
      }
    }
    ways.removeIf(other -> other.from() == way.from() && way.dominates(other));
    ways.add(way);
  }

  /** All loads of ways, falling. */
  List<Long> loads() {
    TreeSet<Long> loads = new TreeSet<>();
    arriving.forEach(ways -> ways.forEach(way -> loads.add(way.load())));
    return new ArrayList<>(loads.descendingSet());
  }

  /**
   * The stretches of the cheapest path of no higher load; null where there is none.
   *
   * @param weight extra compute that a byte kept for added ops counts for
   */
  List<Stretch> cheapest(long load, double weight) {
    long[][] best = new long[ops + 1][];
    Stretch[] last = new Stretch[ops + 1];
    best[0] = new long[3];
    for (int k = 1; k <= ops; k++) {
      for (Stretch way : arriving.get(k)) {
        if (way.load() > load || best[way.from()] == null) {
          continue;
        }
        long[] price = best[way.from()].clone();
        for (int p = 0; p < price.length; p++) {
          price[p] += way.price()[p];
        }
        price[0] += (long) (weight * way.kept());
        if (best[k] == null || Stretch.compare(price, best[k]) < 0) {
          best[k] = price;
          last[k] = way;
        }
      }
    }
    if (best[ops] == null) {
      return null;
    }
    LinkedList<Stretch> path = new LinkedList<>();
    for (int k = ops; k > 0; k = last[k].from()) {
      path.addFirst(last[k]);
    }
    return path;
  }

  /** The extra compute of a path. */
  static long extra(List<Stretch> path) {
    return path.stream().mapToLong(way -> way.price()[0]).sum();
  }

  /** The bytes that a run-time keeps for a path's added ops. */
  static long kept(List<Stretch> path) {
    return path.stream().mapToLong(Stretch::kept).sum();
  }

  /** The load of a path. */
  static long load(List<Stretch> path) {
    return path.stream().mapToLong(Stretch::load).max().orElse(0);
  }
}
