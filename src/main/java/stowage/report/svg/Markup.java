package stowage.report.svg;

/** Escaping of any text for XML and HTML. */
public final class Markup {
  private Markup() {}

  /**
   * Text as the content of an element or of an attribute in quotes. Characters that XML 1.0 does
   * not allow, such as NUL and lone surrogates, become U+FFFD; line ends and tabs become character
   * references, so that they survive in attributes.
   */
  public static String escape(String text) {
    if (isPlain(text)) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length() + 16);
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      at += Character.charCount(point);
      switch (point) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        case '\n', '\r', '\t' -> safe.append("&#").append(point).append(';');
        default -> safe.appendCodePoint(isAllowed(point) ? point : 0xFFFD);
      }
    }
    return safe.toString();
  }

  /**
   * JSON that may be inside a script element: no {@code <} is left that could end the element or
   * begin a comment, and no line separator that old parsers take for a line's end.
   */
  public static String scriptSafe(String json) {
    return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
  }

  private static boolean isPlain(String text) {
    for (int at = 0; at < text.length(); at++) {
      char letter = text.charAt(at);
      if (letter < ' ' || letter >= 0x7F || letter <= '>' && "\"&'<>".indexOf(letter) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAllowed(int point) {
    return (point >= 0x20 && point < 0x7F)
        || (point >= 0xA0 && point < 0xD800)
        || (point >= 0xE000 && point < 0xFFFE)
        || point >= 0x10000;
  }
}
