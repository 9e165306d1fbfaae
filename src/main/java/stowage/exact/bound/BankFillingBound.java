package stowage.exact.bound;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import stowage.packing.Bound;
import stowage.packing.Certificate;
import stowage.packing.PackingProblem;

/**
 * How many banks the buffers of a step need that must not cross a bank's border: bin packing.
 *
 * <p>For a threshold t up to half a bank, buffers above the bank less t share their bank with none
 * of t or more; others above half a bank share theirs with none of their kind, and leave some room
 * for those between t and a half, which need further banks for what does not go there. This is the
 * bound L2 of S. Martello and P. Toth, Discrete Applied Mathematics 28(1), 1990, doi
 * 10.1016/0166-218X(90)90094-S; it equals the best of the classical dual-feasible functions (S. P.
 * Fekete and J. Schepers, Mathematical Programming 91, 2001, doi 10.1007/s101070100243). If m banks
 * are needed, something ends in the m-th, at least as high as the smallest buffer.
 *
 * <p>Example: banks of 10; buffers of 6, 6, 6, 4 and 3, 3. With t = 3, three banks hold the sixes
 * and have room for 12 bytes, in which the ten others would fit; with t = 4 likewise. Yet with
 * buffers of 6, 6, 6, 5 and 5, the fives need a bank more: 3 * 10 + 5 = 35.
 *
 * <p>All thresholds that equal a size, each in one pass: O(k^2) for k buffers of a step.
 */
final class BankFillingBound {
  private static final int MOST_ALIVE = 1_000;

  private BankFillingBound() {}

  /**
   * The best bound of a memory's heaviest steps, or null.
   *
   * @param here the buffers that are in this memory alone
   */
  static Bound best(PackingProblem problem, int memory, IntPredicate here) {
    long bank = problem.memories().get(memory).bankSize();
    if (bank == 0) {
      return null;
    }
    IntPredicate kept = i -> here.test(i) && problem.buffer(i).withinBank();
    Bound best = null;
    for (int step : HeaviestSteps.of(problem, kept)) {
      int[] alive =
          Arrays.stream(HeaviestSteps.alive(problem, kept, step))
              .filter(i -> problem.buffer(i).bytesAt(step) == problem.buffer(i).size())
              .toArray();
      long[] sizes = Arrays.stream(alive).mapToLong(i -> problem.buffer(i).size()).toArray();
      for (long threshold : Arrays.stream(sizes).filter(s -> 2 * s <= bank).distinct().toArray()) {
        long value = alive.length > MOST_ALIVE ? 0 : value(sizes, bank, threshold);
        if (value > 0 && (best == null || value > best.value())) {
          int[] counted =
              IntStream.of(alive).filter(i -> problem.buffer(i).size() >= threshold).toArray();
          best =
              LowerBounds.bound(
                  problem, memory, value, new Certificate.BankFilling(memory, threshold, counted));
        }
      }
    }
    return best;
  }

  private static long value(long[] sizes, long bank, long threshold) {
    long banks = 0;
    long room = 0;
    long small = 0;
    long smallest = Long.MAX_VALUE;
    for (long size : sizes) {
      if (size < threshold) {
        continue;
      }
      smallest = Math.min(smallest, size);
      if (2 * size > bank) {
        banks++;
        room += size > bank - threshold ? 0 : bank - size;
      } else {
        small += size;
      }
    }
    banks += Math.max(0, -Math.floorDiv(room - small, bank));
    return banks == 0 ? 0 : (banks - 1) * bank + smallest;
  }
}
