package stowage.report.svg;

/**
 * Estimate of how wide text will be, since a written picture cannot measure its own font. The
 * widths are those of a wide sans-serif face, in parts of its size, since a reader's may be one.
 */
public final class TextWidth {
  private TextWidth() {}

  /** Width in pixels of text in a font of {@code size} pixels. */
  public static double of(String text, double size) {
    double ems = 0;
    for (int at = 0; at < text.length(); ) {
      int point = text.codePointAt(at);
      at += Character.charCount(point);
      ems += ems(point);
    }
    return ems * size;
  }

  /** The text itself where it fits, else its longest beginning with an ellipsis; may be empty. */
  public static String fitted(String text, double size, double width) {
    if (of(text, size) <= width) {
      return text;
    }
    double left = width - size;
    int end = 0;
    while (end < text.length()) {
      int point = text.codePointAt(end);
      left -= ems(point) * size;
      if (left < 0) {
        break;
      }
      end += Character.charCount(point);
    }
    return end == 0 ? "" : text.substring(0, end) + "…";
  }

  /** The text itself where it fits, else its longest end after an ellipsis; may be empty. */
  public static String fittedEnd(String text, double size, double width) {
    if (of(text, size) <= width) {
      return text;
    }
    double left = width - size;
    int begin = text.length();
    while (begin > 0) {
      int point = text.codePointBefore(begin);
      left -= ems(point) * size;
      if (left < 0) {
        break;
      }
      begin -= Character.charCount(point);
    }
    while (begin + 1 < text.length() && "./_".indexOf(text.charAt(begin)) >= 0) {
      begin++;
    }
    return begin == text.length() ? "" : "…" + text.substring(begin);
  }

  private static double ems(int point) {
    if (point > 0x2000) {
      return 1.0;
    }
    if ("ijl.,:;'|!()[]/ ft".indexOf(point) >= 0) {
      return 0.34;
    }
    if (Character.isUpperCase(point) || "mw%@&_".indexOf(point) >= 0) {
      return point == 'M' || point == 'W' || point == 'm' || point == '%' ? 0.9 : 0.72;
    }
    return 0.61;
  }
}
