package stowage.experiment.analysis;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import stowage.experiment.results.Result;
import stowage.experiment.run.RunRecord;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;

/** What each way of grouping costs on each network, chip and objective. */
final class GroupSection {
  private static final double MEGA = 1e6;

  private GroupSection() {}

  /** The section, or null where nothing was grouped. */
  static Section of(Data data) {
    if (data.runs().stream().noneMatch(run -> run.record().group() != null)) {
      return null;
    }
    return new Section(
        "Layer groups",
        List.of(),
        List.of(objectives(data), details(data)),
        "In this experiment a run's peak is the figure that it was to lower: bytes moved, cycles,"
            + " or bytes of a lane. Bounds that hold for one kind of groups alone are in these"
            + " tables; the gaps of the other sections are to the best bound for all groupings.");
  }

  private static CaptionedTable objectives(Data data) {
    List<String> planners = data.planners();
    Table table =
        new Table().texts("instance").figures(planners.toArray(String[]::new)).figures("bound");
    for (Map.Entry<String, List<Result>> instance :
        Data.group(data.runs(), Result::digest).entrySet()) {
      List<Result> runs = instance.getValue();
      Long bound = runs.get(0).facts().bestBound();
      table.cells(runs.get(0).instance());
      planners.forEach(planner -> table.cells(best(runs, planner)));
      table.cells(bound == null ? Cell.of(Double.NaN, 0) : figure(bound, runs, false));
    }
    return new CaptionedTable(
        "groups",
        "Figure to lower by network and way of grouping",
        "Traffic in MB, cycles in millions, LMEM in bytes a lane, of the best of all seeds"
            + " and repetitions. A star: proven the lowest for groups of its kind. Bound:"
            + " no grouping of any kind is lower.",
        table);
  }

  /** The lowest figure of a planner on an instance; a dash where it has none. */
  private static Cell best(List<Result> runs, String planner) {
    return runs.stream()
        .filter(run -> run.planner().equals(planner) && run.peak() != null)
        .min(Comparator.comparing(Result::peak))
        .map(best -> figure(best.peak(), runs, best.isProven()))
        .orElse(Cell.of(Double.NaN, 0));
  }

  private static Cell figure(long value, List<Result> runs, boolean proven) {
    String objective =
        runs.stream()
            .filter(run -> run.record().group() != null)
            .map(run -> run.record().run().instance().group().objective().label())
            .findFirst()
            .orElse("");
    Cell cell =
        switch (objective) {
          case "traffic" -> Cell.of(value / MEGA, 2);
          case "cycles" -> Cell.of(value / MEGA, 3);
          default -> Cell.of(value);
        };
    return new Cell(cell.text() + (proven ? "*" : ""), Long.toString(value));
  }

  private static CaptionedTable details(Data data) {
    Table table =
        new Table()
            .texts("instance", "planner")
            .figures("groups", "bytes moved", "cycles", "lane bytes", "clashes", "bound")
            .texts("bound for", "status")
            .figures("seconds");
    for (Result run : data.runs()) {
      RunRecord.GroupFigures grouping = run.record().group();
      if (grouping == null || run.peak() == null) {
        continue;
      }
      table.cells(run.instance(), run.planner(), Cell.of(grouping.groups()));
      table.cells(Cell.of(grouping.trafficBytes()), Cell.of(grouping.cycles()));
      table.cells(Cell.of(grouping.lmemPeak()), Cell.of(grouping.clashes()));
      table.cells(Cell.of(run.record().lowerBound()), run.record().boundKind());
      table.cells(run.record().status(), Cell.seconds(run.seconds()));
    }
    return new CaptionedTable(
        "group-runs",
        "Each run of grouping",
        "Groups: of more than one op. Clashes: transfers that share a bank with an op"
            + " computing in the same step. The bound holds for groupings of the kind that"
            + " is next to it.",
        table);
  }
}
