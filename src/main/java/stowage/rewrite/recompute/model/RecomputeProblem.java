package stowage.rewrite.recompute.model;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Ops of which any may be computed several times, as arrays, numbered in the order of their first
 * computations, which stays as it is; between two of them any repeatable op may be computed again,
 * any number of times, in any order. Immutable by agreement: the arrays are not to be changed.
 *
 * <p>Values are what ops read and write. A value without a maker is an input of the network: it is
 * there from step 0 and cannot be computed. An op reads the copy computed last.
 */
public final class RecomputeProblem {
  public final int ops;

  public final int values;

  /** The op that computes each value; -1 for inputs of the network. */
  public final int[] maker;

  public final long[] bytes;

  /** Whether each value's last copy stays to the end. */
  public final boolean[] kept;

  /** The values that each op reads, each once. */
  public final int[][] reads;

  /** The values that each op computes. */
  public final int[][] writes;

  /** What one computation of each op costs, 0 or more. */
  public final long[] cost;

  /** Bytes that each op needs while it runs besides what it reads and writes. */
  public final long[] scratch;

  /**
   * The op up to whose first computation each op may be computed again; the number of ops for all
   * the time, the op itself or less for never.
   */
  public final int[] until;

  /** Whether each op may be computed again at all. */
  public final boolean[] repeatable;

  /** The ops that read each value, ascending. */
  public final int[][] users;

  /**
   * Takes the arrays as they are. O(ops + reads).
   *
   * @throws IllegalArgumentException when an op reads what a later one computes, or a cost or a
   *     number of bytes is below 0
   */
  public RecomputeProblem(
      int[] maker,
      long[] bytes,
      boolean[] kept,
      int[][] reads,
      int[][] writes,
      long[] cost,
      long[] scratch,
      int[] until) {
    this.ops = reads.length;
    this.values = maker.length;
    this.maker = maker;
    this.bytes = bytes;
    this.kept = kept;
    this.reads = reads;
    this.writes = writes;
    this.cost = cost;
    this.scratch = scratch;
    this.until = until;
    this.repeatable = new boolean[ops];
    IntStream.Builder[] readers = new IntStream.Builder[values];
    Arrays.setAll(readers, i -> IntStream.builder());
    for (int v = 0; v < ops; v++) {
      repeatable[v] = until[v] > v;
      if (cost[v] < 0 || scratch[v] < 0) {
        throw new IllegalArgumentException("op " + v + ": cost and scratch should be 0 or more");
      }
      for (int i : reads[v]) {
        if (maker[i] >= v) {
          throw new IllegalArgumentException("op " + v + " reads what op " + maker[i] + " makes");
        }
        readers[i].add(v);
      }
    }
    this.users = new int[values][];
    for (int i = 0; i < values; i++) {
      if (bytes[i] < 0) {
        throw new IllegalArgumentException("value " + i + " has " + bytes[i] + " bytes");
      }
      users[i] = readers[i].build().toArray();
    }
  }

  /** The problem for sequences that cost less extra than a limit: dear ops run once. O(ops). */
  public RecomputeProblem below(long extra) {
    int[] cheap = new int[ops];
    Arrays.setAll(cheap, v -> cost[v] < extra ? until[v] : v);
    return new RecomputeProblem(maker, bytes, kept, reads, writes, cost, scratch, cheap);
  }

  /** The same problem where ops that cost less than a number cost nothing. O(ops). */
  public RecomputeProblem from(long least) {
    long[] dear = Arrays.stream(cost).map(one -> one < least ? 0 : one).toArray();
    return new RecomputeProblem(maker, bytes, kept, reads, writes, dear, scratch, until);
  }

  /**
   * The first so many ops, with some values kept after them. O(ops).
   *
   * @throws IllegalArgumentException where there are no such ops or values
   */
  public RecomputeProblem beginning(int count, int[] kept) {
    if (count < 1 || count > ops || Arrays.stream(kept).anyMatch(i -> i < 0 || i >= values)) {
      throw new IllegalArgumentException("the first " + count + " of " + ops + " ops");
    }
    boolean[] keeps = new boolean[values];
    Arrays.stream(kept).forEach(i -> keeps[i] = true);
    int[] least = Arrays.stream(until, 0, count).map(last -> Math.min(last, count)).toArray();
    return new RecomputeProblem(
        maker,
        bytes,
        keeps,
        Arrays.copyOf(reads, count),
        Arrays.copyOf(writes, count),
        Arrays.copyOf(cost, count),
        Arrays.copyOf(scratch, count),
        least);
  }

  /** The same problem where no value has to stay to the end. */
  public RecomputeProblem withoutKept() {
    return new RecomputeProblem(
        maker, bytes, new boolean[values], reads, writes, cost, scratch, until);
  }

  /** The sequence without repetitions. */
  public int[] once() {
    return IntStream.range(0, ops).toArray();
  }

  /** The greatest common divisor of the costs of ops that may run again; 1 where none costs. */
  public long unit() {
    BigInteger unit = BigInteger.ZERO;
    for (int v = 0; v < ops; v++) {
      unit = repeatable[v] ? unit.gcd(BigInteger.valueOf(cost[v])) : unit;
    }
    return Math.max(1, unit.longValue());
  }

  /** Bytes that an op needs at least: what it reads, computes and its scratch memory. */
  public long workingSet(int op) {
    IntStream used = IntStream.concat(Arrays.stream(reads[op]), Arrays.stream(writes[op]));
    return scratch[op] + used.mapToLong(i -> bytes[i]).sum();
  }

  /** What a sequence costs above computing each op once. */
  public long extra(int[] sequence) {
    return Arrays.stream(sequence).mapToLong(v -> cost[v]).sum() - Arrays.stream(cost).sum();
  }

  /** The largest cost of which a sequence's repetitions below it cost no more than so much. */
  public long costWithin(int[] sequence, long loss) {
    boolean[] ran = new boolean[ops];
    long[] costs =
        Arrays.stream(sequence)
            .filter(v -> ran[v] || !(ran[v] = true))
            .mapToLong(v -> cost[v])
            .sorted()
            .toArray();
    int k = 0;
    for (long sum = 0; k < costs.length && sum + costs[k] <= loss; k++) {
      sum += costs[k];
    }
    return k == costs.length ? 0 : costs[k];
  }

  /**
   * Whether each value may still be read once so many first computations are done, by ops to come
   * or to run again. O(ops + reads).
   */
  public boolean[] useful(int done) {
    boolean[] useful = kept.clone();
    for (int v = ops - 1; v >= 0; v--) {
      boolean reading = v >= done;
      for (int i : writes[v]) {
        reading |= useful[i] && until[v] >= done;
      }
      for (int i : reads[v]) {
        useful[i] |= reading;
      }
    }
    return useful;
  }

  /** The first op from one on that reads a value; the number of ops for the end, -1 for none. */
  public int nextUse(int value, int from) {
    int at = Arrays.binarySearch(users[value], from);
    at = at < 0 ? -at - 1 : at;
    return at < users[value].length ? users[value][at] : kept[value] ? ops : -1;
  }

  /** Whether a dropped value can come back: its maker may run again, whatever that reads. */
  public boolean returns(int value) {
    return returns(value, -1);
  }

  /** The same where it is not there at the first computation of an op. */
  public boolean returns(int value, int op) {
    return maker[value] >= 0 && until[maker[value]] > Math.max(op, maker[value]);
  }
}
