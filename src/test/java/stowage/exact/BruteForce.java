package stowage.exact;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import stowage.packing.Buffer;
import stowage.packing.Gap;
import stowage.packing.Goal;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Relations;

/**
 * The lexicographically least figures of a small problem, by trying every memory and every offset
 * of every buffer. The figures of the buffers placed so far, which no further buffer lowers, decide
 * against a branch when they are no better than the best; nothing else is cut. Written from the
 * definitions, step by step; it shares no code with verifier, models or engines.
 */
public final class BruteForce {
  /** How far above a capacity a buffer is looked for that needs nothing of it. */
  private static final int BESIDE = 8;

  private final PackingProblem problem;
  private final List<Memory> memories;
  private final List<Goal> goals;
  private final boolean peaksAlone;
  private final int[] order;
  private final boolean[] needs;
  private final int[] at;
  private final int[] in;

  /** By memory how high buffers may end. */
  private final long[] top;

  private final int reach;

  /** Whether two buffers clash, by how far the first is above the second, plus the reach. */
  private final boolean[][][] clashes;

  /** Whether both of two buffers have bytes at some step. */
  private final boolean[][] meet;

  private long[] best;
  private long tries = Long.MAX_VALUE;

  private BruteForce(PackingProblem problem, List<Goal> goals, long room) {
    int size = problem.size();
    this.problem = problem;
    this.memories = problem.memories();
    this.goals = goals;
    this.peaksAlone = goals.equals(List.of(Goal.PEAK));
    this.needs = new boolean[size];
    this.at = new int[size];
    this.in = new int[size];
    for (int i = 0; i < size; i++) {
      needs[i] = needs(problem.buffer(i));
    }
    long ceiling = problem.isPlain() ? ceiling() : Long.MAX_VALUE;
    this.top = memories.stream().mapToLong(m -> Math.min(ceiling, m.capacity() + room)).toArray();
    this.reach = (int) Arrays.stream(top).max().orElse(0) + BESIDE;
    this.order =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparingLong(this::choices))
            .mapToInt(Integer::intValue)
            .toArray();
    int first = problem.buffers().stream().mapToInt(b -> b.live().start()).min().orElse(0);
    int last = problem.buffers().stream().mapToInt(b -> b.live().end()).max().orElse(0);
    this.clashes = new boolean[size][size][2 * reach + 1];
    this.meet = new boolean[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        if (i != j) {
          look(i, j, first, Math.max(last, first + 1));
        }
      }
    }
  }

  /** Stacked on the highest fixed end with the widest padding, everything fits below this. */
  private long ceiling() {
    long stacked = 0;
    long fixed = 0;
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      long widest = 0;
      for (int m = 0; m < memories.size(); m++) {
        long bank = buffer.withinBank() ? memories.get(m).bankSize() : 0;
        long padding = problem.alignment(i, m) - 1;
        widest = Math.max(widest, bank == 0 ? padding : (padding + 1) * bank);
      }
      stacked += buffer.size() + widest;
      fixed = Math.max(fixed, buffer.fixedOffset() + buffer.size());
    }
    return stacked + fixed;
  }

  /** Buffers with few places come first, so that what cannot work shows early. */
  private long choices(int i) {
    Buffer buffer = problem.buffer(i);
    return IntStream.range(0, top.length)
        .filter(m -> allows(buffer, m))
        .mapToLong(m -> buffer.isFixed() || !needs[i] ? 1 : 1 + top[m] - buffer.size())
        .sum();
  }

  private boolean allows(Buffer buffer, int memory) {
    return buffer.memories().isEmpty() || buffer.memories().contains(memories.get(memory).name());
  }

  private static boolean needs(Buffer buffer) {
    return buffer.size() > 0
        && (buffer.holdsPlace() || buffer.live().start() < buffer.live().end());
  }

  /** Notes what two buffers have to do with each other at some steps, at every distance. */
  private void look(int i, int j, int first, int end) {
    Buffer one = problem.buffer(i);
    Buffer other = problem.buffer(j);
    boolean excused = isExcused(i, j) && !one.holdsPlace() && !other.holdsPlace();
    boolean apart = problem.conflicts().contains(i, j);
    for (int step = first; step < end; step++) {
      long[] a = bytes(one, step);
      long[] b = bytes(other, step);
      meet[i][j] |= a[0] < a[1] && b[0] < b[1];
      for (int above = -reach; above <= reach; above++) {
        boolean share = above < other.size() && -above < one.size();
        boolean both = Math.max(above + a[0], b[0]) < Math.min(above + a[1], b[1]);
        clashes[i][j][above + reach] |= share && apart || both && !excused;
      }
    }
  }

  private boolean isExcused(int i, int j) {
    return problem.relations().exclusive().contains(i, j)
        || problem.relations().together().stream()
            .anyMatch(pair -> Set.of(i, j).equals(Set.of(pair.first(), pair.second())));
  }

  /** The bytes that a buffer uses at a step: from, to. */
  private static long[] bytes(Buffer buffer, int step) {
    if (buffer.holdsPlace()) {
      return new long[] {0, buffer.size()};
    }
    for (Gap gap : buffer.gaps()) {
      if (gap.range().contains(step)) {
        return new long[] {gap.windowStart(), gap.windowEnd()};
      }
    }
    return new long[] {0, buffer.live().contains(step) ? buffer.size() : 0};
  }

  /** The least peaks, of the last memory first; null where no placement is within capacities. */
  public static long[] peaks(PackingProblem problem) {
    return least(problem, List.of(Goal.PEAK), 0);
  }

  /** As {@link #peaks(PackingProblem)}, but empty when more than so many offsets were tried. */
  public static Optional<Answer> peaks(PackingProblem problem, long mostTries) {
    BruteForce search = new BruteForce(problem, List.of(Goal.PEAK), 0);
    search.tries = mostTries;
    search.place(0, new long[problem.memories().size()]);
    return search.tries < 0 ? Optional.empty() : Optional.of(new Answer(search.best));
  }

  /** What trying everything came to: the least peaks, or null when nothing fits. */
  public record Answer(long[] peaks) {}

  /**
   * The least figures, of the peaks from the last memory to the first; null when nothing fits.
   *
   * @param room with {@link Goal#OVERFLOW} how far above a capacity is looked
   */
  public static long[] least(PackingProblem problem, List<Goal> goals, int room) {
    BruteForce search = new BruteForce(problem, goals, room);
    search.place(0, new long[problem.memories().size()]);
    return search.best;
  }

  /** By peak, up to a highest one, the least price of reuse where no lower peak has it. */
  public static SortedMap<Long, Long> front(PackingProblem problem, long highest) {
    SortedMap<Long, Long> front = new TreeMap<>();
    long before = Long.MAX_VALUE;
    for (long c = 0; c <= Math.min(highest, problem.memories().get(0).capacity()); c++) {
      long[] price = least(problem.withCapacity(0, c), List.of(Goal.REUSE), 0);
      if (price != null && price[0] < before) {
        before = price[0];
        front.put(c, before);
      }
    }
    return front;
  }

  /**
   * Places the buffers from one on.
   *
   * @param peaks of those before, the last memory's first
   */
  private void place(int depth, long[] peaks) {
    if (depth == order.length) {
      best = figures(depth, peaks).clone();
      return;
    }
    int i = order[depth];
    Buffer buffer = problem.buffer(i);
    for (int m = 0; m < top.length; m++) {
      if (!allows(buffer, m)) {
        continue;
      }
      int figure = top.length - 1 - m;
      long peak = peaks[figure];
      long from = buffer.isFixed() ? buffer.fixedOffset() : 0;
      long to = needs[i] ? top[m] - buffer.size() : isTied(i) ? top[m] + BESIDE : from;
      in[i] = m;
      for (long offset = from; offset <= to && --tries >= 0; offset++) {
        at[i] = (int) offset;
        if (needs[i]) {
          peaks[figure] = Math.max(peak, offset + buffer.size());
        }
        if (peaksAlone && best != null && Arrays.compare(peaks, best) >= 0) {
          break; // and higher offsets are worse
        }
        if (fits(buffer, m, offset)
            && agrees(depth)
            && (best == null || Arrays.compare(figures(depth + 1, peaks), best) < 0)) {
          place(depth + 1, peaks);
        }
        if (buffer.isFixed()) {
          break;
        }
      }
      peaks[figure] = peak;
    }
  }

  private boolean isTied(int i) {
    return problem.relations().together().stream()
        .anyMatch(pair -> pair.first() == i || pair.second() == i);
  }

  private boolean fits(Buffer buffer, int m, long offset) {
    Memory memory = memories.get(m);
    long bank = buffer.withinBank() && buffer.size() > 0 ? memory.bankSize() : 0;
    return offset % buffer.alignment() == 0
        && offset % memory.alignment() == 0
        && (bank == 0 || offset / bank == (offset + buffer.size() - 1) / bank)
        && (memory.reserved().isEmpty()
            || !buffer.needsMemory()
            || memory.reserved().stream()
                .noneMatch(r -> r.from() < offset + buffer.size() && offset < r.to()));
  }

  private boolean agrees(int depth) {
    int i = order[depth];
    for (int k = 0; k < depth; k++) {
      int j = order[k];
      boolean sameMemory = in[i] == in[j] && needs[i] && needs[j];
      if (sameMemory && (clashes[i][j][at[i] - at[j] + reach] || shareABank(i, j))) {
        return false;
      }
    }
    for (Relations.Together pair : problem.relations().together()) {
      int a = pair.first();
      int b = pair.second();
      if ((a == i && isPlaced(b, depth) || b == i && isPlaced(a, depth))
          && (in[a] != in[b] || at[b] - at[a] != pair.distance())) {
        return false;
      }
    }
    return true;
  }

  private boolean isPlaced(int i, int depth) {
    return IntStream.range(0, depth).anyMatch(k -> order[k] == i);
  }

  private boolean shareABank(int i, int j) {
    long bank = memories.get(in[i]).bankSize();
    return bank > 0
        && problem.relations().otherBank().contains(i, j)
        && at[i] / bank <= (at[j] + problem.buffer(j).size() - 1) / bank
        && at[j] / bank <= (at[i] + problem.buffer(i).size() - 1) / bank;
  }

  /** The figures of so many buffers; the peaks themselves where they alone count. */
  private long[] figures(int count, long[] peaks) {
    if (peaksAlone) {
      return peaks;
    }
    return goals.stream()
        .flatMapToLong(
            goal ->
                switch (goal) {
                  case PEAK -> Arrays.stream(peaks);
                  case REUSE -> LongStream.of(cost(count));
                  case OVERFLOW -> LongStream.of(overflow(peaks));
                  case BANKS -> LongStream.of(banks(count));
                })
        .toArray();
  }

  private long cost(int count) {
    long cost = 0;
    for (Relations.Reuse pair : problem.relations().reuse()) {
      int i = pair.first();
      int j = pair.second();
      boolean share =
          isPlaced(i, count)
              && isPlaced(j, count)
              && in[i] == in[j]
              && needs[i]
              && needs[j]
              && at[i] < at[j] + problem.buffer(j).size()
              && at[j] < at[i] + problem.buffer(i).size();
      boolean pays = !meet[i][j] || problem.relations().exclusive().contains(i, j);
      cost += share && pays ? pair.weight() : 0;
    }
    return cost;
  }

  private long overflow(long[] peaks) {
    return IntStream.range(0, top.length)
        .mapToLong(m -> Math.max(0, peaks[top.length - 1 - m] - memories.get(m).capacity()))
        .sum();
  }

  private long banks(int count) {
    Set<List<Long>> used = new HashSet<>();
    for (int k = 0; k < count; k++) {
      int i = order[k];
      long bank = memories.get(in[i]).bankSize();
      for (long b = at[i]; b < at[i] + problem.buffer(i).size() && bank > 0 && needs[i]; b++) {
        used.add(List.of((long) in[i], b / bank));
      }
    }
    return used.size();
  }
}
