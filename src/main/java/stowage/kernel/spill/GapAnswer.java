package stowage.kernel.spill;

/**
 * Spills of one cache at a fixed order.
 *
 * @param kept whether each gap of the {@link SpillProblem} is kept
 * @param traffic the price of the others, in units
 * @param bound a proven lower bound of the traffic at this order
 */
public record GapAnswer(boolean[] kept, long traffic, long bound) {
  /** Whether no plan at this order has less. */
  public boolean isOptimal() {
    return traffic == bound;
  }
}
