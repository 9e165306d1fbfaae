package stowage.experiment.analysis;

import java.util.Comparator;
import java.util.List;
import stowage.experiment.results.Results;

/** The instances on which each planner does worst. */
final class WorstSection {
  private static final int SHOWN = 3;

  private WorstSection() {}

  static Section of(Data data) {
    Table.Builder table =
        new Table.Builder(
                "worst",
                "The instances where each planner is worst",
                "By peak over the best known bound; where that is no proven optimum, part of the"
                    + " gap may be the bound's.")
            .texts("planner", "instance", "family")
            .figures("seed", "buffers", "peak", "bound", "gap (%)")
            .texts("bound is");
    for (String planner : data.planners()) {
      List<Results.Run> worst =
          data.ofPlanner(planner).stream()
              .filter(run -> Data.gapToBound(run) > 0)
              .sorted(Comparator.comparing(Data::gapToBound).reversed())
              .limit(SHOWN)
              .toList();
      for (Results.Run run : worst) {
        table.row(
            Table.Cell.of(planner),
            Table.Cell.of(run.instance()),
            Table.Cell.of(run.family()),
            Table.Cell.of(run.seed()),
            Table.Cell.of(run.buffers() == null ? 0 : run.buffers()),
            Table.Cell.of(run.peak()),
            Table.Cell.of(run.bestBound()),
            Table.Cell.percent(Data.gapToBound(run)),
            Table.Cell.of(run.optimum() != null ? "the optimum" : "a bound"));
      }
    }
    return new Section("Worst instances", List.of(), List.of(table.build()), "");
  }
}
