package stowage.importer.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Puts the nodes of a file in an order that was found for those of them that are ops of the
 * network: each node after those it needs, of the ready ones always the one with the lowest rank.
 * What has no rank of its own, such as constants, comes just before the first node that needs it,
 * and what nothing needs just after the one it follows in the file.
 */
public final class RankedOrder {
  private RankedOrder() {}

  /**
   * The order, as indices of nodes. O(n log n + needs).
   *
   * @param ranks the place of each node in the order found, or -1
   * @param needed for each node those it needs, all of lower index
   */
  public static int[] of(int[] ranks, List<? extends Collection<Integer>> needed) {
    int count = ranks.length;
    int[] rank = ranks.clone();
    int[] open = new int[count];
    List<List<Integer>> followers = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      followers.add(new ArrayList<>());
    }
    for (int k = 0; k < count; k++) {
      for (int before : needed.get(k)) {
        followers.get(before).add(k);
        open[k]++;
      }
    }
    for (int k = count - 1; k >= 0; k--) {
      if (rank[k] < 0) {
        for (int follower : followers.get(k)) {
          rank[k] = rank[k] < 0 ? rank[follower] : Math.min(rank[k], rank[follower]);
        }
      }
    }
    for (int k = 0; k < count; k++) {
      rank[k] = rank[k] < 0 && k > 0 ? rank[k - 1] : rank[k];
    }
    PriorityQueue<Integer> ready =
        new PriorityQueue<>(
            Comparator.<Integer>comparingInt(k -> rank[k])
                .thenComparing(Comparator.naturalOrder()));
    for (int k = 0; k < count; k++) {
      if (open[k] == 0) {
        ready.add(k);
      }
    }
    int[] order = new int[count];
    int next = 0;
    while (!ready.isEmpty()) {
      order[next] = ready.remove();
      for (int follower : followers.get(order[next])) {
        if (--open[follower] == 0) {
          ready.add(follower);
        }
      }
      next++;
    }
    return next == count ? order : Arrays.copyOf(order, next);
  }
}
