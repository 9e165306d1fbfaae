package stowage.report.schedule;

import java.util.List;
import stowage.packing.ByteText;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;

/**
 * The load over time of several orders, one above the other on one scale, with the bound over all
 * orders as a line through each.
 */
public final class LoadsSvg {
  private static final double WIDTH = 900;
  private static final double LEFT = 150;
  private static final double RIGHT = 20;
  private static final double PANEL = 92;
  private static final double SPACE = 20;
  private static final double TOP = 46;

  private LoadsSvg() {}

  /**
   * An order and the load of each of its steps.
   *
   * @param name what it is called
   * @param loads bytes, step by step
   */
  public record Row(String name, long[] loads) {
    long peak() {
      long peak = 0;
      for (long load : loads) {
        peak = Math.max(peak, load);
      }
      return peak;
    }
  }

  /**
   * Draws the orders.
   *
   * @param network what the network is called
   * @param bound no order has a lower peak load, in bytes
   * @param rows the orders, from the top
   */
  public static String of(String network, long bound, List<Row> rows) {
    long most = Math.max(1, bound);
    for (Row row : rows) {
      most = Math.max(most, row.peak());
    }
    double height = TOP + rows.size() * (PANEL + SPACE) + 24;
    SvgWriter svg =
        new SvgWriter(WIDTH, height, network + ": load over time of " + rows.size() + " orders");
    svg.text(
        LEFT,
        22,
        "start",
        network + ": live bytes step by step; no order has a peak below " + ByteText.human(bound),
        Style.text(14));
    for (int k = 0; k < rows.size(); k++) {
      panel(svg, rows.get(k), TOP + k * (PANEL + SPACE), most, bound);
    }
    svg.text(
        (LEFT + WIDTH - RIGHT) / 2, height - 8, "middle", "steps of the order", Style.text(11));
    return svg.finish();
  }

  private static void panel(SvgWriter svg, Row row, double top, long most, long bound) {
    double bottom = top + PANEL;
    double step = (WIDTH - LEFT - RIGHT) / Math.max(1, row.loads().length);
    StringBuilder area = new StringBuilder();
    area.append('M').append(SvgWriter.number(LEFT)).append(' ').append(SvgWriter.number(bottom));
    for (int k = 0; k < row.loads().length; k++) {
      String y = SvgWriter.number(bottom - PANEL * row.loads()[k] / most);
      area.append('L').append(SvgWriter.number(LEFT + k * step)).append(' ').append(y);
      area.append('L').append(SvgWriter.number(LEFT + (k + 1) * step)).append(' ').append(y);
    }
    area.append('L').append(SvgWriter.number(WIDTH - RIGHT)).append(' ');
    area.append(SvgWriter.number(bottom)).append('Z');
    boolean least = row.peak() <= bound;
    svg.path(area, Style.filled(least ? "#4c78a8" : "#b8c4d2"));
    svg.segment(LEFT, bottom, WIDTH - RIGHT, bottom, Style.stroked("#444444", 1));
    double line = bottom - PANEL * bound / most;
    svg.segment(LEFT, line, WIDTH - RIGHT, line, Style.stroked("#c0392b", 1).dash("5 3"));
    svg.text(LEFT - 10, top + PANEL / 2 - 2, "end", row.name(), Style.text(12));
    String above =
        least
            ? "at the bound"
            : "+" + ByteText.percent((double) (row.peak() - bound) / Math.max(1, bound));
    svg.text(
        LEFT - 10,
        top + PANEL / 2 + 14,
        "end",
        ByteText.human(row.peak()) + ", " + above,
        Style.text(11, "#555555"));
  }
}
