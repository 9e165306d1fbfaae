package stowage.experiment.groups;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import stowage.network.Chip;
import stowage.network.Network;
import stowage.onchip.GroupMethod;
import stowage.onchip.GroupPlanner;
import stowage.onchip.Grouping;
import stowage.onchip.cpsat.CpSatLmem;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Precision;
import stowage.onchip.partition.PartitionLadder;
import stowage.onchip.search.GroupOptions;
import stowage.packing.RunControl;
import stowage.report.group.GroupBenchmarkReport;
import stowage.report.group.GroupBenchmarkReport.Cell;
import stowage.report.group.GroupBenchmarkReport.Row;
import stowage.report.group.GroupBenchmarkReport.Section;

/**
 * Benchmark of layer groups: networks are grouped for chips in every way (division, addresses,
 * slicing), in a run of its own for each objective, and the figures are compared.
 */
public final class GroupBenchmark {
  private GroupBenchmark() {}

  /** A network on a chip. */
  public record Pair(Network network, Chip chip, Precision precision) {}

  /** Every division with every kind of addresses and slicing search. */
  public static List<GroupMethod> allMethods() {
    List<GroupMethod> methods = new ArrayList<>();
    for (GroupMethod.Division division :
        List.of(GroupMethod.Division.TAIL, GroupMethod.Division.DP, GroupMethod.Division.CP)) {
      for (GroupOptions.Lmem lmem : GroupOptions.Lmem.values()) {
        for (GroupOptions.SlicingSearch slicing : GroupOptions.SlicingSearch.values()) {
          methods.add(new GroupMethod(division, lmem, slicing, null));
        }
      }
    }
    return methods;
  }

  /**
   * Runs every way on every pair. Ways of one pair and objective share a {@link PartitionLadder}:
   * each begins from all that the ways before have found. {@code control} makes the limits of one
   * run; {@code heard} is given one line for each way when it is done, and {@code done} each pair
   * when all its ways are done.
   */
  public static GroupBenchmarkReport run(
      List<Pair> pairs,
      List<GroupMethod> methods,
      List<GroupOptions.GroupObjective> objectives,
      Supplier<RunControl> control,
      Consumer<String> heard,
      Consumer<Section> done) {
    List<Section> sections = new ArrayList<>();
    for (Pair pair : pairs) {
      LayerGraph graph = LayerGraph.of(pair.precision().apply(pair.network()), pair.chip());
      Map<GroupOptions.GroupObjective, PartitionLadder> ladders = new HashMap<>();
      List<Row> rows = new ArrayList<>();
      for (GroupMethod method : methods) {
        List<Cell> cells = new ArrayList<>();
        for (GroupOptions.GroupObjective objective : objectives) {
          RunControl limits = control.get();
          PartitionLadder ladder =
              ladders.computeIfAbsent(
                  objective, key -> new PartitionLadder(graph, key, new CpSatLmem(), limits));
          cells.add(cell(graph, method, objective, limits, ladder));
        }
        rows.add(new Row(method, cells));
        heard.accept(line(pair, method, cells));
      }
      Section section = Section.of(graph, pair.precision(), rows);
      done.accept(section);
      sections.add(section);
    }
    return new GroupBenchmarkReport(objectives, sections);
  }

  private static String line(Pair pair, GroupMethod method, List<Cell> cells) {
    StringBuilder line = new StringBuilder();
    line.append(pair.network().name()).append(" on ").append(pair.chip().name());
    line.append(", ").append(method.label()).append(':');
    for (Cell cell : cells) {
      line.append(
          String.format(
              Locale.ROOT,
              " %.3f MB %.3f Mcycles %s %.1f s;",
              cell.trafficBytes() / 1e6,
              cell.cycles() / 1e6,
              cell.status(),
              cell.seconds()));
    }
    return line.substring(0, line.length() - 1);
  }

  private static Cell cell(
      LayerGraph graph,
      GroupMethod method,
      GroupOptions.GroupObjective objective,
      RunControl control,
      PartitionLadder ladder) {
    long begin = System.nanoTime();
    Grouping grouping =
        new GroupPlanner(graph, method.options(objective), new CpSatLmem(), control, ladder)
            .divide(method.newPartitioner());
    return Cell.of(grouping, (System.nanoTime() - begin) / 1e9);
  }
}
