package stowage.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.FigureSize;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;

/**
 * Planners by their distance from what is proven, as a picture: one row each, a dot at its gap. A
 * line leads there from the optimum, pale as far as the planner's own rules force it and full where
 * the waste is the planner's own. The axis is linear, or logarithmic (with a place of its own for
 * 0) where the gaps are far apart.
 */
public final class CompareSvg {
  private static final double WIDTH = 900;
  private static final double TOP = 74;
  private static final double ROW = 21;
  private static final double LEAST_ROW = 13;
  private static final double MOST_ROW = 40;
  private static final double BELOW = 86;
  private static final double RIGHT = 228;
  private static final double FONT = 12;
  private static final double LOG_FROM_RATIO = 60;

  /** By kind of planner: three of Okabe and Ito's colours for all kinds of eyes. */
  private static final String[] COLOURS = {"#0072b2", "#e69f00", "#009e73"};

  private static final Style NOTE = Style.text(11, Style.SOFT);
  private static final Style FIGURE = Style.text(11, Style.INK);

  private final CompareReport report;
  private final double width;
  private final double height;
  private final double row;
  private final double scale;
  private final double left;
  private final double right;
  private final double least;
  private final double most;
  private final boolean logarithmic;

  private CompareSvg(CompareReport report, FigureSize size) {
    this.report = report;
    int rows = Math.max(1, report.rows().size());
    double room = size.height() == 0 ? ROW : (size.height(0) - TOP - BELOW) / rows;
    if (room < LEAST_ROW) { // all rows are shown, so the text gets smaller
      row = LEAST_ROW;
      height = TOP + rows * row + BELOW;
      scale = size.height() / height;
      width = size.width() == 0 ? WIDTH : size.width() / scale;
    } else {
      row = Math.min(room, MOST_ROW);
      height = size.height(TOP + rows * row + BELOW);
      scale = size.scale();
      width = size.width(WIDTH);
    }
    right = width - RIGHT;
    double names = 0;
    double smallest = Double.POSITIVE_INFINITY;
    double largest = 0;
    for (CompareReport.Row row : report.rows()) {
      names = Math.max(names, TextWidth.of(row.planner(), FONT));
      double gap = report.gap(row);
      if (gap > 0 && Double.isFinite(gap)) {
        smallest = Math.min(smallest, gap);
        largest = Math.max(largest, gap);
      }
    }
    left = Math.min(width / 3, Math.max(110, names + 36));
    logarithmic = largest / smallest > LOG_FROM_RATIO;
    least = logarithmic ? Math.pow(10, Math.floor(Math.log10(smallest))) : 0;
    most = largest == 0 ? 0.01 : largest * (logarithmic ? 1.25 : 1.06);
  }

  /** The picture as the text of an SVG file, of the size asked for; text may be smaller to fit. */
  public static String of(CompareReport report, FigureSize size) {
    return new CompareSvg(report, size).draw();
  }

  private String draw() {
    double bottom = TOP + Math.max(1, report.rows().size()) * row + 6;
    String what = report.status() == Status.OPTIMAL ? "the proven optimum" : "the proven bound";
    String subtitle =
        "peak above " + what + " of " + ByteText.both(report.lowerBound()) + ", by planner";
    SvgWriter svg = new SvgWriter(width, height, scale, report.problem() + ": " + subtitle);
    svg.head(report.problem(), width - 40, subtitle);
    svg.text(width - 16, TOP - 8, "end", "time", NOTE);
    svg.text(width - 76, TOP - 8, "end", "peak", NOTE);
    drawAxis(svg, bottom);
    for (int k = 0; k < report.rows().size(); k++) {
      drawRow(svg, report.rows().get(k), TOP + k * row, k);
    }
    drawLegend(svg, bottom + 62);
    return svg.finish();
  }

  private double x(double gap) {
    double zero = left + 8;
    if (!logarithmic) {
      return zero + (right - zero) * gap / most;
    }
    double first = zero + 34;
    if (gap < least) {
      return zero + (first - zero) * gap / least;
    }
    return first + (right - first) * Math.log(gap / least) / Math.log(most / least);
  }

  private void drawAxis(SvgWriter svg, double bottom) {
    svg.segment(x(0), TOP - 4, x(0), bottom, Style.stroked("#000000", 1.2));
    for (double tick : ticks()) {
      double at = x(tick);
      if (tick > 0) {
        svg.segment(at, TOP - 4, at, bottom, Style.stroked("#e4e7ea", 0.9));
      }
      svg.text(at, bottom + 15, "middle", ByteText.percent(tick), NOTE);
    }
    String axis = logarithmic ? "gap, logarithmic" : "gap";
    svg.text((left + right) / 2, bottom + 33, "middle", axis, NOTE);
  }

  private List<Double> ticks() {
    List<Double> ticks = new ArrayList<>(List.of(0.0));
    if (logarithmic) {
      for (double at = least; at <= most * 1.000001; at *= 10) {
        ticks.add(at);
      }
      return ticks;
    }
    double unit = Math.pow(10, Math.floor(Math.log10(most)));
    double step = most / unit < 2 ? unit / 5 : most / unit < 5 ? unit / 2 : unit;
    for (int k = 1; k * step <= most; k++) {
      ticks.add(k * step);
    }
    return ticks;
  }

  private void drawRow(SvgWriter svg, CompareReport.Row row, double top, int index) {
    if (index % 2 == 1) {
      svg.rect(14, top, width - 28, this.row, Style.filled("#000000").with("fill-opacity", 0.025));
    }
    double middle = top + this.row / 2;
    double base = middle + 4;
    String name = TextWidth.fitted(row.planner(), FONT, left - 24);
    svg.text(left - 4, base, "end", name, Style.text(FONT, Style.INK));
    svg.text(width - 16, base, "end", time(row), NOTE);
    double gap = report.gap(row);
    if (!Double.isFinite(gap)) {
      String why = row.reason().isEmpty() ? "no plan" : "no plan: " + row.reason();
      String fitted = TextWidth.fitted(why, 11, width - 84 - x(0));
      Style italic = Style.text(11).with("font-style", "italic").with("fill", Style.SOFT);
      svg.text(x(0) + 10, base, "start", fitted, italic);
      return;
    }
    svg.text(width - 76, base, "end", ByteText.exact(row.peak()), FIGURE);
    drawGap(svg, row, gap, middle);
  }

  private void drawGap(SvgWriter svg, CompareReport.Row row, double gap, double middle) {
    String colour = COLOURS[row.kind().ordinal()];
    double cost = report.rulesCost(row);
    double forced = Double.isNaN(cost) ? 0 : Math.max(0, Math.min(gap, cost));
    if (forced > 0) {
      svg.segment(x(0), middle, x(forced), middle, Style.stroked(colour, 5).with("opacity", 0.3));
      svg.segment(x(forced), middle - 5, x(forced), middle + 5, Style.stroked(colour, 1.6));
    }
    svg.segment(x(forced), middle, x(gap), middle, Style.stroked(colour, 2.4));
    svg.circle(x(gap), middle, 5, Style.filled(colour).with("stroke", "#ffffff"));
    svg.text(x(gap) + 9, middle + 4, "start", ByteText.percent(gap), FIGURE);
  }

  private boolean isForced(CompareReport.Row row) {
    return row.peak() != null && row.rulesBound() != null && row.rulesBound() > report.lowerBound();
  }

  private static String time(CompareReport.Row row) {
    return row.seconds() < 0.0005
        ? "< 1 ms"
        : row.seconds() < 1
            ? String.format(Locale.ROOT, "%.0f ms", row.seconds() * 1000)
            : ByteText.seconds(row.seconds());
  }

  private void drawLegend(SvgWriter svg, double y) {
    double x = left + 8;
    for (CompareReport.Kind kind : CompareReport.Kind.values()) {
      if (report.rows().stream().anyMatch(row -> row.kind() == kind)) {
        svg.circle(x, y - 4, 5, Style.filled(COLOURS[kind.ordinal()]));
        svg.text(x + 10, y, "start", kind.meaning(), NOTE);
        x += 32 + TextWidth.of(kind.meaning(), 11);
      }
    }
    if (report.rows().stream().anyMatch(this::isForced)) {
      svg.segment(x, y - 4, x + 24, y - 4, Style.stroked(Style.SOFT, 5).with("opacity", 0.3));
      svg.segment(x + 24, y - 9, x + 24, y + 1, Style.stroked(Style.SOFT, 1.6));
      svg.text(x + 31, y, "start", "forced by design", NOTE);
    }
  }
}
