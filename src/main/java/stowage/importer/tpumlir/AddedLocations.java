package stowage.importer.tpumlir;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Locations that are added at the end of a TPU-MLIR file, each under a number of its own. */
final class AddedLocations {
  private static final Pattern ALIAS = Pattern.compile("(?m)^#loc(\\d+) = ");

  private final StringBuilder text = new StringBuilder();
  private int next;

  /** None yet; numbers begin behind those of the file. */
  AddedLocations(String file) {
    Matcher alias = ALIAS.matcher(file);
    while (alias.find()) {
      next = Math.max(next, Integer.parseInt(alias.group(1)) + 1);
    }
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
