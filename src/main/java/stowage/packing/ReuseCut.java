package stowage.packing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * An inequality that the paid reuse pairs of every placement satisfy: the sum of coefficients of
 * the pairs that are paid is at least the {@link #right} side. Both kinds speak of buffers that can
 * be in one memory alone and of which every two are alive at once, in conflict, or a reuse pair:
 * such a pair of buffers is apart, or it is paid for.
 *
 * <p>Sizes are rounded up to the greatest common divisor of all alignments there, since no two
 * buffers that are apart share a cell of that size; the room is rounded up likewise, less the cells
 * that reserved ranges fill.
 */
public sealed interface ReuseCut {
  int memory();

  int[] buffers();

  ReuseCut renumbered(IntUnaryOperator number);

  long right(PackingProblem problem);

  /** {@return the coefficients of the pairs, by {@link #key}; pairs that are not there have 0} */
  Map<Long, Long> left(PackingProblem problem);

  /** {@return what it says, as fields of a JSON answer with the problem's names} */
  default Map<String, Object> fields(PackingProblem problem) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("memory", problem.memories().get(memory()).name());
    fields.put("buffers", ids(problem, buffers()));
    return fields;
  }

  private static List<String> ids(PackingProblem problem, int[] buffers) {
    return Arrays.stream(buffers).mapToObj(i -> problem.buffer(i).id()).toList();
  }

  /** {@return a pair of buffers as one number, the smaller index first} */
  static long key(int one, int other) {
    return (long) Math.min(one, other) << 32 | Math.max(one, other);
  }

  /**
   * What hides. Sorted by size, the largest first (equal ones by index), let y(i) be 1 if buffer i
   * shares an address with one before it. All ranges together cover at least the sum of s(i) (1 -
   * y(i)), since a buffer that shares no address with those before it adds all its bytes; and they
   * cover at most the room. So the sum of s(i) y(i) is at least the sum of s less the room. For the
   * buffers {@code given} y is taken as 1, its most, which leaves e, what the others have to hide:
   * the sum of s(i) y(i) over the others is at least e. As the y are 0 or 1, so is the sum of
   * min(s(i), e) y(i); divided by d and rounded up, the sum of a(i) y(i), a(i) = ceil(min(s(i), e)
   * / d), is at least ceil(e / d). At last y(i) is at most the number of paid pairs of i with
   * buffers before it. (With {@code given} these are the knapsack cover inequalities of Carr,
   * Fleischer, Leung and Phillips, SODA 2000.)
   *
   * <p>Example: room 10, sizes 6, 5 and 4: e = 5. With d = 1: 5 x(6,5) + 4 x(6,4) + 4 x(5,4) >= 5;
   * with d = 5: x(6,5) + x(6,4) + x(5,4) >= 1; with 5 given: x(6,4) + x(5,4) >= 0 says nothing.
   *
   * @param memory the memory, by index
   * @param buffers the buffers
   * @param given those that are counted as hidden whatever is paid
   * @param divisor d, 1 or more
   */
  record Hide(int memory, int[] buffers, int[] given, long divisor) implements ReuseCut {
    @Override
    public Hide renumbered(IntUnaryOperator number) {
      return new Hide(
          memory,
          IndexOrder.renumbered(buffers, number),
          IndexOrder.renumbered(given, number),
          divisor);
    }

    @Override
    public long right(PackingProblem problem) {
      long excess = excess(problem, unit(problem, memory, buffers));
      return excess <= 0 ? 0 : (excess - 1) / divisor + 1;
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      Map<String, Object> fields = ReuseCut.super.fields(problem);
      fields.put("given", ids(problem, given));
      fields.put("divisor", divisor);
      return fields;
    }

    private long excess(PackingProblem problem, long unit) {
      long room = room(problem, memory, unit);
      if (room == Long.MAX_VALUE) {
        return 0;
      }
      long sum = Arrays.stream(buffers).mapToLong(i -> rounded(problem, i, unit)).sum();
      for (int i : given) {
        sum -= rounded(problem, i, unit);
      }
      return sum - room;
    }

    @Override
    public Map<Long, Long> left(PackingProblem problem) {
      long unit = unit(problem, memory, buffers);
      long excess = excess(problem, unit);
      Comparator<Integer> largest = Comparator.comparingLong(i -> -rounded(problem, i, unit));
      int[] order = IndexOrder.of(Arrays.stream(buffers), largest.thenComparingInt(i -> i));
      Map<Long, Long> left = new HashMap<>();
      for (int k = 1; k < order.length && excess > 0; k++) {
        int i = order[k];
        if (Arrays.stream(given).anyMatch(other -> other == i)) {
          continue;
        }
        long most = Math.min(rounded(problem, i, unit), excess);
        long factor = most <= 0 ? 0 : (most - 1) / divisor + 1;
        for (int earlier = 0; earlier < k; earlier++) {
          left.merge(key(order[earlier], i), factor, Long::sum);
        }
      }
      return left;
    }
  }

  /**
   * Turan's theorem. All m buffers are larger than room / (k + 1), so no k + 1 of them are apart:
   * the graph of the pairs that share addresses has no independent set of k + 1, and so at least as
   * many edges as k disjoint complete graphs of sizes as equal as can be: with m = q k + r, r times
   * q (q + 1) / 2 and k - r times q (q - 1) / 2.
   *
   * <p>Example: room 10, five buffers of 4 bytes, k = 2: 5 = 2 * 2 + 1, so 3 + 1 = 4 pairs.
   *
   * @param memory the memory, by index
   * @param buffers the buffers, each larger than room / (k + 1)
   * @param k how many can be apart at most
   */
  record Turan(int memory, int[] buffers, int k) implements ReuseCut {
    @Override
    public Turan renumbered(IntUnaryOperator number) {
      return new Turan(memory, IndexOrder.renumbered(buffers, number), k);
    }

    @Override
    public long right(PackingProblem problem) {
      long unit = unit(problem, memory, buffers);
      long room = room(problem, memory, unit);
      for (int i : buffers) {
        if (room == Long.MAX_VALUE || rounded(problem, i, unit) <= room / (k + 1L)) {
          return 0;
        }
      }
      return turan(buffers.length, k);
    }

    @Override
    public Map<String, Object> fields(PackingProblem problem) {
      Map<String, Object> fields = ReuseCut.super.fields(problem);
      fields.put("apartAtMost", k);
      return fields;
    }

    @Override
    public Map<Long, Long> left(PackingProblem problem) {
      Map<Long, Long> left = new HashMap<>();
      for (int i : buffers) {
        for (int j : buffers) {
          if (i < j) {
            left.put(key(i, j), 1L);
          }
        }
      }
      return left;
    }
  }

  /** {@return the fewest edges of a graph of m vertices with at most k independent ones} */
  static long turan(long m, long k) {
    long q = m / k;
    long r = m % k;
    return r * (q * (q + 1) / 2) + (k - r) * (q * (q - 1) / 2);
  }

  static long unit(PackingProblem problem, int memory, int[] buffers) {
    long unit = 0;
    for (int i : buffers) {
      unit = Rounding.gcd(unit, problem.alignment(i, memory));
    }
    return Math.max(1, unit);
  }

  static long rounded(PackingProblem problem, int buffer, long unit) {
    return (problem.buffer(buffer).size() + unit - 1) / unit * unit;
  }

  /** {@return the bytes of cells that are not wholly reserved; the largest long without a limit} */
  static long room(PackingProblem problem, int memory, long unit) {
    Memory home = problem.memories().get(memory);
    if (!home.isBounded()) {
      return Long.MAX_VALUE;
    }
    long cells = home.capacity() == 0 ? 0 : (home.capacity() - 1) / unit + 1;
    long room = cells;
    for (ReservedRange range : home.reserved()) {
      long first = range.from() == 0 ? 0 : (range.from() - 1) / unit + 1;
      long last = Math.min(range.to() / unit, cells);
      room -= Math.max(0, last - first);
    }
    return room > Long.MAX_VALUE / unit ? Long.MAX_VALUE : room * unit;
  }
}
