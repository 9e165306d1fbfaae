package stowage.onchip.lmem;

import stowage.packing.RunControl;

/**
 * An exact method for {@link LmemProblem}s. Implementations are thread-safe; where time runs out
 * they say so instead of guessing.
 */
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

  /**
   * A choice of constants that stay.
   *
   * @param verdict whether there is any; FITS even when the best was not proven
   * @param held by buffer
   * @param optimal whether no choice loads fewer bytes again
   */
  record HeldChoice(Verdict verdict, boolean[] held, boolean optimal) {}

  /**
   * Brings the figures of {@link LmemScore} down, one after the other, and proves a bound of each.
   *
   * @return a placement no worse than the start
   */
  LmemAnswer improve(LmemProblem problem, LmemPlacement start, RunControl control);
}
