package stowage.rewrite.recompute.walk;

import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * Choices of the values held at the end of a period: all that leave no room for one more value, and
 * hold none that comes back from others for nothing, in the order in which values are made.
 */
final class HeldChoice {
  private final Successors of;
  private final RecomputeProblem problem;
  private final Period period;
  private final long[] bytes;
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

  private final long[] ofReaders;
  private final boolean[] isOpen;

  /** Ops that have to run again. */
  private final long[] again;

  /** Whether something has to be dropped of what is at hand. */
  private final boolean isFull;

  /**
   * Choices among values.
   *
   * @param of where the sets go
   * @param have the values at hand
   * @param all these and what comes from them for nothing
   * @param chosen values that are to be held, since ops ran early for them
   * @param ran the ops that ran again so far
   * @param cost up to the end of the period
   */
  HeldChoice(Successors of, long[] have, long[] all, long[] chosen, long[] ran, long cost) {
    this.of = of;
    this.problem = of.problem;
    this.period = of.period;
    this.bytes = of.bytes;
    this.have = have;
    this.all = all;
    this.chosen = chosen;
    this.ran = ran;
    this.cost = cost;
    this.ofReaders = new long[problem.values];
    this.isOpen = new boolean[problem.values];
    this.again = new long[(problem.ops + 63) / 64];
    this.held = all.clone();
    for (int i = 0; i < problem.values; i++) {
      if (!period.useful[i]) {
        Held.clear(held, i);
      }
    }
    of.rest(of.mark, held);
    this.estimate = of.strongest;
    period.dropUseless(estimate, of.mark, held, cost, of.below);
    this.open = new int[problem.values];
    this.left = new long[problem.values + 1];
    long without = period.workingSet;
    int count = 0;
    for (int k = problem.values - 1; k >= 0; k--) {
      int i = of.byMaker[k];
      if (Held.has(held, i) && !period.used[i] && bytes[i] > 0) {
        without += Held.has(have, i) ? bytes[i] : 0;
        open[count++] = i;
        left[count] = left[count - 1] + bytes[i];
      }
    }
    this.isFull = without > of.limit;
    this.alone = new long[count];
    this.dear =
        IndexOrder.of(
            IntStream.range(0, count)
                .filter(
                    k -> problem.maker[open[k]] < 0 || !period.isFreeLater[problem.maker[open[k]]])
                .peek(k -> alone[k] = estimate.lossAlone(of.mark, open[k])),
            Comparator.comparingDouble(k -> alone[k] / (double) bytes[open[k]]));
    this.comes = held.clone();
    for (int i = 0; i < problem.values; i++) {
      if (period.used[i] && Held.has(all, i)) {
        Held.set(comes, i);
      }
    }
  }

  /** Adds the set of each choice; whether something has to be dropped of what is at hand. */
  boolean choose() {
    long scaled = estimate.scaled(of.mark, held, again);
    from(alone.length, scaled, of.limit - period.workingSet, Long.MAX_VALUE);
    return isFull;
  }

  /**
   * Chooses of the first so many open values, the last one first.
   *
   * @param least the fewest bytes of a value left out that does not come back for nothing
   */
  private void from(int count, long scaled, long room, long least) {
    if (room < 0 || !of.mayGoOn()) {
      return;
    }
    long most = left[count] <= room ? left[count] : most(count);
    if (least <= room - most) {
      return;
    }
    if (most > room && cost + estimate.cost(scaled + toFree(count, room)) >= of.below) {
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
    long then = scaled + estimate.scaledLoss(of.mark, i, held, again);
    if (cost + estimate.cost(then) < of.below) {
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
        instead += Held.has(comes, k) ? 0 : Held.has(all, k) ? bytes[k] : of.limit + bytes[i] + 1;
      }
      if (instead <= room) {
        return false;
      }
    }
    return true;
  }

  private void add() {
    long whole = Math.max(of.before.estimate, cost + of.rest(of.mark, held));
    Held set = new Held(held.clone());
    if (whole < of.below) {
      period.dropUseless(of.strongest, of.mark, set.values, cost, of.below);
    }
    Held known = of.found.get(set);
    if (whole >= of.below || (known != null && known.spent <= cost)) {
      return;
    }
    set.spent = cost;
    set.estimate = whole;
    set.before = of.before;
    set.ran = ran.clone();
    long[] results = new long[have.length];
    for (int i = 0; i < problem.values; i++) {
      if (Held.has(held, i) && !Held.has(have, i)) {
        period.close(i, have, set.ran, results);
      }
    }
    set.mark = of.mark;
    set.again = period.again ? period.target : -1;
    of.found.remove(set);
    of.found.put(set, set);
    of.reached.add(set);
  }
}
