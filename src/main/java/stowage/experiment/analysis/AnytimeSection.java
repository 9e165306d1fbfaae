package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.List;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import stowage.experiment.results.Results;

/** How the mean gap falls while planners go on. */
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
    double last = SOONEST * 10;
    for (String planner : shown) {
      for (Results.Run run : data.ofPlanner(planner)) {
        last = Math.max(last, run.seconds() == null ? 0 : run.seconds());
      }
    }
    XYSeriesCollection curves = new XYSeriesCollection();
    double first = last;
    for (String planner : shown) {
      XYSeries curve = curve(data, planner, last);
      first = curve.isEmpty() ? first : Math.min(first, curve.getMinX());
      curves.addSeries(curve);
    }
    NumberAxis y = Charts.linear("mean gap to the best known bound (%)");
    y.setAutoRangeIncludesZero(true);
    Figure figure =
        new Figure(
            "anytime",
            "Mean gap over time",
            "Mean over a planner's runs with a plan of peak / bound - 1, the bound being the best"
                + " that any run proved for the instance. A curve begins when the last of these"
                + " runs has its first plan."
                + data.left(improvers),
            Charts.lines(
                curves, Charts.logarithmic("time (s)", first, last), y, Charts.paths(), false),
            640,
            420);
    return new Section(
        "Anytime curves",
        List.of(figure),
        List.of(),
        "Planners that give one plan and end are left out.");
  }

  private static boolean improves(Data data, Results.Run run) {
    return data.results().traces().getOrDefault(run.id(), List.of()).stream()
            .filter(point -> point.peak() != null)
            .map(Results.Point::peak)
            .distinct()
            .count()
        > 1;
  }

  private static XYSeries curve(Data data, String planner, double last) {
    List<List<Results.Point>> traces = new ArrayList<>();
    List<Long> bounds = new ArrayList<>();
    double begin = SOONEST;
    for (Results.Run run : data.ofPlanner(planner)) {
      List<Results.Point> planned =
          data.results().traces().getOrDefault(run.id(), List.of()).stream()
              .filter(point -> point.peak() != null)
              .toList();
      if (!planned.isEmpty() && run.bestBound() != null && run.bestBound() > 0) {
        traces.add(planned);
        bounds.add(run.bestBound());
        begin = Math.max(begin, planned.get(0).seconds());
      }
    }
    XYSeries curve = new XYSeries(planner, false, true);
    for (int k = 0; k <= MOMENTS; k++) {
      double moment = begin * Math.pow(Math.max(1, last / begin), (double) k / MOMENTS);
      double sum = 0;
      for (int r = 0; r < traces.size(); r++) {
        long peak = Long.MAX_VALUE;
        for (Results.Point point : traces.get(r)) {
          if (point.seconds() <= moment * (1 + 1e-9)) {
            peak = point.peak();
          }
        }
        sum += (double) peak / bounds.get(r) - 1;
      }
      if (!traces.isEmpty()) {
        Charts.step(curve, moment, sum / traces.size() * 100);
      }
    }
    return curve;
  }
}
