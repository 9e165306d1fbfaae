package stowage.onchip.lmem;

import java.util.Arrays;
import java.util.List;

/**
 * The figures of an LMEM placement, in the order they count; less is better.
 *
 * @param clashes transfers in a step whose buffer shares a bank with an operand or result of an op
 *     computing in that step, the same buffer included; scratch is not looked at
 * @param operandClashes steps in which two operands of one op share a bank
 * @param bankCrossings buffers no larger than a bank that are across a border
 * @param peak the highest byte in use, plus one
 * @param selfClashes those clashes in which the transfer's own buffer is the operand or result: no
 *     placement removes them
 */
public record LmemScore(
    long clashes, long operandClashes, long bankCrossings, long peak, long selfClashes)
    implements Comparable<LmemScore> {

  /** The names of the figures compared, in order. */
  public static final List<String> FIGURES =
      List.of("clashes", "operandClashes", "bankCrossings", "peak");

  /** The place of the clashes. */
  public static final int CLASHES = 0;

  /** The place of the peak. */
  public static final int PEAK = 3;

  /** A figure by its place in {@link #FIGURES}. */
  public long figure(int index) {
    return figures()[index];
  }

  private long[] figures() {
    return new long[] {clashes, operandClashes, bankCrossings, peak};
  }

  @Override
  public int compareTo(LmemScore other) {
    return Arrays.compare(figures(), other.figures());
  }

  /** Counts the figures of a placement. O(steps * transfers * buffers). */
  public static LmemScore of(LmemProblem problem, LmemPlacement placement) {
    long clashes = 0;
    long operandClashes = 0;
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      clashes +=
          step.moves().stream()
              .filter(move -> clashes(problem, placement, step, move.buffer()))
              .count();
      operandClashes += operandsClash(problem, placement, step) ? 1 : 0;
    }
    long crossings = 0;
    for (int b = 0; b < problem.size(); b++) {
      long offset = placement.offset(b);
      long size = problem.buffer(b).size();
      boolean small = size <= problem.chip().bankBytes();
      crossings += small && problem.bank(offset) != problem.lastBank(b, offset) ? 1 : 0;
    }
    return new LmemScore(
        clashes, operandClashes, crossings, placement.peak(problem), selfClashes(problem));
  }

  /** Whether an op of a step reads or writes a buffer. */
  public static boolean isUsed(LmemProblem.Step step, int buffer) {
    return step.computes().stream().anyMatch(compute -> compute.uses().contains(buffer));
  }

  /** Whether a transferred buffer shares a bank with what an op of the step uses. */
  public static boolean clashes(
      LmemProblem problem, LmemPlacement placement, LmemProblem.Step step, int moved) {
    return step.computes().stream()
        .flatMap(compute -> compute.uses().stream())
        .anyMatch(used -> shareBank(problem, placement, moved, used));
  }

  private static boolean shareBank(
      LmemProblem problem, LmemPlacement placement, int one, int other) {
    return problem.shareBank(one, placement.offset(one), other, placement.offset(other));
  }

  private static boolean operandsClash(
      LmemProblem problem, LmemPlacement placement, LmemProblem.Step step) {
    for (LmemProblem.Compute compute : step.computes()) {
      List<Integer> reads = compute.reads();
      for (int i = 0; i < reads.size(); i++) {
        for (int j = 0; j < i; j++) {
          if (shareBank(problem, placement, reads.get(i), reads.get(j))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** How many transfers of all steps move what an op of their step uses. */
  public static long selfClashes(LmemProblem problem) {
    return problem.table().stream()
        .mapToLong(
            step -> step.moves().stream().filter(move -> isUsed(step, move.buffer())).count())
        .sum();
  }
}
