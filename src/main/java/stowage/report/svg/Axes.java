package stowage.report.svg;

import java.util.List;
import stowage.packing.ByteText;

/** Draws a frame's ground, grid and axes. */
public final class Axes {
  private static final double FONT = 11;
  private static final String INK = "#444444";
  private static final String GRID = "#e4e7ea";

  private Axes() {}

  /** The ground with a grid line and a label for each tick of bytes. */
  public static void drawBytes(SvgWriter svg, Frame frame, List<Long> ticks) {
    svg.rect(
        frame.left(),
        frame.top(),
        frame.width(),
        frame.height(),
        Style.filled("#fbfcfd").stroke("#c9ced3", 0.8));
    for (long tick : ticks) {
      double y = frame.y(tick);
      if (tick > 0) {
        svg.segment(frame.left(), y, frame.right(), y, Style.stroked(GRID, 0.8));
      }
      svg.text(
          frame.left() - 7,
          y + 3.8,
          "end",
          tick == 0 ? "0" : ByteText.human(tick),
          Style.text(FONT, INK));
    }
  }

  /** Ticks and labels of the steps below a frame. */
  public static void drawSteps(SvgWriter svg, Frame frame) {
    for (long step : Ticks.steps(frame.firstStep(), frame.lastStep(), 11)) {
      double x = frame.x(step);
      svg.segment(x, frame.bottom(), x, frame.bottom() + 4, Style.stroked(INK, 0.8));
      svg.text(x, frame.bottom() + 16, "middle", ByteText.exact(step), Style.text(FONT, INK));
    }
  }

  /** A label that runs upwards, left of a frame's tick labels. */
  public static void drawTitle(SvgWriter svg, Frame frame, double x, String title) {
    double y = frame.top() + frame.height() / 2;
    svg.text(x, y, "middle", title, Style.text(FONT, INK).upwards(x, y));
  }
}
