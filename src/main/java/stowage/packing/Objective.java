package stowage.packing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An ordered list of figures that placements are compared by in turn; less is better.
 *
 * @param parts the figures, first the one that counts most
 * @param memories those whose capacities {@link Goal#OVERFLOW} counts from
 */
public record Objective(List<Figure> parts, List<Memory> memories) {
  /**
   * One figure.
   *
   * @param goal what it measures
   * @param memory index of the memory whose peak it is; -1 for a figure of all memories
   * @param name what reports call it
   */
  public record Figure(Goal goal, int memory, String name) {}

  /** Copies the lists. */
  public Objective {
    parts = List.copyOf(parts);
    memories = List.copyOf(memories);
  }

  /** {@return the index of the first figure of a goal, or -1} */
  public int indexOf(Goal goal) {
    return parts.stream().map(Figure::goal).toList().indexOf(goal);
  }

  /** {@return whether the figures are peaks alone} */
  public boolean isPeaks() {
    return parts.stream().allMatch(figure -> figure.goal() == Goal.PEAK);
  }

  /**
   * {@return the peak of each memory, from the last listed (the least wanted) to the first; the
   * peak alone where there is one memory}
   */
  public static Objective peaks(PackingProblem problem) {
    return of(problem, List.of(Goal.PEAK));
  }

  /**
   * {@return the figures of some goals in turn: one for each memory's peak, from the last listed to
   * the first, and one for each other goal}
   *
   * @param problem whose memories are meant, with the capacities that {@link Goal#OVERFLOW} counts
   *     from; the scored problem may be without
   * @param goals at least one, none twice
   */
  public static Objective of(PackingProblem problem, List<Goal> goals) {
    List<Figure> parts = new ArrayList<>();
    List<Memory> memories = problem.memories();
    for (Goal goal : goals) {
      if (goal != Goal.PEAK) {
        parts.add(new Figure(goal, -1, goal.word()));
        continue;
      }
      for (int m = memories.size() - 1; m >= 0; m--) {
        String name = memories.size() == 1 ? "peak" : "peak of " + memories.get(m).name();
        parts.add(new Figure(goal, m, name));
      }
    }
    return new Objective(parts, memories);
  }

  /** {@return the figures of a placement} O(n log n). */
  public Score score(PackingProblem problem, Placement placement) {
    long[] peaks = peaks(problem, placement, memories.size());
    long[] figures = new long[parts.size()];
    for (int f = 0; f < figures.length; f++) {
      figures[f] =
          switch (parts.get(f).goal()) {
            case PEAK -> peaks[parts.get(f).memory()];
            case REUSE -> ReuseCost.of(problem, placement);
            case OVERFLOW ->
                IntStream.range(0, peaks.length)
                    .mapToLong(m -> Math.max(0, peaks[m] - memories.get(m).capacity()))
                    .sum();
            case BANKS -> banks(problem, placement);
          };
    }
    return Score.of(figures);
  }

  private static long[] peaks(PackingProblem problem, Placement placement, int memories) {
    long[] peaks = new long[memories];
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      if (buffer.needsMemory()) {
        int memory = placement.memory(i);
        peaks[memory] = Math.max(peaks[memory], placement.offset(i) + buffer.size());
      }
    }
    return peaks;
  }

  /** The banks that some buffer touches, by a walk over the addresses. O(n log n). */
  private static long banks(PackingProblem problem, Placement placement) {
    int[] byOffset =
        IndexOrder.of(
            IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).needsMemory()),
            Comparator.comparingLong(placement::offset));
    long[] counted = new long[problem.memories().size()]; // the banks below it have been counted
    long touched = 0;
    for (int i : byOffset) {
      int memory = placement.memory(i);
      long bank = problem.memories().get(memory).bankSize();
      if (bank > 0) {
        long first = Math.max(counted[memory], placement.offset(i) / bank);
        long end = (placement.offset(i) + problem.buffer(i).size() - 1) / bank + 1;
        touched += Math.max(0, end - first);
        counted[memory] = Math.max(counted[memory], end);
      }
    }
    return touched;
  }
}
