package stowage.report.svg;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.packing.ByteText;

/**
 * Horizontal lines across a picture at given bytes, each with a name and a figure at the right.
 * Labels that would touch are moved apart and tied to their lines.
 */
public final class LevelLines {
  /** Ink of the peak's line: vermilion of Okabe and Ito's palette for all kinds of eyes. */
  static final String PEAK = "#d55e00";

  public static final String BOUND = "#000000";

  static final String CAPACITY = "#777777";

  private static final double LABEL_HEIGHT = 29;
  private static final double FONT = 11;

  private record Mark(String name, long bytes, String colour, String dash, String remark) {}

  private final List<Mark> marks = new ArrayList<>();

  /** Adds a line; {@code dash} is an SVG dash pattern, or {@code none}. */
  LevelLines add(String name, long bytes, String colour, String dash) {
    marks.add(new Mark(name, bytes, colour, dash, ""));
    return this;
  }

  /** The marks of a memory's peak, bound and capacity that fall below {@code most} bytes. */
  public static LevelLines of(long peak, long bound, long capacity, double most) {
    LevelLines marks = new LevelLines();
    if (peak >= 0 && peak == bound) {
      marks.add("peak = bound", peak, PEAK, "none");
    } else {
      if (peak >= 0) {
        marks.add("peak", peak, PEAK, "none");
      }
      if (bound > 0) {
        marks.add("bound", bound, BOUND, "6 3");
      }
    }
    if (capacity <= most && !marks.remark(capacity, " (capacity)")) {
      marks.add("capacity", capacity, CAPACITY, "2 2");
    }
    return marks;
  }

  /** Adds a remark to the line at so many bytes; false when there is none. */
  private boolean remark(long bytes, String remark) {
    for (int k = 0; k < marks.size(); k++) {
      Mark mark = marks.get(k);
      if (mark.bytes() == bytes) {
        marks.set(k, new Mark(mark.name(), bytes, mark.colour(), mark.dash(), remark));
        return true;
      }
    }
    return false;
  }

  /** Draws lines and labels. */
  public void draw(SvgWriter svg, Frame frame) {
    List<Mark> order = new ArrayList<>(marks);
    order.sort(Comparator.comparingDouble(mark -> -mark.bytes()));
    double[] at = labelPositions(frame, order);
    for (int k = 0; k < order.size(); k++) {
      Mark mark = order.get(k);
      double y = frame.y(mark.bytes());
      svg.path(
          "M%s %sH%sl6 %s"
              .formatted(
                  SvgWriter.number(frame.left()),
                  SvgWriter.number(y),
                  SvgWriter.number(frame.right()),
                  SvgWriter.number(at[k] - y)),
          Style.filled("none").stroke(mark.colour(), 1.4).dash(mark.dash()));
      double x = frame.right() + 10;
      svg.text(x, at[k] - 2, "start", mark.name(), Style.bold(FONT, mark.colour()));
      svg.text(
          x,
          at[k] + FONT,
          "start",
          ByteText.human(mark.bytes()) + mark.remark(),
          Style.text(FONT, "#222"));
    }
  }

  /** Middle of each label, from the top: at its line where there is room, else moved apart. */
  private static double[] labelPositions(Frame frame, List<Mark> order) {
    double[] at = new double[order.size()];
    double free = frame.top() - LABEL_HEIGHT;
    for (int k = 0; k < at.length; k++) {
      at[k] = Math.max(frame.y(order.get(k).bytes()), free + LABEL_HEIGHT);
      free = at[k];
    }
    double limit = frame.bottom();
    for (int k = at.length - 1; k >= 0; k--) {
      at[k] = Math.min(at[k], limit);
      limit = at[k] - LABEL_HEIGHT;
    }
    return at;
  }
}
