package stowage.importer.tpumlir;

import java.util.regex.Pattern;

/** Locations that are added at the end of a TPU-MLIR file, each under a number of its own. */
final class AddedLocations {
  private static final Pattern ALIAS = Pattern.compile("(?m)^#loc(\\d+) = ");

  private final StringBuilder text = new StringBuilder();
  private int next;

  /** None yet; numbers begin after those of the file. */
  AddedLocations(String file) {
    next = next(ALIAS, file);
  }

  /** One more than the highest number that a pattern's group has in a text; 0 where it has none. */
  static int next(Pattern numbered, String text) {
    return numbered
        .matcher(text)
        .results()
        .mapToInt(found -> Integer.parseInt(found.group(1)) + 1)
        .reduce(0, Math::max);
  }

  boolean isEmpty() {
    return next == 0;
  }

  /** Adds a location; gives the reference to it, with a blank before it. */
  String add(String location) {
    String alias = "#loc" + next++;
    text.append(alias).append(" = loc(").append(location).append(")\n");
    return " loc(" + alias + ")";
  }

  String text() {
    return text.toString();
  }
}
