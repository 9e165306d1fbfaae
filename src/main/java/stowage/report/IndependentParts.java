package stowage.report;

import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.DisjointSets;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

/** Count of the parts of a problem that can be planned one without the other. */
final class IndependentParts {
  private IndependentParts() {}

  /**
   * The number of sets of buffers between which nothing is live at once and no relation holds; of
   * the buffers that need memory, 0 where none does. O(n log n + pairs).
   */
  static int of(PackingProblem problem) {
    int[] part = new int[problem.size()];
    int[] byStart =
        IntStream.range(0, problem.size())
            .filter(i -> problem.buffer(i).needsMemory())
            .boxed()
            .sorted(Comparator.comparingLong(i -> start(problem.buffer(i))))
            .mapToInt(i -> i)
            .toArray();
    int count = 0;
    long end = Long.MIN_VALUE;
    for (int i : byStart) {
      Buffer buffer = problem.buffer(i);
      count += start(buffer) >= end ? 1 : 0;
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

  private static long start(Buffer buffer) {
    return buffer.holdsPlace() ? Long.MIN_VALUE : buffer.live().start();
  }

  /** Joins two parts, of which 0 is none; 1 where that makes one fewer. */
  private static int join(DisjointSets joined, int a, int b) {
    return a > 0 && b > 0 && joined.join(b, a) ? 1 : 0;
  }
}
