package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hipparchus.stat.regression.SimpleRegression;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.Range;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import stowage.experiment.results.Result;
import stowage.experiment.run.RunRecord;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/** Sections on the time that planners take: to a lower gap, to a proof, by number of buffers. */
final class TimeSections {
  private TimeSections() {}

  private static final int MOMENTS = 120;
  private static final double SOONEST = 1e-3;

  /** How the gap falls while planners go on. */
  static Section anytime(Data data) {
    List<String> improvers =
        data.planners().stream()
            .filter(planner -> data.ofPlanner(planner).stream().anyMatch(TimeSections::improves))
            .toList();
    if (improvers.isEmpty()) {
      return Section.ofNote(
          "Anytime curves", "No planner improved on its first plan, so there are no curves.");
    }
    List<String> shown = data.legible(improvers);
    double first = Double.MAX_VALUE;
    double last = SOONEST * 10;
    for (String planner : shown) {
      for (Result run : data.ofPlanner(planner)) {
        first =
            run.record().times().first() == null
                ? first
                : Math.min(first, run.record().times().first());
        last = Math.max(last, run.seconds() == null ? 0 : run.seconds());
      }
    }
    first = Math.min(Math.max(first, SOONEST), last / 10);
    XYSeriesCollection curves = new XYSeriesCollection();
    for (String planner : shown) {
      curves.addSeries(curve(data, planner, first, last));
    }
    NumberAxis y = Charts.linear("mean primal gap (%)");
    y.setAutoRangeIncludesZero(true);
    y.setAutoRangeMinimumSize(1);
    Figure figure =
        new Figure(
            "anytime",
            "Mean gap over time",
            "Mean over a planner's runs of 1 - bound / peak (Berthold's primal gap), the bound"
                + " being the best that any run proved for the instance; 100 % for a run that has"
                + " no plan yet, or never finds one."
                + data.left(improvers),
            Charts.lines(
                curves,
                Charts.logarithmic("time (s)", new Range(first, last)),
                y,
                Charts.paths(),
                false),
            640,
            420);
    return new Section(
        "Anytime curves",
        List.of(figure),
        List.of(),
        "Only planners that improve over time are shown.");
  }

  private static boolean improves(Result run) {
    return run.record().trace().stream()
            .filter(point -> point.peak() != null)
            .map(RunRecord.TracePoint::peak)
            .distinct()
            .count()
        > 1;
  }

  /**
   * The primal gap (T. Berthold, Measuring the impact of primal heuristics, Operations Research
   * Letters 41, 2013, doi:10.1016/j.orl.2013.08.007), averaged at moments that grow by a factor.
   */
  private static XYSeries curve(Data data, String planner, double first, double last) {
    List<Result> runs =
        data.ofPlanner(planner).stream()
            .filter(run -> run.facts().bestBound() != null && run.facts().bestBound() > 0)
            .toList();
    XYSeries curve = new XYSeries(planner, false, true);
    for (int k = 0; k <= MOMENTS && !runs.isEmpty(); k++) {
      double moment = first * Math.pow(last / first, (double) k / MOMENTS);
      double sum = 0;
      for (Result run : runs) {
        double gap = 1;
        for (RunRecord.TracePoint point : run.record().trace()) {
          if (point.peak() != null && point.seconds() <= moment * (1 + 1e-9)) {
            gap = 1 - (double) run.facts().bestBound() / point.peak();
          }
        }
        sum += gap;
      }
      Charts.step(curve, moment, sum / runs.size() * 100);
    }
    return curve;
  }

  /** How many runs are proven within a time: a cactus plot. */
  static Section cactus(Data data) {
    List<String> provers =
        data.planners().stream().filter(planner -> proofTimes(data, planner).length > 0).toList();
    if (provers.isEmpty()) {
      return Section.ofNote("Cactus plot", "No run proved its answer.");
    }
    List<String> shown = data.legible(provers);
    XYSeriesCollection lines = new XYSeriesCollection();
    for (String planner : shown) {
      double[] times = proofTimes(data, planner);
      XYSeries line = new XYSeries(planner, false, true);
      for (int k = 0; k < times.length; k++) {
        line.add(k + 1, Math.max(times[k], SHORTEST));
      }
      lines.addSeries(line);
    }
    NumberAxis x = Charts.linear("runs proven");
    x.setAutoRangeIncludesZero(true);
    x.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
    Figure figure =
        new Figure(
            "cactus",
            "Runs proven within a time",
            "For each planner its runs whose answer is proven, in the order of the time to the"
                + " proof; further to the right is more, lower is sooner."
                + data.left(provers),
            Charts.lines(
                lines,
                x,
                Charts.logarithmic("time to the proof (s)", lines.getRangeBounds(false)),
                Charts.paths(),
                false),
            640,
            420);
    return new Section("Cactus plot", List.of(figure), List.of(proofs(data, provers)), "");
  }

  private static double[] proofTimes(Data data, String planner) {
    double[] times =
        data.ofPlanner(planner).stream()
            .filter(run -> run.isProven() && run.proofSeconds() != null)
            .mapToDouble(Result::proofSeconds)
            .toArray();
    Arrays.sort(times);
    return times;
  }

  private static CaptionedTable proofs(Data data, List<String> provers) {
    Table table =
        new Table()
            .texts("planner")
            .figures("runs", "proven", "proven (%)", "median (s)", "longest (s)");
    for (String planner : provers) {
      double[] times = proofTimes(data, planner);
      int runs = data.ofPlanner(planner).size();
      List<Double> list = Arrays.stream(times).boxed().toList();
      table.cells(planner, Cell.of(runs), Cell.of(times.length));
      table.cells(Cell.percent((double) times.length / runs));
      table.cells(Cell.seconds(Statistics.median(list)), Cell.seconds(times[times.length - 1]));
    }
    return new CaptionedTable(
        "proofs", "Proofs by planner", "Seconds to the proof, over the runs that have one.", table);
  }

  private static final int LEAST_SIZES = 3;
  private static final double SHORTEST = 1e-6;

  /** A fit of log10 seconds by log10 buffers. */
  private record Fit(String planner, SimpleRegression line, double fewest, double most) {}

  /** How the time grows with the number of buffers: a power law for each planner. */
  static Section scaling(Data data) {
    List<Fit> fits = new ArrayList<>();
    for (String planner : data.planners()) {
      Fit fit = fit(planner, measured(data.ofPlanner(planner)));
      if (fit != null) {
        fits.add(fit);
      }
    }
    if (fits.isEmpty()) {
      return Section.ofNote(
          "Scaling", "A fit needs instances of at least " + LEAST_SIZES + " different sizes.");
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
    Table table =
        new Table()
            .texts("planner")
            .figures("runs", "fewest buffers", "most buffers", "exponent", "±", "R²");
    for (Fit fit : fits) {
      table.cells(fit.planner(), Cell.of(fit.line().getN()), Cell.of((long) fit.fewest()));
      table.cells(Cell.of((long) fit.most()), Cell.of(fit.line().getSlope(), 2));
      table.cells(Cell.of(fit.line().getSlopeConfidenceInterval(), 2));
      table.cells(Cell.of(fit.line().getRSquare(), 2));
    }
    return new CaptionedTable(
        "scaling",
        "Time as a power of the number of buffers",
        "Least squares of log seconds by log buffers: seconds = factor × buffers^exponent;"
            + " ± is half of the exponent's 95 % confidence interval.",
        table);
  }

  private static Figure figure(Data data, List<Fit> fits) {
    List<String> fitted = fits.stream().map(Fit::planner).toList();
    List<String> shown = data.legible(fitted);
    XYSeriesCollection all = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(false, true);
    for (String planner : shown) {
      XYSeries points = new XYSeries(planner, false, true);
      for (var sameSize :
          Data.group(measured(data.ofPlanner(planner)), Result::buffers).entrySet()) {
        double seconds =
            Statistics.median(sameSize.getValue().stream().map(Result::seconds).toList());
        seconds = Math.max(seconds, SHORTEST);
        points.add(sameSize.getKey().doubleValue(), seconds);
      }
      all.addSeries(points);
    }
    LogAxis buffers = Charts.logarithmic("buffers", all.getDomainBounds(false));
    LogAxis time = Charts.logarithmic("time (s)", all.getRangeBounds(false));
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
    var chart = Charts.lines(all, buffers, time, renderer, true);
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
