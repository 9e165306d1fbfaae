package stowage.onchip.lmem;

import java.util.List;
import java.util.stream.IntStream;

/**
 * An LMEM placement with its figures and, for each figure, a proven lower bound.
 *
 * @param placement verified, except for {@link #ofAnother}
 * @param bounds by {@link LmemScore#FIGURES}: no placement that is best in all figures before has
 *     less
 */
public record LmemAnswer(LmemPlacement placement, LmemScore score, List<Long> bounds) {
  public LmemAnswer {
    bounds = List.copyOf(bounds);
    for (int k = 0; k < LmemScore.FIGURES.size(); k++) {
      if (bounds.get(k) > score.figure(k)) {
        throw new IllegalArgumentException(
            LmemScore.FIGURES.get(k) + " " + score.figure(k) + " is below " + bounds.get(k));
      }
    }
  }

  /** A placement with the bounds that hold for every placement of the problem. */
  public static LmemAnswer of(LmemProblem problem, LmemPlacement placement) {
    LmemScore score = LmemScore.of(problem, placement);
    return new LmemAnswer(placement, score, freeBounds(problem));
  }

  /**
   * A placement that another compiler made. It may break rules that the bounds rest on; its figures
   * are given all the same, and no bound above them.
   */
  public static LmemAnswer ofAnother(LmemProblem problem, LmemPlacement placement) {
    return capped(placement, LmemScore.of(problem, placement), freeBounds(problem));
  }

  /** A placement with bounds of which those above its figures are lowered to them. */
  public static LmemAnswer capped(LmemPlacement placement, LmemScore score, List<Long> bounds) {
    List<Long> most =
        IntStream.range(0, bounds.size())
            .mapToObj(k -> Math.min(bounds.get(k), score.figure(k)))
            .toList();
    return new LmemAnswer(placement, score, most);
  }

  /** Bounds that need no search: clashes that no placement removes, none, none, the load. */
  public static List<Long> freeBounds(LmemProblem problem) {
    return List.of(LmemScore.selfClashes(problem), 0L, 0L, problem.peakBound());
  }

  /** Whether every figure equals its bound. */
  public boolean isOptimal() {
    return provenFigures() == LmemScore.FIGURES.size();
  }

  /** How many figures, from the first on, equal their bounds. */
  public int provenFigures() {
    int proven = 0;
    while (proven < LmemScore.FIGURES.size() && bounds.get(proven) == score.figure(proven)) {
      proven++;
    }
    return proven;
  }
}
