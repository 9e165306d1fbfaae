package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The max load as a bound of a memory's peak: what is alive at one step is side by side.
 *
 * <p>Where buffers may share bytes (exclusive pairs, pairs kept together) the load of a step is
 * that of the heaviest set in which no two may. It is found by branch and bound, the largest
 * buffers first, within a limit of work; beyond that the heaviest set found counts, which is a
 * bound too. Neither depends on the order of the buffers.
 *
 * <p>Example: y and z of 4 bytes are kept together, w takes 3, all alive at step 0: of y and z one
 * counts, and the load is 7.
 */
public final class LoadBound {
  /** Decisions of the branch and bound for all steps together. */
  private static final int MOST_DECISIONS = 500_000;

  /** Beyond so many buffers alive at a step the set is the one that the first branch takes. */
  private static final int MOST_ALIVE = 500;

  private final PackingProblem problem;
  private int decisions;

  private Heaviest best = new Heaviest(0, 0, new int[0]);

  private LoadBound(PackingProblem problem) {
    this.problem = problem;
  }

  /**
   * Buffers alive at one step of which no two may share bytes.
   *
   * @param bytes what they need together at the step
   * @param step the step
   * @param buffers their indices, ascending
   */
  public record Heaviest(long bytes, int step, int[] buffers) {}

  /**
   * {@return the bound over the buffers that can be in the memory alone} O(n log n); with pairs
   * that may share bytes O(n^2) for each step at which a life begins, and the branch and bound.
   */
  public static Bound of(PackingProblem problem, int memory) {
    Heaviest load = heaviest(problem, i -> problem.allowedMask(i) == 1L << memory);
    return new Bound(
        problem.memories().size() - 1 - memory,
        load.bytes,
        new Certificate.MaxLoad(memory, load.step, 0, load.buffers));
  }

  /**
   * {@return the heaviest set of the chosen buffers that are alive at one step and need bytes of
   * their own}
   *
   * @param chosen which buffers count, by index
   */
  public static Heaviest heaviest(PackingProblem problem, IntPredicate chosen) {
    int[] all =
        IntStream.range(0, problem.size())
            .filter(i -> problem.buffer(i).needsMemory() && chosen.test(i))
            .toArray();
    Relations relations = problem.relations();
    if (relations.exclusive().isEmpty() && relations.together().isEmpty()) {
      boolean[] here = new boolean[problem.size()];
      Arrays.stream(all).forEach(i -> here[i] = true);
      LoadProfile profile = LoadProfile.of(problem, i -> here[i]);
      int step = profile.maxLoadStep();
      int[] alive = Arrays.stream(all).filter(i -> problem.buffer(i).bytesAt(step) > 0).toArray();
      return new Heaviest(profile.maxLoad(), step, alive);
    }
    LoadBound search = new LoadBound(problem);
    int[] steps =
        Arrays.stream(all)
            .boxed()
            .flatMap(i -> problem.buffer(i).spans().stream())
            .mapToInt(Buffer.Span::start)
            .sorted()
            .distinct()
            .toArray();
    for (int step : steps) {
      search.at(step, all);
    }
    return search.best;
  }

  private void at(int step, int[] all) {
    Comparator<Integer> bySize =
        Comparator.comparingLong((Integer i) -> -problem.buffer(i).bytesAt(step));
    Integer[] alive =
        Arrays.stream(all)
            .filter(i -> problem.buffer(i).bytesAt(step) > 0)
            .boxed()
            .sorted(bySize.thenComparing(i -> problem.buffer(i).id()))
            .toArray(Integer[]::new);
    long[] rest = new long[alive.length + 1];
    for (int k = alive.length - 1; k >= 0; k--) {
      rest[k] = rest[k + 1] + problem.buffer(alive[k]).bytesAt(step);
    }
    if (rest[0] <= best.bytes) {
      return;
    }
    List<Integer> taken = new ArrayList<>();
    for (int i : alive) {
      if (free(i, taken)) {
        taken.add(i);
      }
    }
    found(step, taken);
    if (alive.length <= MOST_ALIVE) {
      decide(step, alive, rest, 0, new ArrayList<>(), 0);
    }
  }

  private void found(int step, List<Integer> taken) {
    int[] buffers = taken.stream().mapToInt(Integer::intValue).sorted().toArray();
    long bytes = Arrays.stream(buffers).mapToLong(i -> problem.buffer(i).bytesAt(step)).sum();
    if (bytes > best.bytes) {
      best = new Heaviest(bytes, step, buffers);
    }
  }

  /** Takes or leaves each buffer from a place in the order on. */
  private void decide(
      int step, Integer[] alive, long[] rest, int k, List<Integer> taken, long bytes) {
    if (bytes + rest[k] <= best.bytes) {
      return;
    }
    if (k == alive.length) {
      found(step, taken);
      return;
    }
    int next = k;
    int begin = taken.size();
    long sum = bytes;
    // Whoever shares with nobody that is left is taken without a choice.
    while (next < alive.length && !sharesLater(alive, next)) {
      if (free(alive[next], taken)) {
        taken.add(alive[next]);
        sum += problem.buffer(alive[next]).bytesAt(step);
      }
      next++;
    }
    if (next == alive.length) {
      decide(step, alive, rest, next, taken, sum);
    } else {
      int i = alive[next];
      if (free(i, taken)) {
        taken.add(i);
        decide(step, alive, rest, next + 1, taken, sum + problem.buffer(i).bytesAt(step));
        taken.remove(taken.size() - 1);
      }
      if (decisions++ < MOST_DECISIONS || !free(i, taken)) {
        decide(step, alive, rest, next + 1, taken, sum);
      }
    }
    taken.subList(begin, taken.size()).clear();
  }

  private boolean sharesLater(Integer[] alive, int k) {
    for (int later = k + 1; later < alive.length; later++) {
      if (mayShare(alive[k], alive[later])) {
        return true;
      }
    }
    return false;
  }

  private boolean free(int i, List<Integer> taken) {
    return taken.stream().noneMatch(other -> mayShare(i, other));
  }

  private boolean mayShare(int i, int j) {
    return problem.relations().mayShare(i, j) && !problem.conflicts().contains(i, j);
  }
}
