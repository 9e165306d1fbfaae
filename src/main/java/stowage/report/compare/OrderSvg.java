package stowage.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.svg.Axes;
import stowage.report.svg.Frame;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;
import stowage.report.svg.Ticks;

/**
 * Peak against parallelism: a dot for each order in which a network's ops may run, filled where its
 * peak is proven; a hollow one is on a line up from its bound. A stair joins the orders that no
 * other beats in both. Orders at one place share a label.
 */
public final class OrderSvg {
  private static final double WIDTH = 760;
  private static final double HEIGHT = 430;
  private static final double LEFT = 96;
  private static final double RIGHT = 100;
  private static final double TOP = 70;
  private static final double BOTTOM = 62;
  private static final double FONT = 12;
  private static final double LINE = 16;
  private static final String DOT = "#0072b2";

  private final OrderReport report;
  private final List<OrderReport.Row> rows;
  private final double least;
  private final double most;
  private final Frame frame;

  private OrderSvg(OrderReport report) {
    this.report = report;
    this.rows = report.rows().stream().filter(row -> row.peak() != null).toList();
    double freest = rows.stream().mapToDouble(report::parallelism).max().orElse(1);
    this.least = 1 - 0.06 * Math.max(0.1, freest - 1);
    this.most = 1 + 1.08 * Math.max(0.1, freest - 1);
    long highest = rows.stream().mapToLong(OrderReport.Row::peak).max().orElse(1);
    this.frame =
        new Frame(
            LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, 0, 1, highest + highest / 12);
  }

  /** The picture as the text of an SVG file. */
  public static String of(OrderReport report) {
    return new OrderSvg(report).draw();
  }

  private String draw() {
    String subtitle =
        "lowest peak by how freely the " + ByteText.count(report.ops(), "op") + " may run";
    SvgWriter svg = new SvgWriter(WIDTH, HEIGHT, report.network() + ": " + subtitle);
    svg.head(report.network(), WIDTH - 40, subtitle);
    Axes.drawBytes(svg, frame, Ticks.bytes((long) frame.bytes()));
    Axes.drawTitle(svg, frame, 22, "peak");
    drawParallelismAxis(svg);
    drawStair(svg);
    rows.forEach(row -> drawDot(svg, row));
    drawLabels(svg);
    return svg.finish();
  }

  private double x(double parallelism) {
    return frame.left() + frame.width() * (parallelism - least) / (most - least);
  }

  private double x(OrderReport.Row row) {
    return x(report.parallelism(row));
  }

  private double y(OrderReport.Row row) {
    return frame.y(row.peak());
  }

  private void drawParallelismAxis(SvgWriter svg) {
    long hundredths = (long) (100 * most);
    for (long tick : Ticks.steps(100, hundredths, 8)) {
      double at = x(tick / 100.0);
      svg.segment(at, frame.bottom(), at, frame.bottom() + 4, Style.stroked(Style.INK, 0.8));
      String label = String.format(Locale.ROOT, "%.2f", tick / 100.0);
      svg.text(at, frame.bottom() + 17, "middle", label, Style.text(11, Style.SOFT));
    }
    String axis = "parallelism: ops over the longest chain that the order leaves";
    double middle = frame.left() + frame.width() / 2;
    svg.text(middle, frame.bottom() + 38, "middle", axis, Style.text(11, Style.SOFT));
  }

  private void drawStair(SvgWriter svg) {
    List<OrderReport.Row> sorted = new ArrayList<>(rows);
    sorted.sort(
        Comparator.comparingDouble(report::parallelism)
            .reversed()
            .thenComparing(OrderReport.Row::peak));
    Style stair = Style.stroked("#9fc5e0", 1.6);
    OrderReport.Row last = null;
    for (OrderReport.Row row : sorted) {
      if (last == null || row.peak() < last.peak()) {
        if (last != null) {
          svg.segment(x(row), y(row), x(row), y(last), stair);
          svg.segment(x(row), y(last), x(last), y(last), stair);
        }
        last = row;
      }
    }
  }

  private void drawDot(SvgWriter svg, OrderReport.Row row) {
    boolean proven = row.status() == Status.OPTIMAL;
    if (!proven) {
      svg.segment(x(row), y(row), x(row), frame.y(row.lowerBound()), Style.stroked(DOT, 1.2));
    }
    Style style = Style.filled(proven ? DOT : "#ffffff").stroke(proven ? "#ffffff" : DOT, 1.4);
    svg.circle(x(row), y(row), 5, style);
  }

  private void drawLabels(SvgWriter svg) {
    List<OrderReport.Row> left = new ArrayList<>(rows);
    left.sort(
        Comparator.comparingDouble((OrderReport.Row row) -> y(row)).thenComparingDouble(this::x));
    List<Box> taken = new ArrayList<>();
    rows.forEach(row -> taken.add(new Box(x(row) - 6, y(row) - 6, 12, 12)));
    while (!left.isEmpty()) {
      OrderReport.Row first = left.remove(0);
      List<String> names = new ArrayList<>(List.of(first.order()));
      for (OrderReport.Row other : List.copyOf(left)) {
        if (Math.abs(x(other) - x(first)) < 4 && Math.abs(y(other) - y(first)) < 4) {
          names.add(other.order());
          left.remove(other);
        }
      }
      String label = String.join(", ", names);
      Box place = place(first, TextWidth.of(label, FONT), taken);
      taken.add(place);
      if (place.top > y(first) + LINE) {
        double to = place.left + place.width / 2;
        svg.segment(x(first), y(first) + 6, to, place.top, Style.NONE.with("stroke", "#b4bcc3"));
      }
      svg.text(place.left, place.top + LINE - 4, "start", label, Style.text(FONT, Style.INK));
    }
  }

  private record Box(double left, double top, double width, double height) {
    boolean overlaps(Box other) {
      return left < other.left + other.width
          && other.left < left + width
          && top < other.top + other.height
          && other.top < top + height;
    }
  }

  /** Right of a dot and off the stair, above or below it, left of it; or ever further below. */
  private Box place(OrderReport.Row row, double width, List<Box> taken) {
    double right = x(row) + 10;
    double left = x(row) - 10 - width;
    double middle = x(row) - width / 2;
    double level = y(row) - LINE / 2;
    List<Box> places = new ArrayList<>();
    places.add(new Box(right - 3, y(row) - LINE - 2, width, LINE));
    places.add(new Box(right, level, width, LINE));
    places.add(new Box(middle, level - LINE - 2, width, LINE));
    places.add(new Box(middle, level + LINE + 2, width, LINE));
    places.add(new Box(left, level, width, LINE));
    for (int k = 2; k < 12; k++) {
      places.add(new Box(right, level + k * LINE, width, LINE));
      places.add(new Box(left, level + k * LINE, width, LINE));
    }
    return places.stream()
        .filter(box -> box.left > frame.left() && box.left + width < frame.right())
        .filter(box -> box.top > frame.top() && taken.stream().noneMatch(box::overlaps))
        .findFirst()
        .orElse(places.get(0));
  }
}
