package stowage.exact.presolve;

import java.util.List;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * A packing problem taken apart: buffers whose place is settled beforehand, and independent parts
 * that are each solved by themselves. Made by {@link Presolver}.
 *
 * <p>A peak of the whole is the largest of the settled peak and the parts' peaks in that memory,
 * and any valid placements of the parts, put together by {@link #expand}, make a valid placement of
 * the whole.
 */
public final class PresolvedProblem {
  private final PackingProblem problem;
  private final List<Component> parts;
  private final long[] settledOffsets;
  private final int[] settledMemories;
  private final long[] settledPeaks;
  private final int obstacle;
  private final String reason;

  PresolvedProblem(
      PackingProblem problem,
      List<Component> parts,
      long[] settledOffsets,
      int[] settledMemories,
      long[] settledPeaks,
      int obstacle,
      String reason) {
    this.problem = problem;
    this.parts = List.copyOf(parts);
    this.settledOffsets = settledOffsets;
    this.settledMemories = settledMemories;
    this.settledPeaks = settledPeaks;
    this.obstacle = obstacle;
    this.reason = reason;
  }

  /** The problem it was made from. */
  public PackingProblem problem() {
    return problem;
  }

  /** The independent parts, each of two buffers or more or of one with a choice of memories. */
  public List<Component> components() {
    return parts;
  }

  /** Highest end, in bytes, of the buffers settled beforehand in a memory; part of every peak. */
  public long settledPeak(int memory) {
    return settledPeaks[memory];
  }

  /** The number of buffers settled beforehand. */
  public int settledCount() {
    int left = problem.size();
    for (Component part : parts) {
      left -= part.count();
    }
    return left;
  }

  /** A buffer that can be nowhere, or -1; with one the problem is infeasible. */
  public int obstacle() {
    return obstacle;
  }

  /** Why the obstacle can be nowhere, in one sentence; null without one. */
  public String infeasibilityReason() {
    return reason;
  }

  /**
   * Whether what was settled beforehand, or a part's base, already ends above a capacity: the
   * problem is infeasible then.
   */
  public boolean exceedsCapacity() {
    for (int m = 0; m < settledPeaks.length; m++) {
      if (settledPeaks[m] > problem.memories().get(m).capacity()) {
        return true;
      }
    }
    for (Component part : parts) {
      for (int m = 0; m < part.memories(); m++) {
        if (part.capacity(m) < 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the memories' peaks are independent of each other: no buffer has a choice. */
  public boolean memoriesAreApart() {
    for (Component part : parts) {
      if (part.memories() > 1) {
        return false;
      }
    }
    return true;
  }

  /**
   * Puts placements of the parts together, in bytes.
   *
   * @param offsets for every part, its offsets in units
   * @param places for every part, its memory of each buffer; entries of parts with one memory may
   *     be null
   */
  public Placement expand(List<long[]> offsets, List<int[]> places) {
    long[] all = settledOffsets.clone();
    int[] memories = settledMemories.clone();
    for (int p = 0; p < parts.size(); p++) {
      parts.get(p).expand(offsets.get(p), places.get(p), all, memories);
    }
    return Placement.of(all, memories);
  }
}
