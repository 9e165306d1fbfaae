package stowage.report;

import java.util.Arrays;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.DisjointSets;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;
import stowage.packing.StepOrder;

/** Count of the parts of a problem that can be planned one without the other. */
final class IndependentParts {
  private IndependentParts() {}

  /**
   * The number of sets of buffers between which nothing is live at once and no relation holds; of
   * the buffers that need memory, 0 where none does. O(n log n + pairs).
   */
  static int of(PackingProblem problem) {
    int[] part = new int[problem.size()];
    int[] starts = new int[problem.size()];
    Arrays.setAll(starts, i -> start(problem.buffer(i)));
    int count = 0;
    long end = Long.MIN_VALUE;
    for (int i : StepOrder.of(starts, starts.length)) {
      Buffer buffer = problem.buffer(i);
      if (!buffer.needsMemory()) {
        continue;
      }
      count += starts[i] >= end ? 1 : 0;
      end = Math.max(end, buffer.holdsPlace() ? Long.MAX_VALUE : buffer.live().end());
      part[i] = count;
    }
    DisjointSets joined = new DisjointSets(count + 1);
    Relations relations = problem.relations();
    int left = count;
    for (Relations.Together pair : relations.together()) {
      left -= join(joined, part[pair.first()], part[pair.second()]);
    }
    for (Relations.Reuse pair : relations.reuse()) {
      left -= join(joined, part[pair.first()], part[pair.second()]);
    }
    for (ConflictPairs pairs : new ConflictPairs[] {problem.conflicts(), relations.otherBank()}) {
      for (int i = 0; i < part.length && !pairs.isEmpty(); i++) {
        for (int j : pairs.of(i)) {
          left -= join(joined, part[i], part[j]);
        }
      }
    }
    return left;
  }

  private static int start(Buffer buffer) {
    return buffer.holdsPlace() ? Integer.MIN_VALUE : buffer.live().start();
  }

  /** Joins two parts, of which 0 is none; 1 where that makes one fewer. */
  private static int join(DisjointSets joined, int a, int b) {
    return a > 0 && b > 0 && joined.join(b, a) ? 1 : 0;
  }
}
