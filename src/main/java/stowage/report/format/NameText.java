package stowage.report.format;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Names from files as tables show them. */
public final class NameText {
  private static final int LONGEST = 40;

  /** Letters kept of the beginning of a longer name; the rest are of its end, which tells more. */
  private static final int BEGINNING = 17;

  /** Letters that all names begin with, from which on they are left out. */
  private static final int SHORTEST_COMMON = 8;

  private NameText() {}

  /** The name or sentence on one line: what would steer a terminal is a question mark. */
  public static String plain(String name) {
    return name.replaceAll("\\p{Cc}", "?");
  }

  /** The same in at most 40 characters; of longer names the middle is left out. */
  public static String shortened(String name) {
    String plain = plain(name);
    return plain.length() <= LONGEST
        ? plain
        : plain.substring(0, BEGINNING)
            + "…"
            + plain.substring(plain.length() - LONGEST + BEGINNING + 1);
  }

  /** Words as one name of a field or parameter, such as {@code maxSize}. */
  public static String camelCase(String... words) {
    return Arrays.stream(words)
        .reduce(
            "",
            (name, word) ->
                name.isEmpty() || word.isEmpty()
                    ? name + word
                    : name + word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
  }

  /** What tells a name from others: a fused one's last part; of a path the last two steps. */
  public static String last(String name) {
    String last = name.substring(name.lastIndexOf(';') + 1);
    int end = last.lastIndexOf('/');
    int before = end < 0 ? -1 : last.lastIndexOf('/', end - 1);
    String shown = before < 0 ? last : last.substring(before + 1);
    return shown.isEmpty() ? name : shown;
  }

  /** The same of each of several names, without what all begin with; O(characters). */
  public static List<String> distinct(List<String> names) {
    List<String> shown = names.stream().map(NameText::last).toList();
    String common = shown.size() > 2 ? shown.get(0) : "";
    for (String name : shown) {
      while (!name.startsWith(common)) {
        common = common.substring(0, common.length() - 1);
      }
    }
    int end = Math.max(common.lastIndexOf('.'), common.lastIndexOf('/'));
    int cut = Math.max(end, common.lastIndexOf('_')) + 1;
    return cut < SHORTEST_COMMON
        ? shown
        : shown.stream().map(name -> name.length() > cut ? name.substring(cut) : name).toList();
  }
}
