package stowage.exact.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import stowage.packing.CliqueSearch;
import stowage.packing.IndexOrder;
import stowage.packing.ObjectProblem;
import stowage.packing.RunControl;

/**
 * Good assignments to objects: first fit by falling size, then iterated greedy.
 *
 * <p><b>First fit</b> gives each item, largest first, to the oldest object that none of its members
 * keeps it out of; an object is as large as its first member. O(n · objects · log n).
 *
 * <p><b>Iterated greedy</b> (Culberson and Luo 1996, for colouring) orders the objects of the best
 * assignment again and gives their items out again, object by object, to the first object so far
 * that takes them. No round needs more objects, for each old object's items fit together; in order
 * of falling size no round costs more either, and other orders move items about. Every second round
 * an object is dissolved first, its items at the front of the order or the end.
 */
final class ObjectHeuristic {
  private static final int FRUITLESS = 4_000;

  /** Up to how many items the conflicts are made as rows of bits: 2 MB. */
  private static final int LARGEST = 4_096;

  private final ObjectIncumbent incumbent;
  private final ObjectProblem problem;
  private final RunControl control;

  ObjectHeuristic(ObjectIncumbent incumbent, RunControl control) {
    this.incumbent = incumbent;
    this.problem = incumbent.problem();
    this.control = control;
  }

  /** Offers a first assignment, and better ones until none comes or the control says stop. */
  void run() {
    incumbent.offer(firstFit(), "first-fit");
    if (!incumbent.isClosed() && problem.count() <= LARGEST) {
      new IteratedGreedy(CliqueSearch.graph(problem.count(), problem::conflict)).run();
    }
  }

  private int[] firstFit() {
    int[] objectOf = new int[problem.count()];
    int[] itemOf = new int[problem.problem().size()];
    Arrays.fill(itemOf, -1);
    int[] refusedFor = new int[problem.count()];
    Arrays.fill(refusedFor, -1);
    List<TreeMap<Integer, Integer>> objects = new ArrayList<>(); // starts and ends of the lives
    int[] kinds = new int[problem.count()];
    for (int item = 0; item < objectOf.length; item++) {
      for (int buffer : problem.problem().conflicts().of(problem.buffer(item))) {
        if (itemOf[buffer] >= 0) {
          refusedFor[objectOf[itemOf[buffer]]] = item;
        }
      }
      int object = 0;
      while (object < objects.size()
          && (refusedFor[object] == item
              || kinds[object] != problem.kind(item)
              || !isFree(objects.get(object), item))) {
        object++;
      }
      if (object == objects.size()) {
        kinds[object] = problem.kind(item);
        objects.add(new TreeMap<>());
      }
      objects.get(object).put(problem.start(item), problem.end(item));
      objectOf[item] = object;
      itemOf[problem.buffer(item)] = item;
    }
    return objectOf;
  }

  private boolean isFree(TreeMap<Integer, Integer> lives, int item) {
    Map.Entry<Integer, Integer> before = lives.lowerEntry(problem.end(item));
    return before == null || before.getValue() <= problem.start(item);
  }

  /** The rounds after first fit, on rows of bits. */
  private final class IteratedGreedy {
    private final BitSet[] conflicts;
    private final SplittableRandom random = new SplittableRandom(control.seed());
    private final int[] objectOf;
    private final int[] order;
    private final int[] next;
    private final BitSet[] members;
    private int count;

    IteratedGreedy(BitSet[] conflicts) {
      this.conflicts = conflicts;
      int n = conflicts.length;
      objectOf = new int[n];
      order = new int[n];
      next = new int[n];
      members = new BitSet[n];
      Arrays.setAll(members, object -> new BitSet(n));
    }

    void run() {
      startFromTheBest();
      long best = giveOut(order);
      int fruitless = 0;
      int limit = control.isDeterministic() ? FRUITLESS / 4 : FRUITLESS;
      while (fruitless < limit && !incumbent.isClosed() && !control.isStopped()) {
        reorder();
        long found = giveOut(next);
        fruitless++;
        if (found <= best) {
          fruitless = found < best ? 0 : fruitless;
          best = found;
          System.arraycopy(next, 0, order, 0, order.length);
          if (found < incumbent.total()) {
            incumbent.offer(objectOf, "iterated-greedy");
          }
        } else {
          giveOut(order);
        }
      }
    }

    /** Orders the items by object of the incumbent, which may come from elsewhere. */
    private void startFromTheBest() {
      int[] best = incumbent.objectOf();
      int[] items =
          IndexOrder.of(
              IntStream.range(0, order.length), Comparator.comparingInt(item -> best[item]));
      System.arraycopy(items, 0, order, 0, order.length);
    }

    /** Gives the items out in an order; the total of the objects. */
    private long giveOut(int[] items) {
      Arrays.stream(members, 0, count).forEach(BitSet::clear);
      count = 0;
      for (int item : items) {
        int object = 0;
        while (object < count && members[object].intersects(conflicts[item])) {
          object++;
        }
        count = Math.max(count, object + 1);
        members[object].set(item);
        objectOf[item] = object;
      }
      return IntStream.range(0, count).mapToLong(k -> problem.size(largest(k))).sum();
    }

    private int largest(int object) {
      return members[object].nextSetBit(0);
    }

    /** Ranks the objects again and lists the items by rank, within an object the largest first. */
    private void reorder() {
      int way = random.nextInt(4);
      long[] key = new long[count];
      for (int object = 0; object < count; object++) {
        key[object] =
            switch (way) {
              case 0 -> largest(object);
              case 1 -> -object;
              case 2 -> random.nextInt();
              default -> largest(object) + (long) random.nextInt(Math.max(1, conflicts.length / 4));
            };
      }
      if (count > 1 && random.nextBoolean()) {
        key[random.nextInt(count)] = random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
      }
      int at = 0;
      for (int object :
          IndexOrder.of(IntStream.range(0, count), Comparator.comparingLong(k -> key[k]))) {
        for (int item : members[object].stream().toArray()) {
          next[at++] = item;
        }
      }
    }
  }
}
