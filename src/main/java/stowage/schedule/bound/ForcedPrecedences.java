package stowage.schedule.bound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import stowage.network.TopologicalOrder;
import stowage.packing.IndexOrder;
import stowage.schedule.model.OrderProblem;

/**
 * Search for precedences that every order below a peak keeps, although the network does not ask for
 * them.
 *
 * <p>For ops u and v of which neither comes first in every order: if v cannot run with u before it
 * without exceeding the target - the minimum cut of {@link OpCutBounds}, with u forced to have run
 * - then v comes before u in every order that keeps to the target; likewise the other way round. If
 * both fail, no order keeps to it. Precedences found sharpen the cuts of other pairs, so pairs are
 * tried again until nothing is found or the time is over: edge-finding for memory.
 *
 * <p>Only ops that are near the target are worth it: each pair is one more flow on top of the op's
 * own. Where u has run in some minimum cut of v's, or has not in another, there is nothing to ask.
 */
public final class ForcedPrecedences {
  private final long target;
  private final BooleanSupplier stopped;
  private OrderProblem problem;
  private int[] order;
  private boolean impossible;
  private int found;

  /** What makes the proof, where one is asked for; ops as in the original problem. */
  private List<OrderProof.Forced> proven;

  private OrderProof.Forced impossibleOp;

  private ForcedPrecedences(OrderProblem problem, long target, BooleanSupplier stopped) {
    this.problem = problem;
    this.target = target;
    this.stopped = stopped;
    this.order = IntStream.range(0, problem.ops()).toArray();
  }

  /** Looks for precedences of orders that keep to a peak of so many bytes, until stopped. */
  public static ForcedPrecedences find(OrderProblem problem, long target, BooleanSupplier stopped) {
    ForcedPrecedences arcs = new ForcedPrecedences(problem, target, stopped);
    arcs.run();
    return arcs;
  }

  /** The same with the reasons kept, which takes some more time. */
  public static ForcedPrecedences withReasons(
      OrderProblem problem, long target, BooleanSupplier stopped) {
    ForcedPrecedences arcs = new ForcedPrecedences(problem, target, stopped);
    arcs.proven = new ArrayList<>();
    arcs.run();
    return arcs;
  }

  /** The reasons of the precedences found; empty if they were not kept. */
  public List<OrderProof.Forced> reasons() {
    return proven == null ? List.of() : List.copyOf(proven);
  }

  /** The op that cannot run at all, or null. */
  public OrderProof.Forced impossibleOp() {
    return impossibleOp;
  }

  private OrderProof.Forced reason(CutNetwork network, int op, int other, boolean otherRan) {
    int name = other < 0 ? -1 : order[other];
    return new OrderProof.Forced(order[op], name, otherRan, network.chains());
  }

  private void note(CutNetwork network, int op, int other, boolean otherRan) {
    if (proven != null) {
      proven.add(reason(network, op, other, otherRan));
    }
  }

  /** Whether it is proven that no order keeps to the target. */
  public boolean impossible() {
    return impossible;
  }

  public int found() {
    return found;
  }

  /** The problem with the precedences; op k of it is op {@code order()[k]} of the one given. */
  public OrderProblem problem() {
    return problem;
  }

  /** An order of the problem given that keeps them. */
  public int[] order() {
    return order;
  }

  private void run() {
    boolean again = true;
    while (again && !impossible && !stopped.getAsBoolean()) {
      again = pass();
    }
  }

  private boolean pass() {
    CutNetwork network = new CutNetwork(problem);
    int ops = problem.ops();
    long[] least = new long[ops];
    for (int v = 0; v < ops; v++) {
      least[v] = leastLoad(network, v);
      if (least[v] > target) {
        impossible = true;
        impossibleOp = proven == null ? null : reason(network, v, -1, false);
        return false;
      }
      if (stopped.getAsBoolean()) {
        return false;
      }
    }
    List<Integer> arcs = new ArrayList<>();
    long widest =
        IntStream.range(0, problem.buffers()).mapToLong(b -> problem.bytes(b)).max().orElse(0);
    for (int v : IndexOrder.of(IntStream.range(0, ops), Comparator.comparingLong(v -> -least[v]))) {
      if (least[v] + 4 * widest <= target || stopped.getAsBoolean() || impossible) {
        break;
      }
      pairs(network, v, arcs);
    }
    if (arcs.isEmpty() || impossible) {
      return false;
    }
    return add(arcs.stream().mapToInt(Integer::intValue).toArray());
  }

  private long own(CutNetwork network, int op) {
    network.reset();
    long own = problem.constant() + network.forceRunning(op);
    int[] pairs = problem.overwrites(op);
    return pairs.length == 0 ? own : own - problem.bytes(pairs[1]);
  }

  private long leastLoad(CutNetwork network, int op) {
    long own = own(network, op);
    return own + network.cut().maximum(target - own);
  }

  private void pairs(CutNetwork network, int op, List<Integer> arcs) {
    long own = own(network, op);
    network.cut().maximum(Long.MAX_VALUE);
    long[] smallest = network.smallestCut();
    long[] largest = network.largestCut();
    MinimumCut.Kept kept = network.cut().keep();
    for (int other = 0; other < problem.ops(); other++) {
      if (other == op || problem.precedes(other, op) || problem.precedes(op, other)) {
        continue;
      }
      boolean notBefore = false;
      boolean notAfter = false;
      if ((largest[other >> 6] >>> other & 1) == 0) {
        network.cut().restore(kept);
        network.forceRun(other);
        notBefore = own + network.cut().maximum(target - own) > target;
        if (notBefore) {
          note(network, op, other, true);
        }
      }
      if ((smallest[other >> 6] >>> other & 1) != 0) {
        network.cut().restore(kept);
        network.forceOpen(other);
        notAfter = own + network.cut().maximum(target - own) > target;
        if (notAfter) {
          note(network, op, other, false);
        }
      }
      if (notBefore && notAfter) {
        impossible = true;
        return;
      }
      if (notBefore || notAfter) {
        arcs.add(notBefore ? op : other);
        arcs.add(notBefore ? other : op);
      }
    }
  }

  /** Adds precedences; false where they contradict each other, and so no order keeps the target. */
  private boolean add(int[] arcs) {
    List<List<Integer>> waits = new ArrayList<>();
    for (int v = 0; v < problem.ops(); v++) {
      waits.add(new ArrayList<>(IntStream.of(problem.before(v)).boxed().toList()));
    }
    for (int k = 0; k < arcs.length; k += 2) {
      waits.get(arcs[k + 1]).add(arcs[k]);
    }
    int[] inOrder = TopologicalOrder.of(waits);
    if (inOrder.length < problem.ops()) {
      impossible = true;
      return false;
    }
    found += arcs.length / 2;
    problem = problem.withArcs(arcs, inOrder);
    order = Arrays.stream(inOrder).map(k -> order[k]).toArray();
    return true;
  }
}
