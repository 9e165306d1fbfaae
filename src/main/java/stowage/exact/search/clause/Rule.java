package stowage.exact.search.clause;

/** What can narrow the offsets of buffers, and say afterwards what a change followed from. */
interface Rule {

  /**
   * Adds to the conflict of the trail literals that were true before a position of the trail and
   * from which a literal follows by this rule.
   *
   * @param bound the bound that was raised
   * @param value what it must be shown to have reached: no more than it was raised to
   * @param at the position of the change, whose arguments the trail keeps
   */
  void explain(int bound, int value, int at);
}
