package stowage.planning.fit.piece;

import stowage.schedule.model.OrderProblem;

/**
 * Loads of stretches that {@link TurnOrder} evaluated before, by all that determines them: the next
 * choice of runs differs in a few ops, so that most of its stretches are known.
 *
 * <p>A stretch is described by its ops in the order in which they are asked for, each with what it
 * waits for and with the bytes and touches of its buffers: with the places where the stretch begins
 * and ends these say which buffers are new and which end, and so the bytes above those that are
 * live when it begins. The table has a fixed size; a later entry takes the place of an earlier one.
 * Threads share it without a lock: a key is kept xored with its value, so that an entry of which
 * two threads wrote a half each is found by neither key (Hyatt and Mann, ICGA Journal 25(1), 2002).
 */
final class StretchLoads {
  private static final int BITS = 19;

  private final long[] keys = new long[1 << BITS];
  private final long[] values = new long[1 << BITS];

  /** What a key is known for; -1 for nothing. */
  long get(long key) {
    int at = at(key);
    long value = values[at];
    return (keys[at] ^ value) == key && value != 0 ? value - 1 : -1;
  }

  /** Keeps a value of 0 or more for a key. */
  void put(long key, long value) {
    int at = at(key);
    values[at] = value + 1;
    keys[at] = key ^ (value + 1);
  }

  private static int at(long key) {
    return (int) (key >>> -BITS);
  }

  /**
   * By place a description of its ops.
   *
   * @param ids by op a number that says which one it is, whatever the others are
   * @param asked ops in the order in which they are asked for
   */
  static long[] described(
      OrderProblem problem, int[] placeOf, double[] parts, long[] ids, int[] asked, int places) {
    long[] names = new long[ids.length];
    for (int op = 0; op < names.length; op++) {
      names[op] = mixed(ids[op], placeOf[op]);
    }
    long[] buffers = new long[problem.buffers()];
    for (int b = 0; b < buffers.length; b++) {
      int flags = (problem.given(b) ? 1 : 0) + (problem.kept(b) ? 2 : 0);
      buffers[b] = mixed(problem.bytes(b), flags);
      for (int op : problem.touches(b)) {
        buffers[b] += names[op]; // whatever their order
      }
    }
    long[] described = new long[places];
    for (int op : asked) {
      long one = mixed(names[op], Double.doubleToLongBits(parts[op]));
      for (int other : problem.before(op)) {
        one = mixed(one, names[other]);
      }
      for (int b : problem.uses(op)) {
        one += mixed(buffers[b], 1);
      }
      for (int b : problem.overwrites(op)) {
        one = mixed(one, buffers[b]);
      }
      described[placeOf[op]] = mixed(described[placeOf[op]], one);
    }
    return described;
  }

  /** A number that depends on two and on their order. */
  static long mixed(long before, long next) {
    long z = before * 0x9e3779b97f4a7c15L + next;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
