package stowage.report.plan;

import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;

/** Legend of a plan's picture: entries from left to right, in as many rows as they need. */
final class LegendRows {
  private static final double ROW = 16;
  private static final double FONT = 11;
  private static final double BETWEEN = 14;

  private final SvgWriter svg;
  private final double left;
  private final double width;
  private double x;
  private double top;
  private int rows = 1;

  /**
   * Starts a legend.
   *
   * @param svg null to count the rows alone
   */
  LegendRows(SvgWriter svg, double left, double width, double top) {
    this.svg = svg;
    this.left = left;
    this.width = width;
    this.x = left;
    this.top = top;
  }

  /** The number of rows so far. */
  int count() {
    return rows;
  }

  void word(String text) {
    begin(0, text);
    end(0, text);
  }

  void swatch(Style style, double wide, String text) {
    begin(wide + 5, text);
    if (svg != null) {
      svg.rect(x, top, wide, 12, style);
    }
    end(wide + 5, text);
  }

  void arc(String text) {
    begin(23, text);
    if (svg != null) {
      String arc = "M" + SvgWriter.number(x) + " " + SvgWriter.number(top + 11) + "q9 -14 18 0";
      svg.path(arc, Style.filled("none").stroke(ReuseArcs.COLOUR, 1.6));
    }
    end(23, text);
  }

  private void begin(double before, String text) {
    if (x > left && x + before + TextWidth.of(text, FONT) > width - 6) {
      x = left;
      top += ROW;
      rows++;
    }
  }

  private void end(double before, String text) {
    if (svg != null) {
      svg.text(x + before, top + 10, "start", text, Style.text(FONT, "#444444"));
    }
    x += before + TextWidth.of(text, FONT) + BETWEEN;
  }
}
