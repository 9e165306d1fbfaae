package stowage.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** Orders in which each thing comes after those it needs (Kahn's algorithm). */
public final class TopologicalOrder {
  private TopologicalOrder() {}

  /**
   * The order that follows the given one most closely: of the things that are ready, the one of
   * least index, without those on cycles and those that need them. O((n + needs) log n).
   */
  public static int[] of(List<? extends Collection<Integer>> needed) {
    return ordered(followers(needed), new int[needed.size()]);
  }

  /** The same with those on cycles, and those that need them, at the end. */
  public static int[] ofAll(List<? extends Collection<Integer>> needed) {
    int[] found = of(needed);
    BitSet left = new BitSet();
    left.set(0, needed.size());
    IntStream.of(found).forEach(left::clear);
    return IntStream.concat(IntStream.of(found), left.stream()).toArray();
  }

  /**
   * Puts the nodes of a file in an order that was found for those of them that are ops of the
   * network: of the nodes that are ready always the one with the lowest rank. What has no rank of
   * its own, such as constants, comes just before the first node that needs it, and what nothing
   * needs just after the one it follows in the file.
   *
   * @param ranks the place of each node in the order found, or -1
   * @param needed for each node those it needs; all of lower index unless every node has a rank
   */
  public static int[] ofRanked(int[] ranks, List<? extends Collection<Integer>> needed) {
    List<List<Integer>> followers = followers(needed);
    int[] rank = ranks.clone();
    for (int k = rank.length - 1; k >= 0; k--) {
      if (rank[k] < 0) {
        for (int follower : followers.get(k)) {
          rank[k] = rank[k] < 0 ? rank[follower] : Math.min(rank[k], rank[follower]);
        }
      }
    }
    for (int k = 1; k < rank.length; k++) {
      rank[k] = rank[k] < 0 ? rank[k - 1] : rank[k];
    }
    return ordered(followers, rank);
  }

  private static List<List<Integer>> followers(List<? extends Collection<Integer>> needed) {
    List<List<Integer>> followers = new ArrayList<>();
    needed.forEach(each -> followers.add(new ArrayList<>()));
    for (int k = 0; k < needed.size(); k++) {
      for (int before : needed.get(k)) {
        followers.get(before).add(k);
      }
    }
    return followers;
  }

  private static int[] ordered(List<List<Integer>> followers, int[] rank) {
    int[] open = new int[rank.length];
    followers.forEach(each -> each.forEach(follower -> open[follower]++));
    PriorityQueue<Integer> ready =
        new PriorityQueue<>(
            Comparator.<Integer>comparingInt(k -> rank[k])
                .thenComparing(Comparator.naturalOrder()));
    for (int k = 0; k < open.length; k++) {
      if (open[k] == 0) {
        ready.add(k);
      }
    }
    int[] order = new int[open.length];
    int next = 0;
    while (!ready.isEmpty()) {
      order[next] = ready.remove();
      for (int follower : followers.get(order[next++])) {
        if (--open[follower] == 0) {
          ready.add(follower);
        }
      }
    }
    return Arrays.copyOf(order, next);
  }
}
