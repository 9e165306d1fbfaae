package stowage.importer.tpumlir;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where a value comes from; TPU-MLIR keeps names of tensors there. */
sealed interface MlirLocation {

  /** Nothing is known. */
  record Unknown() implements MlirLocation {}

  /** A name. */
  record Named(String name) implements MlirLocation {}

  /** Refers to a location that is defined elsewhere in the file, such as {@code #loc7}. */
  record Alias(String alias, int line) implements MlirLocation {}

  /** Several, one a result. */
  record Fused(List<MlirLocation> parts) implements MlirLocation {}

  /** The most locations followed for one op: a file may define them in terms of each other. */
  int MOST_FOLLOWED = 100_000;

  /**
   * The names in a location, in order, at most {@code count}; fewer where there are not so many.
   */
  static List<String> names(MlirLocation location, Map<String, MlirLocation> aliases, int count) {
    List<String> names = new ArrayList<>();
    collect(location, aliases, count, names, new int[1], 0);
    return names;
  }

  private static void collect(
      MlirLocation location,
      Map<String, MlirLocation> aliases,
      int count,
      List<String> names,
      int[] followed,
      int depth) {
    if (names.size() >= count || ++followed[0] > MOST_FOLLOWED || depth > 100) {
      return;
    }
    if (location instanceof Named named) {
      names.add(named.name());
    } else if (location instanceof Alias alias) {
      collect(aliases.get(alias.alias()), aliases, count, names, followed, depth + 1);
    } else if (location instanceof Fused fused) {
      for (MlirLocation part : fused.parts()) {
        collect(part, aliases, count, names, followed, depth + 1);
      }
    }
  }
}
