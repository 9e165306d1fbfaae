package stowage.experiment.analysis;

import java.util.Arrays;
import java.util.List;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import stowage.experiment.results.Result;
import stowage.report.format.Table.Cell;

/** How many runs are proven within a time: a cactus plot. */
final class CactusSection {
  private CactusSection() {}

  static Section of(Data data) {
    List<String> provers =
        data.planners().stream().filter(planner -> times(data, planner).length > 0).toList();
    if (provers.isEmpty()) {
      return new Section("Cactus plot", List.of(), List.of(), "No run proved its answer.");
    }
    List<String> shown = data.legible(provers);
    XYSeriesCollection lines = new XYSeriesCollection();
    double least = Double.MAX_VALUE;
    double most = 0;
    for (String planner : shown) {
      double[] times = times(data, planner);
      XYSeries line = new XYSeries(planner, false, true);
      for (int k = 0; k < times.length; k++) {
        line.add(k + 1, Math.max(times[k], 1e-6));
      }
      least = Math.min(least, Math.max(times[0], 1e-6));
      most = Math.max(most, times[times.length - 1]);
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
                Charts.logarithmic("time to the proof (s)", least, most),
                Charts.paths(),
                false),
            640,
            420);
    return new Section("Cactus plot", List.of(figure), List.of(table(data, provers)), "");
  }

  private static double[] times(Data data, String planner) {
    double[] times =
        data.ofPlanner(planner).stream()
            .filter(run -> run.isProven() && run.proofSeconds() != null)
            .mapToDouble(Result::proofSeconds)
            .toArray();
    Arrays.sort(times);
    return times;
  }

  private static CaptionedTable table(Data data, List<String> provers) {
    CaptionedTable table =
        new CaptionedTable(
                "proofs", "Proofs by planner", "Seconds to the proof, over the runs that have one.")
            .texts("planner")
            .figures("runs", "proven", "proven (%)", "median (s)", "longest (s)");
    for (String planner : provers) {
      double[] times = times(data, planner);
      int runs = data.ofPlanner(planner).size();
      List<Double> list = Arrays.stream(times).boxed().toList();
      table.row(
          Cell.of(planner),
          Cell.of(runs),
          Cell.of(times.length),
          Cell.percent((double) times.length / runs),
          Cell.seconds(Statistics.median(list)),
          Cell.seconds(times[times.length - 1]));
    }
    return table;
  }
}
