package stowage.packing;

import java.util.Arrays;

/** One placement's figures under an {@link Objective}, compared in turn; less is better. */
public final class Score implements Comparable<Score> {
  private final long[] figures;

  private Score(long[] figures) {
    this.figures = figures;
  }

  /** {@return a score of the given figures, first the one that counts most; the array is copied} */
  public static Score of(long... figures) {
    return new Score(figures.clone());
  }

  /** {@return the number of figures} */
  public int size() {
    return figures.length;
  }

  /** {@return one figure} */
  public long figure(int index) {
    return figures[index];
  }

  @Override
  public int compareTo(Score other) {
    return Arrays.compare(figures, other.figures);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Score that && Arrays.equals(figures, that.figures);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(figures);
  }

  @Override
  public String toString() {
    return figures.length == 1 ? Long.toString(figures[0]) : Arrays.toString(figures);
  }
}
