package stowage.planning.fit.piece;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import stowage.rewrite.RunSplit;

/**
 * The order of ops as a chain of cuts, with the ways to get from one cut to a later one: the least
 * price below a load is a shortest path over those ways whose load is within it. A tensor that
 * stays in pieces at a cut is there in as many as the way before it leaves.
 *
 * <p>Complexity: a path takes time linear in the ways.
 */
public final class StretchChain {
  private final int ops;
  private final List<List<Stretch>> arriving = new ArrayList<>();

  /** A chain of so many ops without ways. */
  public StretchChain(int ops) {
    this.ops = ops;
    for (int k = 0; k <= ops; k++) {
      arriving.add(new ArrayList<>());
    }
  }

  /** Adds a way, unless one between the same cuts is no worse; drops those it is no worse than. */
  public void add(Stretch way) {
    way.addTo(arriving.get(way.to()));
  }

  /** Takes a way away. */
  public void remove(Stretch way) {
    arriving.get(way.to()).remove(way);
  }

  /** What is known of a cut, with the tensor there in some pieces. */
  private record Reached(long[] price, Stretch last, Reached before) {}

  /**
   * The stretches of the cheapest path of no higher load, where a byte kept for added ops counts as
   * {@code weight} extra compute; null where there is none.
   */
  public List<Stretch> cheapest(long load, double weight) {
    List<Map<Integer, Reached>> best = new ArrayList<>();
    best.add(Map.of(0, new Reached(new long[3], null, null)));
    for (int k = 1; k <= ops; k++) {
      Map<Integer, Reached> here = new HashMap<>();
      for (Stretch way : arriving.get(k)) {
        Reached before = way.load() > load ? null : best.get(way.from()).get(way.source());
        if (before == null) {
          continue;
        }
        long[] price = before.price.clone();
        for (int p = 0; p < price.length; p++) {
          price[p] += way.price()[p];
        }
        price[0] += (long) (weight * way.kept());
        Reached known = here.get(way.result());
        if (known == null || Arrays.compare(price, known.price) < 0) {
          here.put(way.result(), new Reached(price, way, before));
        }
      }
      best.add(here);
    }
    LinkedList<Stretch> path = new LinkedList<>();
    Reached end = best.get(ops).get(0);
    for (Reached at = end; at != null && at.last != null; at = at.before) {
      path.addFirst(at.last);
    }
    return end == null ? null : path;
  }

  public static List<RunSplit> runs(List<Stretch> path) {
    return path.stream().filter(way -> way.run() != null).map(Stretch::run).toList();
  }

  public static long extra(List<Stretch> path) {
    return path.stream().mapToLong(way -> way.price()[0]).sum();
  }

  /** The bytes that a run-time keeps for a path's added ops. */
  public static long kept(List<Stretch> path) {
    return path.stream().mapToLong(Stretch::kept).sum();
  }

  public static long load(List<Stretch> path) {
    return path.stream().mapToLong(Stretch::load).max().orElse(0);
  }
}
