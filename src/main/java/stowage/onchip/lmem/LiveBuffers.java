package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.List;

/**
 * Index of the buffers of a group by when they are alive: by the step in which each begins, and in
 * a segment tree over the steps. Buffers that are no longer asked for leave the tree when they are
 * met.
 */
final class LiveBuffers {
  private final LmemProblem problem;
  private final List<List<Integer>> starting = new ArrayList<>();
  private final List<List<Integer>> nodes = new ArrayList<>();

  /** O(buffers * log steps). */
  LiveBuffers(LmemProblem problem) {
    this.problem = problem;
    int steps = problem.steps();
    for (int step = 0; step < steps; step++) {
      starting.add(new ArrayList<>());
    }
    for (int node = 0; node < 2 * steps; node++) {
      nodes.add(new ArrayList<>());
    }
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      starting.get(buffer.start()).add(b);
      if (buffer.start() < buffer.end()) {
        add(b, buffer.start(), buffer.end());
      } else {
        add(b, buffer.start(), steps);
        add(b, 0, buffer.end());
      }
    }
  }

  private void add(int buffer, int start, int end) {
    int low = start + problem.steps();
    int high = end + problem.steps();
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) {
        nodes.get(low++).add(buffer);
      }
      if (high % 2 == 1) {
        nodes.get(--high).add(buffer);
      }
    }
  }

  /**
   * The buffers alive in a common step with one, each once, except for those left out, which have
   * to stay left out. O(log steps + steps of its live range + answers), without what leaves the
   * tree.
   */
  List<Integer> with(int one, boolean[] left) {
    LmemBuffer buffer = problem.buffer(one);
    List<Integer> found = new ArrayList<>();
    for (int node = buffer.start() + problem.steps(); node > 0; node /= 2) {
      nodes.get(node).removeIf(b -> left[b]);
      found.addAll(nodes.get(node));
    }
    for (int k = 0; k < buffer.length(problem.steps()); k++) {
      for (int b : starting.get((buffer.start() + k) % problem.steps())) {
        if (!left[b] && !problem.buffer(b).isLive(buffer.start())) {
          found.add(b);
        }
      }
    }
    return found;
  }
}
