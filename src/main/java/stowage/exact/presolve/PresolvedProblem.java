package stowage.exact.presolve;

import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A packing problem taken apart: buffers whose place is settled beforehand, and independent parts
 * that are each solved by themselves. Made by {@link Presolver}.
 *
 * <p>A peak of the whole is the largest of the settled peak and the parts' peaks in that memory,
 * and any valid placements of the parts, put together by {@link #expand}, make a valid placement of
 * the whole.
 *
 * @param components the independent parts, each of two buffers or more or of one with a choice of
 *     memories
 * @param settledOffsets of the buffers settled beforehand, in bytes
 * @param settledPeaks highest end, in bytes, of the buffers settled beforehand in each memory; part
 *     of every peak
 * @param obstacle a buffer that can be nowhere, or -1; with one the problem is infeasible
 * @param infeasibilityReason why the obstacle can be nowhere, in one sentence; null without one
 */
public record PresolvedProblem(
    PackingProblem problem,
    List<Component> components,
    long[] settledOffsets,
    int[] settledMemories,
    long[] settledPeaks,
    int obstacle,
    String infeasibilityReason) {

  /** Whether what is settled, or a part's base, ends above a capacity, which is infeasible. */
  public boolean exceedsCapacity() {
    return IntStream.range(0, settledPeaks.length)
            .anyMatch(m -> settledPeaks[m] > problem.memories().get(m).capacity())
        || components.stream()
            .anyMatch(p -> IntStream.range(0, p.memories()).anyMatch(m -> p.capacity(m) < 0));
  }

  /** Whether the memories' peaks are independent of each other: no buffer has a choice. */
  public boolean memoriesAreApart() {
    return components.stream().allMatch(part -> part.memories() == 1);
  }

  /** Puts the parts' placements, in units, together; memories of parts with one may be null. */
  public Placement expand(List<long[]> offsets, List<int[]> places) {
    long[] all = settledOffsets.clone();
    int[] memories = settledMemories.clone();
    for (int p = 0; p < components.size(); p++) {
      components.get(p).expand(offsets.get(p), places.get(p), all, memories);
    }
    return Placement.of(all, memories);
  }
}
