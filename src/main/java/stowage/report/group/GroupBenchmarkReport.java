package stowage.report.group;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import stowage.onchip.GroupMethod;
import stowage.onchip.Grouping;
import stowage.onchip.layer.LayerGraph;
import stowage.onchip.layer.Precision;
import stowage.onchip.schedule.CostModel;
import stowage.onchip.search.GroupOptions.GroupObjective;
import stowage.packing.Status;
import stowage.report.format.Table;
import stowage.text.JsonWriter;

/**
 * Results of ways of grouping networks, as a table for a terminal, as Markdown and as JSON.
 *
 * @param objectives for each, every way was run once
 * @param sections one network on one chip each
 */
public record GroupBenchmarkReport(List<GroupObjective> objectives, List<Section> sections) {

  /**
   * A network on a chip in a precision, with the bytes moved and the cycles of the cost model when
   * each op runs by itself.
   */
  public record Section(
      String network,
      String chip,
      Precision precision,
      int ops,
      long aloneBytes,
      double aloneCycles,
      List<Row> rows) {

    /** A section of what was found about a network. */
    public static Section of(LayerGraph graph, Precision precision, List<Row> rows) {
      CostModel cost = new CostModel(graph.chip());
      return new Section(
          graph.network().name(),
          graph.chip().name(),
          precision,
          graph.size(),
          cost.layersTraffic(graph),
          cost.layersCycles(graph),
          List.copyOf(rows));
    }
  }

  /** A way of grouping. */
  public record Row(GroupMethod method, List<Cell> cells) {
    /** What the way is called: how the network was divided, then addresses, then slices. */
    private List<String> words() {
      return Stream.of(method.division(), method.lmem(), method.slicing())
          .map(word -> word.name().toLowerCase(Locale.ROOT))
          .toList();
    }
  }

  /**
   * One run.
   *
   * @param groups of two ops or more
   * @param trafficBytes moved between GMEM and LMEM
   * @param lmemPeak bytes a lane
   * @param lowerBound of the run's objective, for the kind of groups looked at
   * @param status OPTIMAL where the objective meets its bound
   */
  public record Cell(
      int groups,
      long trafficBytes,
      double cycles,
      long lmemPeak,
      double lowerBound,
      Status status,
      double seconds) {

    public static Cell of(Grouping grouping, double seconds) {
      return new Cell(
          (int) grouping.grouped().count(),
          grouping.trafficBytes(),
          grouping.cycles(),
          grouping.lmemPeak(),
          grouping.lowerBound(),
          grouping.status(),
          seconds);
    }
  }

  /** The table of a section for a terminal. */
  public static String text(Section section, List<GroupObjective> objectives) {
    return title(section) + '\n' + table(section, objectives).text("  ") + '\n';
  }

  /** The table of a section in Markdown. */
  public static String markdown(Section section, List<GroupObjective> objectives) {
    return "### " + title(section) + "\n\n" + table(section, objectives).markdown() + '\n';
  }

  private static String title(Section section) {
    String where = section.network() + " on " + section.chip();
    return "%s, %s: %s ops, each alone %s MB, %s Mcycles"
        .formatted(
            where,
            section.precision().label(),
            section.ops(),
            millions(section.aloneBytes()),
            millions(section.aloneCycles()));
  }

  private static Table table(Section section, List<GroupObjective> objectives) {
    Table table = new Table().texts("partition", "LMEM", "slices");
    for (GroupObjective objective : objectives) {
      table.figures(objective.label() + ": MB", "Mcycles", "LMEM KiB", "bound", "time");
    }
    for (Row row : section.rows()) {
      table.cells(row.words().toArray());
      for (int k = 0; k < objectives.size(); k++) {
        Cell cell = row.cells().get(k);
        boolean peak = objectives.get(k) == GroupObjective.LMEM_PEAK;
        String bound = peak ? kibibytes(cell.lowerBound()) : millions(cell.lowerBound());
        table.cells(millions(cell.trafficBytes()), millions(cell.cycles()));
        table.cells(kibibytes(cell.lmemPeak()));
        table.cells(cell.status() == Status.OPTIMAL ? "optimal" : bound);
        table.cells(String.format(Locale.ROOT, "%.1f s", cell.seconds()));
      }
    }
    return table;
  }

  private static String millions(double figure) {
    return String.format(Locale.ROOT, "%.3f", figure / 1e6);
  }

  private static String kibibytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / 1024);
  }

  public String json() {
    return JsonWriter.text(
        json -> {
          json.object()
              .put("set", "groups")
              .array("sections", sections, section -> write(json, section))
              .end();
        });
  }

  private void write(JsonWriter json, Section section) {
    json.object().put("network", section.network()).put("chip", section.chip());
    json.put("precision", section.precision().label()).put("ops", section.ops());
    json.put("aloneBytes", section.aloneBytes());
    json.put("aloneCycles", Math.round(section.aloneCycles()))
        .array(
            "rows",
            section.rows(),
            row -> {
              for (int k = 0; k < objectives.size(); k++) {
                write(json, row, objectives.get(k), row.cells().get(k));
              }
            })
        .end();
  }

  private static void write(JsonWriter json, Row row, GroupObjective objective, Cell cell) {
    List<String> words = row.words();
    json.object().put("partition", words.get(0)).put("lmem", words.get(1));
    json.put("slicing", words.get(2));
    json.put("objective", objective.label()).put("status", cell.status().name());
    json.put("groups", cell.groups()).put("trafficBytes", cell.trafficBytes());
    json.put("cycles", Math.round(cell.cycles())).put("lmemPeak", cell.lmemPeak());
    json.put("lowerBound", Math.round(cell.lowerBound()));
    json.put("seconds", Math.round(cell.seconds() * 1000) / 1000.0).end();
  }
}
