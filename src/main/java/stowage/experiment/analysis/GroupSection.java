package stowage.experiment.analysis;

import java.util.List;
import java.util.Map;
import stowage.experiment.results.Results;

/** What each way of grouping costs on each network, chip and objective. */
final class GroupSection {
  private static final double MEGA = 1e6;

  private GroupSection() {}

  /** The section, or null where nothing was grouped. */
  static Section of(Data data) {
    if (data.runs().stream().noneMatch(run -> run.grouping() != null)) {
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

  private static Table objectives(Data data) {
    List<String> planners = data.planners();
    Table.Builder table =
        new Table.Builder(
                "groups",
                "Figure to lower by network and way of grouping",
                "Traffic in MB, cycles in millions, LMEM in bytes a lane, of the best of all seeds"
                    + " and repetitions. A star: proven the lowest for groups of its kind. Bound:"
                    + " no grouping of any kind is lower.")
            .texts("instance")
            .figures(planners.toArray(String[]::new))
            .figures("bound");
    for (Map.Entry<String, List<Results.Run>> instance :
        Data.group(data.runs(), Results.Run::digest).entrySet()) {
      List<Results.Run> runs = instance.getValue();
      Table.Cell[] row = new Table.Cell[planners.size() + 2];
      row[0] = Table.Cell.of(runs.get(0).instance());
      for (int k = 0; k < planners.size(); k++) {
        row[k + 1] = best(runs, planners.get(k));
      }
      Results.Run any = runs.get(0);
      row[planners.size() + 1] =
          any.bestBound() == null
              ? Table.Cell.of(Double.NaN, 0)
              : figure(any.bestBound(), runs, false);
      table.row(row);
    }
    return table.build();
  }

  /** The lowest figure of a planner on an instance; a dash where it has none. */
  private static Table.Cell best(List<Results.Run> runs, String planner) {
    Results.Run best = null;
    for (Results.Run run : runs) {
      boolean lower = run.peak() != null && (best == null || run.peak() < best.peak());
      if (run.planner().equals(planner) && lower) {
        best = run;
      }
    }
    return best == null ? Table.Cell.of(Double.NaN, 0) : figure(best.peak(), runs, best.isProven());
  }

  private static Table.Cell figure(long value, List<Results.Run> runs, boolean proven) {
    String objective =
        runs.stream()
            .filter(run -> run.grouping() != null)
            .map(run -> run.grouping().objective())
            .findFirst()
            .orElse("");
    Table.Cell cell =
        switch (objective) {
          case "traffic" -> Table.Cell.of(value / MEGA, 2);
          case "cycles" -> Table.Cell.of(value / MEGA, 3);
          default -> Table.Cell.of(value);
        };
    return new Table.Cell(cell.text() + (proven ? "*" : ""), Long.toString(value));
  }

  private static Table details(Data data) {
    Table.Builder table =
        new Table.Builder(
                "group-runs",
                "Each run of grouping",
                "Groups: of more than one op. Clashes: transfers that share a bank with an op"
                    + " computing in the same step. The bound holds for groupings of the kind that"
                    + " is next to it.")
            .texts("instance", "planner")
            .figures("groups", "bytes moved", "cycles", "lane bytes", "clashes", "bound")
            .texts("bound for", "status")
            .figures("seconds");
    for (Results.Run run : data.runs()) {
      Results.Grouping grouping = run.grouping();
      if (grouping == null || run.peak() == null) {
        continue;
      }
      table.row(
          Table.Cell.of(run.instance()),
          Table.Cell.of(run.planner()),
          Table.Cell.of(grouping.groups()),
          Table.Cell.of(grouping.trafficBytes()),
          Table.Cell.of(grouping.cycles()),
          Table.Cell.of(grouping.lmemPeak()),
          Table.Cell.of(grouping.clashes()),
          Table.Cell.of(run.lowerBound()),
          Table.Cell.of(grouping.boundKind()),
          Table.Cell.of(run.status()),
          Table.Cell.seconds(run.seconds()));
    }
    return table.build();
  }
}
