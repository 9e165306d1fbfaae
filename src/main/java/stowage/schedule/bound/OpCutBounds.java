package stowage.schedule.bound;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;
import stowage.schedule.model.OrderProblem;

/**
 * Bounds of the load over all orders, op by op: the least load with which an op can run from any
 * downset at all.
 *
 * <p>In every order op v runs from some downset D that holds what is before v and nothing after it.
 * The least load(D, v) over all such D is one minimum cut ({@link CutNetwork}), and the largest of
 * these over all ops bounds the peak of every order. The D's of different ops need not be on one
 * path, so the bound can be too low; on networks for inference it rarely is.
 *
 * <p>An op whose load in a known order is no more than the bound so far cannot raise it: its least
 * load is no larger than that. So ops are looked at from the largest such load down, and few are.
 *
 * <p>Not thread-safe.
 */
public final class OpCutBounds {
  private final OrderProblem problem;
  private final CutNetwork network;

  /** Builds the network. O(ops + touches). */
  public OpCutBounds(OrderProblem problem) {
    this.problem = problem;
    this.network = new CutNetwork(problem);
  }

  /**
   * The best bound of single ops, by load in a known order, or the best so far when stopped; one op
   * is looked at.
   */
  public OpCut best(int[] order, BooleanSupplier stopped) {
    long[] loads = problem.loads(order);
    long bound = Math.max(problem.liveAtStart() + problem.idle(), problem.liveAtEnd());
    int best = -1;
    int tried = 0;
    for (int step :
        IndexOrder.of(IntStream.range(0, loads.length), Comparator.comparingLong(k -> -loads[k]))) {
      if (loads[step] <= bound || (tried++ > 0 && stopped.getAsBoolean())) {
        break;
      }
      long least = leastLoad(order[step]);
      if (least > bound) {
        bound = least;
        best = order[step];
      }
    }
    return best < 0 ? new OpCut(-1, List.of(), bound, new int[0]) : certificate(best);
  }

  /** The least load with which an op can run, in bytes. */
  public long leastLoad(int op) {
    return cut(op, false).bound();
  }

  /** The certificate of {@link #leastLoad}. */
  public OpCut certificate(int op) {
    return cut(op, true);
  }

  /** The least load of an op, with its reasons or without. */
  private OpCut cut(int op, boolean reasons) {
    network.reset();
    long own = problem.constant() + network.forceRunning(op);
    long least = own + network.cut().maximum(Long.MAX_VALUE);
    List<OpCut.Case> cases = new ArrayList<>();
    cases.add(new OpCut.Case(-1, -1, reasons ? network.chains() : List.of()));
    long[] cut = reasons ? network.smallestCut() : new long[0];
    int[] pairs = problem.overwrites(op);
    for (int k = 0; k < pairs.length; k += 2) {
      boolean possible = forceOverwrite(op, pairs[k], pairs[k + 1]);
      if (possible) {
        long less = own + network.cut().maximum(Long.MAX_VALUE) - problem.bytes(pairs[k + 1]);
        cut = reasons && less < least ? network.smallestCut() : cut;
        least = Math.min(least, less);
      }
      List<OpCut.Chain> chains = reasons && possible ? network.chains() : List.of();
      cases.add(new OpCut.Case(pairs[k], pairs[k + 1], chains));
    }
    return new OpCut(op, cases, least, members(cut));
  }

  /** Forces the downsets from which an op writes over an operand; false where there are none. */
  private boolean forceOverwrite(int op, int from, int to) {
    long[] run = problem.ancestors(op).clone();
    long[] open = problem.descendants(op).clone();
    add(problem.touches(from), op, run, true);
    add(problem.touches(to), op, open, false);
    for (int w = 0; w < run.length; w++) {
      if ((run[w] & open[w]) != 0) {
        return false;
      }
    }
    if ((run[op >> 6] >>> op & 1) != 0 || (open[op >> 6] >>> op & 1) != 0) {
      return false;
    }
    network.reset();
    network.forceRunning(op);
    network.forceRun(run);
    for (int v : members(open)) {
      network.forceOpen(v);
    }
    return true;
  }

  private void add(int[] ops, int except, long[] set, boolean before) {
    for (int v : ops) {
      if (v != except) {
        long[] more = before ? problem.ancestors(v) : problem.descendants(v);
        for (int w = 0; w < set.length; w++) {
          set[w] |= more[w];
        }
        set[v >> 6] |= 1L << v;
      }
    }
  }

  private static int[] members(long[] set) {
    return BitSet.valueOf(set).stream().toArray();
  }
}
