package stowage.experiment.analysis;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import stowage.experiment.results.Result;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/** What was run, and how it ended. */
final class OverviewSection {
  private OverviewSection() {}

  static Section of(Data data) {
    return new Section("Overview", List.of(), List.of(families(data), planners(data)), "");
  }

  private static CaptionedTable families(Data data) {
    Table table =
        new Table()
            .texts("family")
            .figures("instances", "proven", "fewest buffers", "most buffers", "runs");
    for (String family : data.families()) {
      List<Result> runs = data.runs().stream().filter(run -> run.family().equals(family)).toList();
      List<Result> instances =
          data.instances().values().stream().filter(run -> run.family().equals(family)).toList();
      long proven = instances.stream().filter(run -> run.facts().optimum() != null).count();
      table.cells(family, Cell.of(instances.size()), Cell.of(proven));
      table.cells(Cell.of(buffers(instances, true)), Cell.of(buffers(instances, false)));
      table.cells(Cell.of(runs.size()));
    }
    return new CaptionedTable(
        "instances",
        "Instances by family",
        "Proven: instances whose optimum some run proved.",
        table);
  }

  private static long buffers(List<Result> instances, boolean fewest) {
    var counts = instances.stream().filter(run -> run.buffers() != null).mapToLong(Result::buffers);
    return (fewest ? counts.min() : counts.max()).orElse(0);
  }

  private static CaptionedTable planners(Data data) {
    Table table =
        new Table()
            .texts("planner")
            .figures("runs", "plans", "proven", "refused", "failed", "seconds")
            .texts("failures");
    for (String planner : data.planners()) {
      List<Result> runs = data.ofPlanner(planner);
      Map<String, Integer> failures = new TreeMap<>();
      long refused = 0;
      for (Result run : runs) {
        if (run.record().outcome().text().equals("refused")) {
          refused++;
        } else if (!run.record().outcome().text().equals("done")) {
          failures.merge(run.record().outcome().text(), 1, Integer::sum);
        }
      }
      List<Double> seconds =
          runs.stream().filter(run -> run.seconds() != null).map(Result::seconds).toList();
      table.cells(planner, Cell.of(runs.size()));
      table.cells(Cell.of(runs.stream().filter(run -> run.peak() != null).count()));
      table.cells(Cell.of(runs.stream().filter(Result::isProven).count()), Cell.of(refused));
      table.cells(Cell.of(failures.values().stream().mapToInt(Integer::intValue).sum()));
      table.cells(Cell.seconds(Statistics.median(seconds)));
      table.cells(
          Cell.of(
              String.join(
                  ", ",
                  failures.entrySet().stream()
                      .map(entry -> entry.getKey() + " " + entry.getValue())
                      .toList())));
    }
    return new CaptionedTable(
        "outcomes",
        "How runs ended",
        "Plans: runs with a verified plan. Proven: runs that proved their answer. Failed:"
            + " runs whose planner gave no valid plan, ran beyond its limit, ran out of"
            + " memory or crashed; the reason is in the last column. Seconds: median until"
            + " the planner ended.",
        table);
  }
}
