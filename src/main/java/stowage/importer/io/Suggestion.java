package stowage.importer.io;

import java.util.Collection;
import java.util.Locale;

/** The known name that a mistyped one probably means: "did you mean ...?". */
public final class Suggestion {
  private static final int COMMON_START = 5;

  private Suggestion() {}

  /**
   * The known name nearest to a given one: equal except for case, at most a third of its letters
   * wrong (insertions, deletions, exchanges and swaps of neighbours), or sharing its first five
   * letters.
   *
   * @return the name, or null when none is near
   */
  public static String nearest(String given, Collection<String> known) {
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String name : known) {
      int distance = distance(given.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      int longest = Math.max(given.length(), name.length());
      boolean alike = given.regionMatches(true, 0, name, 0, COMMON_START);
      boolean near = distance <= Math.max(1, longest / 3) || alike;
      if (near && distance < bestDistance && longest > 1) {
        best = name;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** {@code ; did you mean "x"?}, or {@code ; known are a, b, c} where nothing is near. */
  public static String advice(String given, Collection<String> known) {
    String near = nearest(given, known);
    return near == null
        ? "; known are " + String.join(", ", known)
        : "; did you mean \"" + near + "\"?";
  }

  /** {@code ; did you mean "x"?}, or nothing where nothing is near: for lists already named. */
  public static String hint(String given, Collection<String> known) {
    return nearest(given, known) == null ? "" : advice(given, known);
  }

  /** Optimal string alignment distance, O(length^2); long names are cut at 100 letters. */
  private static int distance(String first, String second) {
    int rows = Math.min(first.length(), 100);
    int columns = Math.min(second.length(), 100);
    int[][] table = new int[rows + 1][columns + 1];
    for (int i = 0; i <= rows; i++) {
      for (int j = 0; j <= columns; j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
          continue;
        }
        int exchange = first.charAt(i - 1) == second.charAt(j - 1) ? 0 : 1;
        int least =
            Math.min(
                table[i - 1][j - 1] + exchange, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        boolean swapped =
            i > 1
                && j > 1
                && first.charAt(i - 1) == second.charAt(j - 2)
                && first.charAt(i - 2) == second.charAt(j - 1);
        table[i][j] = swapped ? Math.min(least, table[i - 2][j - 2] + 1) : least;
      }
    }
    return table[rows][columns];
  }
}
