package stowage.rewrite.recompute.walk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * A walk over the sets of values that are held at the first computations of some ops, the marks: a
 * bound for all sequences whose first computations keep the order, and often a sequence. It pays
 * where few values fit at a time; elsewhere the sets are too many, which it soon sees.
 *
 * <p><b>What is left aside.</b> At a mark, what is held fits next to its op. From one mark to the
 * next any op runs again at its cost when all that it reads is at hand, and what was at hand stays
 * so; no room is asked for. Only ops with large working sets ask for it between marks that follow
 * each other: they are steps of the walk like marks. The smallest values take no bytes. So every
 * sequence within the limit is a walk of no more cost.
 *
 * <p><b>What is not looked at.</b> A set with room for one more value at hand. A value computed
 * early, when the operands of its op, held instead, fit as well: it can run later. A set that
 * another one reaches at no more than the difference of their costs. A set whose cost and estimate
 * of the rest ({@link ClosureEstimate}) are no less than what is known. Of more sets than a number,
 * those with the highest estimates: the bound is no higher than the least of them.
 */
public final class HeldWalk {
  /** Sets kept at a mark. */
  private static final int MOST_SETS = 3000;

  /** Certificates asked for, about: those of late marks alone say more of the late ones. */
  private static final int PARTS = 6;

  /** Share of the bytes for values that the smallest of them take together. */
  private static final double SMALL = 0.02;

  /** Share of these bytes above which a working set is large. */
  private static final double LARGE = 0.5;

  /**
   * What a walk says.
   *
   * @param bound no sequence costs less extra
   * @param sequence of the cheapest walk; it may exceed the limit; null for none
   */
  public record Answer(long bound, int[] sequence) {}

  private final RecomputeProblem problem;
  private final long limit;
  private final int[] marks;
  private final IntFunction<ClosureCertificate> closure;
  private final List<ClosureEstimate> estimates = new ArrayList<>();
  private final int mostSets;
  private final long[] bytes;
  private final boolean[] large;
  private final int[] byBytes;
  private final boolean[] any;
  private long proven;
  private long below;
  private BooleanSupplier stop;

  /** The least estimate of a set left out. */
  private long leftOut = Long.MAX_VALUE;

  /** The number of the mark reached last. */
  private int mark;

  private Map<Held, Held> found;
  private Successors successors;

  HeldWalk(
      RecomputeProblem problem,
      long limit,
      int[] marks,
      IntFunction<ClosureCertificate> closure,
      int mostSets,
      double small,
      double large) {
    this.problem = problem;
    this.limit = limit;
    this.marks = marks;
    this.mostSets = mostSets;
    this.closure = closure;
    this.byBytes =
        IntStream.range(0, problem.values)
            .boxed()
            .sorted(Comparator.comparingLong(i -> -problem.bytes[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    this.bytes = problem.bytes.clone();
    long room = limit - Arrays.stream(problem.scratch).min().orElse(0);
    double left = small * room;
    for (int k = byBytes.length - 1; k >= 0; k--) {
      left -= problem.bytes[byBytes[k]];
      bytes[byBytes[k]] = left < 0 ? bytes[byBytes[k]] : 0;
    }
    this.any = new boolean[problem.ops];
    Arrays.fill(any, true);
    this.large = new boolean[problem.ops];
    for (int v = 0; v < problem.ops; v++) {
      this.large[v] = problem.workingSet(v) - (limit - room) > large * room;
    }
  }

  /**
   * Walks.
   *
   * @param marks ops, ascending
   * @param closure a certificate of the closure for the marks from the one of a number on, null for
   *     none; asked for some numbers
   * @param proven the walk ends when it cannot prove more than this
   * @param below only sequences with less extra cost are asked for: a bound of this much says that
   *     there are none
   * @param stop asked now and then
   */
  public static Answer of(
      RecomputeProblem problem,
      long limit,
      int[] marks,
      IntFunction<ClosureCertificate> closure,
      long proven,
      long below,
      BooleanSupplier stop) {
    return new HeldWalk(problem, limit, marks, closure, MOST_SETS, SMALL, LARGE)
        .run(proven, below, stop);
  }

  Answer run(long known, long most, BooleanSupplier asked) {
    proven = known;
    below = most;
    stop = asked;
    successors = new Successors(problem, limit, bytes, byBytes, estimates, below, stop);
    Held first = new Held(new long[(problem.values + 63) / 64]);
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] < 0) {
        Held.set(first.values, i);
      }
    }
    List<Held> sets = List.of(first);
    for (int k = 0; k < marks.length; k++) {
      int from = k == 0 ? -1 : marks[k - 1];
      mark = k;
      found = new HashMap<>();
      if (k % ((marks.length - 1) / PARTS + 1) == 0) {
        estimate(closure.apply(k));
      }
      if (estimates.isEmpty()) {
        return new Answer(0, null);
      }
      successors.collect(found, k);
      add(sets, new Period(problem, bytes, from, marks[k], -1, mayRun(k), mayRun(k + 1)));
      sets = kept();
      if (isClose(k + 1)) {
        sets = withLarge(sets);
      }
      if (isHopeless()) {
        return new Answer(0, null);
      }
    }
    return end(sets);
  }

  private void estimate(ClosureCertificate certificate) {
    if (certificate != null) {
      estimates.add(new ClosureEstimate(problem, limit, mark, certificate));
    }
  }

  private boolean isHopeless() {
    return leftOut <= proven || stop.getAsBoolean();
  }

  /** Whether a mark follows the one before it at once, so that large working sets ask for room. */
  private boolean isClose(int k) {
    return k > 0 && k < marks.length && marks[k] == marks[k - 1] + 1;
  }

  private boolean[] mayRun(int k) {
    if (!isClose(k)) {
      return any;
    }
    boolean[] may = new boolean[problem.ops];
    for (int v = 0; v < problem.ops; v++) {
      may[v] = !large[v];
    }
    return may;
  }

  /** The sets reached from some by running ops with large working sets again, too. */
  private List<Held> withLarge(List<Held> given) {
    List<Held> all = given;
    List<Held> recent = given;
    int from = marks[mark];
    boolean[] may = mayRun(mark + 1);
    while (!recent.isEmpty() && !isHopeless()) {
      found = new HashMap<>();
      all.forEach(set -> found.put(set, set));
      successors.collect(found, mark);
      for (int v = 0; v <= from; v++) {
        if (large[v] && problem.until[v] > Math.max(v, from)) {
          Period next = new Period(problem, bytes, from, from, v, may, may);
          add(recent.stream().filter(next::isWanted).toList(), next);
        }
      }
      Set<Held> known = new HashSet<>();
      for (Held set : all) {
        if (found.get(set) == set) {
          known.add(set);
        }
      }
      all = kept();
      recent = all.stream().filter(set -> !known.contains(set)).toList();
    }
    return all;
  }

  /** Of the sets found those that no other one makes needless, the least estimates first. */
  private List<Held> kept() {
    List<Held> sorted = new ArrayList<>(found.values());
    sorted.sort(Comparator.comparingLong((Held set) -> set.spent));
    int last = marks[mark];
    boolean[] may = mayRun(mark + 1);
    Period next = new Period(problem, bytes, last, last, -1, may, may);
    List<Held> kept = new ArrayList<>();
    for (Held set : sorted) {
      if (isHopeless()) {
        return kept;
      }
      boolean needless = false;
      for (int k = 0; k < kept.size() && k < 2 * mostSets && !needless; k++) {
        Held other = kept.get(k);
        needless = next.isWithin(set.spent - other.spent, set.values, other.values);
      }
      if (!needless) {
        kept.add(set);
      }
    }
    kept.sort(Comparator.comparingLong((Held set) -> set.estimate));
    if (kept.size() > mostSets) {
      leftOut = Math.min(leftOut, kept.get(mostSets).estimate);
      kept = new ArrayList<>(kept.subList(0, mostSets));
    }
    return kept;
  }

  private void add(List<Held> sets, Period next) {
    for (int k = 0; k < sets.size() && !isHopeless(); k++) {
      leftOut = successors.add(sets.get(k), next) ? leftOut : 0;
    }
  }

  private Answer end(List<Held> sets) {
    int from = marks.length == 0 ? -1 : marks[marks.length - 1];
    Period period = new Period(problem, bytes, from, problem.ops, -1, any, any);
    Held best = null;
    for (Held set : sets) {
      Held last = new Held(Held.union(set.values, period.made));
      last.ran = new long[(problem.ops + 63) / 64];
      long cost = period.close(last.values, last.ran, new long[last.values.length]);
      last.spent = set.spent + cost;
      last.before = set;
      last.mark = marks.length;
      if (cost >= 0 && last.spent < below && (best == null || last.spent < best.spent)) {
        best = last;
      }
    }
    long least = best == null ? below : best.spent;
    return new Answer(Math.min(least, leftOut), best == null ? null : sequence(best));
  }

  private int[] sequence(Held last) {
    List<Held> path = new ArrayList<>();
    for (Held set = last; set.before != null; set = set.before) {
      path.add(0, set);
    }
    IntStream.Builder ops = IntStream.builder();
    int done = 0;
    for (Held set : path) {
      for (int v = 0; v < done; v++) {
        if (Held.has(set.ran, v)) {
          ops.add(v);
        }
      }
      if (set.again >= 0) {
        ops.add(set.again);
      } else {
        int end = set.mark == marks.length ? problem.ops : marks[set.mark] + 1;
        for (; done < end; done++) {
          ops.add(done);
        }
      }
    }
    return ops.build().toArray();
  }
}
