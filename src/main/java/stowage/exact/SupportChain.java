package stowage.exact;

import java.util.ArrayList;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * What holds a plan's peak up: from the highest buffer down to the floor, each link rests on the
 * next. To lower the peak, something on the chain has to shrink, move or go.
 *
 * <p>A link rests on a buffer that is in its way and ends highest below it. Where that end lies
 * below the link's offset, the bytes between are slack: alignment or banks may explain it, or the
 * link could simply move down.
 *
 * <p>Example: A at [0, 4), B at [4, 10) meeting A in time, C at [12, 16) meeting B: the chain is C
 * (slack 2), B, A.
 *
 * @param links from the highest buffer down
 */
public record SupportChain(List<Link> links) {

  /**
   * One buffer of the chain.
   *
   * @param buffer its index
   * @param slack bytes between it and what it rests on, or the floor
   * @param fixed whether its offset is given, so that nothing below matters
   */
  public record Link(int buffer, long slack, boolean fixed) {}

  /** Copies the list. */
  public SupportChain {
    links = List.copyOf(links);
  }

  /**
   * The chain of a valid plan in one memory; empty when nothing lies there. O(n times its length).
   */
  public static SupportChain of(PackingProblem problem, Placement placement, int memory) {
    int top = -1;
    for (int i = 0; i < problem.size(); i++) {
      if (lies(problem, placement, i, memory)
          && (top < 0 || end(problem, placement, i) > end(problem, placement, top))) {
        top = i;
      }
    }
    List<Link> links = new ArrayList<>();
    while (top >= 0) {
      int below = below(problem, placement, memory, top);
      long floor = below < 0 ? 0 : end(problem, placement, below);
      boolean fixed = problem.buffer(top).isFixed();
      links.add(new Link(top, placement.offset(top) - floor, fixed));
      top = fixed ? -1 : below;
    }
    return new SupportChain(links);
  }

  private static int below(PackingProblem problem, Placement placement, int memory, int link) {
    int best = -1;
    for (int i = 0; i < problem.size(); i++) {
      if (i != link
          && lies(problem, placement, i, memory)
          && end(problem, placement, i) <= placement.offset(link)
          && inTheWay(problem, link, i)
          && (best < 0 || end(problem, placement, i) > end(problem, placement, best))) {
        best = i;
      }
    }
    return best;
  }

  private static boolean inTheWay(PackingProblem problem, int one, int other) {
    if (problem.conflicts().contains(one, other)) {
      return true;
    }
    for (Buffer.Span a : problem.buffer(one).spans()) {
      for (Buffer.Span b : problem.buffer(other).spans()) {
        if (Math.max(a.start(), b.start()) < Math.min(a.end(), b.end())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean lies(PackingProblem problem, Placement placement, int i, int memory) {
    return placement.memory(i) == memory && problem.buffer(i).needsMemory();
  }

  private static long end(PackingProblem problem, Placement placement, int i) {
    return placement.offset(i) + problem.buffer(i).size();
  }
}
