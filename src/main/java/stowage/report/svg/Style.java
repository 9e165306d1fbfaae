package stowage.report.svg;

/** Look of a shape or a text: attributes as an element has them, each after a space, in order. */
public record Style(String attributes) {
  /** Colour of most text and lines. */
  public static final String INK = "#222222";

  /** Colour of notes and of what is said besides. */
  public static final String SOFT = "#5a646d";

  /** What is around it says it all. */
  public static final Style NONE = new Style("");

  /** A text in a size in pixels. */
  public static Style text(double size) {
    return NONE.with("font-size", size);
  }

  /** A text in a size in pixels and a colour. */
  public static Style text(double size, String colour) {
    return text(size).with("fill", colour);
  }

  /** A heading in a size in pixels and a colour. */
  public static Style bold(double size, String colour) {
    return text(size).with("font-weight", "bold").with("fill", colour);
  }

  /** A filled shape. */
  public static Style filled(String colour) {
    return NONE.with("fill", colour);
  }

  /** A line of a width in pixels. */
  public static Style stroked(String colour, double width) {
    return NONE.stroke(colour, width);
  }

  /** The same with an outline of a width in pixels. */
  public Style stroke(String colour, double width) {
    return with("stroke", colour).with("stroke-width", width);
  }

  /** The same with a dash pattern, or {@code none}. */
  public Style dash(String pattern) {
    return with("stroke-dasharray", pattern);
  }

  /** The same turned so that it reads upwards, about a point. */
  public Style upwards(double x, double y) {
    return with("transform", "rotate(-90 " + SvgWriter.number(x) + " " + SvgWriter.number(y) + ")");
  }

  /** The same with one more attribute; a {@code Double} is written as a short number. */
  public Style with(String name, Object value) {
    String text = value instanceof Double d ? SvgWriter.number(d) : Markup.escape(value.toString());
    return new Style(attributes + " " + name + "=\"" + text + "\"");
  }

  /** The same and after it what another has. */
  public Style and(Style more) {
    return new Style(attributes + more.attributes);
  }
}
