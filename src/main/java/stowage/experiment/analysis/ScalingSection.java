package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.List;
import org.hipparchus.stat.regression.SimpleRegression;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import stowage.experiment.results.Result;
import stowage.report.format.Table.Cell;

/** How the time grows with the number of buffers: a power law for each planner. */
final class ScalingSection {
  private static final int LEAST_SIZES = 3;
  private static final double SHORTEST = 1e-6;

  private ScalingSection() {}

  /** A fit of log10 seconds by log10 buffers. */
  private record Fit(String planner, SimpleRegression line, double fewest, double most) {}

  static Section of(Data data) {
    List<Fit> fits = new ArrayList<>();
    for (String planner : data.planners()) {
      Fit fit = fit(planner, measured(data.ofPlanner(planner)));
      if (fit != null) {
        fits.add(fit);
      }
    }
    if (fits.isEmpty()) {
      return new Section(
          "Scaling",
          List.of(),
          List.of(),
          "A fit needs instances of at least " + LEAST_SIZES + " different sizes.");
    }
    return new Section(
        "Scaling",
        List.of(figure(data, fits)),
        List.of(table(fits)),
        "Includes runs that timed out; if there are many, ignore the exponent.");
  }

  private static List<Result> measured(List<Result> runs) {
    return runs.stream()
        .filter(run -> run.peak() != null && run.seconds() != null)
        .filter(run -> run.buffers() != null && run.buffers() > 0)
        .toList();
  }

  private static Fit fit(String planner, List<Result> runs) {
    if (runs.stream().map(Result::buffers).distinct().count() < LEAST_SIZES) {
      return null;
    }
    SimpleRegression line = new SimpleRegression();
    double fewest = Double.MAX_VALUE;
    double most = 0;
    for (Result run : runs) {
      line.addData(Math.log10(run.buffers()), Math.log10(Math.max(run.seconds(), SHORTEST)));
      fewest = Math.min(fewest, run.buffers());
      most = Math.max(most, run.buffers());
    }
    return new Fit(planner, line, fewest, most);
  }

  private static CaptionedTable table(List<Fit> fits) {
    CaptionedTable table =
        new CaptionedTable(
                "scaling",
                "Time as a power of the number of buffers",
                "Least squares of log seconds by log buffers: seconds = factor × buffers^exponent;"
                    + " ± is half of the exponent's 95 % confidence interval.")
            .texts("planner")
            .figures("runs", "fewest buffers", "most buffers", "exponent", "±", "R²");
    for (Fit fit : fits) {
      table.row(
          Cell.of(fit.planner()),
          Cell.of(fit.line().getN()),
          Cell.of((long) fit.fewest()),
          Cell.of((long) fit.most()),
          Cell.of(fit.line().getSlope(), 2),
          Cell.of(fit.line().getSlopeConfidenceInterval(), 2),
          Cell.of(fit.line().getRSquare(), 2));
    }
    return table;
  }

  private static Figure figure(Data data, List<Fit> fits) {
    List<String> fitted = fits.stream().map(Fit::planner).toList();
    List<String> shown = data.legible(fitted);
    XYSeriesCollection all = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true);
    double fewest = Double.MAX_VALUE;
    double most = 0;
    double shortest = Double.MAX_VALUE;
    double longest = 0;
    for (String planner : shown) {
      XYSeries points = new XYSeries(planner, false, true);
      for (var sameSize :
          Data.group(measured(data.ofPlanner(planner)), Result::buffers).entrySet()) {
        double seconds =
            Statistics.median(sameSize.getValue().stream().map(Result::seconds).toList());
        seconds = Math.max(seconds, SHORTEST);
        points.add(sameSize.getKey().doubleValue(), seconds);
        fewest = Math.min(fewest, sameSize.getKey());
        most = Math.max(most, sameSize.getKey());
        shortest = Math.min(shortest, seconds);
        longest = Math.max(longest, seconds);
      }
      all.addSeries(points);
    }
    int markers = all.getSeriesCount();
    for (Fit fit : fits) {
      if (shown.contains(fit.planner())) {
        XYSeries line = new XYSeries("fit of " + fit.planner(), false, true);
        for (double n : new double[] {fit.fewest(), fit.most()}) {
          line.add(n, Math.pow(10, fit.line().predict(Math.log10(n))));
        }
        all.addSeries(line);
      }
    }
    var chart =
        Charts.lines(
            all,
            Charts.logarithmic("buffers", fewest, most),
            Charts.logarithmic("time (s)", shortest, longest),
            renderer,
            true);
    for (int series = markers; series < all.getSeriesCount(); series++) {
      renderer.setSeriesLinesVisible(series, true);
      renderer.setSeriesShapesVisible(series, false);
      renderer.setSeriesVisibleInLegend(series, false);
      renderer.setSeriesPaint(series, Charts.colour(series - markers));
      renderer.setSeriesStroke(series, Charts.stroke(series - markers));
    }
    return new Figure(
        "scaling",
        "Time by the number of buffers",
        "Marks: the median time of the runs with so many buffers. Lines: the power law fitted to"
            + " all runs."
            + data.left(fitted),
        chart,
        640,
        440);
  }
}
