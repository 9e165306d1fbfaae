package stowage.experiment.analysis;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.Stroke;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.text.TextUtils;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.xy.XYDataset;
import org.jfree.data.xy.XYSeries;

/** How plots look: white ground, thin grey grid, colours that the colour-blind can distinguish. */
final class Charts {
  /** Paul Tol's "muted" and "bright" colours, which remain distinct under colour blindness. */
  private static final int[] COLOURS = {
    0x4477AA, 0xEE6677, 0x228833, 0xCCBB44, 0x66CCEE, 0xAA3377, 0x332288, 0x999933, 0x882255,
    0x777777
  };

  private static final float[][] DASHES = {null, {6, 3}, {2, 2}, {8, 3, 2, 3}};
  static final Color GRID = new Color(0xDDDDDD);
  private static final Color INK = new Color(0x333333);
  private static final String FAMILY = Font.SANS_SERIF;
  private static final Font LABEL = new Font(FAMILY, Font.PLAIN, 13);
  private static final Font TICK = new Font(FAMILY, Font.PLAIN, 11);

  static {
    TextUtils.setUseDrawRotatedStringWorkaround(false); // it draws outlines, in another font
  }

  private Charts() {}

  static Color colour(int series) {
    return new Color(COLOURS[series % COLOURS.length]);
  }

  static Stroke stroke(int series) {
    float[] dash = DASHES[series % DASHES.length];
    return dash == null
        ? new BasicStroke(1.8f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND)
        : new BasicStroke(1.8f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash, 0);
  }

  static Shape marker(int series) {
    double r = 2.6;
    return switch (series % 4) {
      case 0 -> new Ellipse2D.Double(-r, -r, 2 * r, 2 * r);
      case 1 -> new Rectangle2D.Double(-r, -r, 2 * r, 2 * r);
      case 2 -> polygon(0, -r * 1.3, r * 1.2, r, -r * 1.2, r);
      default -> polygon(0, -r * 1.4, r * 1.4, 0, 0, r * 1.4, -r * 1.4, 0);
    };
  }

  private static Shape polygon(double... points) {
    Path2D path = new Path2D.Double();
    path.moveTo(points[0], points[1]);
    for (int k = 2; k < points.length; k += 2) {
      path.lineTo(points[k], points[k + 1]);
    }
    path.closePath();
    return path;
  }

  static NumberAxis linear(String label) {
    NumberAxis axis = new NumberAxis(label);
    axis.setAutoRangeIncludesZero(false);
    dress(axis);
    return axis;
  }

  /** A logarithmic axis for these numbers, labelled at round ones. */
  static LogAxis logarithmic(String label, Range shown) {
    LogAxis axis = new LegibleLogAxis(label);
    double least = Math.max(shown.getLowerBound(), 1e-9);
    axis.setRange(least * 0.85, Math.max(shown.getUpperBound(), least * 1.0001) * 1.15);
    axis.setMinorTickMarksVisible(true);
    dress(axis);
    return axis;
  }

  static void dress(Axis axis) {
    axis.setLabelFont(LABEL);
    axis.setTickLabelFont(TICK);
    axis.setLabelPaint(INK);
    axis.setTickLabelPaint(INK);
    axis.setAxisLinePaint(INK);
    axis.setTickMarkPaint(INK);
  }

  /** Lines drawn as one path each, so that dashes go on over corners and files stay small. */
  static XYLineAndShapeRenderer paths() {
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, false);
    renderer.setDrawSeriesLineAsPath(true);
    return renderer;
  }

  /** Adds a step to a series that is drawn by {@link #paths}: level up to x, then the new value. */
  static void step(XYSeries series, double x, double y) {
    int last = series.getItemCount() - 1;
    if (last >= 0) {
      double level = series.getY(last).doubleValue();
      if (level != y) {
        series.add(x, level);
      }
    }
    series.add(x, y);
  }

  static JFreeChart lines(
      XYDataset data, ValueAxis x, ValueAxis y, XYItemRenderer renderer, boolean marked) {
    for (int series = 0; series < data.getSeriesCount(); series++) {
      renderer.setSeriesPaint(series, colour(series));
      renderer.setSeriesStroke(series, marked ? new BasicStroke(1.2f) : stroke(series));
      renderer.setSeriesShape(series, marker(series));
    }
    XYPlot plot = new XYPlot(data, x, y, renderer);
    plot.setDomainGridlinePaint(GRID);
    plot.setRangeGridlinePaint(GRID);
    plot.setDomainGridlineStroke(new BasicStroke(0.7f));
    plot.setRangeGridlineStroke(new BasicStroke(0.7f));
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    return finish(plot, true);
  }

  static JFreeChart finish(Plot plot, boolean legend) {
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlinePaint(INK);
    JFreeChart chart = new JFreeChart(null, LABEL, plot, legend);
    chart.setBackgroundPaint(Color.WHITE);
    chart.setPadding(new RectangleInsets(8, 4, 4, 14));
    LegendTitle title = chart.getLegend();
    if (title != null) {
      title.setPosition(RectangleEdge.BOTTOM);
      title.setItemFont(TICK);
      title.setItemPaint(INK);
      title.setFrame(BlockBorder.NONE);
      title.setBackgroundPaint(Color.WHITE);
    }
    return chart;
  }

  /**
   * A logarithmic axis labelled at round numbers: powers of ten, at 1, 2 and 5 times them where the
   * axis spans few, and with small marks at the other digits. JFreeChart's own labels are at equal
   * distances, whatever numbers that gives.
   */
  private static final class LegibleLogAxis extends LogAxis {
    private static final long serialVersionUID = 1L;
    private static final double FEW_DECADES = 2.3;
    private static final int MOST_DECADES = 8;

    LegibleLogAxis(String label) {
      super(label);
    }

    @Override
    public List<ValueTick> refreshTicks(
        Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
      boolean below = RectangleEdge.isTopOrBottom(edge);
      TextAnchor anchor = below ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
      double low = getRange().getLowerBound();
      double high = getRange().getUpperBound();
      double decades = Math.log10(high / low);
      int stride = (int) Math.max(1, Math.ceil(decades / MOST_DECADES));
      List<ValueTick> ticks = new ArrayList<>();
      int first = (int) Math.floor(Math.log10(low));
      for (int power = first; power <= Math.ceil(Math.log10(high)); power++) {
        for (int digit = 1; digit < 10; digit++) {
          BigDecimal value = BigDecimal.valueOf(digit).scaleByPowerOfTen(power);
          double at = value.doubleValue();
          if (at < low * (1 - 1e-12) || at > high * (1 + 1e-12)) {
            continue;
          }
          boolean labelled =
              digit == 1
                  ? Math.floorMod(power, stride) == 0
                  : decades < FEW_DECADES && (digit == 2 || digit == 5);
          ticks.add(
              new NumberTick(
                  labelled ? TickType.MAJOR : TickType.MINOR,
                  at,
                  labelled ? text(value) : "",
                  anchor,
                  anchor,
                  0));
        }
      }
      return ticks;
    }

    private static String text(BigDecimal value) {
      double size = value.doubleValue();
      return size >= 1e7 || size < 1e-4
          ? String.format(java.util.Locale.ROOT, "%.0e", size)
              .replace("e-0", "e-")
              .replace("e+0", "e")
          : value.stripTrailingZeros().toPlainString();
    }
  }
}
