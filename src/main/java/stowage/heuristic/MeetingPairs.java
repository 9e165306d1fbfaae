package stowage.heuristic;

import java.util.Arrays;
import java.util.Comparator;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;

/**
 * The pairs of buffers that may not share all addresses, as lists of neighbours: those that {@link
 * PackingProblem#meet meet} and the extra conflicts. O(n log n + pairs) time, O(pairs) memory.
 */
final class MeetingPairs {
  private final PackingProblem problem;
  private final int[] first;
  private final int[] others;
  private final Buffer.Span[][] spans;
  private final boolean[] whole;

  private MeetingPairs(PackingProblem problem, int[] first, int[] others) {
    this.problem = problem;
    this.first = first;
    this.others = others;
    this.spans = new Buffer.Span[problem.size()][];
    Arrays.setAll(spans, i -> problem.buffer(i).spans().toArray(Buffer.Span[]::new));
    this.whole = new boolean[problem.size()];
    for (int i = 0; i < whole.length; i++) {
      whole[i] = !problem.buffer(i).hasWindows();
    }
  }

  /** The pairs of a problem; null where there are more than so many. */
  static MeetingPairs of(PackingProblem problem, long most) {
    int count = problem.size();
    Comparator<Integer> always = Comparator.comparing(i -> !problem.buffer(i).holdsPlace());
    int[] byStart =
        OrderKeys.sorted(problem, always.thenComparing(i -> problem.buffer(i).live().start()));
    int[] live = new int[count];
    int alive = 0;
    int[] ends = new int[1024];
    int filled = 0;
    for (int buffer : byStart) {
      Buffer entering = problem.buffer(buffer);
      if (!entering.needsMemory()) {
        continue;
      }
      int kept = 0;
      for (int k = 0; k < alive; k++) {
        Buffer other = problem.buffer(live[k]);
        if (other.holdsPlace() || other.live().end() > entering.live().start()) {
          live[kept++] = live[k];
          if (problem.meet(buffer, live[k]) || problem.conflicts().contains(buffer, live[k])) {
            if (filled / 2 >= most) {
              return null;
            }
            ends = filled + 2 > ends.length ? Arrays.copyOf(ends, 2 * ends.length) : ends;
            ends[filled++] = buffer;
            ends[filled++] = live[k];
          }
        }
      }
      live[kept++] = buffer;
      alive = kept;
    }
    return listed(problem, ends, filled);
  }

  private static MeetingPairs listed(PackingProblem problem, int[] ends, int filled) {
    int count = problem.size();
    int[] degree = new int[count + 1];
    for (int k = 0; k < filled; k++) {
      degree[ends[k] + 1]++;
    }
    for (int i = 0; i < count; i++) {
      for (int j : problem.conflicts().of(i)) {
        degree[i + 1] += isApart(problem, i, j) ? 1 : 0;
      }
    }
    for (int i = 0; i < count; i++) {
      degree[i + 1] += degree[i];
    }
    int[] others = new int[degree[count]];
    int[] at = Arrays.copyOf(degree, count);
    for (int k = 0; k < filled; k += 2) {
      others[at[ends[k]]++] = ends[k + 1];
      others[at[ends[k + 1]]++] = ends[k];
    }
    for (int i = 0; i < count; i++) {
      for (int j : problem.conflicts().of(i)) {
        if (isApart(problem, i, j)) {
          others[at[i]++] = j;
        }
      }
    }
    return new MeetingPairs(problem, degree, others);
  }

  /** Whether an extra conflict is of two buffers whose live ranges have no step in common. */
  private static boolean isApart(PackingProblem problem, int one, int other) {
    return problem.buffer(one).needsMemory()
        && problem.buffer(other).needsMemory()
        && !problem.buffer(one).holdsPlace()
        && !problem.buffer(other).holdsPlace()
        && !problem.buffer(one).live().overlaps(problem.buffer(other).live());
  }

  /** The position of a buffer's first neighbour. */
  int from(int buffer) {
    return first[buffer];
  }

  /** The position after a buffer's last neighbour. */
  int to(int buffer) {
    return first[buffer + 1];
  }

  int at(int position) {
    return others[position];
  }

  /** Whether two neighbours of one memory clash at these offsets. */
  boolean clash(int one, long offset, int other, long there) {
    Buffer a = problem.buffer(one);
    Buffer b = problem.buffer(other);
    if (offset >= there + b.size() || there >= offset + a.size()) {
      return false;
    }
    if (isWhole(one, other)) {
      return true;
    }
    for (Buffer.Span x : spans[one]) {
      for (Buffer.Span y : spans[other]) {
        if (areAtOnce(x, y)
            && offset + x.low() < there + y.high()
            && there + y.low() < offset + x.high()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether two neighbours need all their bytes apart. */
  boolean isWhole(int one, int other) {
    return whole[one] && whole[other]
        || !problem.conflicts().isEmpty() && problem.conflicts().contains(one, other);
  }

  /** The spans of a buffer, in the order of time. */
  Buffer.Span[] spans(int buffer) {
    return spans[buffer];
  }

  static boolean areAtOnce(Buffer.Span x, Buffer.Span y) {
    return Math.max(x.start(), y.start()) < Math.min(x.end(), y.end());
  }
}
