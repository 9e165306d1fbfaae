package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reader of MLIR's locations, in which TPU-MLIR keeps the names of tensors. */
final class MlirLocations {
  /** The most locations followed for one op: a file may define them in terms of each other. */
  private static final int MOST_FOLLOWED = 100_000;

  private final MlirCursor cursor;
  private final Map<String, List<Part>> defined = new LinkedHashMap<>();
  private final Map<String, Integer> used = new LinkedHashMap<>();

  /**
   * A part of a location: a name, or the alias of a location that is defined elsewhere in the file,
   * such as {@code #loc7}. What says no name has no part.
   */
  record Part(String text, boolean alias) {}

  MlirLocations(MlirCursor cursor) {
    this.cursor = cursor;
  }

  /** Gives a location an alias; false where it has one of that name. */
  boolean define(String alias, List<Part> location) {
    return defined.put(alias, location) == null;
  }

  /** Notes that a location is used by its alias, and in which line first. */
  void use(String alias, int line) {
    used.putIfAbsent(alias, line);
  }

  /** Makes sure that every alias used is defined. */
  void checkDefined() {
    used.forEach(
        (alias, line) -> {
          if (!defined.containsKey(alias)) {
            throw cursor.fault(
                line, "location " + alias + " is not defined; it should be, at the file's end");
          }
        });
  }

  /** The names in a location, in order, at most {@code count}; fewer where the file says fewer. */
  List<String> names(List<Part> location, int count) {
    List<String> names = new ArrayList<>();
    collect(location, count, names, new int[1], 0);
    return names;
  }

  private void collect(
      List<Part> location, int count, List<String> names, int[] followed, int depth) {
    for (Part part : location) {
      if (names.size() >= count || ++followed[0] > MOST_FOLLOWED || depth > 100) {
        return;
      }
      if (part.alias()) {
        collect(defined.get(part.text()), count, names, followed, depth + 1);
      } else {
        names.add(part.text());
      }
    }
  }

  /** {@code loc(..)} if it is next. */
  List<Part> trailing() {
    return cursor.seesWord("loc") ? location() : List.of();
  }

  List<Part> location() {
    cursor.expect("loc", "before a location");
    return bracketed();
  }

  private List<Part> bracketed() {
    cursor.expect("(", "before a location");
    List<Part> location = body();
    cursor.expect(")", "after a location");
    return location;
  }

  private List<Part> body() {
    return cursor.nested(
        () -> {
          if (cursor.peek() == '#') {
            int line = cursor.line(cursor.position());
            String alias = "#" + cursor.suffix('#', "a location");
            use(alias, line);
            return List.of(new Part(alias, true));
          } else if (cursor.peek() == '"') {
            return named();
          } else if (cursor.acceptWord("fused")) {
            return fused();
          } else if (cursor.acceptWord("callsite")) {
            return callSite();
          }
          cursor.balanced(",)]", "a location"); // unknown
          return List.of();
        });
  }

  /**
   * {@code (callee at caller)}; a tensor's name is what is in the function that is called. A callee
   * without a name is skipped together with its caller.
   */
  private List<Part> callSite() {
    cursor.expect("(", "after callsite");
    List<Part> callee = body();
    if (cursor.acceptWord("at")) {
      body();
    }
    cursor.expect(")", "after a call site");
    return callee;
  }

  /** {@code "name"}, {@code "name"(inner)} or {@code "file":line:column}. */
  private List<Part> named() {
    String name = cursor.string();
    if (cursor.accept(":")) {
      cursor.balanced(",)]", "a location");
      return List.of();
    }
    if (cursor.sees("(")) {
      bracketed();
    }
    return List.of(new Part(name, false));
  }

  /** {@code fused[..]} or {@code fused<metadata>[..]}, its first word read. */
  private List<Part> fused() {
    cursor.skipParameters("a location");
    List<Part> parts = new ArrayList<>();
    Runnable part = () -> parts.addAll(cursor.acceptWord("loc") ? bracketed() : body());
    cursor.list("[", ']', "fused locations", part);
    return parts;
  }
}
