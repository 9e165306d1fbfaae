package stowage.rewrite.recompute.walk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * A walk over the sets of values that are held at the first computations of some ops, the marks: a
 * bound for all sequences whose first computations keep the order, and often a sequence. The set
 * with the least cost and estimate of the rest ({@link ClosureEstimate}) is followed first.
 *
 * <p><b>What is left aside.</b> At a mark, what is held fits next to its op. From one mark to the
 * next any op runs again at its cost when all that it reads is at hand, and what was at hand stays
 * so; no room is asked for. Only ops with large working sets ask for it between marks that follow
 * each other: they are steps of the walk like marks. The smallest values take no bytes. So every
 * sequence within the limit is a walk of no more cost.
 *
 * <p><b>What is not looked at.</b> A set with room for one more value at hand, or with a value that
 * comes from the others for nothing, or that no op will read which can run again at less than the
 * cost of interest. A value computed early, when the operands of its op, held instead, fit as well:
 * it can run later. A set that another one reaches at no more than the difference of their costs. A
 * set whose cost and estimate are no less than the cost of interest.
 */
public final class HeldWalk {
  private static final int MOST_SETS = 100_000;

  /** Sets at a mark that others are compared with. */
  private static final int MOST_COMPARED = 6_000;

  /** Sets followed from one certificate to the next at first. */
  private static final int FIRST_REFINED = 30;

  /** Certificates that sets are estimated by at most. */
  private static final int MOST_ESTIMATES = 20;

  /** Share of the bytes for values that the smallest of them take together. */
  private static final double SMALL = 0.05;

  /** Share of these bytes above which a working set is large. */
  private static final double LARGE = 0.3;

  /**
   * What a walk says.
   *
   * @param bound no sequence costs less extra
   * @param sequence of the cheapest walk; it may exceed the limit; null for none
   */
  public record Answer(long bound, int[] sequence) {}

  /** What finds certificates of the closure. */
  public interface Closure {
    /**
     * A certificate for the marks from the one of a number on; null where none is found.
     *
     * @param held the values that are there at the first of them; null for any choice
     */
    ClosureCertificate of(int from, long[] held);
  }

  private final RecomputeProblem problem;
  private final long limit;
  private final int[] marks;
  private final Closure closure;
  private final List<ClosureEstimate> estimates = new ArrayList<>();
  private final int mostSets;
  private final long[] bytes;
  private final boolean[] large;
  private final boolean[] any;
  private final List<Map<Held, Held>> found = new ArrayList<>();
  private final List<List<Held>> followed = new ArrayList<>();
  private final PriorityQueue<Held> queue =
      new PriorityQueue<>(
          Comparator.comparingLong((Held set) -> set.estimate)
              .thenComparingInt(set -> -set.mark)
              .thenComparingLong(set -> set.spent));

  /** For each mark: the time up to it, comparing sets at it, and large ops that run again then. */
  private final List<Period> before = new ArrayList<>();

  private final List<Period> compared = new ArrayList<>();
  private final List<List<Period>> again = new ArrayList<>();

  /** How many certificates there were so far. */
  private int version;

  private int sinceRefined;
  private int interval = FIRST_REFINED;
  private long below;

  HeldWalk(
      RecomputeProblem problem,
      long limit,
      int[] marks,
      Closure closure,
      int mostSets,
      double small,
      double large) {
    this.problem = problem;
    this.limit = limit;
    this.marks = marks;
    this.mostSets = mostSets;
    this.closure = closure;
    int[] byBytes =
        IndexOrder.of(
            IntStream.range(0, problem.values), Comparator.comparingLong(i -> -problem.bytes[i]));
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
    for (int k = 0; k < marks.length; k++) {
      int mark = marks[k];
      boolean[] may = mayRun(k + 1);
      before.add(period(k == 0 ? -1 : marks[k - 1], mark, -1, mayRun(k), may));
      compared.add(period(mark, mark, -1, may, may));
      again.add(new ArrayList<>());
      for (int v = 0; v <= mark && isClose(k + 1); v++) {
        if (this.large[v] && problem.until[v] > Math.max(v, mark)) {
          again.get(k).add(period(mark, mark, v, may, may));
        }
      }
      found.add(new HashMap<>());
      followed.add(new ArrayList<>());
    }
    int last = marks.length == 0 ? -1 : marks[marks.length - 1];
    before.add(period(last, problem.ops, -1, any, any));
  }

  private Period period(int from, int to, int op, boolean[] mayRun, boolean[] mayRunThen) {
    return new Period(problem, bytes, from, to, op, mayRun, mayRunThen);
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

  /**
   * Walks.
   *
   * @param marks ops, ascending
   * @param below only sequences with less extra cost are asked for: a bound of this much says that
   *     there are none
   * @param stop asked now and then
   */
  public static Answer of(
      RecomputeProblem problem,
      long limit,
      int[] marks,
      Closure closure,
      long below,
      BooleanSupplier stop) {
    return new HeldWalk(problem, limit, marks, closure, MOST_SETS, SMALL, LARGE).run(below, stop);
  }

  Answer run(long most, BooleanSupplier stop) {
    below = most;
    if (!estimate(0, null)) {
      return new Answer(0, null);
    }
    Successors successors = new Successors(problem, limit, bytes, estimates, below, stop);
    Held first = new Held(new long[(problem.values + 63) / 64]);
    for (int i = 0; i < problem.values; i++) {
      if (problem.maker[i] < 0) {
        Held.set(first.values, i);
      }
    }
    queue.add(first);
    for (int count = 0; !queue.isEmpty(); ) {
      Held set = queue.remove();
      if (set.mark == marks.length) {
        return new Answer(set.spent, sequence(set));
      }
      if (count >= mostSets || stop.getAsBoolean()) {
        return new Answer(set.estimate, null);
      }
      if (set.mark >= 0 && isLeftOut(set)) {
        continue;
      }
      count++;
      if (set.mark + 1 == marks.length) {
        end(set);
        continue;
      }
      int next = set.mark + 1;
      successors.collect(found.get(next), queue, next);
      boolean whole = successors.add(set, before.get(next));
      for (Period large : set.mark < 0 ? List.<Period>of() : again.get(set.mark)) {
        successors.collect(found.get(set.mark), queue, set.mark);
        whole &= !large.isWanted(set) || successors.add(set, large);
      }
      if (!whole) {
        return new Answer(set.estimate, null);
      }
    }
    return new Answer(below, null);
  }

  /** Whether a set need not be followed, or is put back since its estimate has risen. */
  private boolean isLeftOut(Held set) {
    if (found.get(set.mark).get(set) != set) {
      return true;
    }
    if (set.version < version && isHigher(set)) {
      return true;
    }
    List<Held> others = followed.get(set.mark);
    for (int k = 0; k < others.size() && k < MOST_COMPARED; k++) {
      Held other = others.get(k);
      if (other.spent <= set.spent
          && compared.get(set.mark).isWithin(set.spent - other.spent, set.values, other.values)) {
        return true;
      }
    }
    if (++sinceRefined >= interval) {
      sinceRefined = 0;
      if (estimate(set.mark, set.values) && isHigher(set)) {
        return true;
      }
      interval *= 2;
    }
    others.add(set);
    return false;
  }

  /** Estimates a set by all certificates; whether it is put back. */
  private boolean isHigher(Held set) {
    long rest = 0;
    for (ClosureEstimate one : estimates) {
      rest = Math.max(rest, one.cost(one.scaled(set.mark, set.values)));
    }
    set.version = version;
    boolean higher = set.spent + rest > set.estimate;
    set.estimate = Math.max(set.estimate, set.spent + rest);
    if (higher && set.estimate < below) {
      queue.add(set);
    }
    return higher;
  }

  private boolean estimate(int from, long[] held) {
    ClosureCertificate certificate = closure.of(from, held);
    if (certificate != null) {
      version++;
      estimates.add(new ClosureEstimate(problem, limit, from, certificate));
      if (estimates.size() > MOST_ESTIMATES) {
        estimates.remove(1);
      }
    }
    return certificate != null;
  }

  private void end(Held set) {
    Period period = before.get(marks.length);
    Held last = new Held(Held.union(set.values, period.made));
    last.ran = new long[(problem.ops + 63) / 64];
    long cost = period.close(last.values, last.ran, new long[last.values.length]);
    last.spent = set.spent + cost;
    last.estimate = last.spent;
    last.before = set;
    last.mark = marks.length;
    if (cost >= 0 && last.spent < below) {
      queue.add(last);
    }
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
