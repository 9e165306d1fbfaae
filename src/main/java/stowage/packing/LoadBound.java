package stowage.packing;

import java.util.Arrays;

/**
 * The max load as a bound of a memory's peak: what is alive at one step is side by side.
 *
 * <p>Where buffers may share bytes (exclusive pairs, pairs kept together) the load counts only a
 * set in which no two may: of the buffers alive at a step the largest first, each unless it may
 * share bytes with one taken before. That set's sum is a bound, though not always the best.
 */
public final class LoadBound {
  private LoadBound() {}

  /**
   * {@return the bound over the buffers that can be in the memory alone} O(n log n); with pairs
   * that may share bytes O(n) for each step at which a life begins, besides.
   *
   * @param problem the problem
   * @param memory index of the memory
   */
  public static Bound of(PackingProblem problem, int memory) {
    int figure = problem.memories().size() - 1 - memory;
    boolean[] here = new boolean[problem.size()];
    for (int i = 0; i < here.length; i++) {
      here[i] = problem.allowedMask(i) == 1L << memory && problem.buffer(i).needsMemory();
    }
    Relations relations = problem.relations();
    if (relations.exclusive().isEmpty() && relations.together().isEmpty()) {
      LoadProfile profile = LoadProfile.of(problem, i -> here[i]);
      int[] alive = alive(problem, here, profile.maxLoadStep());
      return new Bound(
          figure,
          profile.maxLoad(),
          new Certificate.MaxLoad(memory, profile.maxLoadStep(), 0, alive));
    }
    int[] bySize = bySize(problem, here);
    long best = 0;
    Certificate.MaxLoad why = new Certificate.MaxLoad(memory, 0, 0, new int[0]);
    for (int i : bySize) {
      for (Buffer.Span span : problem.buffer(i).spans()) {
        int[] chosen = chosen(problem, bySize, span.start());
        long sum = 0;
        for (int k : chosen) {
          sum += problem.buffer(k).bytesAt(span.start());
        }
        if (sum > best) {
          best = sum;
          why = new Certificate.MaxLoad(memory, span.start(), 0, chosen);
        }
      }
    }
    return new Bound(figure, best, why);
  }

  private static int[] bySize(PackingProblem problem, boolean[] here) {
    Integer[] order = new Integer[here.length];
    int count = 0;
    for (int i = 0; i < here.length; i++) {
      if (here[i]) {
        order[count++] = i;
      }
    }
    order = Arrays.copyOf(order, count);
    Arrays.sort(order, (a, b) -> Long.compare(problem.buffer(b).size(), problem.buffer(a).size()));
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  private static int[] alive(PackingProblem problem, boolean[] here, int step) {
    int[] alive = new int[here.length];
    int count = 0;
    for (int i = 0; i < here.length; i++) {
      if (here[i] && problem.buffer(i).bytesAt(step) > 0) {
        alive[count++] = i;
      }
    }
    return Arrays.copyOf(alive, count);
  }

  private static int[] chosen(PackingProblem problem, int[] bySize, int step) {
    int[] chosen = new int[bySize.length];
    int count = 0;
    for (int i : bySize) {
      boolean free = problem.buffer(i).bytesAt(step) > 0;
      for (int k = 0; k < count && free; k++) {
        free = !problem.relations().mayShare(i, chosen[k]);
      }
      if (free) {
        chosen[count++] = i;
      }
    }
    return Arrays.copyOf(chosen, count);
  }
}
