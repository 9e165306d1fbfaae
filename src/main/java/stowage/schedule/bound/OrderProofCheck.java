package stowage.schedule.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import stowage.schedule.model.OrderProblem;

/**
 * Check of an {@link OrderProof} from the definition of loads: precedences, sums, and a walk over
 * downsets. Shares no code with the flows and searches that make proofs.
 */
public final class OrderProofCheck {
  private final OrderProblem problem;
  private final OrderProof proof;
  private final BitSet[] before;
  private final BitSet[] after;

  /** For each op those that wait for it directly, and those that a forced precedence adds. */
  private final List<List<Integer>> next = new ArrayList<>();

  private int walked;

  public OrderProofCheck(OrderProblem problem, OrderProof proof) {
    this.problem = problem;
    this.proof = proof;
    this.before = new BitSet[problem.ops()];
    this.after = new BitSet[problem.ops()];
    for (int v = 0; v < before.length; v++) {
      before[v] = new BitSet();
      for (int u : problem.before(v)) {
        before[v].set(u);
        before[v].or(before[u]);
      }
    }
    for (int v = 0; v < before.length; v++) {
      next.add(new ArrayList<>(Arrays.stream(problem.after(v)).boxed().toList()));
    }
    for (int v = before.length - 1; v >= 0; v--) {
      after[v] = new BitSet();
      for (int u : problem.after(v)) {
        after[v].set(u);
        after[v].or(after[u]);
      }
    }
  }

  /** Whether the proof holds; no beyond so many downsets of its walk, or when stopped. */
  public boolean holds(int downsets, BooleanSupplier stopped) {
    for (OrderProof.Forced forced : proof.precedences()) {
      if (stopped.getAsBoolean() || !exceeds(forced)) {
        return false;
      }
      if (before[forced.first()].get(forced.second())) {
        return true; // both ways fail: no order keeps to the target
      }
      add(forced.first(), forced.second());
    }
    if (proof.impossible() != null) {
      return proof.impossible().other() < 0 && exceeds(proof.impossible());
    }
    if (proof.stretches() == null || proof.reversed() && problem.idle() != 0) {
      return false;
    }
    DownsetWalk walk =
        proof.reversed()
            ? new DownsetWalk(problem.reversed(), mirrored(after), mirrored(next), proof.target())
            : new DownsetWalk(problem, before, OrderProblem.arrays(next), proof.target());
    for (OrderProof.Stretch stretch : proof.stretches()) {
      if (stopped.getAsBoolean() || !walk.follow(stretch)) {
        return false;
      }
    }
    boolean refuted = walk.refutes(downsets, stopped);
    walked = walk.walked();
    return refuted;
  }

  /** How many downsets the walk went over. */
  public int walked() {
    return walked;
  }

  private boolean exceeds(OrderProof.Forced forced) {
    int op = forced.op();
    int other = forced.other();
    boolean[] run = new boolean[problem.ops()];
    boolean[] open = new boolean[problem.ops()];
    run[op] = true;
    open[op] = true;
    before[op].stream().forEach(v -> run[v] = true);
    after[op].stream().forEach(v -> open[v] = true);
    if (other >= 0 && forced.otherRan()) {
      run[other] = true;
      before[other].stream().forEach(v -> run[v] = true);
    } else if (other >= 0) {
      open[other] = true;
      after[other].stream().forEach(v -> open[v] = true);
    }
    for (int v = 0; v < run.length; v++) {
      if (run[v] && open[v] && v != op) {
        return true; // there is no such downset
      }
    }
    LiveChains chains = new LiveChains(problem, (u, v) -> before[v].get(u));
    long sum = chains.sum(forced.chains(), run, open);
    int[] pairs = problem.overwrites(op);
    long saved = 0;
    for (int k = 0; k < pairs.length; k += 2) {
      saved = Math.max(saved, problem.bytes(pairs[k + 1]));
    }
    return sum >= 0 && problem.constant() + sum - saved > proof.target();
  }

  private void add(int first, int second) {
    if (before[second].get(first)) {
      return;
    }
    next.get(first).add(second);
    BitSet earlier = (BitSet) before[first].clone();
    earlier.set(first);
    BitSet later = (BitSet) after[second].clone();
    later.set(second);
    later.stream().forEach(v -> before[v].or(earlier));
    earlier.stream().forEach(v -> after[v].or(later));
  }

  /** What comes after each op, as what comes before each op read backwards. */
  private static BitSet[] mirrored(BitSet[] after) {
    int last = after.length - 1;
    BitSet[] mirrored = new BitSet[after.length];
    Arrays.setAll(
        mirrored,
        v -> {
          BitSet set = new BitSet();
          after[last - v].stream().forEach(u -> set.set(last - u));
          return set;
        });
    return mirrored;
  }

  /** Lists of later ops as lists of later ops of the problem read backwards. */
  private static int[][] mirrored(List<List<Integer>> next) {
    int last = next.size() - 1;
    List<List<Integer>> mirrored = new ArrayList<>();
    next.forEach(list -> mirrored.add(new ArrayList<>()));
    for (int v = 0; v <= last; v++) {
      for (int u : next.get(v)) {
        mirrored.get(last - u).add(last - v);
      }
    }
    return OrderProblem.arrays(mirrored);
  }
}
