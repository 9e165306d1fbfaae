package stowage.rewrite.recompute.walk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.ClosureCertificate;
import stowage.rewrite.recompute.model.PrefixEstimate;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.RequiredCertificate;

/**
 * The exact search: a walk from the end of a sequence to its begin over the values required at each
 * point. What an op reads is required before it, and what it makes no longer; the op before is the
 * last first computation not yet passed, or runs again. So nothing has to be chosen of what is
 * held, and every sequence whose first computations keep the order is covered, within the limit at
 * each step. A* with the closure's multipliers for the estimate ({@link PrefixEstimate}), which are
 * found again, now and then, for the beginning before a set. Memory grows with the sets, which are
 * exponentially many in the worst case.
 *
 * <p><b>What is not looked at.</b> A set that requires all of another one from which no more
 * follows. Ops that run again just after a first computation, where one of them could as well run
 * before it, or be left out. Two that run again one after the other, where they could as well do so
 * the other way round and the later one comes first in the order. Each of these has a sequence of
 * no more cost that is looked at.
 */
public final class RequiredWalk {
  /** Sets followed from one certificate to the next at first; twice as many each time. */
  private static final int FIRST_REFINED = 30;

  /** Certificates that sets are estimated by at most. */
  private static final int MOST_ESTIMATES = 20;

  /** Sets that another one is compared with. */
  private static final int MOST_COMPARED = 3_000;

  private static final int MOST_SETS = 500_000;

  /** Sets of a proof at most. */
  private static final int MOST_PROVEN = 10_000;

  private final RecomputeProblem problem;
  private final long limit;
  private final Function<RecomputeProblem, ClosureCertificate> closure;
  private final long below;
  private final BooleanSupplier stop;
  private final long[][] reads;
  private final long[][] writes;
  private final long[] inputs;
  private final Map<Required, Required> known = new HashMap<>();
  private final List<List<Required>> followed = new ArrayList<>();
  private final PriorityQueue<Required> queue =
      new PriorityQueue<>(
          Comparator.comparingLong((Required set) -> set.estimate)
              .thenComparingInt(set -> set.done)
              .thenComparingLong(set -> set.bytes));
  private final List<PrefixEstimate> estimates = new ArrayList<>();
  private final List<Integer> upTo = new ArrayList<>();
  private final List<RequiredCertificate.Beginning> beginnings = new ArrayList<>();
  private int version;
  private int sinceRefined;
  private int interval = FIRST_REFINED;

  /**
   * A walk.
   *
   * @param problem cut to ops that cost less than {@code below}
   * @param closure a certificate for a beginning of the problem, cut the same way; null for none
   * @param below only sequences with less extra cost are asked for: a bound of this much says that
   *     there are none
   * @param stop asked before each set
   */
  public RequiredWalk(
      RecomputeProblem problem,
      long limit,
      Function<RecomputeProblem, ClosureCertificate> closure,
      long below,
      BooleanSupplier stop) {
    this.problem = problem;
    this.limit = limit;
    this.closure = closure;
    this.below = below;
    this.stop = stop;
    this.reads = new long[problem.ops][];
    this.writes = new long[problem.ops][];
    for (int v = 0; v < problem.ops; v++) {
      reads[v] = bits(problem.reads[v]);
      writes[v] = bits(problem.writes[v]);
    }
    IntStream without = IntStream.range(0, problem.values).filter(i -> problem.maker[i] < 0);
    this.inputs = bits(without.toArray());
    for (int done = 0; done <= problem.ops; done++) {
      followed.add(new ArrayList<>());
    }
  }

  private long[] bits(int[] values) {
    long[] bits = new long[(problem.values + 63) / 64];
    for (int i : values) {
      if (problem.bytes[i] > 0) {
        Held.set(bits, i);
      }
    }
    return bits;
  }

  /** Walks; the sequence is within the limit. */
  public HeldWalk.Answer run() {
    Required end =
        new Required(
            bits(IntStream.range(0, problem.values).filter(i -> problem.kept[i]).toArray()),
            problem.ops,
            0,
            null,
            -1);
    refine(end);
    end.estimate = cost(end);
    known.put(end, end);
    queue.add(end);
    while (!queue.isEmpty()) {
      Required set = queue.remove();
      if (known.get(set) != set) {
        continue;
      }
      if (set.version < version && isHigher(set)) {
        continue;
      }
      if (set.done == 0) {
        return new HeldWalk.Answer(set.estimate, sequence(set));
      }
      if (stop.getAsBoolean() || known.size() > MOST_SETS) {
        return new HeldWalk.Answer(set.estimate, null);
      }
      List<Required> others = followed.get(set.done);
      if (isDominated(set, others)) {
        continue;
      }
      if (++sinceRefined >= interval) {
        sinceRefined = 0;
        interval *= 2;
        refine(set);
        if (isHigher(set)) {
          continue;
        }
      }
      others.add(set);
      follow(set);
    }
    return new HeldWalk.Answer(below, null);
  }

  /**
   * A proof of a bound that the walk has found; null where it has too many sets. What the walk
   * leaves aside for another order of runs is followed here as far as the estimates ask for it.
   */
  public RequiredCertificate certificate(long least) {
    List<Required> open = new ArrayList<>();
    for (List<Required> sets : followed) {
      sets.removeIf(one -> known.get(one) != one || one.estimate >= least);
      open.addAll(sets);
    }
    List<RequiredCertificate.Needed> sets = new ArrayList<>();
    for (int k = 0; k < open.size(); k++) {
      Required set = open.get(k);
      sets.add(new RequiredCertificate.Needed(set.done, list(set.values), set.spent));
      if (sets.size() > MOST_PROVEN) {
        return null;
      }
      for (Required next : before(set)) {
        List<Required> others = followed.get(next.done);
        if (cost(next) < least && others.stream().noneMatch(one -> one.covers(next))) {
          others.add(next);
          open.add(next);
        }
      }
    }
    return new RequiredCertificate(below, least, beginnings, sets);
  }

  private int[] list(long[] values) {
    return IntStream.range(0, problem.values).filter(i -> Held.has(values, i)).toArray();
  }

  private void refine(Required set) {
    int[] kept = list(set.values);
    RecomputeProblem beginning = problem.beginning(set.done, kept);
    ClosureCertificate certificate = closure.apply(beginning);
    if (certificate == null) {
      return;
    }
    version++;
    beginnings.add(new RequiredCertificate.Beginning(set.done, kept, certificate));
    estimates.add(new PrefixEstimate(beginning, limit, certificate));
    upTo.add(set.done);
    if (estimates.size() > MOST_ESTIMATES) {
      estimates.remove(1);
      upTo.remove(1);
    }
  }

  private boolean isHigher(Required set) {
    long whole = cost(set);
    set.version = version;
    boolean higher = whole > set.estimate;
    set.estimate = Math.max(set.estimate, whole);
    if (higher && set.estimate < below) {
      queue.add(set);
    }
    return higher;
  }

  private long cost(Required set) {
    long most = 0;
    for (int k = 0; k < estimates.size(); k++) {
      if (set.done <= upTo.get(k)) {
        long cost = estimates.get(k).cost(set.done, set.values);
        if (cost >= below - set.spent) {
          return below;
        }
        most = Math.max(most, cost);
      }
    }
    return most + set.spent;
  }

  private boolean isDominated(Required set, List<Required> others) {
    for (int k = 0; k < others.size() && k < MOST_COMPARED; k++) {
      Required other = others.get(k);
      if (other.isCheaper(set) && other.covers(set)) {
        return true;
      }
    }
    return false;
  }

  private void follow(Required set) {
    for (Required next : before(set)) {
      boolean first = next.done < set.done;
      if (first ? !isIdle(set, next.op) : !isLate(set, next.op)) {
        add(next);
      }
    }
  }

  /** What may be required before an op that comes before a set. */
  private List<Required> before(Required set) {
    List<Required> all = new ArrayList<>();
    int first = set.done - 1;
    if (fits(set.values, first, first == 0)) {
      all.add(new Required(before(set.values, first), first, set.spent, set, first));
    }
    for (int v = 0; v <= first; v++) {
      if (problem.until[v] >= set.done
          && problem.until[v] > v
          && meets(set.values, writes[v])
          && set.spent + problem.cost[v] < below
          && fits(set.values, v, false)) {
        long spent = set.spent + problem.cost[v];
        all.add(new Required(before(set.values, v), set.done, spent, set, v));
      }
    }
    return all;
  }

  /**
   * Whether one of the ops that run again just after a first computation could as well do so before
   * it, or is of no use.
   */
  private boolean isIdle(Required set, int first) {
    List<Required> chain = new ArrayList<>();
    for (Required at = set; at.again(); at = at.after) {
      chain.add(0, at);
    }
    long[] whole = chain.isEmpty() ? null : before(set.values, first);
    for (Required left : chain) {
      long[] values = chain.get(0).after.values;
      boolean fits = true;
      for (Required one : chain) {
        if (one != left && fits) {
          fits = meets(values, writes[one.op]) && fits(values, one.op, false);
          values = before(values, one.op);
        }
      }
      if (fits && fits(values, first, first == 0)) {
        long[] then = before(values, first);
        boolean earlier = meets(then, writes[left.op]) && fits(then, left.op, false);
        if (hasAll(whole, then) || earlier && hasAll(whole, before(then, left.op))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether two ops that run again follow each other the wrong way, or one is of no use. */
  private boolean isLate(Required set, int v) {
    int u = set.op;
    if (!set.again() || v < u) {
      return false;
    }
    long[] after = set.after.values;
    if (v == u) {
      return true;
    }
    if (meets(reads[v], writes[u])) {
      for (int w = 0; w < after.length; w++) {
        if ((writes[u][w] & after[w] & ~reads[v][w]) != 0) {
          return false;
        }
      }
      return true;
    }
    return fits(after, v, false) && fits(before(after, v), u, false);
  }

  private void add(Required set) {
    Required other = known.get(set);
    if (other != null && other.isCheaper(set)) {
      return;
    }
    set.version = version;
    set.estimate = cost(set);
    set.bytes = bytes(set.values);
    if (set.estimate < below) {
      known.remove(set);
      known.put(set, set);
      queue.add(set);
    }
  }

  static boolean hasAll(long[] all, long[] some) {
    for (int w = 0; w < all.length; w++) {
      if ((some[w] & ~all[w]) != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean meets(long[] one, long[] other) {
    for (int w = 0; w < one.length; w++) {
      if ((one[w] & other[w]) != 0) {
        return true;
      }
    }
    return false;
  }

  private long[] before(long[] values, int op) {
    long[] before = new long[values.length];
    for (int w = 0; w < before.length; w++) {
      before[w] = values[w] & ~writes[op][w] | reads[op][w];
    }
    return before;
  }

  private long bytes(long[] values) {
    long sum = 0;
    for (int w = 0; w < values.length; w++) {
      for (long rest = values[w]; rest != 0; rest &= rest - 1) {
        sum += problem.bytes[w * 64 + Long.numberOfTrailingZeros(rest)];
      }
    }
    return sum;
  }

  private boolean fits(long[] values, int op, boolean begin) {
    long sum = problem.scratch[op];
    for (int w = 0; w < values.length; w++) {
      long all = values[w] | reads[op][w] | writes[op][w] | (begin ? inputs[w] : 0);
      for (long rest = all; rest != 0; rest &= rest - 1) {
        sum += problem.bytes[w * 64 + Long.numberOfTrailingZeros(rest)];
      }
    }
    return sum <= limit;
  }

  private int[] sequence(Required first) {
    IntStream.Builder ops = IntStream.builder();
    for (Required set = first; set.after != null; set = set.after) {
      ops.add(set.op);
    }
    return ops.build().toArray();
  }
}
