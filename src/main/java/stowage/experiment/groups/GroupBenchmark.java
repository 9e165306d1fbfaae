package stowage.experiment.groups;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import stowage.experiment.suite.GroupMethod;
import stowage.network.Chip;
import stowage.network.Network;
import stowage.onchip.GroupOptions;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.LayerGraph;
import stowage.onchip.Precision;
import stowage.packing.RunControl;
import stowage.report.GroupBenchmarkReport;
import stowage.report.GroupBenchmarkReport.Cell;
import stowage.report.GroupBenchmarkReport.Row;
import stowage.report.GroupBenchmarkReport.Section;

/**
 * Groups networks for chips in every way and sets the figures side by side: division, addresses and
 * slicing, for each objective a run of its own.
 */
public final class GroupBenchmark {
  private GroupBenchmark() {}

  /**
   * A network on a chip.
   *
   * @param network as it is written
   * @param chip to run it
   * @param precision in which the chip runs it
   */
  public record Pair(Network network, Chip chip, Precision precision) {}

  /** Every division with every kind of addresses and slicing search. */
  public static List<GroupMethod> allMethods() {
    List<GroupMethod> methods = new ArrayList<>();
    for (GroupMethod.Division division :
        List.of(GroupMethod.Division.TAIL, GroupMethod.Division.DP, GroupMethod.Division.CP)) {
      for (GroupOptions.Lmem lmem : GroupOptions.Lmem.values()) {
        for (GroupOptions.SlicingSearch slicing : GroupOptions.SlicingSearch.values()) {
          methods.add(new GroupMethod(division, lmem, slicing, GroupMethod.Engine.CPSAT, null));
        }
      }
    }
    return methods;
  }

  /**
   * Runs every way on every pair.
   *
   * @param control makes the limits of one run
   * @param heard hears of each way as it is done, in one line
   */
  public static GroupBenchmarkReport run(
      List<Pair> pairs,
      List<GroupMethod> methods,
      List<GroupOptions.GroupObjective> objectives,
      Supplier<RunControl> control,
      Consumer<String> heard) {
    List<Section> sections = new ArrayList<>();
    for (Pair pair : pairs) {
      LayerGraph graph = LayerGraph.of(pair.precision().apply(pair.network()), pair.chip());
      List<Row> rows = new ArrayList<>();
      for (GroupMethod method : methods) {
        List<Cell> cells = new ArrayList<>();
        for (GroupOptions.GroupObjective objective : objectives) {
          cells.add(cell(graph, method, objective, control.get()));
        }
        String division = method.division().name().toLowerCase(Locale.ROOT);
        Row row = new Row(division, method.lmem(), method.slicing(), cells);
        rows.add(row);
        double seconds = cells.stream().mapToDouble(Cell::seconds).sum();
        heard.accept(
            String.format(
                Locale.ROOT,
                "%s on %s, %s: %.1f s",
                pair.network().name(),
                pair.chip().name(),
                method.label(),
                seconds));
      }
      sections.add(Section.of(graph, pair.precision(), rows));
    }
    return new GroupBenchmarkReport(objectives, sections);
  }

  private static Cell cell(
      LayerGraph graph,
      GroupMethod method,
      GroupOptions.GroupObjective objective,
      RunControl control) {
    long begin = System.nanoTime();
    Grouping grouping =
        new GroupPlanner(graph, method.options(objective), method.newEngine(), control)
            .plan(method.newPartitioner(control));
    return Cell.of(grouping, (System.nanoTime() - begin) / 1e9);
  }
}
