package stowage.experiment.analysis;

import java.util.List;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import stowage.experiment.results.Result;
import stowage.experiment.run.RunRecord;

/** How the gap falls while planners go on. */
final class AnytimeSection {
  private static final int MOMENTS = 120;
  private static final double SOONEST = 1e-3;

  private AnytimeSection() {}

  static Section of(Data data) {
    List<String> improvers =
        data.planners().stream()
            .filter(planner -> data.ofPlanner(planner).stream().anyMatch(r -> improves(data, r)))
            .toList();
    if (improvers.isEmpty()) {
      return new Section(
          "Anytime curves",
          List.of(),
          List.of(),
          "No planner improved on its first plan, so there are no curves.");
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
                curves, Charts.logarithmic("time (s)", first, last), y, Charts.paths(), false),
            640,
            420);
    return new Section(
        "Anytime curves",
        List.of(figure),
        List.of(),
        "Only planners that improve over time are shown.");
  }

  private static boolean improves(Data data, Result run) {
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
}
