package stowage.schedule.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import stowage.schedule.bound.CutNetwork;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Best-first search over downsets for an order of least peak load, which proves a bound as it goes.
 *
 * <p>The peak of an order is the largest load along a path from the empty downset to the full one,
 * so the least peak is a bottleneck path. Downsets are taken from a queue by the least peak on a
 * way there; of equal ones the deepest first, then the one with fewer live bytes. When a downset
 * with peak P is taken, no order has a peak below P. What {@link RunAtOnce} allows is run without
 * branching, within the bound proven so far.
 *
 * <p><b>Floor.</b> The search has an option to treat all peaks up to a floor as equal. It then
 * takes the deepest first, like a depth-first search with a memory, and the rules may run all that
 * keeps to the floor, so that there are fewer downsets. That asks "is there an order with a peak of
 * at most the floor?": if not, all orders are above it, which is proven once a downset above the
 * floor is taken or none is left.
 *
 * <p><b>Commits.</b> When a downset X is taken whose live bytes are no more than the root's, the
 * downset with the fewest live bytes between both becomes the root, and all others are dropped: the
 * rule for sets in {@link RunAtOnce}. So parts of a network between narrow places add up instead of
 * multiplying. A downset through which every order goes, for lack of another one of its size,
 * becomes the root as soon as something beyond it is taken.
 *
 * <p>O(downsets · (ready ops · touches + words)) time.
 */
public final class DownsetSearch {
  /** How a search ended. */
  public enum End {
    /** No order is better than the bar that the search was given. */
    EXHAUSTED,
    /** An order with a peak below the bar was found; with a floor there may be better ones. */
    FOUND,
    /** The bar fell to the floor or below: what is known no longer helps. */
    OVERTAKEN,
    /** The limit of downsets or the time was reached. */
    STOPPED
  }

  /** What a search is given from outside, and says. */
  public interface Board {
    /** Orders with this peak or a higher one are of no use, in bytes. May fall. */
    long bar();

    /** No order has a lower peak than this. */
    default void proven(long bound) {}

    /** An order that may be of use. */
    void found(int[] order);

    /** Asks for orders below a bar, whatever is proven. */
    static Board below(long bar, Consumer<int[]> found) {
      return new Board() {
        @Override
        public long bar() {
          return bar;
        }

        @Override
        public void found(int[] order) {
          found.accept(order);
        }
      };
    }
  }

  private static final int LOOKS = 63;

  private final OrderProblem problem;
  private final RunAtOnceRules rules;
  private final RunAtOnce atOnce;
  private final Downset downset;
  private final StateStore store;
  private final int[] log;

  /** For each number of ops, the largest one up to it at which there is but one downset. */
  private final int[] passes;

  private final int[] ready;
  private final StateQueue queue;
  private long floor;
  private long reached;
  private int[] prefix = new int[0];
  private int root;
  private CutNetwork minimum;
  private final List<Root> roots = new ArrayList<>();

  /**
   * A downset that took the place of all others.
   *
   * @param ops on a way to it from the empty one
   * @param pass whether all orders go through it
   */
  record Root(int[] ops, boolean pass) {}

  /** A search of a problem by some rules. O(ops + touches). */
  public DownsetSearch(OrderProblem problem, RunAtOnceRules rules) {
    this.problem = problem;
    this.rules = rules;
    this.atOnce = new RunAtOnce(problem, rules);
    this.downset = new Downset(problem);
    this.store = new StateStore(Math.max(1, problem.words()));
    this.queue = new StateQueue(store);
    this.log = new int[problem.ops()];
    this.ready = new int[problem.ops()];
    this.passes = passes(problem);
  }

  private static int[] passes(OrderProblem problem) {
    int[] passes = new int[problem.ops() + 1];
    for (int v = 0; v < problem.ops(); v++) {
      int before = count(problem.ancestors(v));
      if (before + count(problem.descendants(v)) == problem.ops() - 1) {
        passes[before] = before;
        passes[before + 1] = before + 1;
      }
    }
    for (int k = 1; k < passes.length; k++) {
      passes[k] = Math.max(passes[k], passes[k - 1]);
    }
    return passes;
  }

  private static int count(long[] bits) {
    return Arrays.stream(bits).mapToInt(Long::bitCount).sum();
  }

  /** The most downsets kept in so many bytes. */
  public int statesWithin(long bytes) {
    return StateStore.statesWithin(bytes, Math.max(1, problem.words()));
  }

  /** The downsets that took the place of all others in the last run, in their order. */
  List<Root> roots() {
    return List.copyOf(roots);
  }

  /**
   * Searches from the empty downset.
   *
   * @param least peaks up to it count as equal, in bytes; a proven bound, or a question
   * @param states the most downsets to keep
   * @param stopped when true, the search ends
   */
  public End run(Board board, long least, int states, BooleanSupplier stopped) {
    floor = least;
    reached = least;
    prefix = new int[0];
    roots.clear();
    store.clear();
    queue.clear();
    if (floor >= board.bar()) {
      return End.OVERTAKEN;
    }
    downset.moveTo(new long[problem.words()], 0);
    int length = atOnce.close(downset, floor, log, 0);
    root = store.add(downset, floor, -1, log, length);
    if (downset.size() == problem.ops()) {
      board.found(store.way(root));
      return End.FOUND;
    }
    queue.put(root);
    long looked = 0;
    while (!queue.isEmpty()) {
      if ((++looked & LOOKS) == 0 && stopped.getAsBoolean()) {
        return End.STOPPED;
      }
      int state = queue.take();
      store.setDone(state);
      long bar = board.bar();
      if (floor >= bar) {
        return End.OVERTAKEN;
      }
      if (store.peak(state) >= bar) {
        break;
      }
      if (store.peak(state) > reached) {
        reached = store.peak(state);
        board.proven(reached);
      }
      if (store.count() > states) {
        return End.STOPPED;
      }
      if (rules.commits() && passes[store.depth(state)] > store.depth(root)) {
        state = pass(state);
      }
      if (rules.commits() && state != root && store.live(state) <= store.live(root)) {
        state = commit(state);
      }
      state = closed(state);
      if (state >= 0 && expand(board, state, bar)) {
        return End.FOUND;
      }
    }
    board.proven(board.bar());
    return End.EXHAUSTED;
  }

  /**
   * Makes the lowest downset between the root and another one the root, and forgets the others;
   * gives back the one to be expanded next.
   */
  private int commit(int state) {
    boolean fromNothing = store.depth(root) == 0 && problem.idle() != 0;
    if (fromNothing) {
      return state;
    }
    if (minimum == null) {
      minimum = new CutNetwork(problem);
    }
    long[] lowest = minimum.largest(bitsOf(root), bitsOf(state));
    int[] way = store.way(state);
    int[] all = new int[prefix.length + way.length];
    System.arraycopy(prefix, 0, all, 0, prefix.length);
    int length = prefix.length;
    for (int op : way) {
      if ((lowest[op >> 6] >>> op & 1) != 0) {
        all[length++] = op;
      }
    }
    return restart(lowest, new Root(Arrays.copyOf(all, length), false));
  }

  private long[] bitsOf(int state) {
    int from = store.bitsFrom(state);
    return Arrays.copyOfRange(store.bits(), from, from + problem.words());
  }

  /** Makes the last pass before a downset the root: all orders go through it. */
  private int pass(int state) {
    int[] way = store.way(state);
    int[] all = Arrays.copyOf(prefix, passes[store.depth(state)]);
    System.arraycopy(way, 0, all, prefix.length, all.length - prefix.length);
    long[] bits = new long[problem.words()];
    for (int op : all) {
      bits[op >> 6] |= 1L << op;
    }
    return restart(bits, new Root(all, true));
  }

  private int restart(long[] bits, Root next) {
    prefix = next.ops();
    roots.add(next);
    store.clear();
    queue.clear();
    downset.moveTo(bits, 0);
    int noted = atOnce.close(downset, reached, log, 0);
    root = store.add(downset, reached, -1, log, noted);
    store.setDone(root);
    return root;
  }

  /**
   * Runs at once all that the downset allows, which was only tried near the last op when it was
   * added; gives the downset, -1 if it has been looked at, or will be.
   */
  private int closed(int state) {
    downset.moveTo(store.bits(), store.bitsFrom(state));
    int length = atOnce.close(downset, Math.max(reached, store.peak(state)), log, 0);
    if (length == 0) {
      return state;
    }
    long peak = store.peak(state);
    int found = store.find(downset);
    if (found >= 0) {
      if (!store.done(found) && peak < store.peak(found)) {
        store.reach(found, state, log, length, peak);
        queue.put(found);
      }
      return -1;
    }
    found = store.add(downset, peak, state, log, length);
    store.setDone(found);
    return found;
  }

  /** Adds what follows a downset; true when an order was found that ends the search. */
  private boolean expand(Board board, int state, long bar) {
    downset.moveTo(store.bits(), store.bitsFrom(state));
    if (downset.size() == problem.ops()) {
      return complete(board, state);
    }
    int candidates = downset.sortedReady(ready);
    for (int k = 0; k < candidates; k++) {
      int op = ready[k];
      long load = downset.load(op);
      if (load >= bar) {
        continue;
      }
      long peak = Math.max(store.peak(state), load);
      downset.run(op);
      log[0] = op;
      int length = atOnce.closeNear(downset, Math.max(reached, peak), log, 1);
      int found = store.find(downset);
      if (found < 0) {
        found = store.add(downset, peak, state, log, length);
        queue.put(found);
      } else if (!store.done(found) && peak < store.peak(found)) {
        store.reach(found, state, log, length, peak);
        queue.put(found);
      }
      boolean full = downset.size() == problem.ops();
      while (length > 0) {
        downset.undo(log[--length]);
      }
      if (full && peak <= reached) {
        return complete(board, found);
      }
    }
    return false;
  }

  private boolean complete(Board board, int state) {
    int[] way = store.way(state);
    int[] order = new int[problem.ops()];
    System.arraycopy(prefix, 0, order, 0, prefix.length);
    System.arraycopy(way, 0, order, prefix.length, way.length);
    board.found(order);
    return true;
  }
}
