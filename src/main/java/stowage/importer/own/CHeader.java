package stowage.importer.own;

import java.util.HashSet;
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
  public record Extent(long offset, long bytes) {}

  /**
   * The header's text.
   *
   * @param name what was planned
   * @param arenaBytes the peak
   * @param alignment what the arena's start has to be a multiple of
   * @param extents by name, in the order in which they are written
   */
  public static String of(
      String name, long arenaBytes, long alignment, Map<String, Extent> extents) {
    String prefix = identifier(name);
    StringBuilder text = new StringBuilder();
    text.append("/* ").append(comment(name)).append(": offsets in one arena. */\n");
    text.append("#ifndef ").append(prefix).append("_ARENA_H\n");
    text.append("#define ").append(prefix).append("_ARENA_H\n\n");
    define(text, prefix + "_ARENA_BYTES", arenaBytes);
    define(text, prefix + "_ARENA_ALIGNMENT", alignment);
    Set<String> taken = new HashSet<>();
    extents.forEach(
        (tensor, extent) -> {
          String macro = prefix + "_" + identifier(tensor);
          for (int k = 2; !taken.add(macro); k++) {
            macro = prefix + "_" + identifier(tensor) + "_" + k;
          }
          text.append("\n/* ").append(comment(tensor)).append(" */\n");
          define(text, macro + "_OFFSET", extent.offset());
          define(text, macro + "_BYTES", extent.bytes());
        });
    return text.append("\n#endif\n").toString();
  }

  private static void define(StringBuilder text, String macro, long value) {
    text.append("#define ").append(macro).append(' ').append(value);
    text.append(value > Integer.MAX_VALUE ? "ull\n" : "u\n");
  }

  /** Upper case, with an underscore for all that a C identifier cannot have. */
  private static String identifier(String name) {
    String plain = name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
    String trimmed = plain.replaceAll("^_+|_+$", "");
    return trimmed.isEmpty() || Character.isDigit(trimmed.charAt(0)) ? "N" + trimmed : trimmed;
  }

  /** A text that cannot end a comment. */
  private static String comment(String text) {
    return text.replace("*/", "* /").replace("/*", "/ *").replaceAll("[\\r\\n\\\\]", " ");
  }
}
