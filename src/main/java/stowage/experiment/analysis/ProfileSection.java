package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.data.Range;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import stowage.experiment.results.Result;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/**
 * Performance profiles (E. D. Dolan, J. J. Moré, Benchmarking optimization software with
 * performance profiles, Mathematical Programming 91, 2002, doi:10.1007/s101070100263): for each
 * planner the share ρ(τ) of instances on which its figure is at most τ times the best planner's.
 */
final class ProfileSection {
  private static final double MOST_PEAK_RATIO = 4;

  /** Steps whose ratios differ by less are drawn as one. */
  private static final double VISIBLE = 1.0005;

  private ProfileSection() {}

  static Section of(Data data) {
    List<Figure> figures = new ArrayList<>();
    List<CaptionedTable> tables = new ArrayList<>();
    Map<String, Map<String, Double>> peaks =
        data.meanByInstance(run -> run.peak() == null ? null : (Double) run.peak().doubleValue());
    Profile peak = profile(peaks, data.planners());
    if (peak.instances() > 0) {
      figures.add(peakFigure(data, peak));
      tables.add(table(data, peak));
    }
    List<String> provers =
        data.planners().stream()
            .filter(p -> data.ofPlanner(p).stream().anyMatch(run -> run.proofSeconds() != null))
            .toList();
    Profile time = profile(data.meanByInstance(Result::proofSeconds), provers);
    if (time.instances() > 0 && provers.size() > 1) {
      figures.add(timeFigure(data, time, provers));
    }
    return new Section(
        "Performance profiles",
        figures,
        tables,
        "After Dolan and Moré: the share of instances on which a planner is within the factor τ of"
            + " the best one. Seeds and repetitions are averaged; an instance without a plan (or"
            + " proof) in any of them counts as never reached.");
  }

  /**
   * The sorted finite ratios of each planner, and how many instances at least one of them reached.
   */
  record Profile(Map<String, double[]> ratios, int instances) {
    /** The share of instances within a factor. */
    double share(String planner, double factor) {
      double[] sorted = ratios.get(planner);
      int within = 0;
      while (within < sorted.length && sorted[within] <= factor * (1 + 1e-12)) {
        within++;
      }
      return instances == 0 ? 0 : (double) within / instances;
    }
  }

  static Profile profile(Map<String, Map<String, Double>> figures, List<String> planners) {
    Set<String> instances = new TreeSet<>();
    planners.forEach(planner -> instances.addAll(figures.get(planner).keySet()));
    Map<String, List<Double>> ratios = new LinkedHashMap<>();
    planners.forEach(planner -> ratios.put(planner, new ArrayList<>()));
    int reached = 0;
    for (String instance : instances) {
      double best = Double.POSITIVE_INFINITY;
      for (String planner : planners) {
        best =
            Math.min(best, figures.get(planner).getOrDefault(instance, Double.POSITIVE_INFINITY));
      }
      if (Double.isInfinite(best) || best <= 0) {
        continue;
      }
      reached++;
      for (String planner : planners) {
        double own = figures.get(planner).getOrDefault(instance, Double.POSITIVE_INFINITY);
        if (!Double.isInfinite(own)) {
          ratios.get(planner).add(own / best);
        }
      }
    }
    Map<String, double[]> sorted = new LinkedHashMap<>();
    ratios.forEach(
        (planner, list) -> {
          double[] array = Statistics.array(list);
          Arrays.sort(array);
          sorted.put(planner, array);
        });
    return new Profile(sorted, reached);
  }

  private static Figure peakFigure(Data data, Profile profile) {
    List<String> shown = data.legible(data.planners());
    double most = 1.01;
    for (String planner : shown) {
      for (double ratio : profile.ratios().get(planner)) {
        most = Math.max(most, Math.min(ratio, MOST_PEAK_RATIO));
      }
    }
    NumberAxis x = Charts.linear("factor τ of the lowest peak");
    x.setRange(1, 1 + (most - 1) * 1.05);
    return new Figure(
        "profile-peak",
        "Performance profile of the peak",
        "ρ(τ): share of instances on which the peak is at most τ times the lowest one. At τ = 1:"
            + " how often a planner is among the best."
            + data.left(data.planners()),
        steps(profile, shown, x, 1, 1 + (most - 1) * 1.05),
        640,
        420);
  }

  private static Figure timeFigure(Data data, Profile profile, List<String> provers) {
    List<String> shown = data.legible(provers);
    double most = 10;
    for (String planner : shown) {
      double[] ratios = profile.ratios().get(planner);
      most = ratios.length == 0 ? most : Math.max(most, ratios[ratios.length - 1]);
    }
    ValueAxis x =
        Charts.logarithmic("factor τ of the shortest time to the proof", new Range(1, most));
    x.setRange(1, most * 1.1);
    return new Figure(
        "profile-proof",
        "Performance profile of the time to the proof",
        "ρ(τ): share of instances whose proof comes within τ times the fastest planner's time."
            + data.left(provers),
        steps(profile, shown, x, 1, most * 1.1),
        640,
        420);
  }

  private static JFreeChart steps(
      Profile profile, List<String> planners, ValueAxis x, double from, double to) {
    XYSeriesCollection data = new XYSeriesCollection();
    for (String planner : planners) {
      XYSeries series = new XYSeries(planner, false, true);
      series.add(from, profile.share(planner, 1));
      double[] ratios = profile.ratios().get(planner);
      for (int k = 0; k < ratios.length; k++) {
        boolean lastOfStep = k + 1 == ratios.length || ratios[k + 1] > ratios[k] * VISIBLE;
        if (ratios[k] > 1 && ratios[k] <= to && lastOfStep) {
          Charts.step(series, ratios[k], profile.share(planner, ratios[k]));
        }
      }
      Charts.step(series, to, profile.share(planner, to));
      data.addSeries(series);
    }
    NumberAxis y = Charts.linear("share of instances ρ(τ)");
    y.setRange(0, 1.02);
    return Charts.lines(data, x, y, Charts.paths(), false);
  }

  private static CaptionedTable table(Data data, Profile profile) {
    Table table =
        new Table()
            .texts("planner")
            .figures(
                "lowest", "within 1 %", "within 5 %", "within 10 %", "within 25 %", "any plan");
    for (String planner : data.planners()) {
      table.cells(planner, Cell.percent(profile.share(planner, 1)));
      table.cells(Cell.percent(profile.share(planner, 1.01)));
      table.cells(Cell.percent(profile.share(planner, 1.05)));
      table.cells(Cell.percent(profile.share(planner, 1.1)));
      table.cells(Cell.percent(profile.share(planner, 1.25)));
      table.cells(Cell.percent(profile.share(planner, Double.MAX_VALUE / 4)));
    }
    return new CaptionedTable(
        "profile",
        "Performance profile of the peak: share of instances (%)",
        "Share of the "
            + profile.instances()
            + " instances with a plan on which a planner is within a factor of the lowest peak.",
        table);
  }
}
