package stowage.experiment.analysis;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hipparchus.stat.StatUtils;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.DatasetRenderingOrder;
import org.jfree.chart.renderer.category.BoxAndWhiskerRenderer;
import org.jfree.chart.renderer.category.ScatterRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.statistics.BoxAndWhiskerItem;
import org.jfree.data.statistics.DefaultBoxAndWhiskerCategoryDataset;
import org.jfree.data.statistics.DefaultMultiValueCategoryDataset;
import stowage.experiment.results.Result;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/** How far each planner stays above the proven optimum, over all and family by family. */
final class GapSection {
  private static final double WHISKER = 1.5;

  /** Runs further out than so many times the highest whisker would press all boxes flat. */
  private static final double MOST_WHISKERS = 2.5;

  /** The axis above the highest mark. */
  private static final double MARGIN = 1.05;

  /** Letters of a label that are level below its box. */
  private static final int MOST_LEVEL_LETTERS = 12;

  private GapSection() {}

  static Section of(Data data) {
    long proven =
        data.instances().values().stream().filter(run -> run.facts().optimum() != null).count();
    if (proven == 0) {
      return Section.ofNote(
          "Gap to the proven optimum",
          "No run proved an optimum, so there is nothing to measure against.");
    }
    String note =
        ("Gaps are peak / optimum - 1, over the runs with a plan on the %s of %s instances"
                + " whose optimum some run proved.")
            .formatted(proven, data.instances().size());
    return new Section(
        "Gap to the proven optimum",
        List.of(boxes(data)),
        List.of(byPlanner(data), byFamily(data)),
        note);
  }

  private static CaptionedTable byPlanner(Data data) {
    Table table =
        new Table()
            .texts("planner")
            .figures("runs", "optimal", "mean", "from", "to", "geometric mean", "median", "worst")
            .texts("worst on");
    for (String planner : data.planners()) {
      List<Result> runs = new ArrayList<>(data.ofPlanner(planner));
      runs.removeIf(run -> Double.isNaN(run.gapToOptimum()));
      List<Double> gaps = Data.gapsToOptimum(runs);
      Statistics.Interval interval = Statistics.meanInterval(gaps);
      table.cells(planner, Cell.of(gaps.size()));
      table.cells(Cell.of(gaps.stream().filter(gap -> gap == 0).count()));
      table.cells(Cell.percent(Statistics.mean(gaps)), Cell.percent(interval.low()));
      table.cells(Cell.percent(interval.high()), Cell.percent(Statistics.geometricMeanGap(gaps)));
      table.cells(Cell.percent(Statistics.median(gaps)), Cell.percent(Statistics.worst(gaps)));
      table.cells(
          Cell.of(
              runs.stream()
                  .max(Comparator.comparingDouble(Result::gapToOptimum))
                  .filter(run -> run.gapToOptimum() > 0)
                  .map(Result::instance)
                  .orElse("")));
    }
    return new CaptionedTable(
        "gap",
        "Gap to the proven optimum by planner (%)",
        "The interval holds the mean with 95 % confidence (bootstrap). Geometric mean: of"
            + " the ratios peak / optimum.",
        table);
  }

  private static CaptionedTable byFamily(Data data) {
    Table table =
        new Table()
            .texts("family", "planner")
            .figures("runs", "optimal", "mean", "geometric mean", "worst");
    for (String family : data.families()) {
      for (String planner : data.planners()) {
        List<Double> gaps =
            Data.gapsToOptimum(
                data.ofPlanner(planner).stream()
                    .filter(run -> run.family().equals(family))
                    .toList());
        if (!gaps.isEmpty()) {
          table.cells(family, planner, Cell.of(gaps.size()));
          table.cells(Cell.of(gaps.stream().filter(gap -> gap == 0).count()));
          table.cells(Cell.percent(Statistics.mean(gaps)));
          table.cells(Cell.percent(Statistics.geometricMeanGap(gaps)));
          table.cells(Cell.percent(Statistics.worst(gaps)));
        }
      }
    }
    return new CaptionedTable(
        "gap-by-family",
        "Gap to the proven optimum by family and planner (%)",
        "Over the runs on the instances of a family. Geometric mean: of the ratios peak / optimum.",
        table);
  }

  private static Figure boxes(Data data) {
    DefaultBoxAndWhiskerCategoryDataset boxes = new DefaultBoxAndWhiskerCategoryDataset();
    DefaultMultiValueCategoryDataset outliers = new DefaultMultiValueCategoryDataset();
    List<Double> far = new ArrayList<>();
    int count = 0;
    int longest = 0;
    double whisker = 0;
    for (String planner : data.planners()) {
      List<Double> gaps = Data.gapsToOptimum(data.ofPlanner(planner));
      if (!gaps.isEmpty()) {
        List<Double> beyond = new ArrayList<>();
        BoxAndWhiskerItem box = box(gaps, beyond);
        boxes.add(box, "gap", planner);
        whisker = Math.max(whisker, box.getMaxRegularValue().doubleValue());
        longest = Math.max(longest, planner.length());
        outliers.add(beyond, "gap", planner);
        far.addAll(beyond);
        count++;
      }
    }
    CategoryAxis x = new CategoryAxis();
    x.setCategoryLabelPositions(
        count > 4 || longest > MOST_LEVEL_LETTERS
            ? CategoryLabelPositions.UP_45
            : CategoryLabelPositions.STANDARD);
    x.setMaximumCategoryLabelWidthRatio(0.9f);
    x.setLowerMargin(0.03);
    x.setUpperMargin(0.03);
    x.setCategoryMargin(0.35);
    Charts.dress(x);
    NumberAxis y = Charts.linear("gap to the proven optimum (%)");
    y.setAutoRangeIncludesZero(true);
    y.setAutoRangeMinimumSize(1);
    double reach = MOST_WHISKERS * whisker;
    long above = whisker == 0 ? 0 : far.stream().filter(gap -> gap > reach).count();
    if (above > 0) {
      double most = far.stream().filter(gap -> gap <= reach).max(Double::compare).orElse(0.0);
      y.setRange(0, MARGIN * Math.max(whisker, most));
    }
    BoxAndWhiskerRenderer renderer = new BoxAndWhiskerRenderer();
    renderer.setSeriesPaint(0, new Color(0xA9C4E4));
    renderer.setSeriesOutlinePaint(0, new Color(0x224466));
    renderer.setSeriesOutlineStroke(0, new BasicStroke(1));
    renderer.setUseOutlinePaintForWhiskers(true);
    renderer.setDefaultOutlinePaint(new Color(0x224466));
    renderer.setArtifactPaint(new Color(0x224466));
    renderer.setMaximumBarWidth(0.06);
    renderer.setMeanVisible(false);
    renderer.setMedianVisible(true);
    renderer.setFillBox(true);
    CategoryPlot plot = new CategoryPlot(boxes, x, y, renderer);
    ScatterRenderer circles = new ScatterRenderer();
    circles.setUseSeriesOffset(false);
    circles.setSeriesShape(0, new Ellipse2D.Double(-2.2, -2.2, 4.4, 4.4));
    circles.setSeriesShapesFilled(0, false);
    circles.setSeriesPaint(0, new Color(0x224466));
    circles.setDrawOutlines(true);
    plot.setDataset(1, outliers);
    plot.setRenderer(1, circles);
    plot.setDatasetRenderingOrder(DatasetRenderingOrder.FORWARD);
    plot.setRangeGridlinePaint(Charts.GRID);
    plot.setRangeGridlineStroke(new BasicStroke(0.7f));
    plot.setAxisOffset(RectangleInsets.ZERO_INSETS);
    return new Figure(
        "gap-boxes",
        "Gap to the proven optimum",
        "Boxes from the first to the third quartile with the median across; whiskers to the last"
            + " run within 1.5 times the box's length, circles for runs beyond."
            + (above > 0 ? " " + above + " runs are above the plot; the table has the worst." : ""),
        Charts.finish(plot, false),
        Math.max(560, 140 + 34 * count),
        400);
  }

  /**
   * A box in percent, with the gaps beyond the whiskers taken out; the library's own quartiles
   * differ from those of the tables, and its circles stand for several runs at once.
   */
  private static BoxAndWhiskerItem box(List<Double> gaps, List<Double> beyond) {
    double[] percent = gaps.stream().mapToDouble(gap -> gap * 100).sorted().toArray();
    double q1 = StatUtils.percentile(percent, 25);
    double q3 = StatUtils.percentile(percent, 75);
    double reach = WHISKER * (q3 - q1);
    double low = q1;
    double high = q3;
    for (double gap : percent) {
      if (gap < q1 - reach || gap > q3 + reach) {
        beyond.add(gap);
      } else {
        low = Math.min(low, gap);
        high = Math.max(high, gap);
      }
    }
    return new BoxAndWhiskerItem(
        StatUtils.mean(percent),
        StatUtils.percentile(percent, 50),
        q1,
        q3,
        low,
        high,
        low,
        high,
        List.of());
  }
}
