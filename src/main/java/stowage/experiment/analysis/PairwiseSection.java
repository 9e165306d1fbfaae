package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/** Each planner against each other, instance by instance. */
final class PairwiseSection {
  private PairwiseSection() {}

  /** Two planners, and on each instance that both planned the logarithm of their peaks' ratio. */
  private record Pair(String one, String other, List<Double> differences) {}

  static Section of(Data data) {
    List<String> planners = data.legible(data.planners());
    if (planners.size() < 2) {
      return Section.ofNote("Pairs", "There is only one planner.");
    }
    List<Pair> pairs = pairs(data, planners);
    double[] raw =
        pairs.stream().mapToDouble(pair -> Statistics.wilcoxon(pair.differences())).toArray();
    double[] corrected = Statistics.holm(raw);
    Table table =
        new Table()
            .texts("first", "second")
            .figures("instances", "wins", "ties", "losses", "ratio", "from", "to", "p", "Holm");
    for (int k = 0; k < pairs.size(); k++) {
      Pair pair = pairs.get(k);
      List<Double> differences = pair.differences();
      Statistics.Interval interval = Statistics.meanInterval(differences);
      table.cells(pair.one(), pair.other(), Cell.of(differences.size()));
      table.cells(Cell.of(differences.stream().filter(d -> d < 0).count()));
      table.cells(Cell.of(differences.stream().filter(d -> d == 0).count()));
      table.cells(Cell.of(differences.stream().filter(d -> d > 0).count()));
      table.cells(Cell.of(Math.exp(Statistics.mean(differences)), 4));
      table.cells(Cell.of(Math.exp(interval.low()), 4), Cell.of(Math.exp(interval.high()), 4));
      table.cells(Cell.probability(raw[k]), Cell.probability(corrected[k]));
    }
    return new Section(
        "Pairs",
        List.of(),
        List.of(
            new CaptionedTable(
                "pairs",
                "Wins and losses of peaks",
                "On instances both planned, seeds averaged. Ratio: geometric mean of the first's"
                    + " peak over the second's, with its 95 % bootstrap interval; below 1 the first"
                    + " is better. p: Wilcoxon's signed-rank test of the ratios' logarithms,"
                    + " two-sided; Holm: corrected for all pairs of this table."
                    + data.left(data.planners()),
                table)),
        "");
  }

  private static List<Pair> pairs(Data data, List<String> planners) {
    Map<String, Map<String, Double>> peaks =
        data.meanByInstance(run -> run.peak() == null ? null : (Double) run.peak().doubleValue());
    List<Pair> pairs = new ArrayList<>();
    for (int a = 0; a < planners.size(); a++) {
      for (int b = a + 1; b < planners.size(); b++) {
        Map<String, Double> own = peaks.get(planners.get(a));
        Map<String, Double> others = peaks.get(planners.get(b));
        List<Double> differences = new ArrayList<>();
        own.forEach(
            (instance, peak) -> {
              double other = others.getOrDefault(instance, Double.POSITIVE_INFINITY);
              if (peak > 0 && other > 0 && !Double.isInfinite(peak) && !Double.isInfinite(other)) {
                differences.add(peak == other ? 0 : Math.log(peak / other));
              }
            });
        pairs.add(new Pair(planners.get(a), planners.get(b), differences));
      }
    }
    return pairs;
  }
}
