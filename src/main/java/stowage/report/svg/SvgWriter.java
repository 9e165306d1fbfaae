package stowage.report.svg;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writer of SVG elements as text, escaped and with short numbers. */
public final class SvgWriter {
  /** Font of all pictures; every name is one that comes with common systems. */
  public static final String FONT = "Helvetica, Arial, Liberation Sans, sans-serif";

  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Starts a picture of a size in pixels on white ground. */
  public SvgWriter(double width, double height, String description) {
    this(width, height, 1, description);
  }

  /** Starts a picture on white ground, drawn in units of {@code scale} pixels. */
  public SvgWriter(double width, double height, double scale, String description) {
    Style whole =
        Style.NONE
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("width", width * scale)
            .with("height", height * scale)
            .with("viewBox", "0 0 " + number(width) + " " + number(height))
            .with("font-family", FONT)
            .with("role", "img");
    start("svg", whole).leaf("title", description).line();
    empty("rect", Style.NONE.with("width", width).with("height", height).with("fill", "#ffffff"));
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

  /** Starts an element without attributes. */
  public SvgWriter start(String name) {
    return start(name, Style.NONE);
  }

  public SvgWriter start(String name, Style style) {
    out.append('<').append(name).append(style.attributes()).append('>');
    open.push(name);
    return this;
  }

  /** Ends the element started last. */
  public SvgWriter end() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** Writes an element that holds text alone. */
  public SvgWriter leaf(String name, String text) {
    out.append('<').append(name).append('>').append(Markup.escape(text));
    out.append("</").append(name).append('>');
    return this;
  }

  /** Writes a title fitted into so many pixels, and a line below it. */
  public SvgWriter head(String title, double room, String subtitle) {
    text(20, 27, "start", TextWidth.fitted(title, 16, room), Style.bold(16, "#111111"));
    return text(20, 46, "start", subtitle, Style.text(12, Style.SOFT));
  }

  /** Writes text at a point: its baseline, and its start, middle or end as {@code anchor} says. */
  public SvgWriter text(double x, double y, String anchor, String text, Style style) {
    start("text", Style.NONE.with("x", x).with("y", y).with("text-anchor", anchor).and(style));
    out.append(Markup.escape(text));
    return end().line();
  }

  /** Draws a straight line. */
  public SvgWriter segment(double x1, double y1, double x2, double y2, Style style) {
    return path("M" + point(x1, y1) + "L" + point(x2, y2), style);
  }

  /** Draws a path of SVG's path commands. */
  public SvgWriter path(CharSequence commands, Style style) {
    return empty("path", Style.NONE.with("d", commands).and(style));
  }

  /** Draws a path that says something to those who point at it. */
  public SvgWriter path(CharSequence commands, Style style, String said) {
    return start("path", Style.NONE.with("d", commands).and(style))
        .leaf("title", said)
        .end()
        .line();
  }

  /** Draws a rectangle from its left upper corner. */
  public SvgWriter rect(double x, double y, double width, double height, Style style) {
    return empty("rect", box(x, y, width, height).and(style));
  }

  /** Draws a rectangle that says something to those who point at it. */
  public SvgWriter rect(double x, double y, double width, double height, Style style, String said) {
    return start("rect", box(x, y, width, height).and(style)).leaf("title", said).end().line();
  }

  /** Draws a circle about a point. */
  public SvgWriter circle(double x, double y, double radius, Style style) {
    return empty("circle", Style.NONE.with("cx", x).with("cy", y).with("r", radius).and(style));
  }

  /** Draws an image into a rectangle, stretched to it; {@code address} says what it is. */
  public SvgWriter image(double x, double y, double width, double height, String address) {
    Style stretched = box(x, y, width, height).with("preserveAspectRatio", "none");
    return empty("image", stretched.with("href", address));
  }

  private static Style box(double x, double y, double width, double height) {
    return Style.NONE.with("x", x).with("y", y).with("width", width).with("height", height);
  }

  private SvgWriter empty(String name, Style style) {
    out.append('<').append(name).append(style.attributes()).append("/>");
    return line();
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

  /** The coordinates of a point in a path. */
  public static String point(double x, double y) {
    return number(x) + " " + number(y);
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
