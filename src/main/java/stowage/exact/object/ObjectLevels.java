package stowage.exact.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import stowage.packing.CliqueSearch;
import stowage.packing.ObjectProblem;
import stowage.packing.RangeMaximum;

/**
 * A lower bound of the total of objects that needs no search.
 *
 * <p>k items that conflict pairwise need k objects. So if some k items of at least w bytes do, at
 * least k objects have w bytes or more: the k-th largest object is no smaller than the largest such
 * w, its <em>level</em>, and the levels add up to a bound. It is never below the heaviest set of
 * conflicting items, which is the arena's bound, for the levels are taken from different sets.
 *
 * <p>Example: a 10 bytes and b 4 bytes overlap at step 1, c 8 and d 6 at step 5. The first level is
 * 10 (a), the second 6 (c and d): the objects take 16 bytes at least, and 16 suffice, while no step
 * holds more than 14.
 *
 * <p><b>How.</b> Items enter from the largest to the smallest; a tree over the steps keeps how many
 * of those that entered are alive, and each rise of its maximum is a level: O(n log n). Kinds have
 * a tree each, since items of different kinds always conflict. Where extra pairs make conflicting
 * sets without a common step and there are at most {@value #LARGEST_SEARCHED} items, each item that
 * enters is also looked at for a larger set around it, by branch and bound over a colouring bound
 * (Tomita and Seki 2003, doi 10.1007/3-540-45066-1_22), within a fixed number of nodes: what is
 * found is a bound whether or not it is the largest.
 */
public final class ObjectLevels {
  private static final int LARGEST_SEARCHED = 2_000;
  private static final int NODES_AN_ITEM = 400;
  private static final int NODES = 100_000;

  private final ObjectProblem problem;

  /** The item whose entry made k + 1 conflict at a common step, by k. */
  private final List<Integer> enteredLast = new ArrayList<>();

  /** Sets that the search found, by the number of members less one. */
  private final List<int[]> found = new ArrayList<>();

  private ObjectLevels(ObjectProblem problem) {
    this.problem = problem;
  }

  public static ObjectLevels of(ObjectProblem problem) {
    ObjectLevels levels = new ObjectLevels(problem);
    levels.sweep();
    if (problem.hasPairs() && problem.count() <= LARGEST_SEARCHED) {
      levels.search();
    }
    return levels;
  }

  /** The bound: the sum of all levels, in bytes. */
  public long value() {
    return IntStream.range(0, levels()).mapToLong(this::level).sum();
  }

  /** The number of levels: so many objects are needed. */
  public int levels() {
    return Math.max(enteredLast.size(), found.size());
  }

  /** What the k-th largest object, from 0, holds at least; in bytes. */
  public long level(int k) {
    long size = k < enteredLast.size() ? problem.size(enteredLast.get(k)) : 0;
    return k < found.size() ? Math.max(size, problem.size(last(found.get(k)))) : size;
  }

  /** Calls with a and k where at least k of the a largest items are largest in their objects. */
  public void eachRepresented(BiConsumer<Integer, Integer> items) {
    int item = 0;
    for (int k = 0; k < levels(); k++) {
      while (item < problem.count() && problem.size(item) >= level(k)) {
        item++;
      }
      if (k + 1 == levels() || level(k + 1) < level(k)) {
        items.accept(item, k + 1);
      }
    }
  }

  private static int last(int[] set) {
    return set[set.length - 1];
  }

  /** Sets of pairwise conflicting items from which the bound follows. O(n) for each. */
  public List<int[]> certificate() {
    List<int[]> sets = new ArrayList<>();
    long[] covered = new long[levels()];
    for (int k = levels() - 1; k >= 0; k--) {
      if (covered[k] >= level(k)) {
        continue;
      }
      boolean searched = k < found.size() && problem.size(last(found.get(k))) == level(k);
      int[] set = searched ? found.get(k) : aliveTogether(enteredLast.get(k));
      sets.add(set);
      for (int j = 0; j < set.length; j++) {
        covered[j] = Math.max(covered[j], problem.size(set[j]));
      }
    }
    return sets;
  }

  private void sweep() {
    int n = problem.count();
    int[] kinds = IntStream.range(0, n).map(problem::kind).sorted().distinct().toArray();
    int[][] momentsOf = new int[kinds.length][];
    RangeMaximum[] alive = new RangeMaximum[kinds.length];
    long[] most = new long[kinds.length];
    for (int item = 0; item < n; item++) {
      int kind = Arrays.binarySearch(kinds, problem.kind(item));
      if (alive[kind] == null) {
        momentsOf[kind] =
            IntStream.range(0, n)
                .filter(other -> problem.kind(other) == kinds[kind])
                .flatMap(other -> IntStream.of(problem.start(other), problem.end(other)))
                .sorted()
                .distinct()
                .toArray();
        alive[kind] = new RangeMaximum(new long[momentsOf[kind].length]);
      }
      int from = Arrays.binarySearch(momentsOf[kind], problem.start(item));
      int to = Arrays.binarySearch(momentsOf[kind], problem.end(item));
      if (from < to) {
        alive[kind].add(from, to, 1);
        if (alive[kind].max(from, to) > most[kind]) {
          most[kind]++;
          enteredLast.add(item);
        }
      }
    }
  }

  /** Of the items up to one those alive at the step that holds most of them, for each kind. */
  private int[] aliveTogether(int lastItem) {
    return IntStream.rangeClosed(0, lastItem)
        .map(problem::kind)
        .distinct()
        .flatMap(
            kind -> {
              int step = busiestStep(kind, lastItem);
              return IntStream.rangeClosed(0, lastItem)
                  .filter(item -> problem.kind(item) == kind)
                  .filter(item -> problem.start(item) <= step && step < problem.end(item));
            })
        .sorted()
        .toArray();
  }

  private int busiestStep(int kind, int lastItem) {
    long[] events = new long[2 * (lastItem + 1)];
    int count = 0;
    for (int item = 0; item <= lastItem; item++) {
      if (problem.kind(item) == kind) {
        events[count++] = ((long) problem.start(item) << 1) | 1;
        events[count++] = (long) problem.end(item) << 1;
      }
    }
    Arrays.sort(events, 0, count);
    int alive = 0;
    int most = 0;
    int step = 0;
    for (int k = 0; k < count; k++) {
      alive += (events[k] & 1) == 1 ? 1 : -1;
      if (alive > most) {
        most = alive;
        step = (int) (events[k] >> 1);
      }
    }
    return step;
  }

  /** Looks for larger sets than a common step gives, around each item as it enters. */
  private void search() {
    long[] ones = new long[problem.count()];
    Arrays.fill(ones, 1);
    BitSet[] conflicts = CliqueSearch.graph(problem.count(), problem::conflict);
    CliqueSearch search = new CliqueSearch(ones, conflicts);
    int nodesLeft = NODES;
    for (int item = 0; item < conflicts.length; item++) {
      BitSet before = conflicts[item].get(0, item);
      while (before.cardinality() >= found.size()) {
        int wanted = found.size();
        int nodes = Math.min(NODES_AN_ITEM, nodesLeft);
        int[] set = search.heavier(before, wanted - 1L, 0, wanted, nodes);
        nodesLeft -= nodes - search.nodesLeft();
        if (set == null) {
          break;
        }
        found.add(IntStream.concat(IntStream.of(set), IntStream.of(item)).toArray());
      }
    }
  }
}
