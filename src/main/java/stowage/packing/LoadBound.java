package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The max load as a bound of a memory's peak: what is alive at one step is side by side.
 *
 * <p>Where buffers may share bytes (exclusive pairs, pairs kept together) the load of a step is
 * that of the heaviest set in which no two may ({@link CliqueSearch}), the largest buffers first,
 * within a limit of work; beyond that the heaviest set found counts, which is a bound too. Neither
 * depends on the order of the buffers.
 *
 * <p>Example: y and z of 4 bytes are kept together, w takes 3, all alive at step 0: of y and z one
 * counts, and the load is 7.
 */
public final class LoadBound {
  private static final int MOST_NODES = 500_000;

  /** Beyond so many buffers alive at a step the set is the greedy one. */
  private static final int MOST_ALIVE = 500;

  private final PackingProblem problem;
  private final Set<Long> together = new HashSet<>();
  private int nodesLeft = MOST_NODES;

  private Heaviest best = new Heaviest(0, 0, new int[0]);

  private LoadBound(PackingProblem problem) {
    this.problem = problem;
    problem.relations().together().forEach(two -> together.add(pair(two.first(), two.second())));
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
   * that may share bytes O(m^2) for each step at which a live range begins, of m buffers alive
   * then, and the branch and bound.
   */
  public static Bound of(PackingProblem problem, int memory) {
    Heaviest load = heaviest(problem, i -> problem.allowedMask(i) == 1L << memory);
    return new Bound(
        problem.memories().size() - 1 - memory,
        load.bytes,
        new Certificate.MaxLoad(memory, load.step, 0, load.buffers));
  }

  /** {@return the heaviest set of chosen buffers alive at a step that need bytes of their own} */
  public static Heaviest heaviest(PackingProblem problem, IntPredicate chosen) {
    int[] all =
        IntStream.range(0, problem.size())
            .filter(i -> problem.buffer(i).needsMemory() && chosen.test(i))
            .toArray();
    Relations relations = problem.relations();
    if (relations.exclusive().isEmpty() && relations.together().isEmpty()) {
      LoadProfile profile = LoadProfile.of(problem, chosen);
      int step = profile.maxLoadStep();
      int[] alive = Arrays.stream(all).filter(i -> problem.buffer(i).bytesAt(step) > 0).toArray();
      return new Heaviest(profile.maxLoad(), step, alive);
    }
    LoadBound search = new LoadBound(problem);
    NavigableMap<Integer, List<Integer>> starting = new TreeMap<>();
    for (int i : all) {
      for (Buffer.Span span : problem.buffer(i).spans()) {
        starting.computeIfAbsent(span.start(), absent -> new ArrayList<>()).add(i);
      }
    }
    Set<Integer> alive = new HashSet<>();
    starting.forEach(
        (step, beginning) -> {
          alive.removeIf(i -> problem.buffer(i).bytesAt(step) == 0);
          alive.addAll(beginning);
          search.at(step, alive);
        });
    return search.best;
  }

  private void at(int step, Set<Integer> among) {
    if (among.stream().mapToLong(i -> problem.buffer(i).bytesAt(step)).sum() <= best.bytes) {
      return;
    }
    Comparator<Integer> bySize =
        Comparator.comparingLong((Integer i) -> -problem.buffer(i).bytesAt(step));
    int[] alive =
        IndexOrder.of(
            among.stream().mapToInt(i -> i).filter(i -> problem.buffer(i).bytesAt(step) > 0),
            bySize.thenComparing(i -> problem.buffer(i).id()));
    long[] bytes = Arrays.stream(alive).mapToLong(i -> problem.buffer(i).bytesAt(step)).toArray();
    CliqueSearch search =
        new CliqueSearch(
            bytes, CliqueSearch.graph(alive.length, (a, b) -> !mayShare(alive[a], alive[b])));
    BitSet every = new BitSet();
    every.set(0, alive.length);
    int nodes = alive.length <= MOST_ALIVE ? nodesLeft : 0;
    int[] found = search.heavier(every, best.bytes, 1, Long.MAX_VALUE, nodes);
    nodesLeft -= nodes - search.nodesLeft();
    if (found != null) {
      long sum = Arrays.stream(found).mapToLong(k -> bytes[k]).sum();
      best = new Heaviest(sum, step, Arrays.stream(found).map(k -> alive[k]).sorted().toArray());
    }
  }

  private boolean mayShare(int i, int j) {
    boolean may = problem.relations().exclusive().contains(i, j) || together.contains(pair(i, j));
    return may && !problem.conflicts().contains(i, j);
  }

  private static long pair(int i, int j) {
    return ((long) Math.min(i, j) << 32) | Math.max(i, j);
  }
}
