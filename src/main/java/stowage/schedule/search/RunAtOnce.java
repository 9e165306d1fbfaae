package stowage.schedule.search;

import java.util.Arrays;
import stowage.schedule.model.Downset;
import stowage.schedule.model.OrderProblem;

/**
 * Extension of a downset by the ops that may be run at once: if any completion keeps to a limit,
 * one that begins with these ops does.
 *
 * <p><b>Single ops.</b> At D let op v be ready with load(D, v) within the limit and live(D + v) no
 * more than live(D). Take a completion within the limit and move v to its front. The live bytes are
 * a submodular function of the downset: "b has begun" gains ever less by a further op, "b is
 * finished" ever more. So for each downset X of the completion before v's old place, live(X + v) -
 * live(X) is at most live(D + v) - live(D), which is 0 or less; the new bytes that an op brings
 * shrink as more has run, and an op that may write over its operand still may. Each load falls or
 * stays, and v's own is within the limit.
 *
 * <p><b>Sets.</b> Let S are above D, be reachable from D within the limit, and have the fewest live
 * bytes of all downsets between D and D + S. Then the same exchange holds for S as a whole: live(X
 * + S) is at most live(X) + live(D + S) - live(D + (X and S)), and the difference is 0 or less. A
 * <b>chain</b>, in which each op waits for the one before, has no downsets but its prefixes, so the
 * first prefix with no more live bytes than D is such an S. A search by number of ops finds in its
 * first downset with no more live bytes than D such an S as well: were there one with fewer inside,
 * it would be reachable, too, and smaller (run the way to S, leaving out what is not in it: by
 * submodularity no load grows).
 *
 * <p>At the empty downset with buffers that are there at the first step alone, sets are left out:
 * the argument is about loads that do not depend on the number of the step.
 *
 * <p>Worked example: x is read by a (10 bytes) and b (10 bytes), each followed by a reduction to 1
 * byte. From {x} both chains a, reduce and b, reduce end higher than they began, so a search
 * branches; once the last reader of x has run, its chain ends with less, and is run at once.
 */
final class RunAtOnce {
  private static final int LONGEST_CHAIN = 128;
  private static final int[] NONE = {};

  private final RunAtOnceRules rules;
  private final OrderProblem problem;
  private final NearbySets sets;
  private final int[] starts;
  private final int[] seen;
  private int stamp;

  RunAtOnce(OrderProblem problem, RunAtOnceRules rules) {
    this.problem = problem;
    this.rules = rules;
    this.starts = new int[problem.ops()];
    this.seen = new int[problem.ops()];
    this.sets = rules.sets() == 0 ? null : new NearbySets(problem, rules.sets());
  }

  /**
   * Runs all that may be run at once.
   *
   * @param limit of the loads, in bytes; it must be no more than what completions are sought for
   * @param log where the ops are noted, in their order
   * @param count how many it holds
   * @return how many it holds afterwards
   */
  int close(Downset downset, long limit, int[] log, int count) {
    int noted = rules.single() ? singles(downset, limit, log, count) : count;
    while (true) {
      int more = noted;
      if (rules.chains() && setsHold(downset)) {
        more = chain(downset, limit, log, noted, downset.sortedReady(starts));
      }
      if (more == noted && sets != null && setsHold(downset)) {
        more = sets.run(downset, limit, log, noted);
      }
      if (more == noted) {
        return noted;
      }
      noted = rules.single() ? singles(downset, limit, log, more) : more;
    }
  }

  /**
   * Runs what may be run at once after a few ops, those in the log, have run from a downset that
   * was closed: only ops that share a buffer with one of them, or waited for one, can have become
   * so. Gives how many the log holds afterwards.
   */
  int closeNear(Downset downset, long limit, int[] log, int count) {
    int noted = rules.single() ? singlesNear(downset, limit, log, count, 0) : count;
    while (rules.chains() && setsHold(downset)) {
      int candidates = near(downset, log, noted);
      int more = chain(downset, limit, log, noted, candidates);
      if (more == noted) {
        return noted;
      }
      noted = rules.single() ? singlesNear(downset, limit, log, more, noted) : more;
    }
    return noted;
  }

  private boolean setsHold(Downset downset) {
    return downset.size() > 0 || problem.idle() == 0;
  }

  private static int singles(Downset downset, long limit, int[] log, int count) {
    int noted = count;
    boolean again = true;
    while (again) {
      again = false;
      int k = 0;
      while (k < downset.readyCount()) {
        int op = downset.ready(k);
        if (downset.change(op) <= 0 && downset.load(op) <= limit) {
          downset.run(op);
          log[noted++] = op;
          again = true;
        } else {
          k++;
        }
      }
    }
    return noted;
  }

  private int singlesNear(Downset downset, long limit, int[] log, int count, int from) {
    int noted = count;
    for (int k = from; k < noted; k++) {
      for (int op : problem.after(log[k])) {
        noted = single(downset, op, limit, log, noted);
      }
      for (int b : problem.uses(log[k])) {
        for (int op : affected(downset, b)) {
          noted = single(downset, op, limit, log, noted);
        }
      }
    }
    return noted;
  }

  /** The ops for which a buffer counts otherwise since one of them has run: all, or none. */
  private int[] affected(Downset downset, int buffer) {
    int[] touches = problem.touches(buffer);
    boolean lastLeft = downset.left(buffer) == 1;
    boolean begun = downset.left(buffer) == touches.length - 1;
    return lastLeft || begun ? touches : NONE;
  }

  private static int single(Downset downset, int op, long limit, int[] log, int count) {
    if (downset.isReady(op) && downset.change(op) <= 0 && downset.load(op) <= limit) {
      downset.run(op);
      log[count] = op;
      return count + 1;
    }
    return count;
  }

  /** Lists the ready ops near those that have run, each once; gives their number. */
  private int near(Downset downset, int[] log, int count) {
    stamp++;
    int found = 0;
    for (int k = 0; k < count; k++) {
      for (int op : problem.after(log[k])) {
        found = addNear(downset, op, found);
      }
      for (int b : problem.uses(log[k])) {
        for (int op : affected(downset, b)) {
          found = addNear(downset, op, found);
        }
      }
    }
    return found;
  }

  private int addNear(Downset downset, int op, int found) {
    if (seen[op] == stamp || !downset.isReady(op)) {
      return found;
    }
    seen[op] = stamp;
    starts[found] = op;
    return found + 1;
  }

  /** Runs the first chain that ends with no more live bytes; gives the count back if none does. */
  private int chain(Downset downset, long limit, int[] log, int count, int candidates) {
    long live = downset.live();
    Arrays.sort(starts, 0, candidates); // the list's order depends on the way; the answer must not
    for (int k = 0; k < candidates; k++) {
      int first = starts[k];
      int noted = count;
      int op = first;
      while (op >= 0 && noted - count < LONGEST_CHAIN && downset.load(op) <= limit) {
        downset.run(op);
        log[noted++] = op;
        if (downset.live() <= live) {
          return noted;
        }
        op = next(downset, op);
      }
      while (noted > count) {
        downset.undo(log[--noted]);
      }
    }
    return count;
  }

  /** The op that continues a chain: of those that waited for the last, the cheapest ready one. */
  private int next(Downset downset, int last) {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int op : problem.after(last)) {
      if (downset.isReady(op)) {
        long change = downset.change(op);
        if (change < least) {
          least = change;
          best = op;
        }
      }
    }
    return best;
  }

  /**
   * Search near a downset for a set of ops that may be run at once: all downsets reachable within
   * the limit, by number of ops, until one has no more live bytes, or too many have been seen.
   */
  private static final class NearbySets {
    private final int most;
    private final StateStore store;
    private final int[] one = new int[1];
    private final long[] home;
    private final int[] ready;

    NearbySets(OrderProblem problem, int most) {
      this.most = most;
      this.store = new StateStore(Math.max(1, problem.words()));
      this.home = new long[problem.words()];
      this.ready = new int[problem.ops()];
    }

    /** Runs such a set and notes its ops; gives the count back if none was found. */
    int run(Downset downset, long limit, int[] log, int count) {
      store.clear();
      long live = downset.live();
      System.arraycopy(downset.bits(), 0, home, 0, home.length);
      store.add(downset, 0, -1, one, 0);
      for (int state = 0; state < store.count() && store.count() <= most; state++) {
        downset.moveTo(store.bits(), store.bitsFrom(state));
        int candidates = downset.readyCount();
        for (int k = 0; k < candidates; k++) {
          ready[k] = downset.ready(k);
        }
        for (int k = 0; k < candidates; k++) {
          int op = ready[k];
          if (downset.load(op) > limit) {
            continue;
          }
          downset.run(op);
          if (store.find(downset) < 0) {
            one[0] = op;
            int found = store.add(downset, 0, state, one, 1);
            if (downset.live() <= live) {
              int[] way = store.way(found);
              System.arraycopy(way, 0, log, count, way.length);
              return count + way.length;
            }
          }
          downset.undo(op);
        }
      }
      downset.moveTo(home, 0);
      return count;
    }
  }
}
