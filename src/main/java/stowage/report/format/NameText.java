package stowage.report.format;

/** Names from files as tables show them. */
public final class NameText {
  private static final int LONGEST = 40;

  private NameText() {}

  /** The name or sentence on one line: what would steer a terminal is a question mark. */
  public static String plain(String name) {
    return name.replaceAll("\\p{Cc}", "?");
  }

  /** The same, cut to 40 characters. */
  public static String shortened(String name) {
    String plain = plain(name);
    return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST - 1) + "…";
  }
}
