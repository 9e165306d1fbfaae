package stowage.importer.own;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A plan as a C header: the bytes of the arena, and for each tensor or buffer its offset and size
 * as macros, for firmware that lays its arena out by hand.
 */
public final class CHeader {
  private CHeader() {}

  /** Where something is, in bytes. */
  public record Extent(long offset, long bytes, int memory) {}

  /** A memory and the bytes that the plan takes of it. */
  public record Arena(String name, long bytes) {}

  /**
   * The header's text.
   *
   * @param arenas the memories; where there are several, each has its own figures, and each tensor
   *     the number of its memory
   * @param alignment what the arena's start has to be a multiple of
   * @param extents by name, in the order in which they are written
   */
  public static String of(
      String name, List<Arena> arenas, long alignment, Map<String, Extent> extents) {
    String prefix = identifier(name);
    StringBuilder text = new StringBuilder();
    text.append("/* ").append(comment(name)).append(": offsets in ");
    text.append(arenas.size() == 1 ? "one arena" : "the memories").append(". */\n");
    text.append("#ifndef ").append(prefix).append("_ARENA_H\n");
    text.append("#define ").append(prefix).append("_ARENA_H\n\n");
    for (int m = 0; m < arenas.size() && arenas.size() > 1; m++) {
      String memory = prefix + "_MEMORY_" + identifier(arenas.get(m).name());
      define(text, memory, m);
      define(text, memory + "_BYTES", arenas.get(m).bytes());
    }
    if (arenas.size() == 1) {
      define(text, prefix + "_ARENA_BYTES", arenas.get(0).bytes());
    }
    define(text, prefix + "_ARENA_ALIGNMENT", alignment);
    Set<String> taken = new HashSet<>();
    extents.forEach(
        (tensor, extent) -> {
          String macro = prefix + "_" + identifier(tensor);
          for (int k = 2; !taken.add(macro); k++) {
            macro = prefix + "_" + identifier(tensor) + "_" + k;
          }
          text.append("\n/* ").append(comment(tensor)).append(" */\n");
          if (arenas.size() > 1) {
            define(text, macro + "_MEMORY", extent.memory());
          }
          define(text, macro + "_OFFSET", extent.offset());
          define(text, macro + "_BYTES", extent.bytes());
        });
    return text.append("\n#endif\n").toString();
  }

  static void define(StringBuilder text, String macro, long value) {
    text.append("#define ").append(macro).append(' ').append(value);
    text.append(value > Integer.MAX_VALUE ? "ull\n" : "u\n");
  }

  /** Upper case, with an underscore for all that a C identifier cannot have. */
  static String identifier(String name) {
    String plain = name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
    String trimmed = plain.replaceAll("^_+|_+$", "");
    return trimmed.isEmpty() || Character.isDigit(trimmed.charAt(0)) ? "N" + trimmed : trimmed;
  }

  /** A text that cannot end a comment. */
  static String comment(String text) {
    return text.replace("*/", "* /").replace("/*", "/ *").replaceAll("[\\r\\n\\\\]", " ");
  }
}
