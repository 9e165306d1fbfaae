package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import stowage.onchip.layer.LaneSize;

/**
 * Which constants of a sliced group stay in LMEM for all slices, when not all can.
 *
 * <p>A constant that stays takes its bytes in every step; one that does not is loaded again for
 * each slice. In each step the bytes left alongside what is there anyway are a knapsack for the
 * constants that would stay beyond their use: filled in the order of bytes saved for each byte
 * taken, the last one in part, it bounds what can be saved, and the least of all steps bounds the
 * whole.
 */
public final class HeldConstants {
  private final LmemProblem problem;
  private final long[] reloads;
  private final List<Integer> candidates = new ArrayList<>();

  /**
   * @param problem with no constant staying
   * @param reloads by buffer, bytes loaded again when it does not stay; 0 where it has no choice
   */
  public HeldConstants(LmemProblem problem, long[] reloads) {
    this.problem = problem;
    this.reloads = reloads;
    for (int b = 0; b < reloads.length; b++) {
      if (reloads[b] > 0) {
        candidates.add(b);
      }
    }
    candidates.sort(
        Comparator.comparingDouble((Integer b) -> -(double) reloads[b] / Math.max(1, size(b)))
            .thenComparing(b -> b));
  }

  private long size(int buffer) {
    return LaneSize.alignUp(problem.buffer(buffer).size(), problem.chip().vectorBytes());
  }

  /** Bytes loaded again under a choice. */
  public long reloaded(boolean[] held) {
    return candidates.stream().mapToLong(b -> held[b] ? 0 : reloads[b]).sum();
  }

  /** No choice that fits loads fewer bytes again. O(steps * constants). */
  public long leastReloaded() {
    long least = 0;
    for (int step = 0; step < problem.steps(); step++) {
      double room = problem.chip().laneBytes() - problem.load(step);
      double lost = 0;
      for (int b : candidates) {
        if (problem.buffer(b).isLive(step)) {
          continue;
        }
        double taken = Math.min(size(b), Math.max(0, room));
        lost += reloads[b] * (1 - (size(b) == 0 ? 1 : taken / size(b)));
        room -= size(b);
      }
      least = Math.max(least, (long) Math.ceil(lost - 1e-6));
    }
    return least;
  }

  /**
   * Lets one constant after the other stay, in the knapsack's order, where the loads admit it; then
   * takes back the last ones until the problem fits. By buffer, what stays; null when not even
   * nothing does.
   */
  public boolean[] greedy(Predicate<LmemProblem> fits) {
    long[] room = new long[problem.steps()];
    Arrays.setAll(room, step -> problem.chip().laneBytes() - problem.load(step));
    boolean[] held = new boolean[problem.size()];
    List<Integer> staying = new ArrayList<>();
    for (int b : candidates) {
      boolean admitted = true;
      for (int step = 0; step < room.length; step++) {
        admitted &= problem.buffer(b).isLive(step) || room[step] >= size(b);
      }
      if (admitted) {
        for (int step = 0; step < room.length; step++) {
          room[step] -= problem.buffer(b).isLive(step) ? 0 : size(b);
        }
        held[b] = true;
        staying.add(b);
      }
    }
    while (!fits.test(with(held))) {
      if (staying.isEmpty()) {
        return null;
      }
      held[staying.remove(staying.size() - 1)] = false;
    }
    return held;
  }

  /** The problem with what is held alive in every step. */
  private LmemProblem with(boolean[] held) {
    List<LmemBuffer> buffers = new ArrayList<>(problem.buffers());
    for (int b = 0; b < held.length; b++) {
      if (held[b]) {
        LmemBuffer old = buffers.get(b);
        buffers.set(b, new LmemBuffer(old.id(), old.kind(), 0, problem.steps(), old.size(), true));
      }
    }
    return problem.withBuffers(buffers);
  }
}
