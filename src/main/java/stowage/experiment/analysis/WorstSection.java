package stowage.experiment.analysis;

import java.util.Comparator;
import java.util.List;
import stowage.experiment.results.Result;
import stowage.report.format.Table.Cell;

/** The instances on which each planner does worst. */
final class WorstSection {
  private static final int SHOWN = 3;

  private WorstSection() {}

  static Section of(Data data) {
    CaptionedTable table =
        new CaptionedTable(
                "worst",
                "The instances where each planner is worst",
                "By peak over the best known bound; where that is no proven optimum, part of the"
                    + " gap may be the bound's.")
            .texts("planner", "instance", "family")
            .figures("seed", "buffers", "peak", "bound", "gap (%)")
            .texts("bound is");
    for (String planner : data.planners()) {
      for (Result run : worst(data, planner).stream().limit(SHOWN).toList()) {
        table.row(
            Cell.of(planner),
            Cell.of(run.instance()),
            Cell.of(run.family()),
            Cell.of(run.record().run().seed()),
            Cell.of(run.buffers() == null ? 0 : run.buffers()),
            Cell.of(run.peak()),
            Cell.of(run.facts().bestBound()),
            Cell.percent(Data.gapToBound(run)),
            Cell.of(run.facts().optimum() != null ? "the optimum" : "a bound"));
      }
    }
    String note =
        "To see such a plan: stowage plan INSTANCE --planner PLANNER --seed SEED --out out";
    return new Section("Worst instances", List.of(), List.of(table), note);
  }

  /** A planner's runs above the best known bound, the worst first. */
  static List<Result> worst(Data data, String planner) {
    return data.ofPlanner(planner).stream()
        .filter(run -> Data.gapToBound(run) > 0)
        .sorted(Comparator.comparing(Data::gapToBound).reversed())
        .toList();
  }
}
