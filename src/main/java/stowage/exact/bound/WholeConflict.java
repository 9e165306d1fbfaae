package stowage.exact.bound;

import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/** Which buffers conflict with all their bytes, whatever gaps they have. */
final class WholeConflict {
  private WholeConflict() {}

  /**
   * Whether two buffers may share no byte of their whole extents: they conflict, or both need all
   * their bytes at some step. O(g h) for g and h spans.
   */
  static boolean conflict(PackingProblem problem, int one, int other) {
    if (problem.conflicts().contains(one, other)) {
      return true;
    }
    Buffer first = problem.buffer(one);
    Buffer second = problem.buffer(other);
    if (!first.live().overlaps(second.live())) {
      return false;
    }
    if (first.gaps().isEmpty() && second.gaps().isEmpty()) {
      return true;
    }
    for (Buffer.Span a : first.spans()) {
      for (Buffer.Span b : second.spans()) {
        if (Math.max(a.start(), b.start()) < Math.min(a.end(), b.end())
            && a.high() - a.low() == first.size()
            && b.high() - b.low() == second.size()) {
          return true;
        }
      }
    }
    return false;
  }
}
