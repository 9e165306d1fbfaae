package stowage.exact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stowage.heuristic.HeuristicPlanners;
import stowage.heuristic.HintPlanner;
import stowage.heuristic.OrderAnnealing;
import stowage.heuristic.Planner;
import stowage.heuristic.SweepBestFit;
import stowage.packing.Buffer;
import stowage.packing.LiveRange;
import stowage.packing.PackingProblem;

/** The heuristics that give a run its first placements. */
public final class Openings {
  /** More buffers than that are opened by two greedy planners alone. */
  static final int LARGE = 5_000;

  private static final int FEW = 400;

  /** Pairs that meet in time, beyond which a greedy planner takes more than about a second. */
  private static final long MOST_MEETINGS = 10_000_000;

  private Openings() {}

  /**
   * The heuristics that open a run: all greedy first-fit planners; on problems so large that each
   * takes its time the sweep, for a plan at once, and the first two of them; and where so many
   * pairs of buffers meet that one would take longer than the placing the search begins with, the
   * sweep alone, which looks at no pairs. Where buffers have hints, the planner that tries these
   * comes before them; where they have a choice of memories, the annealing of orders comes last,
   * since the engines settle that choice slowly.
   */
  public static List<Planner> of(PackingProblem problem) {
    List<Planner> openings = withoutHints(problem);
    if (!HintPlanner.hasHints(problem)) {
      return openings;
    }
    List<Planner> hinted = new ArrayList<>(List.of(new HintPlanner()));
    hinted.addAll(openings);
    return hinted;
  }

  private static List<Planner> withoutHints(PackingProblem problem) {
    List<Planner> simple = HeuristicPlanners.simple();
    int count = problem.size() > LARGE ? 2 : simple.size() / 2;
    if (problem.size() > LARGE && meetings(problem) > MOST_MEETINGS) {
      return List.of(new SweepBestFit());
    }
    List<Planner> openings = new ArrayList<>(simple.subList(0, Math.min(count, simple.size())));
    if (problem.size() > LARGE) {
      openings.add(0, new SweepBestFit()); // a plan at once, before others take their time
    }
    boolean choice = false;
    for (int i = 0; i < problem.size() && problem.memories().size() > 1; i++) {
      choice |= problem.buffer(i).needsMemory() && Long.bitCount(problem.allowedMask(i)) > 1;
    }
    if (problem.size() <= LARGE && choice) {
      openings.add(new OrderAnnealing());
    }
    return openings;
  }

  /**
   * The openings of a run that takes milliseconds: all of them on small problems, else the two that
   * together are closest to the best of all, 0.8 % above it on average.
   */
  public static List<Planner> quick(PackingProblem problem) {
    List<Planner> all = of(problem);
    return problem.size() <= FEW ? all : all.subList(0, Math.min(2, all.size()));
  }

  /** How many pairs of buffers are live at a common step, gaps not counted as such. O(n log n). */
  private static long meetings(PackingProblem problem) {
    LiveRange[] live =
        problem.buffers().stream()
            .map(Buffer::live)
            .filter(range -> !range.isEmpty())
            .toArray(LiveRange[]::new);
    return LiveRange.meetings(
        Arrays.stream(live).mapToInt(LiveRange::start).toArray(),
        Arrays.stream(live).mapToInt(LiveRange::end).toArray());
  }
}
