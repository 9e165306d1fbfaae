package stowage.exact.reuse;

import java.util.Arrays;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

/**
 * The lexicographically least figures of a small problem with relations, by trying every memory and
 * every offset of every buffer. Written from the definitions, step by step and byte by byte; it
 * shares no code with verifier, models or engines.
 */
public final class RelationBruteForce {
  private final PackingProblem problem;
  private final List<Goal> goals;
  private final int[] at;
  private final int[] in;
  private final int first;
  private final int last;
  private final int room;
  private long[] best;

  private RelationBruteForce(PackingProblem problem, List<Goal> goals, int room) {
    this.problem = problem;
    this.goals = goals;
    this.at = new int[problem.size()];
    this.in = new int[problem.size()];
    this.first = problem.buffers().stream().mapToInt(b -> b.live().start()).min().orElse(0);
    this.last = problem.buffers().stream().mapToInt(b -> b.live().end()).max().orElse(0);
    this.room = room;
  }

  /**
   * The least figures, of the peaks from the last memory to the first; null when nothing fits.
   *
   * @param room with {@link Goal#OVERFLOW} how far above a capacity is looked
   */
  public static long[] least(PackingProblem problem, List<Goal> goals, int room) {
    RelationBruteForce search = new RelationBruteForce(problem, goals, room);
    search.place(0);
    return search.best;
  }

  private void place(int i) {
    if (best != null && i > 0 && Arrays.compare(figures(i), best) >= 0) {
      return; // no figure falls when buffers are added
    }
    if (i == problem.size()) {
      best = figures(i);
      return;
    }
    Buffer buffer = problem.buffer(i);
    for (int m = 0; m < problem.memories().size(); m++) {
      Memory memory = problem.memories().get(m);
      if (!buffer.memories().isEmpty() && !buffer.memories().contains(memory.name())) {
        continue;
      }
      in[i] = m;
      long top = memory.capacity() + (goals.contains(Goal.OVERFLOW) ? room : 0);
      boolean real = needs(i);
      long limit = real ? top - buffer.size() : top + 8;
      for (at[i] = 0; at[i] <= limit; at[i]++) {
        if (fits(i, memory) && agrees(i)) {
          place(i + 1);
        }
      }
    }
  }

  private boolean needs(int i) {
    Buffer buffer = problem.buffer(i);
    return buffer.size() > 0
        && (buffer.holdsPlace() || buffer.live().start() < buffer.live().end());
  }

  private boolean fits(int i, Memory memory) {
    Buffer buffer = problem.buffer(i);
    boolean fits = at[i] % buffer.alignment() == 0 && at[i] % memory.alignment() == 0;
    fits &= buffer.fixedOffset() < 0 || buffer.fixedOffset() == at[i];
    for (long b = at[i]; b < at[i] + buffer.size() && needs(i); b++) {
      long here = b;
      fits &= memory.reserved().stream().noneMatch(r -> r.from() <= here && here < r.to());
    }
    if (buffer.withinBank() && memory.bankSize() > 0 && buffer.size() > 0) {
      fits &= at[i] / memory.bankSize() == (at[i] + buffer.size() - 1) / memory.bankSize();
    }
    return fits;
  }

  private boolean agrees(int i) {
    Relations relations = problem.relations();
    for (Relations.Together pair : relations.together()) {
      int a = pair.first();
      int b = pair.second();
      if (Math.max(a, b) == i && (in[a] != in[b] || at[b] - at[a] != pair.distance())) {
        return false;
      }
    }
    for (int j = 0; j < i; j++) {
      if (in[i] != in[j] || !needs(i) || !needs(j)) {
        continue;
      }
      boolean share =
          at[i] < at[j] + problem.buffer(j).size() && at[j] < at[i] + problem.buffer(i).size();
      if (share && problem.conflicts().contains(i, j)) {
        return false;
      }
      boolean holds = problem.buffer(i).holdsPlace() || problem.buffer(j).holdsPlace();
      if (clashNow(i, j) && (holds || !excused(i, j))) {
        return false;
      }
      long bank = problem.memories().get(in[i]).bankSize();
      if (relations.otherBank().contains(i, j) && bank > 0) {
        for (int b = at[i]; b < at[i] + problem.buffer(i).size(); b++) {
          for (int c = at[j]; c < at[j] + problem.buffer(j).size(); c++) {
            if (b / bank == c / bank) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  private boolean excused(int i, int j) {
    boolean excused = problem.relations().exclusive().contains(i, j);
    for (Relations.Together pair : problem.relations().together()) {
      excused |= pair.first() == i && pair.second() == j;
      excused |= pair.first() == j && pair.second() == i;
    }
    return excused;
  }

  /** Whether some byte is needed by both at one step. */
  private boolean clashNow(int i, int j) {
    for (int step = first; step < Math.max(last, first + 1); step++) {
      for (int b = at[i]; b < at[i] + problem.buffer(i).size(); b++) {
        if (uses(i, step, b - at[i]) && uses(j, step, b - at[j])) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean uses(int i, int step, int b) {
    Buffer buffer = problem.buffer(i);
    if (b < 0 || b >= buffer.size()) {
      return false;
    }
    if (buffer.holdsPlace()) {
      return true;
    }
    boolean uses = buffer.live().start() <= step && step < buffer.live().end();
    for (var gap : buffer.gaps()) {
      if (gap.range().start() <= step && step < gap.range().end()) {
        uses &= gap.windowStart() <= b && b < gap.windowEnd();
      }
    }
    return uses;
  }

  private long[] figures(int count) {
    long[] peaks = new long[problem.memories().size()];
    for (int i = 0; i < count; i++) {
      if (needs(i)) {
        peaks[in[i]] = Math.max(peaks[in[i]], at[i] + problem.buffer(i).size());
      }
    }
    long[] figures = new long[goals.size() + (goals.contains(Goal.PEAK) ? peaks.length - 1 : 0)];
    int f = 0;
    for (Goal goal : goals) {
      switch (goal) {
        case PEAK -> {
          for (int m = peaks.length - 1; m >= 0; m--) {
            figures[f++] = peaks[m];
          }
        }
        case REUSE -> figures[f++] = cost(count);
        case OVERFLOW -> {
          for (int m = 0; m < peaks.length; m++) {
            figures[f] += Math.max(0, peaks[m] - problem.memories().get(m).capacity());
          }
          f++;
        }
        case BANKS -> figures[f++] = banks(count);
      }
    }
    return figures;
  }

  private long cost(int count) {
    long cost = 0;
    for (Relations.Reuse pair : problem.relations().reuse()) {
      int i = pair.first();
      int j = pair.second();
      if (i >= count || j >= count || in[i] != in[j] || !needs(i) || !needs(j)) {
        continue;
      }
      boolean share =
          at[i] < at[j] + problem.buffer(j).size() && at[j] < at[i] + problem.buffer(i).size();
      boolean both = false;
      for (int step = first; step < Math.max(last, first + 1); step++) {
        both |= usesAny(i, step) && usesAny(j, step);
      }
      if (share && (!both || problem.relations().exclusive().contains(i, j))) {
        cost += pair.weight();
      }
    }
    return cost;
  }

  private boolean usesAny(int i, int step) {
    for (int b = 0; b < problem.buffer(i).size(); b++) {
      if (uses(i, step, b)) {
        return true;
      }
    }
    return false;
  }

  private long banks(int count) {
    long banks = 0;
    for (int m = 0; m < problem.memories().size(); m++) {
      long bank = problem.memories().get(m).bankSize();
      for (int k = 0; bank > 0 && k < 64; k++) {
        boolean used = false;
        for (int i = 0; i < count; i++) {
          for (int b = at[i]; b < at[i] + problem.buffer(i).size() && needs(i); b++) {
            used |= in[i] == m && b / bank == k;
          }
        }
        banks += used ? 1 : 0;
      }
    }
    return banks;
  }
}
