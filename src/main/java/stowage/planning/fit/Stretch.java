package stowage.planning.fit;

import stowage.rewrite.RunSplit;

/**
 * A way to execute a stretch of consecutive ops: one op as it is, or several piece by piece.
 *
 * @param from first op, by its place in the order
 * @param to first op after them
 * @param run how they are cut; null where a single op is executed as it is
 * @param load largest sum of live bytes while they run
 * @param price extra compute, bytes that added ops move, number of ops: compared in this order
 * @param kept bytes that a run-time keeps for added ops
 */
record Stretch(int from, int to, RunSplit run, long load, long[] price, long kept) {

  /** Compares prices. */
  static int compare(long[] one, long[] other) {
    for (int k = 0; k < one.length; k++) {
      if (one[k] != other[k]) {
        return Long.compare(one[k], other[k]);
      }
    }
    return 0;
  }

  /** Whether another stretch of the same ops is no better in anything. */
  boolean dominates(Stretch other) {
    return load <= other.load && kept <= other.kept && compare(price, other.price) <= 0;
  }
}
