package stowage.rewrite.range;

/**
 * How a piece of an op runs, along one axis.
 *
 * @param fed what it reads of the operand, within the operand's extent
 * @param computed what it computes, in the result's indices: at least what was wanted. What is
 *     beyond holds wrong values or was not asked for, and is to be cropped
 * @param before padding of the piece's own in front of {@code fed}; for a transposed convolution
 *     what it cuts off
 * @param after padding after it
 */
public record Part(Span fed, Span computed, long before, long after) {

  /** A part that is neither padded nor reaches over what is wanted. */
  static Part plain(Span fed, Span computed) {
    return new Part(fed, computed, 0, 0);
  }

  /** Whether another part reads and computes the same rows. */
  public boolean sameAs(Part other) {
    return other != null && fed.equals(other.fed) && computed.equals(other.computed);
  }
}
