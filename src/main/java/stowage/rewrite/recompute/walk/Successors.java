package stowage.rewrite.recompute.walk;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * The sets of values that a {@link HeldWalk} holds at the end of a period, from those at its begin:
 * what is asked for is at hand, some ops run early, and of what does not fit the least sets are
 * dropped.
 */
final class Successors {
  /** Choices for a mark until they count as too many. */
  private static final long MOST_CHOICES = 10_000_000;

  private final RecomputeProblem problem;
  private final long limit;
  private final long[] bytes;

  /** The values in the order in which they are made. */
  private final int[] byMaker;

  private final List<ClosureEstimate> estimates;

  /** Sequences that cost so much extra are of no interest. */
  private final long below;

  private Map<Held, Held> found;
  private Collection<Held> reached;
  private final BooleanSupplier stop;
  private long choices;
  private boolean isOver;
  private int mark;
  private Period period;
  private Held before;
  private ClosureEstimate strongest;
  private final long[] ofReaders;
  private final boolean[] isOpen;

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
    this.ofReaders = new long[problem.values];
    this.isOpen = new boolean[problem.values];
    this.byMaker =
        IntStream.range(0, problem.values)
            .boxed()
            .sorted(Comparator.comparingInt(i -> problem.maker[i]))
            .mapToInt(Integer::intValue)
            .toArray();
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
    boolean full = hold(have, all, chosen, ran, cost);
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
  private boolean hold(long[] have, long[] all, long[] chosen, long[] ran, long cost) {
    long[] held = all.clone();
    for (int i = 0; i < problem.values; i++) {
      if (!period.useful[i]) {
        Held.clear(held, i);
      }
    }
    rest(mark, held);
    period.dropUseless(strongest, mark, held, cost, below);
    long without = period.workingSet;
    int[] open = new int[problem.values];
    long[] left = new long[problem.values + 1];
    int count = 0;
    for (int k = problem.values - 1; k >= 0; k--) {
      int i = byMaker[k];
      if (Held.has(held, i) && !period.used[i] && bytes[i] > 0) {
        without += Held.has(have, i) ? bytes[i] : 0;
        open[count++] = i;
        left[count] = left[count - 1] + bytes[i];
      }
    }
    Choice choice = new Choice(strongest, count, open, left, have, all, held, chosen, ran, cost);
    long room = limit - period.workingSet;
    choice.from(count, strongest.scaled(mark, held, choice.again), room, Long.MAX_VALUE);
    return without > limit;
  }

  /**
   * Holds values in all ways that leave no room for one more, and none that comes back from others
   * for nothing, in the order in which they are made.
   */
  private final class Choice {
    private final ClosureEstimate estimate;
    private final int[] open;
    private final long[] left;
    private final long[] have;
    private final long[] all;
    private final long[] held;
    private final long[] chosen;
    private final long[] ran;
    private final long cost;

    /** What is held or comes back for nothing. */
    private final long[] comes;

    /** What is lost at least without each open value. */
    private final long[] alone;

    /** The open values that do not come back for nothing, by what is lost a byte. */
    private final int[] dear;

    /** Ops that have to run again. */
    private final long[] again = new long[(problem.ops + 63) / 64];

    private Choice(
        ClosureEstimate estimate,
        int count,
        int[] open,
        long[] left,
        long[] have,
        long[] all,
        long[] held,
        long[] chosen,
        long[] ran,
        long cost) {
      this.estimate = estimate;
      this.open = open;
      this.left = left;
      this.have = have;
      this.all = all;
      this.held = held;
      this.chosen = chosen;
      this.ran = ran;
      this.cost = cost;
      this.alone = new long[count];
      this.dear =
          IntStream.range(0, count)
              .filter(
                  k -> problem.maker[open[k]] < 0 || !period.isFreeLater[problem.maker[open[k]]])
              .peek(k -> alone[k] = estimate.lossAlone(mark, open[k]))
              .boxed()
              .sorted(Comparator.comparingDouble(k -> alone[k] / (double) bytes[open[k]]))
              .mapToInt(Integer::intValue)
              .toArray();
      this.comes = held.clone();
      for (int i = 0; i < problem.values; i++) {
        if (period.used[i] && Held.has(all, i)) {
          Held.set(comes, i);
        }
      }
    }

    /**
     * Chooses of the first so many open values, the last one first.
     *
     * @param least the fewest bytes of a value left out that does not come back for nothing
     */
    private void from(int count, long scaled, long room, long least) {
      if (room < 0 || !mayGoOn()) {
        return;
      }
      long most = left[count] <= room ? left[count] : most(count);
      if (least <= room - most) {
        return;
      }
      if (most > room && cost + estimate.cost(scaled + toFree(count, room)) >= below) {
        return;
      }
      if (count == 0) {
        if (isReasonable(room)) {
          add();
        }
        return;
      }
      int i = open[count - 1];
      int op = problem.maker[i];
      boolean free = op >= 0 && period.isFreeLater[op] && Held.hasAll(comes, problem.reads[op]);
      if (!free) {
        from(count - 1, scaled, room - bytes[i], least);
        boolean alone = op < 0 || problem.writes[op].length == 1;
        if (most <= room || (alone && Held.has(chosen, i)) || period.stays(i)) {
          return;
        }
      }
      Held.clear(held, i);
      long[] before = again.clone();
      long then = scaled + estimate.scaledLoss(mark, i, held, again);
      if (cost + estimate.cost(then) < below) {
        if (free) {
          from(count - 1, then, room, least);
        } else {
          Held.clear(comes, i);
          from(count - 1, then, room, Math.min(least, bytes[i]));
          Held.set(comes, i);
        }
      }
      Held.set(held, i);
      System.arraycopy(before, 0, again, 0, again.length);
    }

    /**
     * What is lost at least before the first so many open values fit, those left out that come back
     * for nothing: the values that lose least a byte, the last of them in part.
     */
    private long toFree(int count, long room) {
      long over = -room;
      for (int k : dear) {
        over += k < count ? bytes[open[k]] : 0;
      }
      long loss = 0;
      for (int n = 0; n < dear.length && over > 0; n++) {
        int k = dear[n];
        if (k < count) {
          long own = bytes[open[k]];
          loss += own <= over ? alone[k] : (long) (alone[k] * (over / (double) own) * 0.999999);
          over -= own;
        }
      }
      return over > 0 ? Long.MAX_VALUE / 4 : loss;
    }

    /** Bytes that are held of the first so many open values at most: none for what comes back. */
    private long most(int count) {
      long sum = 0;
      for (int k = 0; k < count; k++) {
        ofReaders[open[k]] = 0;
        isOpen[open[k]] = true;
      }
      for (int k = 0; k < count; k++) {
        int i = open[k];
        isOpen[i] = false;
        long own = Math.max(bytes[i], ofReaders[i]);
        int op = problem.maker[i];
        boolean free = op >= 0 && period.isFreeLater[op];
        for (int r = 0; free && r < problem.reads[op].length; r++) {
          int from = problem.reads[op][r];
          free = isOpen[from] || Held.has(comes, from);
        }
        sum += free ? 0 : own;
        for (int r = 0; free && r < problem.reads[op].length; r++) {
          int from = problem.reads[op][r];
          ofReaders[from] += isOpen[from] ? own : 0;
        }
      }
      return sum;
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
            instead += Held.has(comes, i) ? 0 : bytes[i];
          }
          if (none || (instead <= room && period.later[op])) {
            return false;
          }
        }
      }
      for (int n = 0; n < alone.length; n++) {
        int i = open[n];
        int op = problem.maker[i];
        if (op < 0 || !Held.has(held, i) || !period.isFreeLater[op]) {
          continue;
        }
        long instead = -bytes[i];
        for (int k : problem.reads[op]) {
          instead += Held.has(comes, k) ? 0 : Held.has(all, k) ? bytes[k] : limit + bytes[i] + 1;
        }
        if (instead <= room) {
          return false;
        }
      }
      return true;
    }

    private void add() {
      long whole = Math.max(before.estimate, cost + rest(mark, held));
      Held set = new Held(held.clone());
      if (whole < below) {
        period.dropUseless(strongest, mark, set.values, cost, below);
      }
      Held known = found.get(set);
      if (whole >= below || (known != null && known.spent <= cost)) {
        return;
      }
      set.spent = cost;
      set.estimate = whole;
      set.before = before;
      set.ran = ran.clone();
      long[] results = new long[have.length];
      for (int i = 0; i < problem.values; i++) {
        if (Held.has(held, i) && !Held.has(have, i)) {
          period.close(i, have, set.ran, results);
        }
      }
      set.mark = mark;
      set.again = period.again ? period.target : -1;
      found.remove(set);
      found.put(set, set);
      reached.add(set);
    }
  }
}
