package stowage.packing;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Buffers to be put into objects that are reused whole: the buffers of one object never conflict,
 * an object is as large as its largest buffer, and the sum of the objects' sizes counts.
 *
 * <p>Graph theory knows this as max-colouring (Pemmaraju, Raman and Varadarajan, Buffer
 * minimization using max-coloring, SODA 2004): objects are colours, and a colour costs its largest
 * vertex. It is NP-hard even where conflicts come from live ranges alone.
 *
 * <p>Two buffers conflict when their live ranges overlap from first to last step (gaps are not
 * used, for an object is held throughout), when they are an extra pair, or when they are of
 * different kinds. Since objects are end to end and each starts with a buffer of its own, sizes are
 * rounded up to what divides all alignments; {@link #largestRounding} says by how much the last may
 * end earlier.
 *
 * <p>Items are the buffers that need memory, numbered from the largest to the smallest; of equal
 * ones the earlier in time, then in the file, comes first.
 */
public final class ObjectProblem {
  private final PackingProblem problem;
  private final int[] kinds;
  private final long alignment;
  private final int[] buffers;
  private final long[] sizes;
  private final int[] starts;
  private final int[] ends;
  private final long largestRounding;

  private ObjectProblem(PackingProblem problem, int[] kinds) {
    this.problem = problem;
    this.kinds = kinds;
    this.alignment = commonDivisorOfAlignments(problem);
    buffers =
        IndexOrder.of(
            IntStream.range(0, problem.size()).filter(b -> problem.buffer(b).needsMemory()),
            Comparator.comparingLong((Integer b) -> -rounded(problem.buffer(b).size()))
                .thenComparingInt(b -> problem.buffer(b).live().start()));
    int count = buffers.length;
    sizes = new long[count];
    starts = new int[count];
    ends = new int[count];
    long rounding = 0;
    for (int k = 0; k < count; k++) {
      Buffer buffer = problem.buffer(buffers[k]);
      sizes[k] = rounded(buffer.size());
      starts[k] = buffer.live().start();
      ends[k] = buffer.live().end();
      rounding = Math.max(rounding, sizes[k] - buffer.size());
    }
    largestRounding = rounding;
  }

  /** {@return the objects of a problem of one memory; fails on fixed offsets and banks} */
  public static ObjectProblem of(PackingProblem problem) {
    return of(problem, null);
  }

  /** {@return the same where only buffers of one kind, given by index, share; null for one kind} */
  public static ObjectProblem of(PackingProblem problem, int[] kinds) {
    if (problem.memories().size() > 1) {
      throw new InvalidProblemException("objects are reused in one memory, not in several");
    }
    for (int b = 0; b < problem.size(); b++) {
      Buffer buffer = problem.buffer(b);
      if (buffer.needsMemory() && (buffer.isFixed() || problem.staysInBank(b, 0))) {
        throw new InvalidProblemException(
            "buffer \"" + buffer.id() + "\": objects know neither fixed offsets nor banks");
      }
    }
    return new ObjectProblem(problem, kinds == null ? null : kinds.clone());
  }

  private static long commonDivisorOfAlignments(PackingProblem problem) {
    long divisor = 0;
    for (int b = 0; b < problem.size(); b++) {
      divisor = Rounding.gcd(divisor, problem.alignment(b, 0));
    }
    return Math.max(1, divisor);
  }

  private long rounded(long size) {
    return Rounding.up(size, 0, alignment, 0);
  }

  /** {@return the problem whose buffers these are} */
  public PackingProblem problem() {
    return problem;
  }

  /** {@return the number of items} */
  public int count() {
    return buffers.length;
  }

  /** {@return the buffer of an item, by index in the problem} */
  public int buffer(int item) {
    return buffers[item];
  }

  /** {@return the size of an item in bytes, rounded up} */
  public long size(int item) {
    return sizes[item];
  }

  /** {@return the first step of an item's live range} */
  public int start(int item) {
    return starts[item];
  }

  /** {@return the first step after an item's live range} */
  public int end(int item) {
    return ends[item];
  }

  /** {@return the kind of an item; 0 where all are of one} */
  public int kind(int item) {
    return kinds == null ? 0 : kinds[buffers[item]];
  }

  /** {@return whether extra pairs keep items apart besides their live ranges and kinds} */
  public boolean hasPairs() {
    return !problem.conflicts().isEmpty();
  }

  /** {@return whether two items may not share an object} O(log pairs). */
  public boolean conflict(int one, int other) {
    return (starts[one] < ends[other] && starts[other] < ends[one])
        || kind(one) != kind(other)
        || problem.conflicts().contains(buffers[one], buffers[other]);
  }

  /**
   * {@return by how many bytes the highest end of objects laid end to end may stay below the sum of
   * their rounded sizes: nothing comes after the last one's end}
   */
  public long largestRounding() {
    return largestRounding;
  }
}
