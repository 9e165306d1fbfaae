package stowage.experiment.analysis;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.TickType;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/**
 * A logarithmic axis labelled at round numbers: powers of ten, at 1, 2 and 5 times them where the
 * axis spans few, and with small marks at the other digits. JFreeChart's own labels are at equal
 * distances, whatever numbers that gives.
 */
final class LegibleLogAxis extends LogAxis {
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
