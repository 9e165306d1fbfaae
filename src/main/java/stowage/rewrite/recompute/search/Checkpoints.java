package stowage.rewrite.recompute.search;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import stowage.rewrite.recompute.model.RecomputeProblem;
import stowage.rewrite.recompute.model.Timeline;

/**
 * The checkpointing of training frameworks, for comparison: the ops up to the one with the largest
 * load are cut into segments, of the values read after that op only those that cross a border are
 * kept, and a segment's others are computed again when the first of them is read. Segments have the
 * same number of ops, the square root of all, or are closed when their values reach so many bytes
 * (Chen et al. 2016, arXiv 1604.06174, sections 4.1 and 4.2). O(ops + reads) a sequence.
 */
public final class Checkpoints {
  private static final int BUDGETS = 24;

  private final RecomputeProblem problem;
  private final int turn;
  private final int[] segment;
  private boolean[] again;
  private int[] at; // how many reads of each op are looked at
  private int[] sequence;
  private int steps;

  private Checkpoints(RecomputeProblem problem, int turn) {
    this.problem = problem;
    this.turn = turn;
    this.segment = new int[problem.ops];
  }

  /** The sequence with as many segments as each has ops. */
  public static int[] squareRoot(RecomputeProblem problem) {
    Checkpoints all = new Checkpoints(problem, turn(problem));
    int size = (int) Math.max(1, Math.round(Math.sqrt(all.turn)));
    Arrays.setAll(all.segment, v -> v / size);
    return all.sequence();
  }

  /** Sequences with segments of different numbers of bytes, larger and larger. */
  public static List<int[]> greedy(RecomputeProblem problem) {
    List<int[]> found = new ArrayList<>();
    int turn = turn(problem);
    double all = IntStream.range(0, turn).mapToDouble(v -> made(problem, v)).sum();
    for (int k = 1; k <= BUDGETS; k++) {
      Checkpoints one = new Checkpoints(problem, turn);
      double bytes = 0;
      for (int v = 0; v < problem.ops; v++) {
        one.segment[v] = v == 0 ? 0 : one.segment[v - 1];
        bytes += made(problem, v);
        if (bytes > all * k / BUDGETS) {
          one.segment[v]++;
          bytes = 0;
        }
      }
      found.add(one.sequence());
    }
    return found;
  }

  private static int turn(RecomputeProblem problem) {
    long[] load = new Timeline(problem, problem.once()).load;
    return IntStream.range(0, problem.ops).reduce(0, (one, v) -> load[v] > load[one] ? v : one);
  }

  private static double made(RecomputeProblem problem, int op) {
    return Arrays.stream(problem.writes[op]).mapToDouble(i -> problem.bytes[i]).sum();
  }

  private int[] sequence() {
    again = new boolean[problem.ops];
    at = new int[problem.ops];
    sequence = new int[2 * problem.ops];
    steps = 0;
    for (int v = 0; v < problem.ops; v++) {
      if (v > turn) {
        operands(v);
      }
      sequence[steps++] = v;
    }
    return Arrays.copyOf(sequence, steps);
  }

  /** Runs what makes an op's operands again, where they were not kept; without recursion. */
  private void operands(int op) {
    Deque<Integer> open = new ArrayDeque<>(List.of(op));
    while (!open.isEmpty()) {
      int v = open.peek();
      if (at[v] == problem.reads[v].length) {
        open.pop();
        if (v != op) {
          sequence[steps++] = v;
        }
        continue;
      }
      int i = problem.reads[v][at[v]++];
      int maker = problem.maker[i];
      if (maker >= 0 && maker < turn && !again[maker] && problem.returns(i) && !isKept(i)) {
        again[maker] = true;
        open.push(maker);
      }
    }
  }

  /** Whether a value is read in another segment before the turn. */
  private boolean isKept(int value) {
    int own = segment[problem.maker[value]];
    return Arrays.stream(problem.users[value]).anyMatch(v -> v <= turn && segment[v] != own);
  }
}
