package stowage.planning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import stowage.exact.engine.EngineOptions;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * The front of peak against the price of reuse over all memories: of one memory as {@link
 * ParetoRun} finds it, of several the sums.
 *
 * <p>Where each buffer is in one memory alone, the memories do not depend on each other. The peaks
 * add up, and so do the prices; a point of the front is then a sum of points of the memories'
 * fronts, since a summand that is bettered could be put in place. With one memory's front not
 * proven to be whole, all that is claimed of a sum is that it is no less than the sums of the least
 * peaks and of the least prices.
 *
 * @param points from the least peak on; empty where no placement was found
 * @param memories the memories whose peaks are added, by name
 * @param whole whether it is proven that there are no other points
 * @param infeasible whether it is proven that nothing fits
 * @param refusal why there is no such front, as part of a sentence, or null
 */
public record ParetoFront(
    List<ParetoRun.Point> points,
    List<String> memories,
    boolean whole,
    boolean infeasible,
    String refusal) {

  public static ParetoFront of(
      PackingProblem problem, RunControl control, EngineOptions options, Consumer<String> say) {
    int[] used = used(problem);
    List<String> names = memories(problem);
    if (used.length <= 1) {
      int memory = used.length == 0 ? 0 : used[0];
      ParetoRun run = new ParetoRun(problem, memory, control, options, say);
      List<ParetoRun.Point> points = run.run();
      return new ParetoFront(points, names, run.isWhole(), run.isInfeasible(), null);
    }
    for (int i = 0; i < problem.size(); i++) {
      if (Long.bitCount(problem.allowedMask(i)) > 1) {
        String choice = "buffer \"" + problem.buffer(i).id() + "\" has a choice of memories";
        return new ParetoFront(
            List.of(), names, false, false, "adds up memories that buffers keep to, and " + choice);
      }
    }
    Placement start = Placement.of(new long[problem.size()]);
    List<ParetoRun.Point> sums = List.of(new ParetoRun.Point(start, 0, 0, 0, 0));
    boolean whole = true;
    for (int k = 0; k < used.length; k++) {
      int memory = used[k];
      int[] own =
          IntStream.range(0, problem.size()).filter(i -> problem.allows(i, memory)).toArray();
      double share = control.secondsLeft() / (used.length - k);
      Consumer<String> named = line -> say.accept(name(problem, memory) + ": " + line);
      ParetoRun run =
          new ParetoRun(problem.select(own), memory, control.within(share), options, named);
      List<ParetoRun.Point> points = run.run();
      if (points.isEmpty()) {
        return new ParetoFront(List.of(), names, false, run.isInfeasible(), null);
      }
      whole &= run.isWhole();
      sums = sums(sums, points, own, memory, whole);
    }
    return new ParetoFront(sums, names, whole, false, null);
  }

  /** The memories that buffers may be in, by name: the front is of the sum of their peaks. */
  public static List<String> memories(PackingProblem problem) {
    return IntStream.of(used(problem)).mapToObj(m -> name(problem, m)).toList();
  }

  private static int[] used(PackingProblem problem) {
    return IntStream.range(0, problem.memories().size())
        .filter(m -> IntStream.range(0, problem.size()).anyMatch(i -> problem.allows(i, m)))
        .toArray();
  }

  private static String name(PackingProblem problem, int memory) {
    return problem.memories().get(memory).name();
  }

  private static List<ParetoRun.Point> sums(
      List<ParetoRun.Point> some,
      List<ParetoRun.Point> others,
      int[] own,
      int memory,
      boolean proven) {
    long leastPeak = some.get(0).peakBound() + others.get(0).peakBound();
    long leastCost = least(some) + least(others);
    List<ParetoRun.Point> all = new ArrayList<>();
    for (ParetoRun.Point one : some) {
      for (ParetoRun.Point other : others) {
        long peak = one.peak() + other.peak();
        long cost = one.cost() + other.cost();
        Placement both = joined(one.placement(), other.placement(), own, memory);
        long peakBound = proven ? peak : leastPeak;
        all.add(new ParetoRun.Point(both, peak, peakBound, cost, proven ? cost : leastCost));
      }
    }
    all.sort(
        Comparator.comparingLong(ParetoRun.Point::peak).thenComparingLong(ParetoRun.Point::cost));
    List<ParetoRun.Point> front = new ArrayList<>();
    for (ParetoRun.Point point : all) {
      if (front.isEmpty() || point.cost() < front.get(front.size() - 1).cost()) {
        front.add(point);
      }
    }
    return front;
  }

  private static long least(List<ParetoRun.Point> points) {
    return points.stream().mapToLong(ParetoRun.Point::costBound).min().orElse(0);
  }

  private static Placement joined(Placement whole, Placement part, int[] own, int memory) {
    long[] offsets = whole.offsets();
    int[] memories = whole.memories();
    for (int k = 0; k < own.length; k++) {
      offsets[own[k]] = part.offset(k);
      memories[own[k]] = memory;
    }
    return Placement.of(offsets, memories);
  }
}
