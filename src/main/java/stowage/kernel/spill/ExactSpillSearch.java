package stowage.kernel.spill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import stowage.kernel.model.KernelOps;

/**
 * Least spill traffic over all orders and addresses, for graphs of at most 64 ops and 64 buffers,
 * by Dijkstra's algorithm: a state is the set of ops that have run and where each resident buffer
 * is. Bringing a buffer in is free, at first or again; a buffer that leaves costs its price. The
 * state of least cost is taken out first, so that cost is a lower bound at any time.
 *
 * <p><b>Rule.</b> An op whose predecessors have run and whose operands are resident runs at once,
 * and a buffer whose users have all run leaves for free at once: both cost nothing, and leave every
 * later step as possible as before. Without addresses ({@code addresses} false) caches are judged
 * by volume, which gives a bound with far fewer states.
 */
public final class ExactSpillSearch {
  /** Most ops and most buffers of a graph that is searched. */
  public static final int LARGEST = 64;

  /**
   * What the search found.
   *
   * @param bound a proven lower bound over all orders
   * @param order an order of ops that reaches it; null where the search ended early
   * @param leaves the spills on the way, each as the number of ops that have run and the buffer
   * @param offsets where each segment begins, in the order in which they begin; with addresses
   */
  public record Answer(long bound, int[] order, int[][] leaves, int[][] offsets) {}

  private record Key(long done, short[] at) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && done == key.done && Arrays.equals(at, key.at);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(done * 0x9E3779B97F4A7C15L) ^ Arrays.hashCode(at);
    }
  }

  /** What led to a state: the step taken, then the ops that ran at once. */
  private record Step(State from, int buffer, int cell, int[] ran) {}

  private record State(Key key, long cost, Step step) {}

  private static final short OUT = -1;

  private final KernelOps graph;
  private final boolean addresses;
  private final long[] need;
  private final long[] users;
  private final Map<Key, Long> best = new HashMap<>();
  private final PriorityQueue<State> queue =
      new PriorityQueue<>(
          Comparator.comparingLong(State::cost)
              .thenComparingInt(state -> -Long.bitCount(state.key.done)));

  private ExactSpillSearch(KernelOps graph, boolean addresses) {
    this.graph = graph;
    this.addresses = addresses;
    need = new long[graph.ops];
    users = new long[graph.buffers];
    for (int v = 0; v < graph.ops; v++) {
      for (int u : graph.preds[v]) {
        need[v] |= 1L << u;
      }
      for (int b : graph.uses[v]) {
        users[b] |= 1L << v;
      }
    }
  }

  /** Whether a graph is small enough. */
  public static boolean suits(KernelOps graph) {
    return graph.ops <= LARGEST
        && graph.buffers <= LARGEST
        && Arrays.stream(graph.capacity).allMatch(cells -> cells < Short.MAX_VALUE);
  }

  /**
   * Searches below a traffic that is known to be reached, with addresses or without, in so many
   * states at most.
   */
  public static Answer search(
      KernelOps graph, boolean addresses, long limit, int mostStates, BooleanSupplier stopped) {
    return new ExactSpillSearch(graph, addresses).search(limit, mostStates, stopped);
  }

  private Answer search(long limit, int mostStates, BooleanSupplier stopped) {
    long all = graph.ops == 64 ? -1L : (1L << graph.ops) - 1;
    short[] empty = new short[graph.buffers];
    Arrays.fill(empty, OUT);
    add(settle(0, empty, 0, null, -1, 0));
    while (!queue.isEmpty()) {
      State state = queue.remove();
      if (best.get(state.key) < state.cost) {
        continue;
      }
      if (state.key.done == all) {
        return answer(state);
      }
      if (best.size() > mostStates || stopped.getAsBoolean()) {
        return new Answer(Math.min(limit, state.cost), null, null, null);
      }
      short[] at = state.key.at;
      for (int b = 0; b < graph.buffers; b++) {
        if (at[b] != OUT) {
          long cost = state.cost + graph.price[b];
          if (cost < limit) {
            short[] then = at.clone();
            then[b] = OUT;
            add(settle(state.key.done, then, cost, state, b, OUT));
          }
        } else if ((users[b] & ~state.key.done) != 0) {
          bringIn(state, b);
        }
      }
    }
    return new Answer(limit, null, null, null);
  }

  private void bringIn(State state, int b) {
    short[] at = state.key.at;
    int c = graph.cache[b];
    int size = graph.cells[b];
    if (!addresses || size == 0) {
      int used = size;
      for (int o = 0; o < graph.buffers; o++) {
        used += at[o] != OUT && graph.cache[o] == c ? graph.cells[o] : 0;
      }
      if (used <= graph.capacity[c]) {
        place(state, b, 0);
      }
      return;
    }
    for (int cell = 0; cell + size <= graph.capacity[c]; cell++) {
      boolean free = true;
      for (int o = 0; o < graph.buffers && free; o++) {
        free =
            at[o] == OUT
                || graph.cache[o] != c
                || at[o] + graph.cells[o] <= cell
                || cell + size <= at[o];
      }
      if (free) {
        place(state, b, cell);
      }
    }
  }

  private void place(State state, int b, int cell) {
    short[] then = state.key.at.clone();
    then[b] = (short) cell;
    add(settle(state.key.done, then, state.cost, state, b, cell));
  }

  private void add(State state) {
    Long known = best.get(state.key);
    if (known == null || known > state.cost) {
      best.put(state.key, state.cost);
      queue.add(state);
    }
  }

  private State settle(long before, short[] at, long cost, State from, int b, int cell) {
    long done = before;
    int[] ran = new int[graph.ops];
    int count = 0;
    boolean again = true;
    while (again) {
      again = false;
      for (int v = 0; v < graph.ops; v++) {
        if ((done >> v & 1) == 0 && (need[v] & ~done) == 0 && isHeld(v, at)) {
          done |= 1L << v;
          ran[count++] = v;
          again = true;
          for (int used : graph.uses[v]) {
            if ((users[used] & ~done) == 0) {
              at[used] = OUT;
            }
          }
        }
      }
    }
    return new State(new Key(done, at), cost, new Step(from, b, cell, Arrays.copyOf(ran, count)));
  }

  private boolean isHeld(int v, short[] at) {
    for (int b : graph.uses[v]) {
      if (at[b] == OUT) {
        return false;
      }
    }
    return true;
  }

  private Answer answer(State last) {
    List<Step> steps = new ArrayList<>();
    for (State state = last; state != null; state = state.step.from) {
      steps.add(0, state.step);
    }
    int[] order = new int[graph.ops];
    int count = 0;
    List<int[]> leaves = new ArrayList<>();
    List<int[]> begins = new ArrayList<>();
    for (Step step : steps) {
      if (step.buffer >= 0) {
        (step.cell == OUT ? leaves : begins).add(new int[] {count, step.buffer, step.cell});
      }
      for (int v : step.ran) {
        order[count++] = v;
      }
    }
    return new Answer(last.cost, order, leaves.toArray(int[][]::new), begins.toArray(int[][]::new));
  }
}
