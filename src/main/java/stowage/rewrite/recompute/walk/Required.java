package stowage.rewrite.recompute.walk;

import java.util.Arrays;

/** Values that have to be there after some first computations, and what follows; equal by both. */
final class Required {
  final long[] values;

  /** How many first computations are done. */
  final int done;

  /** The least extra cost from here to the end. */
  final long spent;

  /** No sequence through this set costs less extra. */
  long estimate;

  /** What is required after the op; null at the end. */
  final Required after;

  /** The op that runs next; -1 at the end. */
  final int op;

  /** How many ops run again from here to the end. */
  final int runs;

  long bytes;

  /** How many certificates there were when it was estimated. */
  int version;

  Required(long[] values, int done, long spent, Required after, int op) {
    this.values = values;
    this.done = done;
    this.spent = spent;
    this.after = after;
    this.op = op;
    this.runs = after == null ? 0 : after.runs + (again() ? 1 : 0);
  }

  boolean again() {
    return after != null && after.done == done;
  }

  /**
   * Whether less follows, or as much by no more runs. Ops of no cost count so, too: else sets would
   * be left out for each other.
   */
  boolean isCheaper(Required other) {
    return spent < other.spent || spent == other.spent && runs <= other.runs;
  }

  /** Whether another set of as many computations requires all of this, and has spent no less. */
  boolean covers(Required other) {
    return spent <= other.spent && RequiredWalk.hasAll(other.values, values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Required required
        && required.done == done
        && Arrays.equals(required.values, values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(values) + done;
  }
}
