package stowage.onchip.lmem;

import stowage.packing.RunControl;

/** An exact, thread-safe method for {@link LmemProblem}s; where time runs out it says so. */
public interface LmemEngine {
  /** What became of the question whether a problem has a placement at all. */
  enum Verdict {
    FITS,
    /** There is none: proven. */
    CANNOT_FIT,
    UNKNOWN
  }

  /** An answer whether there is a placement, and which where the buffers fit. */
  record Fit(Verdict verdict, LmemPlacement placement) {
    /** There is none. */
    public static final Fit CANNOT = new Fit(Verdict.CANNOT_FIT, null);

    /** Time ran out. */
    public static final Fit UNKNOWN = new Fit(Verdict.UNKNOWN, null);
  }

  /** Decides whether all buffers fit into the lane. */
  Fit fit(LmemProblem problem, RunControl control);

  /**
   * Chooses which constants stay for all slices, so that the fewest bytes are loaded again.
   *
   * @param problem with none of them staying
   * @param reloads by buffer, bytes loaded again when it does not stay; 0 where it has no choice
   * @return which buffers stay, or null when none was found; a choice is not always the best when
   *     time runs out
   */
  HeldChoice hold(LmemProblem problem, long[] reloads, RunControl control);

  /** Constants that stay, by buffer; FITS even where the best was not proven. */
  record HeldChoice(Verdict verdict, boolean[] held, boolean optimal) {}

  /**
   * Brings the figures of {@link LmemScore} down, one after the other, and proves bounds of each.
   *
   * @return a placement no worse than the start
   */
  LmemAnswer improve(LmemProblem problem, LmemPlacement start, RunControl control);
}
