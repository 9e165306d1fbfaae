package stowage.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.exact.Portfolio;
import stowage.kernel.cpsat.SpillFlow;
import stowage.kernel.cpsat.SpillModel;
import stowage.kernel.model.KernelOps;
import stowage.kernel.order.NextUses;
import stowage.kernel.order.Replay;
import stowage.kernel.spill.SpillProblem;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * Spills and addresses for one order: the gap model of each cache says which gaps to keep, and
 * bounds the order's traffic; the segments are placed by replay, or by search where replay has to
 * spill more.
 */
final class SpillsAtOrder {
  private static final double PLACING_SECONDS = 4;

  private final KernelOps graph;
  private final KernelIncumbent incumbent;
  private final RunControl control;

  SpillsAtOrder(KernelOps graph, KernelIncumbent incumbent, RunControl control) {
    this.graph = graph;
    this.incumbent = incumbent;
    this.control = control;
  }

  /** Offers plans of an order, and its bound, in so many seconds at most. */
  void run(int[] order, double seconds) {
    Budget budget = new Budget(seconds);
    List<SpillProblem> problems = SpillProblem.of(graph, order);
    List<SpillProblem.GapAnswer> answers = new ArrayList<>();
    problems.forEach(problem -> answers.add(SpillFlow.solve(problem)));
    incumbent.offer(graph, order, leaves(problems, answers), null);
    int open = (int) answers.stream().filter(answer -> !answer.isOptimal()).count();
    for (int c = 0; c < answers.size(); c++) {
      if (!answers.get(c).isOptimal() && !control.isStopped()) {
        double share = 0.6 * budget.left() / open--;
        RunControl part = budget.part(share);
        answers.set(c, SpillModel.improve(problems.get(c), answers.get(c), part, share));
      }
    }
    place(order, problems, answers, budget);
    incumbent.offerOrderBound(
        order, answers.stream().mapToLong(SpillProblem.GapAnswer::bound).sum());
  }

  /** The bound of an order's traffic by the relaxation of its gaps. */
  long bound(int[] order) {
    return SpillProblem.of(graph, order).stream()
        .mapToLong(problem -> SpillFlow.solve(problem).bound())
        .sum();
  }

  private boolean[] leaves(List<SpillProblem> problems, List<SpillProblem.GapAnswer> answers) {
    boolean[] leave = new boolean[graph.use.length];
    for (int c = 0; c < problems.size(); c++) {
      for (int g = 0; g < problems.get(c).gaps(); g++) {
        leave[problems.get(c).slot()[g]] = !answers.get(c).kept()[g];
      }
    }
    return leave;
  }

  private void place(
      int[] order,
      List<SpillProblem> problems,
      List<SpillProblem.GapAnswer> answers,
      Budget budget) {
    boolean[] leave = leaves(problems, answers);
    int[] cells = new int[graph.use.length];
    Arrays.fill(cells, -1);
    for (int c = 0; c < graph.caches; c++) {
      Replay.Fit fit = best(order, leave, c);
      Replay replay = new Replay(graph);
      replay.plan(order, leave, fit, null);
      if (replay.traffic(c) <= answers.get(c).traffic()) {
        continue; // this cache needs no search; replay places it when its turn comes
      }
      segments(order, leave, c, cells, budget.part(PLACING_SECONDS));
    }
    incumbent.offer(graph, order, leave, cells);
  }

  /** The rule by which a cache spills least. */
  private Replay.Fit best(int[] order, boolean[] leave, int c) {
    Replay replay = new Replay(graph);
    return Arrays.stream(Replay.Fit.values())
        .min(
            Comparator.comparingLong(
                fit -> {
                  replay.run(order, leave, fit);
                  return replay.traffic(c);
                }))
        .orElseThrow();
  }

  /**
   * Places the residency segments of one cache: rectangles over the ops from a first use to a last,
   * all below the capacity, by the quick planners and then the exact search.
   *
   * @param leave the slots of uses after which a buffer leaves
   * @param cells takes the cell of each segment at the slot of its first use where all fit
   */
  private void segments(int[] order, boolean[] leave, int cache, int[] cells, RunControl limits) {
    List<Buffer> segments = new ArrayList<>();
    List<Integer> firstSlot = new ArrayList<>();
    int[] open = new int[graph.buffers];
    int[] openAt = new int[graph.buffers];
    NextUses uses = new NextUses(graph);
    uses.of(order);
    Arrays.fill(open, -1);
    for (int t = 0; t < graph.ops; t++) {
      for (int k = graph.useAt[order[t]]; k < graph.useAt[order[t] + 1]; k++) {
        int b = graph.use[k];
        if (graph.cache[b] != cache || graph.cells[b] == 0) {
          continue;
        }
        if (open[b] < 0) {
          open[b] = k;
          openAt[b] = t;
        }
        if (uses.next[k] == NextUses.NEVER || leave[k]) {
          segments.add(new Buffer("s" + segments.size(), graph.cells[b], openAt[b], t + 1));
          firstSlot.add(open[b]);
          open[b] = -1;
        }
      }
    }
    if (segments.isEmpty()) {
      return;
    }
    PackingProblem problem =
        PackingProblem.of("segments", segments).withCapacity(0, graph.capacity[cache]);
    Placement placement = Portfolio.within(problem, limits);
    for (int s = 0; placement != null && s < segments.size(); s++) {
      cells[firstSlot.get(s)] = (int) placement.offset(s);
    }
  }

  /** What one order may take: seconds, or as much work where that is limited. */
  private final class Budget {
    private final double seconds;
    private final long begin = System.nanoTime();
    private double given;

    Budget(double seconds) {
      this.seconds = seconds;
    }

    double left() {
      double used = control.isDeterministic() ? given : (System.nanoTime() - begin) / 1e9;
      return seconds - used;
    }

    /** Limits for one question; of work at most a half of what is left. */
    RunControl part(double most) {
      if (!control.isDeterministic()) {
        return control.within(Math.min(most, left()));
      }
      double part = Math.min(most, left() / 2);
      given += part;
      return control.withWork((long) (1e6 * part));
    }
  }
}
