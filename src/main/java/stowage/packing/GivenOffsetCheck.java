package stowage.packing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Check of certificates that rest on given offsets: sums that fill holes, and stretches. */
final class GivenOffsetCheck {
  private static final int MOST_BITS = 1 << 23;

  private GivenOffsetCheck() {}

  static long subsetSum(PackingProblem problem, Certificate.SubsetSum certificate) {
    BoundVerifier.checkDistinct(problem, certificate.buffers());
    TreeMap<Long, Long> given = new TreeMap<>(); // end by begin
    List<Long> free = new ArrayList<>();
    long taken = 0; // bytes of the given ones above the one at hand
    for (int i : certificate.buffers()) {
      Buffer.Span span = need(problem, certificate.memory(), i, certificate.step());
      long bytes = span.high() - span.low();
      if (problem.buffer(i).isFixed()) {
        long begin = problem.buffer(i).fixedOffset() + span.low();
        BoundVerifier.require(
            given.put(begin, begin + bytes) == null, problem, i, "begins where another does");
        taken += bytes;
      } else {
        free.add(bytes);
      }
    }
    long proven = 0;
    long left = free.stream().mapToLong(Long::longValue).sum(); // least that no hole below takes
    long end = 0;
    for (var range : given.entrySet()) {
      if (range.getKey() < end) {
        throw new IllegalArgumentException("given offsets overlap at " + range.getKey());
      }
      left -= left > 0 ? Math.min(left, largestSum(free, range.getKey() - end)) : 0;
      taken -= range.getValue() - range.getKey();
      end = range.getValue();
      proven = Math.max(proven, end + taken + left);
    }
    return proven;
  }

  /** The largest sum of some of the figures that is no larger than a limit, or the limit. */
  private static long largestSum(List<Long> figures, long limit) {
    BigInteger common = BigInteger.ZERO;
    for (long figure : figures) {
      common = common.gcd(BigInteger.valueOf(figure));
    }
    if (common.signum() == 0 || limit / common.longValueExact() >= MOST_BITS) {
      return common.signum() == 0 ? 0 : limit;
    }
    int bits = (int) (limit / common.longValueExact()) + 1;
    BigInteger mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    BigInteger sums = BigInteger.ONE;
    for (long figure : figures) {
      long shift = figure / common.longValueExact();
      sums = shift >= bits ? sums : sums.or(sums.shiftLeft((int) shift)).and(mask);
    }
    return (sums.bitLength() - 1) * common.longValueExact();
  }

  static boolean excludes(PackingProblem problem, Certificate.Energy certificate, long ceiling) {
    BoundVerifier.checkDistinct(problem, certificate.buffers());
    int[] given =
        IntStream.range(0, problem.size())
            .filter(i -> problem.buffer(i).isFixed() && problem.buffer(i).needsMemory())
            .filter(i -> problem.allowedMask(i) == 1L << certificate.memory())
            .toArray();
    long from = Long.MAX_VALUE;
    long to = 0;
    long sum = 0;
    for (int i : certificate.buffers()) {
      Buffer.Span span = need(problem, certificate.memory(), i, certificate.step());
      long lowest = -1;
      long highest = -1;
      for (long[] range : freeRanges(problem, i, given, ceiling)) {
        long first = firstIn(problem, certificate.memory(), i, range[0], range[1]);
        if (first >= 0) {
          lowest = lowest < 0 ? first : lowest;
          highest = lastIn(problem, certificate.memory(), i, first, range[1]);
        }
      }
      if (lowest < 0) {
        return true; // it has no place at all
      }
      from = Math.min(from, lowest + span.low());
      to = Math.max(to, highest + span.high());
      sum += span.high() - span.low();
    }
    return sum > Math.max(0, to - from);
  }

  /** Ranges of offsets, both ends included, at which a buffer is in no given one's way. */
  private static List<long[]> freeRanges(
      PackingProblem problem, int buffer, int[] given, long ceiling) {
    long size = problem.buffer(buffer).size();
    List<long[]> ranges = new ArrayList<>();
    if (problem.buffer(buffer).isFixed()) {
      long only = problem.buffer(buffer).fixedOffset();
      if (only + size <= ceiling) {
        ranges.add(new long[] {only, only});
      }
      return ranges;
    }
    ranges.add(new long[] {0, ceiling - size});
    for (int other : given) {
      if (BoundVerifier.conflict(problem, buffer, other)
          && (!problem.relations().mayShare(buffer, other)
              || problem.conflicts().contains(buffer, other))) {
        long begin = problem.buffer(other).fixedOffset();
        long end = begin + problem.buffer(other).size();
        List<long[]> left = new ArrayList<>();
        for (long[] range : ranges) {
          left.add(new long[] {range[0], Math.min(range[1], begin - size)});
          left.add(new long[] {Math.max(range[0], end), range[1]});
        }
        left.removeIf(range -> range[0] > range[1]);
        ranges = left;
      }
    }
    return ranges;
  }

  private static long firstIn(PackingProblem problem, int memory, int buffer, long low, long high) {
    long size = problem.buffer(buffer).size();
    long alignment = problem.alignment(buffer, memory);
    long bank = problem.memories().get(memory).bankSize();
    long at = (low + alignment - 1) / alignment * alignment;
    while (at <= high
        && problem.staysInBank(buffer, memory)
        && at / bank != (at + size - 1) / bank) {
      at = ((at / bank + 1) * bank + alignment - 1) / alignment * alignment;
    }
    return problem.buffer(buffer).isFixed() ? low : at <= high ? at : -1;
  }

  private static long lastIn(
      PackingProblem problem, int memory, int buffer, long first, long high) {
    long size = problem.buffer(buffer).size();
    long alignment = problem.alignment(buffer, memory);
    long bank = problem.memories().get(memory).bankSize();
    if (problem.buffer(buffer).isFixed()) {
      return first;
    }
    long at = high / alignment * alignment;
    while (at > first
        && problem.staysInBank(buffer, memory)
        && at / bank != (at + size - 1) / bank) {
      at = ((at / bank + 1) * bank - size) / alignment * alignment;
    }
    return Math.max(at, first);
  }

  private static Buffer.Span need(PackingProblem problem, int memory, int buffer, int step) {
    BoundVerifier.requireHere(problem, memory, buffer);
    Buffer.Span span = problem.buffer(buffer).spanAt(step);
    BoundVerifier.require(span != null, problem, buffer, "needs nothing at step " + step);
    return span;
  }
}
