package stowage.exact.bound;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import stowage.packing.Bound;
import stowage.packing.Buffer;
import stowage.packing.Certificate;
import stowage.packing.IndexOrder;
import stowage.packing.PackingProblem;

/**
 * The buffers of a step as jobs on one machine: the address is the time, a head is the lowest
 * address at which a job may begin, a tail what must be above its end.
 *
 * <p>Heads and tails come from elsewhere than the step: from buffers of given offsets that a buffer
 * meets at other steps, which leave it only some offsets; from alignments and banks; and from parts
 * of a buffer that are not needed at the step but are below or above what is. Under a ceiling every
 * job thus has a release date and a due date, and a set of jobs whose bytes exceed what is between
 * the earliest release and the latest due date does not fit: the overload rule of edge finding
 * (Carlier and Pinson, Management Science 35(2), 1989, doi 10.1287/mnsc.35.2.164). The bound is the
 * lowest ceiling that no set excludes, found by bisection.
 *
 * <p>Example: f of 4 bytes is given the offset 4 during [0, 2); x and y of 5 bytes are alive during
 * [0, 4) and [1, 4). Neither fits below f, so both have a head of 8, at step 3 as well, where f is
 * gone: the peak is 8 + 5 + 5 = 18, while the max load, at step 1, is 14.
 *
 * <p>O(b k^2 + k f) for each step looked at: k buffers alive, f given offsets, b bits of the value.
 */
final class EnergyBound {
  private static final int MOST_ALIVE = 400;

  private final PackingProblem problem;
  private final int memory;
  private final int[] given;

  private EnergyBound(PackingProblem problem, int memory, IntPredicate here) {
    this.problem = problem;
    this.memory = memory;
    this.given =
        IndexOrder.of(
            IntStream.range(0, problem.size())
                .filter(i -> problem.buffer(i).isFixed() && here.test(i)),
            Comparator.comparingLong(i -> problem.buffer(i).fixedOffset()));
  }

  /** The best bound above a known one of the heaviest steps of buffers here alone, or null. */
  static Bound best(PackingProblem problem, int memory, IntPredicate here, long known) {
    EnergyBound energy = new EnergyBound(problem, memory, here);
    List<Integer> steps = HeaviestSteps.of(problem, here);
    Bound best = null;
    long proven = known;
    for (int step : steps) {
      int[] alive = HeaviestSteps.alive(problem, here, step);
      if (alive.length > MOST_ALIVE) {
        continue;
      }
      Jobs jobs = energy.new Jobs(alive, step);
      // Nothing excludes the ceiling to which all can be stacked above the highest given offset.
      long low = proven;
      long high = jobs.horizon();
      while (low < high) {
        long ceiling = low + (high - low) / 2;
        if (jobs.overloaded(ceiling) != null) {
          low = ceiling + 1;
        } else {
          high = ceiling;
        }
      }
      int[] set = low > proven ? jobs.overloaded(low - 1) : null;
      if (set != null) {
        proven = low;
        best =
            LowerBounds.bound(problem, memory, proven, new Certificate.Energy(memory, step, set));
      }
    }
    return best;
  }

  private final class Jobs {
    private final int[] alive;
    private final long[] low;
    private final long[] bytes;
    private final int[][] inTheWay;

    Jobs(int[] alive, int step) {
      this.alive = alive;
      this.low = new long[alive.length];
      this.bytes = new long[alive.length];
      this.inTheWay = new int[alive.length][];
      for (int k = 0; k < alive.length; k++) {
        int buffer = alive[k];
        Buffer.Span span = problem.buffer(buffer).spanAt(step);
        low[k] = span.low();
        bytes[k] = span.high() - span.low();
        inTheWay[k] =
            Arrays.stream(given)
                .filter(i -> i != buffer && CliqueFinder.conflict(problem, i, buffer))
                .toArray();
      }
    }

    long horizon() {
      long top =
          Arrays.stream(given)
              .mapToLong(i -> problem.buffer(i).fixedOffset() + problem.buffer(i).size())
              .max()
              .orElse(0);
      for (int i : alive) {
        long bank = problem.staysInBank(i, memory) ? problem.memories().get(memory).bankSize() : 0;
        top += problem.buffer(i).size() + Math.max(bank, problem.alignment(i, memory));
      }
      return top;
    }

    /** A set of buffers that does not fit below a ceiling, or null. */
    int[] overloaded(long ceiling) {
      int n = alive.length;
      long[] release = new long[n];
      long[] due = new long[n];
      for (int k = 0; k < n; k++) {
        long lowest = lowest(k, ceiling);
        if (lowest < 0) {
          return new int[] {alive[k]};
        }
        release[k] = lowest + low[k];
        due[k] = highest(k, ceiling) + low[k] + bytes[k];
      }
      int[] late = IndexOrder.of(IntStream.range(0, n), Comparator.comparingLong(k -> -release[k]));
      for (int latest = 0; latest < n; latest++) {
        long sum = 0;
        for (int k : late) {
          if (due[k] <= due[latest]) {
            sum += bytes[k];
            if (release[k] + sum > due[latest]) {
              long from = release[k];
              long to = due[latest];
              return IntStream.range(0, n)
                  .filter(j -> release[j] >= from && due[j] <= to)
                  .map(j -> alive[j])
                  .toArray();
            }
          }
        }
      }
      return null;
    }

    /** The lowest offset at which a buffer is in no given one's way, or -1. */
    private long lowest(int k, long ceiling) {
      Buffer buffer = problem.buffer(alive[k]);
      if (buffer.isFixed()) {
        return buffer.fixedOffset() + buffer.size() <= ceiling ? buffer.fixedOffset() : -1;
      }
      long at = 0;
      for (int i : inTheWay[k]) {
        long offset = problem.buffer(i).fixedOffset();
        at = problem.roundUp(alive[k], memory, at);
        if (at + buffer.size() <= offset) {
          break; // and below all that follow
        }
        at = Math.max(at, offset + problem.buffer(i).size());
      }
      at = problem.roundUp(alive[k], memory, at);
      return at >= 0 && at + buffer.size() <= ceiling ? at : -1;
    }

    /** The highest offset below the ceiling at which a buffer is in no given one's way. */
    private long highest(int k, long ceiling) {
      Buffer buffer = problem.buffer(alive[k]);
      if (buffer.isFixed()) {
        return buffer.fixedOffset();
      }
      long at = problem.roundDown(alive[k], memory, ceiling - buffer.size());
      for (int j = inTheWay[k].length - 1; j >= 0; j--) {
        Buffer other = problem.buffer(inTheWay[k][j]);
        if (at < other.fixedOffset() + other.size()) {
          long below = Math.min(at, other.fixedOffset() - buffer.size());
          at = problem.roundDown(alive[k], memory, below);
        }
      }
      return at;
    }
  }
}
