package stowage.schedule.bound;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import stowage.schedule.model.OrderProblem;

/**
 * A walk over all downsets that ops can reach within a target, which ends where the last op runs or
 * where nothing is left. It counts buffers itself, and steps from a downset in one of three ways:
 *
 * <ul>
 *   <li>by a ready op that keeps to the target and leaves no more bytes live: if any order that
 *       keeps to the target goes on from here, one goes on with this op, so no other is looked at;
 *   <li>by ready ops each of which waits for the one before, if the last of them leaves no more
 *       bytes live than there were and all keep to the target: likewise;
 *   <li>by every ready op that keeps to the target.
 * </ul>
 *
 * <p>Why the first two are enough is in the comment on {@code RunAtOnce}, which this shares no code
 * with. Not thread-safe.
 */
final class DownsetWalk {
  private final OrderProblem problem;
  private final BitSet[] before;
  private final int[][] after;
  private final long target;
  private final int[] ran;
  private final int[] waiting;
  private final BitSet done = new BitSet();
  private final Deque<Integer> news = new ArrayDeque<>();
  private long live;
  private int walked;

  /**
   * A walk from the empty downset, with all ops that come before each in every order that counts,
   * and some that come after each, such that all follow from these.
   */
  DownsetWalk(OrderProblem problem, BitSet[] before, int[][] after, long target) {
    this.problem = problem;
    this.before = before;
    this.after = after;
    this.target = target;
    this.waiting = new int[problem.ops()];
    for (int[] list : after) {
      for (int op : list) {
        waiting[op]++;
      }
    }
    this.ran = new int[problem.buffers()];
    this.live = problem.liveAtStart();
  }

  int walked() {
    return walked;
  }

  /** Follows a stretch; false if it is not one that may be followed. */
  boolean follow(OrderProof.Stretch stretch) {
    BitSet start = (BitSet) done.clone();
    boolean passed = stretch.chains() == null;
    boolean fromNothing = !passed && done.isEmpty() && problem.idle() != 0;
    if (fromNothing && stretch.ops().length != 1) {
      return false; // only single ops do at a step at which more is there
    }
    long liveBefore = live;
    for (int op : stretch.ops()) {
      if (!ready(op) || (!passed && load(op) > target)) {
        return false;
      }
      run(op);
    }
    if (passed) {
      return allPass();
    }
    if (fromNothing) {
      return live <= liveBefore;
    }
    boolean[] has = new boolean[problem.ops()];
    boolean[] open = new boolean[problem.ops()];
    for (int v = 0; v < has.length; v++) {
      has[v] = start.get(v);
      open[v] = !done.get(v);
    }
    long least =
        new LiveChains(problem, (u, v) -> before[v].get(u)).sum(stretch.chains(), has, open);
    return least >= 0 && problem.constant() + least >= live;
  }

  /** Whether an op that is comparable with all others begins or ends here. */
  private boolean allPass() {
    if (done.isEmpty() || done.cardinality() == problem.ops()) {
      return true;
    }
    for (int v = 0; v < problem.ops(); v++) {
      int others = before[v].cardinality() + later(v);
      BitSet with = (BitSet) before[v].clone();
      if (others == problem.ops() - 1) {
        boolean begins = with.equals(done);
        with.set(v);
        if (begins || with.equals(done)) {
          return true;
        }
      }
    }
    return false;
  }

  private int later(int op) {
    return (int) Arrays.stream(before).filter(set -> set.get(op)).count();
  }

  /** Whether no order from here on keeps to the target; false beyond so many downsets held. */
  boolean refutes(int most, BooleanSupplier stopped) {
    Set<BitSet> seen = new HashSet<>();
    Deque<BitSet> open = new ArrayDeque<>();
    for (int op = 0; op < problem.ops(); op++) {
      closeFrom(op);
    }
    seen.add((BitSet) done.clone());
    open.push((BitSet) done.clone());
    while (!open.isEmpty()) {
      BitSet state = open.pop();
      if (state.cardinality() == problem.ops() || seen.size() > most || stopped.getAsBoolean()) {
        return false;
      }
      moveTo(state);
      walked++;
      for (int op = state.nextClearBit(0); op < problem.ops(); op = state.nextClearBit(op + 1)) {
        if (!ready(op) || load(op) > target) {
          continue;
        }
        run(op);
        news.push(op);
        close();
        BitSet next = (BitSet) done.clone();
        if (seen.add(next)) {
          open.push(next);
        }
        moveTo(state);
      }
    }
    return true;
  }

  private void moveTo(BitSet state) {
    BitSet back = (BitSet) done.clone();
    back.andNot(state);
    back.stream().forEach(this::undo);
    BitSet forth = (BitSet) state.clone();
    forth.andNot(done);
    forth.stream().forEach(this::run);
  }

  /** Goes on as long as one way is enough, near the ops that have just run. */
  private void close() {
    while (!news.isEmpty()) {
      int last = news.pop();
      for (int op : after[last]) {
        closeFrom(op);
      }
      for (int b : problem.uses(last)) {
        for (int op : problem.touches(b)) {
          closeFrom(op);
        }
      }
    }
  }

  private void closeFrom(int op) {
    if (ready(op) && load(op) <= target) {
      chain(op);
    }
  }

  /** Runs an op, and others that wait for each other, if that leaves no more bytes live. */
  private void chain(int first) {
    long limit = live;
    boolean fromNothing = done.isEmpty() && problem.idle() != 0;
    int[] way = new int[64];
    int length = 0;
    int op = first;
    while (op >= 0 && length < way.length && load(op) <= target) {
      run(op);
      way[length++] = op;
      if (live <= limit) {
        for (int k = 0; k < length; k++) {
          news.push(way[k]);
        }
        return;
      }
      op = fromNothing ? -1 : next(op);
    }
    while (length > 0) {
      undo(way[--length]);
    }
  }

  /** Of the ready ops that waited for an op directly, the one that leaves the fewest bytes live. */
  private int next(int last) {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int op : after[last]) {
      if (ready(op)) {
        run(op);
        if (live < least) {
          least = live;
          best = op;
        }
        undo(op);
      }
    }
    return best;
  }

  private boolean ready(int op) {
    return waiting[op] == 0 && !done.get(op);
  }

  private boolean begun(int buffer) {
    return problem.given(buffer) || ran[buffer] > 0;
  }

  private boolean finished(int buffer) {
    return !problem.kept(buffer) && ran[buffer] == problem.touches(buffer).length;
  }

  private long load(int op) {
    long load = live + (done.isEmpty() ? problem.idle() : 0);
    for (int b : problem.uses(op)) {
      load += begun(b) ? 0 : problem.bytes(b);
    }
    int[] pairs = problem.overwrites(op);
    for (int k = 0; k < pairs.length; k += 2) {
      boolean last = ran[pairs[k]] == problem.touches(pairs[k]).length - 1;
      if (last && !begun(pairs[k + 1])) {
        return load - problem.bytes(pairs[k + 1]);
      }
    }
    return load;
  }

  private void run(int op) {
    done.set(op);
    for (int later : after[op]) {
      waiting[later]--;
    }
    for (int b : problem.uses(op)) {
      live += begun(b) ? 0 : problem.bytes(b);
      ran[b]++;
      live -= finished(b) ? problem.bytes(b) : 0;
    }
  }

  private void undo(int op) {
    done.clear(op);
    for (int later : after[op]) {
      waiting[later]++;
    }
    for (int b : problem.uses(op)) {
      live += finished(b) ? problem.bytes(b) : 0;
      ran[b]--;
      live -= begun(b) ? 0 : problem.bytes(b);
    }
  }
}
