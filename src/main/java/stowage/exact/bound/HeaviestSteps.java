package stowage.exact.bound;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;

/** The steps at which bounds of one step's buffers are worth a look: those of the highest loads. */
public final class HeaviestSteps {
  private static final int MOST = 24;

  private HeaviestSteps() {}

  /** Steps by falling load of the chosen buffers, the first of each stretch. O(n log n). */
  public static List<Integer> of(PackingProblem problem, IntPredicate chosen) {
    LoadProfile loads = LoadProfile.of(problem, chosen);
    return IntStream.range(0, loads.segments())
        .boxed()
        .sorted(Comparator.comparingLong((Integer k) -> -loads.load(k)).thenComparing(k -> k))
        .limit(MOST)
        .filter(k -> loads.load(k) > 0)
        .map(loads::start)
        .toList();
  }

  /** The chosen buffers that need bytes at a step. O(n). */
  public static int[] alive(PackingProblem problem, IntPredicate chosen, int step) {
    return IntStream.range(0, problem.size())
        .filter(i -> problem.buffer(i).size() > 0 && problem.buffer(i).bytesAt(step) > 0)
        .filter(chosen)
        .toArray();
  }
}
