package stowage.report.schedule;

import java.util.List;
import java.util.stream.LongStream;
import stowage.packing.ByteText;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;

/** The loads of several orders over time on one scale, the bound over all orders in each. */
public record LoadsSvg(SvgWriter svg, double width, double left, long most, long bound) {
  /** Pixels of the picture's width unless another is asked for. */
  public static final double WIDTH = 900;

  private static final double NARROW = 600;
  private static final double RIGHT = 20;
  private static final double PANEL = 92;
  private static final double TOP = 46;

  /** An order and the load of each of its steps, in bytes. */
  public record Row(String name, long[] loads) {
    long peak() {
      return LongStream.of(loads).max().orElse(0);
    }
  }

  /** Draws the orders, none below the bound; in less than 600 pixels the names are above them. */
  public static String of(String network, long bound, List<Row> rows, double width) {
    long highest = rows.stream().mapToLong(Row::peak).max().orElse(0);
    long most = Math.max(Math.max(1, bound), highest);
    double space = width < NARROW ? 34 : 20;
    double height = TOP + rows.size() * (PANEL + space) + 24;
    SvgWriter svg =
        new SvgWriter(width, height, network + ": load over time of " + rows.size() + " orders");
    LoadsSvg drawing = new LoadsSvg(svg, width, width < NARROW ? 4 : 150, most, bound);
    String least = "no order has a peak below " + ByteText.human(bound);
    String title =
        width < NARROW ? least : network + ": live bytes at each step; " + least + " (red)";
    svg.text(drawing.left, 22, "start", title, Style.text(14));
    for (int k = 0; k < rows.size(); k++) {
      drawing.panel(rows.get(k), TOP + (width < NARROW ? 12 : 0) + k * (PANEL + space));
    }
    double middle = (drawing.left + width - RIGHT) / 2;
    svg.text(middle, height - 8, "middle", "step of the order", Style.text(11));
    return svg.finish();
  }

  private void panel(Row row, double top) {
    double bottom = top + PANEL;
    double step = (width - left - RIGHT) / Math.max(1, row.loads().length);
    StringBuilder area = new StringBuilder("M" + SvgWriter.point(left, bottom));
    for (int k = 0; k < row.loads().length; k++) {
      double y = bottom - PANEL * row.loads()[k] / most;
      area.append('L').append(SvgWriter.point(left + k * step, y));
      area.append('L').append(SvgWriter.point(left + (k + 1) * step, y));
    }
    area.append('L').append(SvgWriter.point(width - RIGHT, bottom)).append('Z');
    boolean least = row.peak() <= bound;
    svg.path(area, Style.filled(least ? "#4c78a8" : "#b8c4d2"));
    svg.segment(left, bottom, width - RIGHT, bottom, Style.stroked("#444444", 1));
    double line = bottom - PANEL * bound / most;
    svg.segment(left, line, width - RIGHT, line, Style.stroked("#c0392b", 1).dash("5 3"));
    String above =
        least
            ? "at the bound"
            : "+" + ByteText.percent((double) (row.peak() - bound) / Math.max(1, bound));
    String peak = ByteText.human(row.peak()) + ", " + above;
    if (width < NARROW) {
      svg.text(left, top - 5, "start", row.name() + ": " + peak, Style.text(12));
      return;
    }
    svg.text(left - 10, top + PANEL / 2 - 2, "end", row.name(), Style.text(12));
    svg.text(left - 10, top + PANEL / 2 + 14, "end", peak, Style.text(11, "#555555"));
  }
}
