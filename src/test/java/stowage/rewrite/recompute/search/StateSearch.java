package stowage.rewrite.recompute.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
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

  private record Key(long held, int done) {}

  private record Queued(long estimate, State state) {}

  /** First computations done and values held, with the cheapest way there so far. */
  private static final class State {
    private final Key key;
    private long spent;
    private State parent;
    private int ran;
    private boolean closed;

    private State(Key key) {
      this.key = key;
    }
  }

  private final RecomputeProblem problem;
  private final long limit;

  /** The values by falling bytes: bit k of a state stands for the k-th. */
  private final int[] valueOf;

  private final int[] bitOf;
  private final long[] reads;
  private final long[] writes;
  private final long[] needed;

  /** What may still be read once so many first computations are done. */
  private final long[] useful;

  private final long inputs;

  private final Map<Key, State> states = new HashMap<>();

  private final PriorityQueue<Queued> queue =
      new PriorityQueue<>(
          Comparator.comparingLong(Queued::estimate).thenComparingInt(one -> -one.state.key.done));

  /**
   * A search.
   *
   * @param problem at most {@link #MOST_VALUES} values
   * @param limit bytes that may be alive at a step
   */
  public StateSearch(RecomputeProblem problem, long limit) {
    this.problem = problem;
    this.limit = limit;
    this.valueOf =
        IntStream.range(0, problem.values)
            .boxed()
            .sorted(Comparator.comparingLong(i -> -problem.bytes[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    this.bitOf = new int[problem.values];
    for (int k = 0; k < valueOf.length; k++) {
      bitOf[valueOf[k]] = k;
    }
    this.reads = new long[problem.ops];
    this.writes = new long[problem.ops];
    this.needed = new long[problem.ops + 1];
    this.useful = new long[problem.ops + 1];
    this.inputs = bits(IntStream.range(0, problem.values).filter(i -> problem.maker[i] < 0));
    needed[problem.ops] = bits(IntStream.range(0, problem.values).filter(i -> problem.kept[i]));
    for (int v = problem.ops - 1; v >= 0; v--) {
      reads[v] = bits(Arrays.stream(problem.reads[v]));
      writes[v] = bits(Arrays.stream(problem.writes[v]));
      needed[v] = (needed[v + 1] | reads[v]) & ~writes[v];
    }
    for (int done = 0; done <= problem.ops; done++) {
      boolean[] read = problem.useful(done);
      useful[done] = bits(IntStream.range(0, problem.values).filter(i -> read[i]));
    }
  }

  private long bits(IntStream values) {
    return values.mapToLong(i -> 1L << bitOf[i]).reduce(0, (one, other) -> one | other);
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
    add((inputs | writes[0]) & useful[1], 1, 0, null, 0, below);
    int expanded = 0;
    for (Queued next = queue.poll(); next != null; next = queue.poll()) {
      State state = next.state;
      if (state.closed) {
        continue;
      }
      state.closed = true;
      if (state.key.done == problem.ops && (needed[problem.ops] & ~state.key.held) == 0) {
        return new Answer(path(state), state.spent, true);
      }
      if (states.size() > MOST_STATES || ((expanded++ & 1023) == 0 && stop.getAsBoolean())) {
        return new Answer(null, Math.min(next.estimate, below), false);
      }
      expand(state, below);
    }
    return new Answer(null, below, true);
  }

  private void expand(State state, long below) {
    long have = state.key.held;
    int first = state.key.done;
    for (int v = 0; v <= first && v < problem.ops; v++) {
      boolean again = v < first;
      if ((reads[v] & ~have) != 0 || (again && problem.until[v] < first)) {
        continue;
      }
      if (again && (writes[v] & ~have & useful[first]) == 0) {
        continue;
      }
      long cost = state.spent + (again ? problem.cost[v] : 0);
      long all = have | writes[v];
      long room = limit - problem.scratch[v] - bytes(all);
      int next = again ? first : first + 1;
      drop(state, v, next, cost, all, all & ~reads[v] & ~writes[v], -room, below);
    }
  }

  /**
   * All least sets of values to drop so that so many bytes become free, the largest value first.
   */
  private void drop(
      State state, int op, int next, long cost, long have, long open, long over, long below) {
    if (over <= 0) {
      add(have & useful[next], next, cost, state, op, below);
      return;
    }
    if (bytes(open) < over) {
      return;
    }
    long rest = open;
    while (rest != 0) {
      long one = Long.lowestOneBit(rest);
      rest &= ~one;
      drop(state, op, next, cost, have & ~one, rest, over - bytes(one), below);
    }
  }

  private long bytes(long values) {
    long sum = 0;
    for (long rest = values; rest != 0; rest &= rest - 1) {
      sum += problem.bytes[valueOf[Long.numberOfTrailingZeros(rest)]];
    }
    return sum;
  }

  /** What has to run again at least, -1 where what is missing cannot come back. */
  private long estimate(long have, int first) {
    long missing = needed[first] & ~have;
    long seen = 0;
    long cost = 0;
    while (missing != 0) {
      int v = problem.maker[valueOf[Long.numberOfTrailingZeros(missing)]];
      if (v < 0 || problem.until[v] < first) {
        return -1;
      }
      cost += problem.cost[v];
      seen |= writes[v];
      missing = (missing | (reads[v] & ~have)) & ~seen;
    }
    return cost;
  }

  private void add(long have, int first, long cost, State from, int op, long below) {
    Key key = new Key(have, first);
    State state = states.get(key);
    if (state != null && (state.closed || state.spent <= cost)) {
      return;
    }
    long estimate = estimate(have, first);
    if (estimate < 0 || cost + estimate >= below) {
      return;
    }
    if (state == null) {
      state = new State(key);
      states.put(key, state);
    }
    state.spent = cost;
    state.parent = from;
    state.ran = op;
    queue.add(new Queued(cost + estimate, state));
  }

  private static int[] path(State last) {
    List<Integer> ops = new ArrayList<>();
    for (State at = last; at != null; at = at.parent) {
      ops.add(0, at.ran);
    }
    return ops.stream().mapToInt(Integer::intValue).toArray();
  }
}
