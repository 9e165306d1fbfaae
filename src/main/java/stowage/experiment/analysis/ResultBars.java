package stowage.experiment.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.experiment.results.Result;
import stowage.packing.ByteText;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;

/**
 * Result of an experiment in one sentence and one picture: the mean gap of each planner, the lowest
 * first. Gaps are to the proven optimum; where no run proved one, to the best known bound.
 */
record ResultBars(List<Bar> bars, String reference, int instances) {
  private static final int MOST_NAMED = 5;
  private static final double ROW = 22;
  private static final double TOP = 30;
  private static final double FONT = 12;

  private record Bar(String planner, double gap, int runs, long all) {
    String text() {
      String some = runs < all ? " (%s of %s runs)".formatted(runs, all) : "";
      return ByteText.percent(gap) + some;
    }
  }

  static ResultBars of(Data data) {
    List<Result> instances = List.copyOf(data.instances().values());
    int proven = (int) instances.stream().filter(run -> run.facts().optimum() != null).count();
    List<Bar> bars = new ArrayList<>();
    for (String planner : data.planners()) {
      List<Result> runs = data.ofPlanner(planner);
      List<Double> gaps = proven > 0 ? Data.gapsToOptimum(runs) : Data.gapsToBound(runs);
      if (!gaps.isEmpty()) {
        long all =
            runs.stream().filter(run -> proven == 0 || run.facts().optimum() != null).count();
        bars.add(new Bar(planner, Statistics.mean(gaps), gaps.size(), all));
      }
    }
    bars.sort(Comparator.comparingDouble(Bar::gap).thenComparing(Bar::planner));
    return proven > 0
        ? new ResultBars(bars, "the proven optimum", proven)
        : new ResultBars(bars, "the best known bound", instances.size());
  }

  /** The mean gaps of the best planners and of the worst, in words. */
  String sentence() {
    if (bars.isEmpty()) {
      return "No run gave a plan.";
    }
    List<String> named = new ArrayList<>();
    for (int k = 0; k < bars.size(); k++) {
      if (k < MOST_NAMED || k == bars.size() - 1) {
        String between = k == bars.size() - 1 && k > MOST_NAMED ? "… " : "";
        named.add(between + bars.get(k).planner() + " " + bars.get(k).text());
      }
    }
    return "Mean gap to %s: %s (%s%s"
        .formatted(
            reference,
            String.join(", ", named),
            instances,
            (instances == 1 ? " instance)." : " instances)."));
  }

  /** A bar for each planner, as an SVG element of a width in pixels. */
  String svg(double width) {
    double left = 0;
    double most = 0;
    double widest = 46;
    for (Bar bar : bars) {
      left = Math.max(left, TextWidth.of(bar.planner(), FONT));
      most = Math.max(most, bar.gap());
      widest = Math.max(widest, TextWidth.of(bar.text(), FONT));
    }
    left = Math.min(left + 10, 0.45 * width);
    double room = width - left - 20 - widest;
    SvgWriter svg = new SvgWriter(width, TOP + bars.size() * ROW + 8, sentence());
    svg.text(left, 16, "start", "mean gap to " + reference, Style.text(FONT, Style.SOFT));
    svg.segment(left, TOP - 6, left, TOP + bars.size() * ROW, Style.stroked("#444444", 1));
    for (int k = 0; k < bars.size(); k++) {
      Bar bar = bars.get(k);
      double y = TOP + k * ROW;
      double wide = most == 0 ? 0 : room * bar.gap() / most;
      String name = TextWidth.fitted(bar.planner(), FONT, left - 8);
      svg.text(left - 8, y + 11, "end", name, Style.text(FONT, Style.INK));
      String said = bar.planner() + ": " + bar.runs() + (bar.runs() == 1 ? " run" : " runs");
      svg.rect(left, y, wide, ROW - 8, Style.filled("#4c78a8"), said);
      svg.text(left + wide + 6, y + 11, "start", bar.text(), Style.text(FONT, Style.INK));
    }
    return svg.finish();
  }
}
