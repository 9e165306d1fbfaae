package stowage.exact.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * What sets a plan's peak: from the highest buffer down to the floor, each link rests on the next.
 * To lower the peak, something on the chain has to shrink, move or go.
 *
 * <p>A link rests on a buffer that is in its way and ends highest below it. Where that end is below
 * the link's offset, the bytes between are slack: alignment or banks may explain it, or the link
 * could simply move down.
 *
 * <p>Example: A at [0, 4), B at [4, 10) meeting A in time, C at [12, 16) meeting B: the chain is C
 * (slack 2), B, A.
 *
 * <p>What a link costs is found by settling the plan's order again ({@link EvictionAnalysis}):
 * without anything left out, which lowers plans that have slack; without the link, which is what
 * evicting it gains, and the most that shrinking it can gain; and with the link put where it then
 * ends lowest, which is what moving it gains.
 *
 * @param links from the highest buffer down
 * @param settledPeak the peak once all has come down in the plan's order; the plan's own where
 *     buffers need windows of their bytes, or relations tie them
 */
public record CriticalChain(List<Link> links, long settledPeak) {
  private static final int MOST_JUDGED = 200;

  /** To judge links, at most so many buffers are settled in all. */
  private static final int MOST_SETTLED = 1_000_000;

  /** Marks a gain that was not looked for. */
  public static final long UNKNOWN = -1;

  /**
   * One buffer of the chain.
   *
   * @param buffer its index
   * @param slack bytes between it and what it rests on, or the floor
   * @param fixed whether its offset is given, so that nothing below matters
   * @param evicted bytes by which the settled peak falls without it, or {@link #UNKNOWN}
   * @param moved bytes by which it falls when it is elsewhere, or {@link #UNKNOWN}
   */
  public record Link(int buffer, long slack, boolean fixed, long evicted, long moved) {}

  public CriticalChain {
    links = List.copyOf(links);
  }

  /**
   * The chain of a valid plan in one memory; empty when nothing is there. O(n log n), and for each
   * link O(buffers that end between it and the next); gains are looked for at the highest {@value
   * #MOST_JUDGED} links, fewer of more than 5,000 buffers, O(n log n) each.
   */
  public static CriticalChain of(PackingProblem problem, Placement placement, int memory) {
    int[] byEnd =
        IndexOrder.of(
            IntStream.range(0, problem.size()).filter(i -> lies(problem, placement, i, memory)),
            Comparator.comparingLong(i -> -end(problem, placement, i)));
    List<Link> links = new ArrayList<>();
    for (int at = 0; at < byEnd.length; ) {
      int top = byEnd[at];
      at = below(problem, placement, byEnd, at);
      long floor = at == byEnd.length ? 0 : end(problem, placement, byEnd[at]);
      boolean fixed = problem.buffer(top).isFixed();
      links.add(new Link(top, placement.offset(top) - floor, fixed, UNKNOWN, UNKNOWN));
      at = fixed ? byEnd.length : at;
    }
    long peak = links.isEmpty() ? 0 : end(problem, placement, links.get(0).buffer);
    boolean ordered = problem.isPlain() && problem.buffers().stream().noneMatch(Buffer::hasWindows);
    return ordered ? judged(problem, placement, memory, links) : new CriticalChain(links, peak);
  }

  private static CriticalChain judged(
      PackingProblem problem, Placement placement, int memory, List<Link> links) {
    EvictionAnalysis order = new EvictionAnalysis(problem, placement, memory);
    long settled = order.peak(-1);
    int most = Math.min(MOST_JUDGED, MOST_SETTLED / Math.max(1, problem.size()));
    List<Link> judged = new ArrayList<>();
    for (Link link : links) {
      if (judged.size() >= most) {
        judged.add(link);
        continue;
      }
      long without = order.peak(link.buffer);
      long elsewhere = link.fixed ? settled : Math.max(without, order.lowestEnd(link.buffer));
      long moved = Math.max(0, settled - elsewhere);
      judged.add(new Link(link.buffer, link.slack, link.fixed, settled - without, moved));
    }
    return new CriticalChain(judged, settled);
  }

  /** Where in an order from the highest end down that is on which a link rests; O(n) at most. */
  private static int below(PackingProblem problem, Placement placement, int[] byEnd, int at) {
    int link = byEnd[at];
    int below = at + 1;
    while (below < byEnd.length
        && (end(problem, placement, byEnd[below]) > placement.offset(link)
            || !problem.conflicts().contains(link, byEnd[below])
                && !problem.meet(link, byEnd[below]))) {
      below++;
    }
    return below;
  }

  private static boolean lies(PackingProblem problem, Placement placement, int i, int memory) {
    return placement.memory(i) == memory && problem.buffer(i).needsMemory();
  }

  private static long end(PackingProblem problem, Placement placement, int i) {
    return placement.offset(i) + problem.buffer(i).size();
  }
}
