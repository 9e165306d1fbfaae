package stowage.report.svg;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes SVG elements as text, escaped and with short numbers. */
public final class SvgWriter {
  /** Font of all pictures; every name is one that comes with common systems. */
  public static final String FONT = "Helvetica, Arial, Liberation Sans, sans-serif";

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Starts a picture of a size in pixels on white ground. */
  public SvgWriter(double width, double height, String description) {
    this(width, height, 1, description);
  }

  /**
   * Starts a picture on white ground.
   *
   * @param width in the units that it is drawn in
   * @param height in the same units
   * @param scale pixels a unit
   */
  public SvgWriter(double width, double height, double scale, String description) {
    start(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "width",
        width * scale,
        "height",
        height * scale,
        "viewBox",
        "0 0 " + number(width) + " " + number(height),
        "font-family",
        FONT,
        "role",
        "img");
    leaf("title", description);
    line();
    empty("rect", "width", width, "height", height, "fill", "#ffffff");
    line();
  }

  private SvgWriter() {}

  /** Starts a part of a picture that is inserted into another one once it is finished. */
  public static SvgWriter part() {
    return new SvgWriter();
  }

  /** Inserts a finished part as it is. */
  public SvgWriter insert(String part) {
    out.append(part);
    return this;
  }

  /** Starts an element; attributes are names and values in turn. */
  public SvgWriter start(String name, Object... attributes) {
    tag(name, attributes);
    out.append('>');
    open.push(name);
    return this;
  }

  /** Ends the element started last. */
  public SvgWriter end() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Writes an element without content. */
  public SvgWriter empty(String name, Object... attributes) {
    tag(name, attributes);
    out.append("/>");
    return this;
  }

  /** Writes an element that holds text alone. */
  public SvgWriter leaf(String name, String text, Object... attributes) {
    tag(name, attributes);
    out.append('>').append(Markup.escape(text)).append("</").append(name).append('>');
    return this;
  }

  /** Writes text at a point: its baseline, and its start, middle or end as {@code anchor} says. */
  public SvgWriter text(double x, double y, String anchor, String text, Object... attributes) {
    Object[] all = new Object[attributes.length + 6];
    System.arraycopy(new Object[] {"x", x, "y", y, "text-anchor", anchor}, 0, all, 0, 6);
    System.arraycopy(attributes, 0, all, 6, attributes.length);
    return leaf("text", text, all).line();
  }

  /** Draws a straight line. */
  public SvgWriter segment(double x1, double y1, double x2, double y2, Object... attributes) {
    Object[] all = new Object[attributes.length + 2];
    all[0] = "d";
    all[1] = "M" + number(x1) + " " + number(y1) + "L" + number(x2) + " " + number(y2);
    System.arraycopy(attributes, 0, all, 2, attributes.length);
    return empty("path", all).line();
  }

  /** Ends the line of text, for those who read the file. */
  public SvgWriter line() {
    out.append('\n');
    return this;
  }

  /** Closes what is open and gives the whole. */
  public String finish() {
    while (!open.isEmpty()) {
      end().line();
    }
    return out.toString();
  }

  private void tag(String name, Object... attributes) {
    out.append('<').append(name);
    for (int k = 0; k < attributes.length; k += 2) {
      Object value = attributes[k + 1];
      out.append(' ')
          .append(attributes[k])
          .append("=\"")
          .append(value instanceof Double d ? number(d) : Markup.escape(value.toString()))
          .append('"');
    }
  }

  /** A coordinate with at most two decimals and no needless zeros. */
  public static String number(double value) {
    long hundredths = Math.round(value * 100);
    long whole = Math.abs(hundredths) / 100;
    long rest = Math.abs(hundredths) % 100;
    String sign = hundredths < 0 ? "-" : "";
    if (rest == 0) {
      return sign + whole;
    }
    return sign + whole + (rest % 10 == 0 ? "." + rest / 10 : rest < 10 ? ".0" + rest : "." + rest);
  }
}
