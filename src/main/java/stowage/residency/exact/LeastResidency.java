package stowage.residency.exact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import stowage.residency.kernel.OpGraph;

/**
 * Least peak of residency over all orders, by a best-first search over downsets of ops: a state is
 * the set of ops that have run, its value the least peak at which it is reached. The state of least
 * value is taken out first, so that value is a lower bound of the whole at any time, and the answer
 * once all ops have run.
 *
 * <p><b>Rule.</b> An op that takes no new buffer runs at once, without a branch: it never raises
 * the load, and any completion in which it runs later holds as well with it first, since the
 * buffers it ends are ended earlier and no other load changes. The same holds for an op whose new
 * buffers are no larger than those it ends, where its own load does not exceed the state's value.
 *
 * <p>Proof of the second: let x be the op, S the state, and take a completion of S. Move x to the
 * front. While x runs the load is at most the value of S. After it, every load is changed by what x
 * took minus what it ended, at most 0, up to the place where x ran before; buffers that x and ops
 * before it in the completion end together are ended no later. So no load rises above the larger of
 * the value of S and the completion's peak.
 */
public final class LeastResidency {
  /**
   * What the search found.
   *
   * @param bound a proven lower bound over all orders
   * @param order an order of ops that reaches it; null where the search ended early
   */
  public record Answer(long bound, int[] order) {}

  private record Key(long[] words) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && Arrays.equals(words, key.words);
    }

    @Override
    public int hashCode() {
      long mixed = 0;
      for (long word : words) {
        mixed = (mixed ^ word) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 29;
      }
      return (int) mixed;
    }
  }

  private static final class State {
    private final Key done;
    private final State from;
    private final int[] ran;
    private final int count;
    private final long live;
    private final long peak;

    State(Key done, State from, int[] ran, int count, long live, long peak) {
      this.done = done;
      this.from = from;
      this.ran = ran;
      this.count = count;
      this.live = live;
      this.peak = peak;
    }
  }

  private final OpGraph graph;
  private final long limit;
  private final int mostStates;
  private final BooleanSupplier stopped;
  private final int words;
  private final int[] waiting;
  private final int[] left;

  private LeastResidency(OpGraph graph, long limit, int mostStates, BooleanSupplier stopped) {
    this.graph = graph;
    this.limit = limit;
    this.mostStates = mostStates;
    this.stopped = stopped;
    this.words = (graph.ops + 63) / 64;
    waiting = new int[graph.ops];
    left = new int[graph.buffers];
  }

  /**
   * Searches.
   *
   * @param limit a peak that is known to be reached; states at or above it are left out
   * @param mostStates after so many states the search ends early
   * @return a bound of at most {@code limit}
   */
  public static Answer search(OpGraph graph, long limit, int mostStates, BooleanSupplier stopped) {
    return new LeastResidency(graph, limit, mostStates, stopped).search();
  }

  private Answer search() {
    long unused = 0;
    for (int b = 0; b < graph.buffers; b++) {
      if (graph.userAt[b] == graph.userAt[b + 1]) {
        unused = Math.max(unused, graph.size[b]);
      }
    }
    PriorityQueue<State> queue =
        new PriorityQueue<>(
            (x, y) ->
                x.peak != y.peak
                    ? Long.compare(x.peak, y.peak)
                    : x.count != y.count
                        ? Integer.compare(y.count, x.count)
                        : Long.compare(x.live, y.live));
    Map<Key, Long> best = new HashMap<>();
    State start = settle(new long[words], null, new int[0], 0, 0, unused);
    queue.add(start);
    best.put(start.done, start.peak);
    while (!queue.isEmpty()) {
      State state = queue.remove();
      if (state.count == graph.ops) {
        return new Answer(state.peak, order(state));
      }
      if (best.size() > mostStates || stopped.getAsBoolean()) {
        return new Answer(Math.min(limit, state.peak), null);
      }
      if (best.get(state.done) < state.peak) {
        continue;
      }
      open(state.done.words);
      int[] ready = ready(state.done.words);
      for (int v : ready) {
        long need = state.live + taken(v);
        long peak = Math.max(state.peak, need);
        if (peak >= limit) {
          continue;
        }
        long[] done = state.done.words.clone();
        done[v >> 6] |= 1L << v;
        open(done);
        State next = settle(done, state, new int[] {v}, state.count + 1, need - ended(v), peak);
        Long known = best.get(next.done);
        if (known == null || known > next.peak) {
          best.put(next.done, next.peak);
          queue.add(next);
        }
        open(state.done.words);
      }
    }
    return new Answer(limit, null);
  }

  private static boolean has(long[] done, int v) {
    return (done[v >> 6] >> v & 1) != 0;
  }

  /** Counts, for a set of ops that have run, what each other op and each buffer waits for. */
  private void open(long[] done) {
    for (int v = 0; v < graph.ops; v++) {
      int count = 0;
      for (int k = graph.predAt[v]; k < graph.predAt[v + 1]; k++) {
        count += has(done, graph.pred[k]) ? 0 : 1;
      }
      waiting[v] = count;
    }
    for (int b = 0; b < graph.buffers; b++) {
      int count = 0;
      for (int k = graph.userAt[b]; k < graph.userAt[b + 1]; k++) {
        count += has(done, graph.user[k]) ? 0 : 1;
      }
      left[b] = count;
    }
  }

  private int[] ready(long[] done) {
    int[] ready = new int[graph.ops];
    int count = 0;
    for (int v = 0; v < graph.ops; v++) {
      if (waiting[v] == 0 && !has(done, v)) {
        ready[count++] = v;
      }
    }
    return Arrays.copyOf(ready, count);
  }

  private long taken(int v) {
    long taken = 0;
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      taken += left[b] == graph.userAt[b + 1] - graph.userAt[b] ? graph.size[b] : 0;
    }
    return taken;
  }

  /** What ends with an op: after it has run, by counts that include it. */
  private long ended(int v) {
    long ended = 0;
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      ended += left[b] == 0 ? graph.size[b] : 0;
    }
    return ended;
  }

  private long ending(int v) {
    long ended = 0;
    for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
      int b = graph.use[k];
      ended += left[b] == 1 ? graph.size[b] : 0;
    }
    return ended;
  }

  /** Runs what costs nothing. */
  private State settle(long[] done, State from, int[] first, int count, long live, long peak) {
    open(done);
    int[] ran = Arrays.copyOf(first, graph.ops);
    int length = first.length;
    int total = count;
    long load = live;
    boolean again = true;
    while (again) {
      again = false;
      for (int v = 0; v < graph.ops; v++) {
        if (waiting[v] != 0 || has(done, v)) {
          continue;
        }
        long taken = taken(v);
        long ends = ending(v);
        if (taken == 0 || taken <= ends && load + taken <= peak) {
          done[v >> 6] |= 1L << v;
          load += taken - ends;
          ran[length++] = v;
          total++;
          again = true;
          for (int k = graph.succAt[v]; k < graph.succAt[v + 1]; k++) {
            waiting[graph.succ[k]]--;
          }
          for (int k = graph.useAt[v]; k < graph.useAt[v + 1]; k++) {
            left[graph.use[k]]--;
          }
        }
      }
    }
    return new State(new Key(done), from, Arrays.copyOf(ran, length), total, load, peak);
  }

  private static int[] order(State last) {
    List<int[]> parts = new ArrayList<>();
    for (State state = last; state != null; state = state.from) {
      parts.add(0, state.ran);
    }
    return parts.stream().flatMapToInt(Arrays::stream).toArray();
  }
}
