package stowage.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decision whether a few buffers of one memory fit below a ceiling, by deciding for every
 * conflicting pair which of the two is below the other.
 *
 * <p>Of two buffers that need bytes at one step, or that are an extra pair, one is below the other
 * there: {@code offset(upper) >= offset(lower) + d}, where d is the size of the lower one (with
 * windows: the end of the bytes it needs less the start of those the upper one needs). Once all are
 * decided, the least offsets that satisfy all of them, rounded up to alignments and banks, are a
 * placement if they stay below the ceiling; so trying both ways for each pair is complete. Before a
 * pair is tried, what follows is drawn: every buffer has a lowest and a highest offset, a pair for
 * which one way is impossible takes the other, at every step no stretch of addresses may have to
 * hold more bytes than it has (the energy of the stretch), and what is below a buffer at a step is
 * a sum of sizes and of no more free bytes than the step has.
 *
 * <p>Example: a of 3 bytes alive during [0, 2), b of 4 during [1, 3) and c of 3 during [2, 4),
 * where a and c are an extra pair, under a ceiling of 9. Let a be below b: a ends at 5 at most, b
 * starts at 3 or more. c must be below b or above it. Above, it would start at 7 or more, and 7 + 3
 * > 9; so it is below b, which therefore starts at 5 at most, and a and c, of 6 bytes together,
 * must both end there. The same holds turned over where a is above b: nothing fits below 9.
 *
 * <p>This is the disjunctive graph of job-shop scheduling with the address axis as time; see J.
 * Carlier and E. Pinson, Management Science 35(2), 1989, doi 10.1287/mnsc.35.2.164. It is meant for
 * a dozen buffers and shares nothing with the searches whose words it checks, which place buffers
 * from the bottom up.
 */
final class DisjunctiveProof {
  private static final long MOST_WORK = 10_000_000;
  private static final int MOST_FREE = 9;
  private static final int NONE = -1;
  private static final int SEVERAL = -2;

  enum Answer {
    FITS,
    EXCLUDED,
    TOO_LONG
  }

  private final int count;
  private final long[] size;
  private final long[] alignment;
  private final long[] bank;
  private final List<Pair> pairs = new ArrayList<>();
  private final List<List<Need>> steps = new ArrayList<>();
  private final long ceiling;

  /** The only pair of two buffers; {@link #NONE} without one, {@link #SEVERAL} with more. */
  private final int[][] pairOf;

  private final long[] sums = new long[1 << MOST_FREE];
  private int nodesLeft;

  /** Looks at a pair that are left: with windows, bounds can creep byte by byte. */
  private long workLeft = MOST_WORK;

  /** {@code upper >= lower + below}: how far the second must be above the first, or else. */
  private record Pair(int first, int second, long secondAbove, long firstAbove) {}

  private record Need(int buffer, long low, long high) {}

  private DisjunctiveProof(int count, long ceiling, int nodes) {
    this.count = count;
    this.ceiling = ceiling;
    this.pairOf = new int[count][count];
    this.size = new long[count];
    this.alignment = new long[count];
    this.bank = new long[count];
    this.nodesLeft = nodes;
  }

  /** Whether buffers that need one memory alone fit below a ceiling, in so many decisions. */
  static Answer fits(PackingProblem problem, int memory, int[] buffers, long ceiling, int nodes) {
    int[] left = withoutAlwaysLive(problem, memory, buffers);
    long height = ceiling;
    for (int i : buffers) {
      height -= problem.buffer(i).size();
    }
    for (int i : left) {
      height += problem.buffer(i).size();
    }
    return height < 0 ? Answer.EXCLUDED : fitsBeside(problem, memory, left, height, nodes);
  }

  /**
   * The buffers without those in the way of all others, and without those that are then; the same
   * array where there are none. Such a buffer cuts every placement into what is below and what is
   * above it; put at the bottom, with what was below moved up by its size, it changes no peak. So
   * whether all fit below a ceiling is whether the others fit below one that is lower by its size.
   * That takes buffers that may be anywhere and need all their bytes throughout.
   */
  private static int[] withoutAlwaysLive(PackingProblem problem, int memory, int[] buffers) {
    int firstEnd = Integer.MAX_VALUE;
    int lastStart = Integer.MIN_VALUE;
    for (int i : buffers) {
      Buffer buffer = problem.buffer(i);
      boolean free =
          problem.alignment(i, memory) == 1 && !problem.staysInBank(i, memory) && !buffer.isFixed();
      if (!free || !buffer.gaps().isEmpty()) {
        return buffers;
      }
      firstEnd = Math.min(firstEnd, buffer.live().end());
      lastStart = Math.max(lastStart, buffer.live().start());
    }
    int end = firstEnd;
    int start = lastStart;
    int[] left =
        Arrays.stream(buffers)
            .filter(
                i ->
                    problem.buffer(i).live().start() >= end
                        || problem.buffer(i).live().end() <= start)
            .toArray();
    return left.length == buffers.length ? left : withoutAlwaysLive(problem, memory, left);
  }

  private static Answer fitsBeside(
      PackingProblem problem, int memory, int[] buffers, long ceiling, int nodes) {
    DisjunctiveProof proof = new DisjunctiveProof(buffers.length, ceiling, nodes);
    long[] low = new long[buffers.length];
    long[] high = new long[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      Buffer buffer = problem.buffer(buffers[i]);
      proof.size[i] = buffer.size();
      proof.alignment[i] = problem.alignment(buffers[i], memory);
      proof.bank[i] =
          problem.staysInBank(buffers[i], memory) ? problem.memories().get(memory).bankSize() : 0;
      low[i] = Math.max(0, buffer.fixedOffset());
      high[i] = buffer.isFixed() ? buffer.fixedOffset() : ceiling;
      high[i] = Math.min(high[i], ceiling - buffer.size());
    }
    proof.addPairs(problem, buffers);
    proof.indexPairs();
    proof.addSteps(problem, buffers);
    return proof.search(low, high, new byte[proof.pairs.size()]);
  }

  private void addPairs(PackingProblem problem, int[] buffers) {
    for (int j = 0; j < count; j++) {
      for (int i = 0; i < j; i++) {
        Buffer one = problem.buffer(buffers[i]);
        Buffer other = problem.buffer(buffers[j]);
        if (problem.conflicts().contains(buffers[i], buffers[j])) {
          pairs.add(new Pair(i, j, one.size(), other.size()));
          continue;
        }
        for (Buffer.Span a : one.spans()) {
          for (Buffer.Span b : other.spans()) {
            Pair pair = new Pair(i, j, a.high() - b.low(), b.high() - a.low());
            if (a.start() < b.end() && b.start() < a.end() && !pairs.contains(pair)) {
              pairs.add(pair);
            }
          }
        }
      }
    }
  }

  private void indexPairs() {
    for (int[] row : pairOf) {
      Arrays.fill(row, NONE);
    }
    for (int k = 0; k < pairs.size(); k++) {
      Pair pair = pairs.get(k);
      int index = pairOf[pair.first][pair.second] == NONE ? k : SEVERAL;
      pairOf[pair.first][pair.second] = index;
      pairOf[pair.second][pair.first] = index;
    }
  }

  /** What is needed at the steps where something starts: nothing grows between them. */
  private void addSteps(PackingProblem problem, int[] buffers) {
    int[] starts =
        Arrays.stream(buffers)
            .mapToObj(problem::buffer)
            .flatMap(buffer -> buffer.spans().stream())
            .mapToInt(Buffer.Span::start)
            .sorted()
            .distinct()
            .toArray();
    for (int step : starts) {
      List<Need> needs = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Buffer.Span span = problem.buffer(buffers[i]).spanAt(step);
        if (span != null) {
          needs.add(new Need(i, span.low(), span.high()));
        }
      }
      steps.add(needs);
    }
  }

  /** Tries both ways of an undecided pair; a way is 0 undecided, 1 second above first, 2 below. */
  private Answer search(long[] low, long[] high, byte[] way) {
    if (nodesLeft-- <= 0) {
      return Answer.TOO_LONG;
    }
    if (!drawn(low, high, way)) {
      return Answer.EXCLUDED;
    }
    if (workLeft < 0) {
      return Answer.TOO_LONG;
    }
    int chosen = tightest(low, high, way);
    if (chosen < 0) {
      return Answer.FITS;
    }
    for (byte tried = 1; tried <= 2; tried++) {
      byte[] next = way.clone();
      next[chosen] = tried;
      Answer answer = search(low.clone(), high.clone(), next);
      if (answer != Answer.EXCLUDED) {
        return answer;
      }
    }
    return Answer.EXCLUDED;
  }

  /** The undecided pair with the least room for both ways together; -1 when all are decided. */
  private int tightest(long[] low, long[] high, byte[] way) {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int k = 0; k < way.length; k++) {
      Pair pair = pairs.get(k);
      int i = pair.first;
      int j = pair.second;
      long room = high[j] - low[i] - pair.secondAbove + high[i] - low[j] - pair.firstAbove;
      if (way[k] == 0 && room < least) {
        best = k;
        least = room;
      }
    }
    return best;
  }

  /** Draws all that follows; false when nothing is left. */
  private boolean drawn(long[] low, long[] high, byte[] way) {
    Arrays.setAll(low, i -> roundedUp(i, low[i]));
    do {
      if (!ordered(low, high, way)) {
        return false;
      }
      if (workLeft < 0) {
        return true;
      }
      if (isOverfull(low, high)) {
        return false;
      }
    } while (summed(low, high, way));
    return IntStream.range(0, count).allMatch(i -> low[i] <= high[i]);
  }

  /** Draws what follows from pairs; false when nothing is left. */
  private boolean ordered(long[] low, long[] high, byte[] way) {
    boolean changed = true;
    while (changed && workLeft >= 0) {
      changed = false;
      for (int k = 0; k < way.length; k++) {
        workLeft--;
        Pair pair = pairs.get(k);
        int i = pair.first;
        int j = pair.second;
        if (way[k] == 0) {
          boolean up = low[i] + pair.secondAbove <= high[j];
          boolean down = low[j] + pair.firstAbove <= high[i];
          way[k] = (byte) (up ? (down ? 0 : 1) : 2);
          changed |= way[k] != 0;
        }
        if (way[k] == 1) {
          changed |= above(i, j, pair.secondAbove, low, high);
        } else if (way[k] == 2) {
          changed |= above(j, i, pair.firstAbove, low, high);
        }
        if (low[i] > high[i] || low[j] > high[j]) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Moves the lowest and highest offsets to heights that sums can reach: at a step, what is below
   * the bytes a buffer needs is what some others need, and free bytes, of which the step has no
   * more than the ceiling less its load. Ends at the first change, or at an empty range.
   */
  private boolean summed(long[] low, long[] high, byte[] way) {
    for (List<Need> needs : steps) {
      long load = needs.stream().mapToLong(need -> need.high - need.low).sum();
      for (Need need : needs) {
        int i = need.buffer;
        int heights = sumsBelow(needs, i, way);
        if (heights == 0) {
          continue;
        }
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int k = 0; k < heights; k++) {
          long from = sums[k] - need.low;
          long to = from + ceiling - load;
          if (Math.max(from, low[i]) <= Math.min(to, high[i])) {
            first = Math.min(first, Math.max(from, low[i]));
            last = Math.max(last, Math.min(to, high[i]));
          }
        }
        first = first > last ? first : roundedUp(i, first);
        if (first > low[i] || last < high[i]) {
          low[i] = first;
          high[i] = last;
          return first <= last;
        }
      }
    }
    return false;
  }

  /** Fills in all sums of what may be below a buffer; 0 when there are too many. */
  private int sumsBelow(List<Need> needs, int buffer, byte[] way) {
    int length = 1;
    sums[0] = 0;
    for (Need other : needs) {
      if (other.buffer == buffer) {
        continue;
      }
      int pair = pairOf[buffer][other.buffer];
      int decided = pair < 0 ? 0 : way[pair];
      long bytes = other.high - other.low;
      if (decided == 0) {
        if (2 * length > sums.length) {
          return 0;
        }
        for (int k = 0; k < length; k++) {
          sums[length + k] = sums[k] + bytes;
        }
        length *= 2;
      } else if ((decided == 1) == (pairs.get(pair).second == buffer)) {
        for (int k = 0; k < length; k++) {
          sums[k] += bytes;
        }
      }
    }
    workLeft -= length;
    return length;
  }

  private boolean above(int lower, int upper, long by, long[] low, long[] high) {
    boolean changed = false;
    if (low[upper] < low[lower] + by) {
      low[upper] = roundedUp(upper, low[lower] + by);
      changed = true;
    }
    if (high[lower] > high[upper] - by) {
      high[lower] = high[upper] - by;
      changed = true;
    }
    return changed;
  }

  /**
   * The lowest offset from here on that alignment and bank admit; less, which excludes less, where
   * that is above every offset it may have, or where the work runs out.
   */
  private long roundedUp(int i, long offset) {
    long at = -Math.floorDiv(-offset, alignment[i]) * alignment[i];
    while (bank[i] > 0
        && at <= ceiling - size[i]
        && Math.floorMod(at, bank[i]) + size[i] > bank[i]
        && workLeft-- >= 0) {
      at = (Math.floorDiv(at, bank[i]) + 1) * bank[i];
      at = -Math.floorDiv(-at, alignment[i]) * alignment[i];
    }
    return at;
  }

  /** Whether some stretch of addresses would have to hold more than it has room for at a step. */
  private boolean isOverfull(long[] low, long[] high) {
    for (List<Need> needs : steps) {
      for (Need floor : needs) {
        long from = low[floor.buffer] + floor.low;
        for (Need roof : needs) {
          long to = high[roof.buffer] + roof.high;
          long sum = 0;
          for (Need need : needs) {
            boolean inside =
                low[need.buffer] + need.low >= from && high[need.buffer] + need.high <= to;
            sum += inside ? need.high - need.low : 0;
          }
          if (sum > Math.max(0, to - from)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
