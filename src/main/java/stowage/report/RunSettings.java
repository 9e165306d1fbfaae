package stowage.report;

import java.util.List;

/**
 * Settings of a run that its report repeats.
 *
 * @param planners names of the planners asked for, none for the portfolio; null where nothing is
 *     known of them
 * @param seed of every random choice
 * @param isDeterministic whether limits counted work instead of time
 */
public record RunSettings(
    List<String> planners, long seed, int threads, boolean isDeterministic, FigureSize figureSize) {

  /** Settings where none were given. */
  public static final RunSettings DEFAULTS = new RunSettings(null, 1, 1, false, FigureSize.USUAL);
}
