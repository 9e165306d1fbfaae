package stowage.rewrite.recompute.walk;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * The sets of values that a {@link HeldWalk} holds at the end of a period, from those at its begin:
 * what is asked for is at hand, some ops run early, and of what does not fit the least sets are
 * dropped.
 */
final class Successors {
  /** Choices for a mark until they count as too many. */
  private static final long MOST_CHOICES = 10_000_000;

  final RecomputeProblem problem;
  final long limit;
  final long[] bytes;

  /** The values in the order in which they are made. */
  final int[] byMaker;

  private final List<ClosureEstimate> estimates;

  /** Sequences that cost so much extra are of no interest. */
  final long below;

  Map<Held, Held> found;
  Collection<Held> reached;
  private final BooleanSupplier stop;
  private long choices;
  private boolean isOver;
  int mark;
  Period period;
  Held before;
  ClosureEstimate strongest;

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
      List<ClosureEstimate> estimates,
      long below,
      BooleanSupplier stop) {
    this.problem = problem;
    this.limit = limit;
    this.bytes = bytes;
    this.byMaker =
        IndexOrder.of(
            IntStream.range(0, problem.values), Comparator.comparingInt(i -> problem.maker[i]));
    this.estimates = estimates;
    this.below = below;
    this.stop = stop;
  }

  /**
   * Begins to collect.
   *
   * @param sets those at the mark so far
   * @param fresh is given those that are new, or at less cost
   * @param number of the mark that is reached, or was reached last
   */
  void collect(Map<Held, Held> sets, Collection<Held> fresh, int number) {
    found = sets;
    reached = fresh;
    mark = number;
    choices = 0;
    isOver = false;
  }

  /** Adds the sets after one at a period's end; false where they are too many or time is out. */
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
  boolean mayGoOn() {
    choices++;
    isOver |= choices > MOST_CHOICES || ((choices & 255) == 0 && stop.getAsBoolean());
    return !isOver;
  }

  /** Chooses ops to run before the period's end whose results are to be held there. */
  private void early(long[] have, long[] chosen, long[] ran, long cost, int at) {
    // Before an op that cannot run later has its last chance, what the rest costs is not known yet:
    // then the estimate is that of the mark before.
    boolean hurried = at < period.urgent;
    long[] all = period.withFree(have);
    if (!mayGoOn() || cost + rest(hurried ? mark - 1 : mark, all) >= below) {
      return;
    }
    boolean full = new HeldChoice(this, have, all, chosen, ran, cost).choose();
    for (int k = at; k < period.early.length && !isOver; k++) {
      int op = period.early[k];
      int wanted = -1;
      for (int i : problem.writes[op]) {
        wanted = period.useful[i] && !Held.has(all, i) && !period.used[i] ? i : wanted;
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
  long rest(int number, long[] held) {
    long most = -1;
    for (ClosureEstimate one : estimates) {
      long cost = one.cost(one.scaled(number, held));
      strongest = cost > most ? one : strongest;
      most = Math.max(most, cost);
    }
    return most;
  }
}
