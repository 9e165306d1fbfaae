package stowage.rewrite.recompute.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Proof that the operands of an op cannot be live at the same time within a limit. One of them was
 * computed last; the others were held during that run, and its operands were live before it; and so
 * on back to the inputs of the network. Where no choice of the last one stays within the limit, no
 * sequence does, in any order and with any number of runs. {@link ClosureRows} asks what is alive
 * at such a time.
 */
public final class Gathering {
  /** Sets looked at for an op at most. */
  private static final int MOST_SETS = 2_000;

  /** Parts of what an op uses of which one more is little. */
  private static final int LITTLE = 4;

  private Gathering() {}

  /**
   * How many bytes more are alive while an op is gathered for than at it or the op before; 0 where
   * it reads nothing that the op before makes. O(reads of the op and of those that make them).
   */
  static long more(RecomputeProblem problem, int op) {
    if (Arrays.stream(problem.reads[op]).allMatch(i -> problem.maker[i] < op - 1) || op == 0) {
      return 0;
    }
    long alone = Math.max(problem.workingSet(op - 1), problem.workingSet(op));
    return Math.max(0, bytes(problem, op, new TreeSet<>()) - alone);
  }

  /**
   * Bytes that are alive at least while what an op reads, some of it made by the op just before, is
   * computed last.
   *
   * @param used is given all values that may be among them
   */
  static long bytes(RecomputeProblem problem, int op, Set<Integer> used) {
    long least = Long.MAX_VALUE;
    for (int i : problem.reads[op]) {
      int last = problem.maker[i];
      if (last == op - 1 || problem.returns(i, op - 1)) {
        Set<Integer> values = new TreeSet<>();
        for (int[] some :
            new int[][] {problem.reads[op], problem.reads[last], problem.writes[last]}) {
          Arrays.stream(some).forEach(values::add);
        }
        long bytes = problem.scratch[last];
        for (int k : values) {
          bytes = Math.addExact(bytes, problem.bytes[k]);
        }
        least = Math.min(least, bytes);
        used.addAll(values);
      }
    }
    return least;
  }

  /** The op for which most {@link #more} is alive, to begin splits with; none for little. */
  public static int[] widest(RecomputeProblem problem) {
    int widest = 0;
    long most = 0;
    for (int j = 0; j < problem.ops; j++) {
      long more = more(problem, j);
      widest = more > most ? j : widest;
      most = Math.max(most, more);
    }
    boolean little =
        most == 0 || most <= (problem.workingSet(widest) - problem.scratch[widest]) / LITTLE;
    return little ? new int[0] : new int[] {widest};
  }

  /**
   * An op whose operands cannot be gathered within a limit; -1 where none is found. Asked only
   * where the limit is below twice what a single op takes. O(ops * sets * ops) at worst.
   *
   * @param isOver whether to look no further; asked before each op
   */
  public static int impossible(RecomputeProblem problem, long limit, BooleanSupplier isOver) {
    long most = 0;
    for (int v = 0; v < problem.ops; v++) {
      most = Math.max(most, problem.workingSet(v));
    }
    for (int v = problem.ops - 1; v >= 0 && limit / 2 < most && !isOver.getAsBoolean(); v--) {
      if (problem.reads[v].length > 1 && !isPossible(problem, v, limit)) {
        return v;
      }
    }
    return -1;
  }

  private static boolean isPossible(RecomputeProblem problem, int op, long limit) {
    Set<BitSet> known = new HashSet<>();
    Deque<BitSet> open = new ArrayDeque<>();
    BitSet first = before(problem, new BitSet(), op, limit);
    if (first == null) {
      return false;
    }
    open.push(first);
    while (!open.isEmpty() && known.size() < MOST_SETS) {
      BitSet values = open.pop();
      if (!known.add(values)) {
        continue;
      }
      List<BitSet> next = new ArrayList<>();
      boolean begins = true;
      for (int i = values.nextSetBit(0); i >= 0; i = values.nextSetBit(i + 1)) {
        if (problem.maker[i] >= 0) {
          begins = false;
          next.add(before(problem, values, problem.maker[i], limit));
        }
      }
      if (begins) {
        return true;
      }
      // The value made by the latest op comes first: it leads back to the inputs soonest.
      next.stream().filter(one -> one != null).forEach(open::push);
    }
    return !open.isEmpty();
  }

  /** What has to be at hand before an op after which values are; null where it does not fit. */
  private static BitSet before(RecomputeProblem problem, BitSet values, int op, long limit) {
    BitSet all = (BitSet) values.clone();
    Arrays.stream(problem.writes[op]).forEach(all::set);
    Arrays.stream(problem.reads[op]).forEach(all::set);
    long bytes = problem.scratch[op] + all.stream().mapToLong(i -> problem.bytes[i]).sum();
    Arrays.stream(problem.writes[op]).forEach(all::clear);
    return bytes <= limit ? all : null;
  }
}
