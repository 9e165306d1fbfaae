package stowage.heuristic;

/** Which of the free gaps a buffer is put into. */
public enum Fit {
  /** The lowest gap that holds it. */
  FIRST("", "the lowest gap that holds it"),
  /** The gap that it leaves the fewest bytes of free; the lowest of equal ones. */
  BEST("-best-fit", "the tightest gap that holds it"),
  /**
   * The same as TensorFlow Lite compares gaps: what is free above the aligned offset in one with
   * all that is free in the best so far, so that a later gap of the same room can win.
   */
  BEST_ABOVE_ALIGNED("-best-above-aligned", "the gap that is tightest above its aligned offset"),
  /** The tightest gap, where the space below all that is in the way is none. */
  BEST_BETWEEN("-best-between", "the tightest gap between two others that holds it");

  private final String suffix;
  private final String words;

  Fit(String suffix, String words) {
    this.suffix = suffix;
    this.words = words;
  }

  /** What the rule adds to a planner's name: nothing for first fit. */
  public String suffix() {
    return suffix;
  }

  public String words() {
    return words;
  }
}
