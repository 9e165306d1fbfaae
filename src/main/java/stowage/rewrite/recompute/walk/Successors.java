package stowage.rewrite.recompute.walk;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * The sets of values that a {@link HeldWalk} holds at the end of a period, from those at its begin:
 * what is asked for is at hand, some ops run early, and of what does not fit the least sets are
 * dropped.
 */
final class Successors {
  /** Choices for a mark, and sets found, until they count as too many. */
  private static final long MOST_CHOICES = 4_000_000;

  private static final int MOST_FOUND = 30_000;

  private final RecomputeProblem problem;
  private final long limit;
  private final long[] bytes;

  /** The values by falling bytes. */
  private final int[] byBytes;

  private final List<ClosureEstimate> estimates;

  /** Sequences that cost so much extra are of no interest. */
  private final long below;

  private Map<Held, Held> found;
  private final BooleanSupplier stop;
  private long choices;
  private boolean isOver;
  private int mark;
  private Period period;
  private Held before;
  private ClosureEstimate strongest;

  /**
   * For all periods of a walk.
   *
   * @param bytes of the values, as far as they count
   * @param estimates one at least
   * @param stop asked now and then
   */
  Successors(
      RecomputeProblem problem,
      long limit,
      long[] bytes,
      int[] byBytes,
      List<ClosureEstimate> estimates,
      long below,
      BooleanSupplier stop) {
    this.problem = problem;
    this.limit = limit;
    this.bytes = bytes;
    this.byBytes = byBytes;
    this.estimates = estimates;
    this.below = below;
    this.stop = stop;
  }

  /**
   * Begins to collect.
   *
   * @param number of the mark that is reached, or was reached last
   */
  void collect(Map<Held, Held> sets, int number) {
    found = sets;
    mark = number;
    choices = 0;
    isOver = false;
  }

  /**
   * Adds the sets at the end of a period that follow one; whether they are not too many, and time
   * is left.
   */
  boolean add(Held set, Period next) {
    period = next;
    before = set;
    long[] have = Held.union(set.values, next.made);
    long[] ran = new long[(problem.ops + 63) / 64];
    long[] results = new long[have.length];
    long cost = next.close(have, ran, results);
    if (cost < 0) {
      return true;
    }
    have = Held.union(have, results);
    cost += set.spent;
    if (next.again) {
      cost += problem.cost[next.target];
      for (int i : problem.writes[next.target]) {
        Held.set(have, i);
      }
    }
    early(have, new long[have.length], ran, cost, 0);
    return !isOver;
  }

  /** Counts a choice; whether there may be more of them. */
  private boolean mayGoOn() {
    choices++;
    isOver |= choices > MOST_CHOICES || found.size() > MOST_FOUND;
    isOver |= (choices & 255) == 0 && stop.getAsBoolean();
    return !isOver;
  }

  /** Chooses ops to run before the period's end whose results are to be held there. */
  private void early(long[] have, long[] chosen, long[] ran, long cost, int at) {
    // Before an op that cannot run later has its last chance, what the rest costs is not known yet:
    // then the estimate is that of the mark before.
    boolean hurried = at < period.urgent;
    if (!mayGoOn() || cost + rest(hurried ? mark - 1 : mark, have) >= below) {
      return;
    }
    boolean full = hold(have, chosen, ran, cost);
    for (int k = at; k < period.early.length && !isOver; k++) {
      int op = period.early[k];
      int wanted = -1;
      for (int i : problem.writes[op]) {
        wanted = period.useful[i] && !Held.has(have, i) && !period.used[i] ? i : wanted;
      }
      if (wanted < 0) {
        continue;
      }
      long[] ranThen = ran.clone();
      long[] results = new long[have.length];
      long more = period.close(wanted, have, ranThen, results);
      if (more < 0 || cost + more >= below || (!full && canWait(ran, ranThen))) {
        continue;
      }
      long[] chosenThen = chosen.clone();
      for (int i : problem.writes[op]) {
        if (period.useful[i] && !Held.has(have, i)) {
          Held.set(chosenThen, i);
        }
      }
      early(Held.union(have, results), chosenThen, ranThen, cost + more, k + 1);
    }
  }

  /** Whether all ops that run more may also run after the period. */
  private boolean canWait(long[] ran, long[] ranThen) {
    for (int v = 0; v < problem.ops; v++) {
      if (Held.has(ranThen, v) && !Held.has(ran, v) && !period.later[v]) {
        return false;
      }
    }
    return true;
  }

  /** What the rest costs at least with some values held at a mark. */
  private long rest(int number, long[] held) {
    long most = -1;
    for (ClosureEstimate one : estimates) {
      long cost = one.cost(one.scaled(number, held));
      strongest = cost > most ? one : strongest;
      most = Math.max(most, cost);
    }
    return most;
  }

  /** Holds what fits, in all ways; whether something has to be dropped. */
  private boolean hold(long[] have, long[] chosen, long[] ran, long cost) {
    int[] free = new int[problem.values];
    int count = 0;
    long all = period.workingSet;
    long most = 0;
    long[] held = have.clone();
    for (int i : byBytes) {
      if (!period.useful[i]) {
        Held.clear(held, i);
      } else if (Held.has(have, i) && !period.used[i] && bytes[i] > 0) {
        all += bytes[i];
        boolean alone = problem.maker[i] < 0 || problem.writes[problem.maker[i]].length == 1;
        if (!(alone && Held.has(chosen, i)) && !period.stays(i)) {
          free[count++] = i;
          most += bytes[i];
        }
      }
    }
    rest(mark, held);
    Drop drop = new Drop(strongest, Arrays.copyOf(free, count), held, chosen, ran, cost);
    drop.from(0, strongest.scaled(mark, held), all - limit, most);
    return all > limit;
  }

  /** Drops values in all ways that free enough bytes and no more than that, the largest first. */
  private final class Drop {
    private final ClosureEstimate estimate;
    private final int[] free;
    private final long[] held;
    private final long[] chosen;
    private final long[] ran;
    private final long cost;

    private Drop(
        ClosureEstimate estimate, int[] free, long[] held, long[] chosen, long[] ran, long cost) {
      this.estimate = estimate;
      this.free = free;
      this.held = held;
      this.chosen = chosen;
      this.ran = ran;
      this.cost = cost;
    }

    private void from(int first, long scaled, long over, long left) {
      if (over <= 0) {
        if (isReasonable(-over)) {
          add();
        }
        return;
      }
      long most = left;
      for (int k = first; k < free.length && most >= over && mayGoOn(); k++) {
        int i = free[k];
        long then = scaled + estimate.scaledLoss(mark, i);
        most -= bytes[i];
        if (cost + estimate.cost(then) < below) {
          Held.clear(held, i);
          from(k + 1, then, over - bytes[i], most);
          Held.set(held, i);
        }
      }
    }

    /** Whether what was computed early could not as well be computed later. */
    private boolean isReasonable(long room) {
      for (int w = 0; w < chosen.length; w++) {
        for (long rest = chosen[w]; rest != 0; rest &= rest - 1) {
          int op = problem.maker[w * 64 + Long.numberOfTrailingZeros(rest)];
          long instead = 0;
          boolean none = true;
          for (int i : problem.writes[op]) {
            if (Held.has(chosen, i) && Held.has(held, i)) {
              instead -= bytes[i];
              none = false;
            }
          }
          for (int i : problem.reads[op]) {
            instead += Held.has(held, i) ? 0 : bytes[i];
          }
          if (none || (instead <= room && period.later[op])) {
            return false;
          }
        }
      }
      return true;
    }

    private void add() {
      long whole = Math.max(before.estimate, cost + rest(mark, held));
      Held set = new Held(held.clone());
      Held known = found.get(set);
      if (whole >= below || (known != null && known.spent <= cost)) {
        return;
      }
      set.spent = cost;
      set.estimate = whole;
      set.before = before;
      set.ran = ran.clone();
      set.mark = mark;
      set.again = period.again ? period.target : -1;
      found.remove(set);
      found.put(set, set);
    }
  }
}
