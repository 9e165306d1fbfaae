package stowage.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.kernel.cpsat.SpillFlow;
import stowage.kernel.cpsat.SpillModel;
import stowage.kernel.model.KernelOps;
import stowage.kernel.order.Replay;
import stowage.kernel.order.SegmentPlacer;
import stowage.kernel.spill.GapAnswer;
import stowage.kernel.spill.SpillProblem;
import stowage.packing.RunControl;

/**
 * Spills and addresses for one order: the gap model of each cache says which gaps to keep, and
 * bounds the order's traffic; the segments are placed by replay, or by search where replay has to
 * spill more. Where no placement is found, the spills of the best replay are taken back one by one
 * as far as placements are found.
 */
final class SpillsAtOrder {
  private static final double PLACING_SECONDS = 4;
  private static final double REPAIR_SECONDS = 0.7;

  private final KernelOps graph;
  private final KernelIncumbent incumbent;
  private final RunControl control;

  SpillsAtOrder(KernelOps graph, KernelIncumbent incumbent, RunControl control) {
    this.graph = graph;
    this.incumbent = incumbent;
    this.control = control;
  }

  /**
   * Offers plans of an order, and its bound.
   *
   * @param seconds at most
   */
  void run(int[] order, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    List<SpillProblem> problems = SpillProblem.of(graph, order);
    List<GapAnswer> answers = new ArrayList<>();
    for (SpillProblem problem : problems) {
      answers.add(SpillFlow.solve(problem));
    }
    offer(order, leaves(problems, answers), null);
    int open = (int) answers.stream().filter(answer -> !answer.isOptimal()).count();
    for (int c = 0; c < answers.size(); c++) {
      if (!answers.get(c).isOptimal() && !control.isStopped()) {
        double share = 0.6 * (end - System.nanoTime()) / 1e9 / open--;
        answers.set(c, SpillModel.improve(problems.get(c), answers.get(c), control, share));
      }
    }
    place(order, problems, answers, end);
    incumbent.offerOrderBound(order, answers.stream().mapToLong(GapAnswer::bound).sum());
  }

  /** The bound of an order's traffic by the relaxation of its gaps. */
  long bound(int[] order) {
    long bound = 0;
    for (SpillProblem problem : SpillProblem.of(graph, order)) {
      bound += SpillFlow.solve(problem).bound();
    }
    return bound;
  }

  private boolean[] leaves(List<SpillProblem> problems, List<GapAnswer> answers) {
    boolean[] leave = new boolean[graph.use.length];
    for (int c = 0; c < problems.size(); c++) {
      for (int g = 0; g < problems.get(c).gaps(); g++) {
        leave[problems.get(c).slot()[g]] = !answers.get(c).kept()[g];
      }
    }
    return leave;
  }

  private void offer(int[] order, boolean[] leave, int[] cells) {
    Replay replay = new Replay(graph);
    for (Replay.Fit fit : Replay.Fit.values()) {
      incumbent.offer(replay.plan(order, leave, fit, cells), order);
    }
  }

  private void place(int[] order, List<SpillProblem> problems, List<GapAnswer> answers, long end) {
    boolean[] leave = leaves(problems, answers);
    int[] cells = new int[graph.use.length];
    Arrays.fill(cells, -1);
    boolean placed = false;
    for (int c = 0; c < graph.caches; c++) {
      Replay.Fit fit = best(order, leave, c);
      Replay replay = new Replay(graph);
      replay.plan(order, leave, fit, null);
      if (replay.traffic(c) <= answers.get(c).traffic()) {
        continue; // this cache needs no search; replay places it when its turn comes
      }
      placed = true;
      double left = (end - System.nanoTime()) / 1e9;
      if (!SegmentPlacer.place(
          graph, order, leave, c, cells, control, Math.min(PLACING_SECONDS, left))) {
        repair(order, problems.get(c), leave, replay.left(), c, cells, end);
      }
    }
    if (placed) {
      offer(order, leave, cells);
    } else {
      offer(order, leave, null);
    }
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

  /** Starts from a replay's spills and takes back those that a placement allows. */
  private void repair(
      int[] order,
      SpillProblem problem,
      boolean[] leave,
      boolean[] replayed,
      int c,
      int[] cells,
      long end) {
    int[] extra =
        IntStream.range(0, problem.gaps())
            .filter(g -> replayed[problem.slot()[g]] && !leave[problem.slot()[g]])
            .boxed()
            .sorted(Comparator.comparingLong((Integer g) -> -problem.price(g)))
            .mapToInt(g -> g)
            .toArray();
    for (int k = 0; k < leave.length; k++) {
      if (graph.cache[graph.use[k]] == c) {
        leave[k] = replayed[k];
      }
    }
    double left = (end - System.nanoTime()) / 1e9;
    if (!SegmentPlacer.place(
        graph, order, leave, c, cells, control, Math.min(PLACING_SECONDS, left))) {
      return;
    }
    for (int g : extra) {
      left = (end - System.nanoTime()) / 1e9;
      if (left <= 0 || control.isStopped()) {
        return;
      }
      leave[problem.slot()[g]] = false;
      if (!SegmentPlacer.place(
          graph, order, leave, c, cells, control, Math.min(REPAIR_SECONDS, left))) {
        leave[problem.slot()[g]] = true;
      }
    }
  }
}
