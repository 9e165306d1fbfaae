package stowage.schedule.search;

/**
 * Which ops a search runs at once instead of branching.
 *
 * @param single a ready op that does not raise the live bytes
 * @param chains a chain of ops, each waiting for the one before, that ends with no more live bytes
 * @param sets any few ops that end so, found by a search among at most this many downsets; 0 for
 *     none
 * @param commits a downset that the search has reached with no more live bytes than its root
 */
public record Rules(boolean single, boolean chains, int sets, boolean commits) {
  /** What pays nearly always. */
  public static final Rules DEFAULT = new Rules(true, true, 0, true);

  /** The same with sets, which pays where many like branches are side by side. */
  public static final Rules WITH_SETS = new Rules(true, true, 60, true);

  /** Plain search. */
  public static final Rules NONE = new Rules(false, false, 0, false);
}
