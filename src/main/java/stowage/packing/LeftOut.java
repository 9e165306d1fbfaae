package stowage.packing;

import java.util.Set;
import java.util.TreeSet;

/**
 * Parts of a run that are left out, for tests and ablations: the words of the system property
 * {@code stowage.without}, such as {@code -Dstowage.without=filled,energy}. A run without some of
 * its parts takes longer or proves less; it never answers wrongly.
 *
 * <ul>
 *   <li>Workers of the search: {@code learning}, {@code filled}, {@code weights}, {@code windows},
 *       {@code descent}, {@code ejections}. The canonical search stays.
 *   <li>Bounds by their kind: {@code fixed-offset}, {@code alignment}, {@code banks}, {@code
 *       subset-sum}, {@code conflicts}, {@code energy}, {@code window}. The max load stays.
 *   <li>Engines of the portfolio: {@code cpsat}, {@code choco}, {@code pairs}.
 * </ul>
 */
public final class LeftOut {
  public static final String PROPERTY = "stowage.without";

  private static final Set<String> KNOWN =
      Set.of(
          ("learning filled weights windows descent ejections fixed-offset alignment banks"
                  + " subset-sum conflicts energy window cpsat choco pairs")
              .split(" "));

  private LeftOut() {}

  /** Whether a part is left out, by the property now; fails where that has a word for no part. */
  public static boolean has(String part) {
    String without = System.getProperty(PROPERTY, "");
    boolean found = false;
    for (String word : without.isEmpty() ? new String[0] : without.split(",")) {
      if (!KNOWN.contains(word)) {
        throw new IllegalArgumentException(
            PROPERTY + ": \"" + word + "\" should be one of " + new TreeSet<>(KNOWN));
      }
      found |= word.equals(part);
    }
    return found;
  }
}
