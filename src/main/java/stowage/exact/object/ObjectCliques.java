package stowage.exact.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import stowage.packing.IndexOrder;
import stowage.packing.ObjectProblem;

/**
 * Sets of pairwise conflicting items that together cover every conflict of some items of one kind:
 * those alive together at a step, each set that is in no other, and greedy ones for extra pairs. A
 * model that lets at most one item of each set into an object is stronger, and smaller, than one
 * that forbids pairs.
 */
public final class ObjectCliques {
  private ObjectCliques() {}

  /** The sets, of two or more items. O(m log m) and the sets' sizes; O(m³) with extra pairs. */
  public static List<int[]> covering(ObjectProblem problem, int[] items) {
    List<int[]> sets = aliveTogether(problem, items);
    if (problem.hasPairs()) {
      addPairs(problem, items, sets);
    }
    return sets;
  }

  private static List<int[]> aliveTogether(ObjectProblem problem, int[] items) {
    int[] byStart = IndexOrder.of(Arrays.stream(items), Comparator.comparingInt(problem::start));
    List<int[]> sets = new ArrayList<>();
    List<Integer> alive = new ArrayList<>();
    boolean grown = false;
    for (int item : byStart) {
      if (alive.stream().anyMatch(other -> problem.end(other) <= problem.start(item))) {
        addSet(alive, grown, sets);
        grown = false;
        alive.removeIf(other -> problem.end(other) <= problem.start(item));
      }
      alive.add(item);
      grown = true;
    }
    addSet(alive, grown, sets);
    return sets;
  }

  private static void addSet(List<Integer> alive, boolean grown, List<int[]> sets) {
    if (grown && alive.size() > 1) {
      sets.add(alive.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  private static void addPairs(ObjectProblem problem, int[] items, List<int[]> sets) {
    BitSet[] covered = new BitSet[items.length];
    Arrays.setAll(covered, a -> new BitSet(items.length));
    for (int a = 0; a < items.length; a++) {
      for (int b = a + 1; b < items.length; b++) {
        if (!covered[a].get(b)
            && problem.conflict(items[a], items[b])
            && (problem.start(items[a]) >= problem.end(items[b])
                || problem.start(items[b]) >= problem.end(items[a]))) {
          sets.add(grown(problem, items, a, b, covered));
        }
      }
    }
  }

  private static int[] grown(
      ObjectProblem problem, int[] items, int first, int second, BitSet[] covered) {
    List<Integer> members = new ArrayList<>(List.of(first, second));
    for (int c = 0; c < items.length; c++) {
      boolean all = c != first && c != second;
      for (int k = 0; k < members.size() && all; k++) {
        all = problem.conflict(items[c], items[members.get(k)]);
      }
      if (all) {
        members.add(c);
      }
    }
    for (int a : members) {
      for (int b : members) {
        covered[Math.min(a, b)].set(Math.max(a, b));
      }
    }
    return members.stream().mapToInt(k -> items[k]).toArray();
  }
}
