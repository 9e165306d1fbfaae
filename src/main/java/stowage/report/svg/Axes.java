package stowage.report.svg;

import java.util.List;
import stowage.packing.ByteText;

/** Ground, grid and axes of a frame. */
public final class Axes {
  private static final double FONT = 11;

  /** Pixels between two ticks whose labels do not touch. */
  private static final double LEAST_TICK = 15;

  private static final String INK = "#444444";
  private static final String GRID = "#e4e7ea";

  private Axes() {}

  /** The ground with a grid line and a label for each tick of bytes. */
  public static void drawBytes(SvgWriter svg, Frame frame, List<Long> ticks) {
    Style ground = Style.filled("#fbfcfd").stroke("#c9ced3", 0.8);
    svg.rect(frame.left(), frame.top(), frame.width(), frame.height(), ground);
    int each = 1;
    while (ticks.size() > 2 && frame.height() * each / ticks.size() < LEAST_TICK) {
      each *= 2;
    }
    for (int k = 0; k < ticks.size(); k += each) {
      long tick = ticks.get(k);
      double y = frame.y(tick);
      if (tick > 0) {
        svg.segment(frame.left(), y, frame.right(), y, Style.stroked(GRID, 0.8));
      }
      String label = tick == 0 ? "0" : ByteText.human(tick);
      svg.text(frame.left() - 7, y + 3.8, "end", label, Style.text(FONT, INK));
    }
  }

  /** Ticks and labels of the steps below a frame. */
  public static void drawSteps(SvgWriter svg, Frame frame) {
    int most = (int) Math.max(2, Math.min(11, frame.width() / 60));
    for (long step : Ticks.steps(frame.firstStep(), frame.lastStep(), most)) {
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
