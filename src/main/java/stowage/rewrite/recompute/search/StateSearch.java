package stowage.rewrite.recompute.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import stowage.rewrite.recompute.model.RecomputeProblem;

/**
 * The exact search for small graphs: A* over (first computations done, values held), where values
 * are dropped only when the next computation does not fit with them, and then no more than it
 * needs. What is held beyond need does no harm, so nothing is lost by that, and every sequence
 * whose first computations keep the order is covered. The estimate is the cost of all ops that have
 * to run again because what the coming first computations read is not there, their own missing
 * operands included; it is consistent. Memory grows with the states, which are exponentially many
 * in the worst case; the search ends without a proof beyond {@link #MOST_STATES}.
 */
public final class StateSearch {
  /** Values that fit into a state's word. */
  public static final int MOST_VALUES = 64;

  /** States after which the search gives up. */
  public static final int MOST_STATES = 1_500_000;

  /**
   * What is known at the end.
   *
   * @param sequence the cheapest sequence within the limit; null where none was found
   * @param bound a proven lower bound of the extra cost; {@link Long#MAX_VALUE} where no sequence
   *     is within the limit
   * @param proven whether the search came to its end
   */
  public record Answer(int[] sequence, long bound, boolean proven) {}

  private record Queued(long estimate, int state) {}

  private final RecomputeProblem problem;
  private final long limit;
  private final long[] reads;
  private final long[] writes;
  private final long[] needed;
  private final long inputs;
  private final long useless;

  private int states;
  private long[] held = new long[1024];
  private int[] done = new int[1024];
  private long[] spent = new long[1024];
  private int[] parent = new int[1024];
  private int[] ran = new int[1024];
  private boolean[] closed = new boolean[1024];
  private int[] table = new int[4096];

  private final PriorityQueue<Queued> queue =
      new PriorityQueue<>(
          Comparator.comparingLong(Queued::estimate).thenComparingInt(one -> -done[one.state]));

  /**
   * A search.
   *
   * @param problem at most {@link #MOST_VALUES} values
   * @param limit bytes that may be alive at a step
   */
  public StateSearch(RecomputeProblem problem, long limit) {
    this.problem = problem;
    this.limit = limit;
    this.reads = new long[problem.ops];
    this.writes = new long[problem.ops];
    this.needed = new long[problem.ops + 1];
    long given = 0;
    long unread = 0;
    for (int i = 0; i < problem.values; i++) {
      given |= problem.maker[i] < 0 ? 1L << i : 0;
      unread |= problem.users[i].length == 0 && !problem.kept[i] ? 1L << i : 0;
      needed[problem.ops] |= problem.kept[i] ? 1L << i : 0;
    }
    this.inputs = given;
    this.useless = unread;
    for (int v = problem.ops - 1; v >= 0; v--) {
      for (int i : problem.reads[v]) {
        reads[v] |= 1L << i;
      }
      for (int i : problem.writes[v]) {
        writes[v] |= 1L << i;
      }
      needed[v] = (needed[v + 1] | reads[v]) & ~writes[v];
    }
    Arrays.fill(table, -1);
  }

  /**
   * Searches.
   *
   * @param below only sequences with less extra cost than this are wanted
   * @param stop asked now and then
   */
  public Answer run(long below, BooleanSupplier stop) {
    if (problem.ops == 0) {
      return new Answer(new int[0], 0, true);
    }
    if (bytes(inputs | writes[0]) + problem.scratch[0] > limit) {
      return new Answer(null, Long.MAX_VALUE, true);
    }
    add((inputs | writes[0]) & ~useless, 1, 0, -1, 0, below);
    for (Queued next = queue.poll(); next != null; next = queue.poll()) {
      int state = next.state;
      if (closed[state]) {
        continue;
      }
      closed[state] = true;
      if (done[state] == problem.ops && (needed[problem.ops] & ~held[state]) == 0) {
        return new Answer(path(state), spent[state], true);
      }
      if (states > MOST_STATES || ((state & 1023) == 0 && stop.getAsBoolean())) {
        return new Answer(null, Math.min(next.estimate, below), false);
      }
      expand(state, below);
    }
    return new Answer(null, below, true);
  }

  private void expand(int state, long below) {
    long have = held[state];
    int first = done[state];
    for (int v = 0; v <= first && v < problem.ops; v++) {
      boolean again = v < first;
      if ((reads[v] & ~have) != 0 || (again && problem.until[v] < first)) {
        continue;
      }
      if (again && ((writes[v] & ~have & ~useless) == 0)) {
        continue;
      }
      long cost = spent[state] + (again ? problem.cost[v] : 0);
      long all = have | writes[v];
      long room = limit - problem.scratch[v] - bytes(all);
      int next = again ? first : first + 1;
      drop(state, v, next, cost, all, all & ~reads[v] & ~writes[v], -room, below);
    }
  }

  /** All least sets of values to drop so that so many bytes become free. */
  private void drop(
      int state, int op, int next, long cost, long have, long open, long over, long below) {
    if (over <= 0) {
      add(have & ~useless, next, cost, state, op, below);
      return;
    }
    if (bytes(open) < over) {
      return;
    }
    long rest = open;
    while (rest != 0) {
      long one = Long.highestOneBit(rest);
      rest &= ~one;
      drop(state, op, next, cost, have & ~one, rest, over - bytes(one), below);
    }
  }

  private long bytes(long values) {
    long sum = 0;
    for (long rest = values; rest != 0; rest &= rest - 1) {
      sum += problem.bytes[Long.numberOfTrailingZeros(rest)];
    }
    return sum;
  }

  /** What has to run again at least, -1 where what is missing cannot come back. */
  private long estimate(long have, int first) {
    long missing = needed[first] & ~have;
    long seen = 0;
    long cost = 0;
    while (missing != 0) {
      int v = problem.maker[Long.numberOfTrailingZeros(missing)];
      if (v < 0 || problem.until[v] < first) {
        return -1;
      }
      cost += problem.cost[v];
      seen |= writes[v];
      missing = (missing | (reads[v] & ~have)) & ~seen;
    }
    return cost;
  }

  private void add(long have, int first, long cost, int from, int op, long below) {
    int at = slot(have, first);
    int state = table[at];
    if (state >= 0 && (closed[state] || spent[state] <= cost)) {
      return;
    }
    long estimate = estimate(have, first);
    if (estimate < 0 || cost + estimate >= below) {
      return;
    }
    if (state < 0) {
      if (states == held.length) {
        int room = states * 2;
        held = Arrays.copyOf(held, room);
        done = Arrays.copyOf(done, room);
        spent = Arrays.copyOf(spent, room);
        parent = Arrays.copyOf(parent, room);
        ran = Arrays.copyOf(ran, room);
        closed = Arrays.copyOf(closed, room);
      }
      state = states++;
      held[state] = have;
      done[state] = first;
      table[at] = state;
      if (states * 2 > table.length) {
        grow();
      }
    }
    spent[state] = cost;
    parent[state] = from;
    ran[state] = op;
    queue.add(new Queued(cost + estimate, state));
  }

  private int slot(long have, int first) {
    int mask = table.length - 1;
    long mixed = (have * 0x9E3779B97F4A7C15L + first) * 0xBF58476D1CE4E5B9L;
    int at = (int) (mixed >>> 32) & mask;
    while (table[at] >= 0 && (held[table[at]] != have || done[table[at]] != first)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private void grow() {
    table = new int[table.length * 2];
    Arrays.fill(table, -1);
    for (int s = 0; s < states; s++) {
      table[slot(held[s], done[s])] = s;
    }
  }

  private int[] path(int state) {
    List<Integer> ops = new ArrayList<>();
    for (int at = state; at >= 0; at = parent[at]) {
      ops.add(ran[at]);
    }
    Collections.reverse(ops);
    return ops.stream().mapToInt(Integer::intValue).toArray();
  }
}
