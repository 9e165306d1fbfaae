package stowage.schedule.search;

/**
 * Which ops a search runs at once instead of branching.
 *
 * @param single a ready op that does not raise the live bytes
 * @param chains a chain of ops, each waiting for the one before, that ends with no more live bytes
 * @param sets any few ops that end so, searched among at most this many downsets; 0 for none
 * @param commits a downset that the search has reached with no more live bytes than its root
 */
public record RunAtOnceRules(boolean single, boolean chains, int sets, boolean commits) {
  /** What pays nearly always. */
  public static final RunAtOnceRules DEFAULT = new RunAtOnceRules(true, true, 0, true);

  /** The same with sets, which pays where many like branches are side by side. */
  public static final RunAtOnceRules WITH_SETS = new RunAtOnceRules(true, true, 60, true);

  /** Plain search. */
  public static final RunAtOnceRules NONE = new RunAtOnceRules(false, false, 0, false);
}
