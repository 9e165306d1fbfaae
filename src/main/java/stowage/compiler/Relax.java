package stowage.compiler;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.compiler.core.ReusedObjects;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;

/**
 * TVM Relax's StaticPlanBlockMemory, TVM's planner since USMP left: a pool of whole storages.
 *
 * <p>Order: as the program allocates and releases; a result is allocated before the operands that
 * end with it are released. Rule: of the free storages the smallest that is large enough, if it has
 * at most {@value #MATCH} times the bytes, the one released first of equal ones; else the largest
 * of the smaller ones, if it has at least a {@value #MATCH}th of the bytes, the one released
 * <em>last</em> of equal ones, enlarged to the bytes; else a new storage. Storages are end to end.
 *
 * <p>Example: free are storages of 4 and 2 bytes; a buffer of 3 bytes takes the 4, one of 6 bytes
 * enlarges the 4 to 6.
 *
 * <p>An op releases its operands in their order. The original has a pool for each element type and
 * scope; like other planners of buffers this one has one pool. O(n log n).
 *
 * @see <a
 *     href="https://github.com/apache/tvm/blob/5d4dc872/src/relax/transform/static_plan_block_memory.cc">apache/tvm@5d4dc872:static_plan_block_memory.cc</a>
 */
public final class Relax extends ListRule {
  private static final int MATCH = 16;

  public Relax() {
    super(
        "relax",
        Planner.Kind.OBJECTS,
        "TVM's only one since February 2025, as of August 2026",
        "TVM Relax: as the program runs, the nearest free storage in size, enlarged if need be");
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    ReusedObjects storages = new ReusedObjects(all);
    TreeMap<Long, Deque<Integer>> pool = new TreeMap<>();
    int[] events = all.events(Comparator.comparingInt(r -> planningCase.lastOperand(all.index(r))));
    for (int k = 0; k < events.length; k++) {
      NotPlannableException.throwIfStopped(control, k / 2, all.count());
      int r = events[k];
      if (r >= 0) {
        storages.assign(r, storage(pool, storages, all.size[r]));
      } else {
        int over = storages.of(~r);
        pool.computeIfAbsent(storages.size(over), size -> new ArrayDeque<>()).add(over);
      }
    }
    return storages.endToEnd();
  }

  private static int storage(
      TreeMap<Long, Deque<Integer>> pool, ReusedObjects storages, long size) {
    Map.Entry<Long, Deque<Integer>> enough = pool.ceilingEntry(size);
    Map.Entry<Long, Deque<Integer>> less = pool.lowerEntry(size);
    if (enough != null && (enough.getKey() - 1) / MATCH < size) {
      return taken(pool, enough, enough.getValue().pollFirst());
    }
    if (less != null && less.getKey() >= size / MATCH) {
      return taken(pool, less, less.getValue().pollLast());
    }
    return storages.add(size);
  }

  private static int taken(
      TreeMap<Long, Deque<Integer>> pool, Map.Entry<Long, Deque<Integer>> of, int storage) {
    if (of.getValue().isEmpty()) {
      pool.remove(of.getKey());
    }
    return storage;
  }
}
