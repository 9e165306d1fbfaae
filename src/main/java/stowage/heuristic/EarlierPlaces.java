package stowage.heuristic;

import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;

/**
 * Where a problem's buffers were in an earlier plan, perhaps of an earlier version of the problem.
 *
 * @param offsets in bytes; -1 for a buffer that the earlier plan does not have
 * @param memories by index; without meaning where there is no offset
 * @param changed whether its size or live range was another then
 */
public record EarlierPlaces(long[] offsets, int[] memories, boolean[] changed) {
  /** Whether the earlier plan has a buffer that needs memory now. */
  public boolean knows(PackingProblem problem, int buffer) {
    return offsets[buffer] >= 0 && problem.buffer(buffer).needsMemory();
  }

  /** Whether a buffer is at its earlier place. */
  public boolean isKept(int buffer, long offset, int memory) {
    return offsets[buffer] == offset && memories[buffer] == memory;
  }

  /**
   * How far a placement is from the earlier plan, over the buffers that it knows.
   *
   * @param known how many those are
   * @param knownBytes their bytes
   * @param moved how many of them are elsewhere
   * @param movedBytes the bytes of these
   */
  public record Moves(int known, long knownBytes, int moved, long movedBytes) {}

  /** How far a placement is from the earlier plan. O(n). */
  public Moves moves(PackingProblem problem, Placement placement) {
    int known = 0;
    int moved = 0;
    long knownBytes = 0;
    long movedBytes = 0;
    for (int i = 0; i < problem.size(); i++) {
      if (knows(problem, i)) {
        known++;
        knownBytes += problem.buffer(i).size();
        if (!isKept(i, placement.offset(i), placement.memory(i))) {
          moved++;
          movedBytes += problem.buffer(i).size();
        }
      }
    }
    return new Moves(known, knownBytes, moved, movedBytes);
  }

  /**
   * The problem with every buffer fixed at its earlier place that can be there with all others
   * fixed before it: those that did not change first, then the changed ones, each the largest
   * first, or with too many pairs in the problem's order. Buffers with a fixed offset of their own
   * keep it. O(n log n + pairs that meet).
   */
  public PackingProblem pinned(PackingProblem problem) {
    EjectionSearch search =
        new EjectionSearch(problem, this, EjectionSearch.capacities(problem), 1);
    boolean[] kept = search.isTooLarge() ? inGaps(problem) : search.keepable();
    Buffer[] buffers = problem.buffers().toArray(Buffer[]::new);
    for (int i = 0; i < buffers.length; i++) {
      if (kept[i] && !buffers[i].isFixed()) {
        buffers[i] = buffers[i].withFixedOffset(offsets[i]);
        if (problem.memories().size() > 1) {
          String memory = problem.memories().get(memories[i]).name();
          buffers[i] = buffers[i].withMemories(List.of(memory));
        }
      }
    }
    return problem.withBuffers(List.of(buffers));
  }

  /** Which buffers are at their earlier places when each takes its own in turn where it is free. */
  boolean[] inGaps(PackingProblem problem) {
    GapPlacer placer = new GapPlacer(problem);
    boolean[] kept = new boolean[problem.size()];
    for (int k = 0; k < 2 * kept.length; k++) {
      int i = k % kept.length;
      if (changed[i] == k >= kept.length && knows(problem, i)) {
        kept[i] = placer.placeAt(i, offsets[i], memories[i]) && placer.memory(i) == memories[i];
      }
    }
    return kept;
  }
}
