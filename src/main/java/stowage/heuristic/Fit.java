package stowage.heuristic;

/** Which of the free gaps a buffer is put into. */
public enum Fit {
  /** The lowest gap that holds it. */
  FIRST(""),
  /** The gap that it leaves the fewest bytes of free; the lowest of equal ones. */
  BEST("-best-fit");

  private final String suffix;

  Fit(String suffix) {
    this.suffix = suffix;
  }

  /** What the rule adds to a planner's name: nothing for first fit. */
  public String suffix() {
    return suffix;
  }

  /** The rule in words. */
  public String words() {
    return this == FIRST ? "the lowest gap that holds it" : "the tightest gap that holds it";
  }
}
