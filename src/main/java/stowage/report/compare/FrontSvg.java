package stowage.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import stowage.packing.ByteText;
import stowage.report.svg.Axes;
import stowage.report.svg.Frame;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;
import stowage.report.svg.Ticks;

/**
 * The front of peak against the price of reuse as a stair: a filled dot is a proven point, a hollow
 * one has lines to what is proven of it. Crosses are plans of real systems. Of a network a second
 * panel has the longest chain of ops in place of the price.
 */
public final class FrontSvg {
  private static final double PANEL = 520;
  private static final double HEIGHT = 420;
  private static final double LEFT = 96;
  private static final double RIGHT = 30;
  private static final double TOP = 70;
  private static final double BOTTOM = 62;
  private static final String DOT = "#0072b2";
  private static final Style HOLLOW = Style.filled("#ffffff").stroke(DOT, 1.3);
  private static final String OTHER = "#d55e00";
  private static final String STAIR = "#9fc5e0";

  private final FrontReport report;
  private final SvgWriter svg;
  private final double highest;

  private FrontSvg(FrontReport report) {
    this.report = report;
    boolean paths = report.pathBefore() > 0;
    String subtitle = "peak of memory against the price of sharing it";
    this.svg =
        new SvgWriter(paths ? 2 * PANEL : PANEL + 120, HEIGHT, report.name() + ": " + subtitle);
    LongStream others = report.systems().stream().mapToLong(FrontReport.Other::peak);
    LongStream peaks = report.points().stream().mapToLong(FrontReport.Point::peak);
    this.highest = LongStream.concat(peaks, others).max().orElse(1) * 1.08;
    long proven = report.points().stream().filter(FrontReport.Point::isProven).count();
    String said = subtitle + "; " + proven + " of " + report.points().size() + " points proven";
    svg.head(report.name(), PANEL, said);
  }

  /** The picture as the text of an SVG file. */
  public static String of(FrontReport report) {
    FrontSvg drawing = new FrontSvg(report);
    drawing.panel(0, "price of reuse", FrontReport.Point::cost, FrontReport.Other::cost, true);
    if (report.pathBefore() > 0) {
      drawing.panel(
          PANEL,
          "longest chain of ops, with the waits that the plan adds",
          FrontReport.Point::path,
          FrontReport.Other::path,
          false);
    }
    return drawing.svg.finish();
  }

  private void panel(
      double from,
      String title,
      ToLongFunction<FrontReport.Point> value,
      ToLongFunction<FrontReport.Other> of,
      boolean bounds) {
    List<FrontReport.Point> points = new ArrayList<>(report.points());
    points.sort(Comparator.comparingLong(FrontReport.Point::peak));
    LongSummaryStatistics shown = points.stream().mapToLong(value).summaryStatistics();
    report.systems().forEach(other -> shown.accept(of.applyAsLong(other)));
    long least = bounds ? 0 : Math.min(shown.getMin(), report.pathBefore());
    long most = Math.max(0, shown.getMax());
    long margin = Math.max(1, (most - least) / 12);
    double width = PANEL - LEFT - RIGHT;
    double height = HEIGHT - TOP - BOTTOM;
    Frame frame =
        new Frame(from + LEFT, TOP, width, height, least - margin, most + margin, highest);
    Axes.drawBytes(svg, frame, Ticks.bytes((long) highest));
    Axes.drawTitle(svg, frame, from + 22, "peak");
    for (long tick : Ticks.steps(Math.max(0, least), most, 9)) {
      double x = frame.x(tick);
      svg.segment(x, frame.bottom(), x, frame.bottom() + 4, Style.stroked(Style.SOFT, 0.8));
      svg.text(x, frame.bottom() + 17, "middle", ByteText.exact(tick), Style.text(11, Style.SOFT));
    }
    double middle = frame.left() + frame.width() / 2;
    svg.text(middle, frame.bottom() + 38, "middle", title, Style.text(11, Style.SOFT));
    stair(frame, points, value);
    points.forEach(point -> dot(frame, point, value.applyAsLong(point), bounds));
    others(frame, of);
  }

  /** Steps between the points that no other beats in both. */
  private void stair(
      Frame frame, List<FrontReport.Point> points, ToLongFunction<FrontReport.Point> value) {
    FrontReport.Point last = null;
    for (FrontReport.Point point : points) {
      if (last != null && value.applyAsLong(point) >= value.applyAsLong(last)) {
        continue;
      }
      if (last != null) {
        double x = frame.x(value.applyAsLong(last));
        double to = frame.x(value.applyAsLong(point));
        double y = frame.y(last.peak());
        svg.segment(x, y, x, frame.y(point.peak()), Style.stroked(STAIR, 1.6));
        svg.segment(x, frame.y(point.peak()), to, frame.y(point.peak()), Style.stroked(STAIR, 1.6));
      }
      last = point;
    }
  }

  private void dot(Frame frame, FrontReport.Point point, long value, boolean bounds) {
    double x = frame.x(value);
    double y = frame.y(point.peak());
    boolean proven = point.isProven();
    if (!proven && bounds) {
      svg.segment(x, y, x, frame.y(point.peakBound()), Style.stroked(DOT, 1.1));
      svg.segment(x, y, frame.x(point.costBound()), y, Style.stroked(DOT, 1.1));
    }
    Style style = proven ? Style.filled(DOT).stroke("#ffffff", 1.3) : HOLLOW;
    svg.circle(x, y, 4.5, style);
  }

  private void others(Frame frame, ToLongFunction<FrontReport.Other> of) {
    double last = -1;
    List<FrontReport.Other> sorted = new ArrayList<>(report.systems());
    sorted.sort(Comparator.comparingLong(FrontReport.Other::peak).reversed());
    for (FrontReport.Other other : sorted) {
      double x = frame.x(of.applyAsLong(other));
      double y = frame.y(other.peak());
      svg.segment(x - 4, y - 4, x + 4, y + 4, Style.stroked(OTHER, 1.6));
      svg.segment(x - 4, y + 4, x + 4, y - 4, Style.stroked(OTHER, 1.6));
      boolean fits = x + 9 + TextWidth.of(other.name(), 11) < frame.right();
      double label = Math.max(y + 4, last + 13);
      last = label;
      Style style = Style.text(11, OTHER);
      svg.text(fits ? x + 9 : x - 9, label, fits ? "start" : "end", other.name(), style);
    }
  }
}
