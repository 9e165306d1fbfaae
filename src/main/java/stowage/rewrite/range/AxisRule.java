package stowage.rewrite.range;

/**
 * How an op can be cut along one dimension of its results.
 *
 * @param operands by position of the operand the dimension that is cut as well; {@link #WHOLE}
 *     where the operand is read whole
 * @param map what is needed of these operands for a range of the results
 * @param barrier why the op cannot be cut, such as "it reads all rows at once"; null when it can
 */
public record AxisRule(int[] operands, IndexMap map, String barrier) {
  /** Marks an operand that is read whole, or is absent. */
  public static final int WHOLE = -1;

  /** A rule with some operands cut. */
  static AxisRule of(IndexMap map, int... operands) {
    return new AxisRule(operands, map, null);
  }

  /** A rule that forbids cuts. */
  static AxisRule barrier(String reason) {
    return new AxisRule(new int[0], null, reason);
  }

  public int dimension(int operand) {
    return operand < operands.length ? operands[operand] : WHOLE;
  }
}
