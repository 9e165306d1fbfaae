package stowage.importer.io;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;

/** Puts things into an order in which each comes after those it needs. */
public final class StableOrder {
  private StableOrder() {}

  /**
   * The order that follows the given one most closely (Kahn's algorithm with the least index
   * first). O((n + edges) log n).
   *
   * @param needed for each thing the indices of those that must come before it
   * @return indices in order; those on cycles, and those that need them, are last
   */
  public static int[] of(List<? extends Collection<Integer>> needed) {
    int count = needed.size();
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
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int k = 0; k < count; k++) {
      if (open[k] == 0) {
        ready.add(k);
      }
    }
    int[] order = new int[count];
    boolean[] placed = new boolean[count];
    int next = 0;
    while (!ready.isEmpty()) {
      int chosen = ready.remove();
      order[next++] = chosen;
      placed[chosen] = true;
      for (int follower : followers.get(chosen)) {
        if (--open[follower] == 0) {
          ready.add(follower);
        }
      }
    }
    for (int k = 0; k < count; k++) {
      if (!placed[k]) {
        order[next++] = k;
      }
    }
    return order;
  }
}
