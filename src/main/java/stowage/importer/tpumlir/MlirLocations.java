package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads MLIR's locations, in which TPU-MLIR keeps the names of tensors. */
final class MlirLocations {
  private final MlirCursor cursor;
  private final Map<String, Integer> used = new LinkedHashMap<>();

  MlirLocations(MlirCursor cursor) {
    this.cursor = cursor;
  }

  /** Notes that a location is used by name, and in which line first. */
  void use(String alias, int line) {
    used.putIfAbsent(alias, line);
  }

  /** Makes sure that every location used by name is defined. */
  void checkDefined(Collection<String> defined) {
    used.forEach(
        (alias, line) -> {
          if (!defined.contains(alias)) {
            throw cursor.fault(
                line, "location " + alias + " is not defined; it should be, at the file's end");
          }
        });
  }

  /** {@code loc(..)} if it is next. */
  MlirLocation trailing() {
    return cursor.seesWord("loc") ? location() : new MlirLocation.Unknown();
  }

  /** {@code loc(..)}. */
  MlirLocation location() {
    cursor.expect("loc", "before a location");
    cursor.expect("(", "after loc");
    MlirLocation location = locationBody();
    cursor.expect(")", "after a location");
    return location;
  }

  private MlirLocation locationBody() {
    return cursor.nested(
        () -> {
          if (cursor.peek() == '#') {
            int line = cursor.line(cursor.position());
            String alias = "#" + cursor.suffix('#', "a location");
            use(alias, line);
            return new MlirLocation.Alias(alias, line);
          }
          if (cursor.peek() == '"') {
            return namedLocation();
          }
          if (cursor.acceptWord("fused")) {
            return fusedLocation();
          }
          if (cursor.acceptWord("callsite")) {
            return callSite();
          }
          cursor.balanced(",)]", "a location"); // unknown
          return new MlirLocation.Unknown();
        });
  }

  /**
   * {@code (callee at caller)}; a tensor's name is what is in the function that is called. A callee
   * without a name is skipped together with its caller.
   */
  private MlirLocation callSite() {
    cursor.expect("(", "after callsite");
    MlirLocation callee = locationBody();
    if (cursor.acceptWord("at")) {
      locationBody();
    }
    cursor.expect(")", "after a call site");
    return callee;
  }

  /** {@code "name"}, {@code "name"(inner)} or {@code "file":line:column}. */
  private MlirLocation namedLocation() {
    String name = cursor.string();
    if (cursor.accept(":")) {
      cursor.balanced(",)]", "a location");
      return new MlirLocation.Unknown();
    }
    if (cursor.accept("(")) {
      locationBody();
      cursor.expect(")", "after a location");
    }
    return new MlirLocation.Named(name);
  }

  /** {@code fused[..]} or {@code fused<metadata>[..]}, its first word read. */
  private MlirLocation fusedLocation() {
    cursor.skipParameters("a location");
    cursor.expect("[", "after fused");
    List<MlirLocation> parts = new ArrayList<>();
    while (cursor.peek() != ']') {
      parts.add(cursor.acceptWord("loc") ? bracketed() : locationBody());
      if (!cursor.accept(",")) {
        break;
      }
    }
    cursor.expect("]", "after fused locations");
    return new MlirLocation.Fused(List.copyOf(parts));
  }

  private MlirLocation bracketed() {
    cursor.expect("(", "after loc");
    MlirLocation location = locationBody();
    cursor.expect(")", "after a location");
    return location;
  }
}
