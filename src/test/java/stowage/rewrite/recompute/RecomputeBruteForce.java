package stowage.rewrite.recompute;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.RecomputeProblem;

/** The least extra cost of all sequences, by Dijkstra's search over ops done and values held. */
public final class RecomputeBruteForce {
  private RecomputeBruteForce() {}

  private record State(long cost, long done, long held, boolean begun) {}

  private static long bits(int count, IntPredicate of) {
    return IntStream.range(0, count).filter(of).mapToLong(i -> 1L << i).sum();
  }

  private static long bits(int[] values) {
    return IntStream.of(values).mapToLong(i -> 1L << i).sum();
  }

  private static boolean has(long bits, int i) {
    return (bits >> i & 1) == 1;
  }

  /**
   * Single values are dropped at any time, first computations are in the given order or in any.
   *
   * @param problem at most eight ops
   * @return {@link Long#MAX_VALUE} where no sequence is within the limit
   */
  public static long least(RecomputeProblem problem, long limit, boolean allOrders) {
    PriorityQueue<State> queue = new PriorityQueue<>(Comparator.comparingLong(State::cost));
    Set<Long> seen = new HashSet<>();
    long kept = bits(problem.values, i -> problem.kept[i]);
    queue.add(new State(0, 0, bits(problem.values, i -> problem.maker[i] < 0), false));
    while (!queue.isEmpty()) {
      State state = queue.remove();
      if (!seen.add(state.held << 8 | state.done)) {
        continue;
      }
      if (state.done == (1L << problem.ops) - 1 && (kept & ~state.held) == 0) {
        return state.cost;
      }
      List<State> next = new ArrayList<>();
      for (int v = 0; v < problem.ops; v++) {
        boolean again = has(state.done, v);
        if (!again && !allOrders && v != Long.bitCount(state.done)) {
          continue;
        }
        long held = state.held | bits(problem.writes[v]);
        long bytes = problem.scratch[v];
        for (int i = 0; i < problem.values; i++) {
          bytes += has(held, i) ? problem.bytes[i] : 0;
        }
        int until = problem.until[v];
        boolean mayRepeat = until > v && (until == problem.ops || !has(state.done, until));
        if ((bits(problem.reads[v]) & ~state.held) == 0
            && bytes <= limit
            && (!again || mayRepeat)) {
          long cost = state.cost + (again ? problem.cost[v] : 0);
          next.add(new State(cost, state.done | 1L << v, held, true));
        }
      }
      for (int i = 0; state.begun && i < problem.values; i++) {
        if (has(state.held, i)) {
          next.add(new State(state.cost, state.done, state.held & ~(1L << i), true));
        }
      }
      queue.addAll(next);
    }
    return Long.MAX_VALUE;
  }
}
