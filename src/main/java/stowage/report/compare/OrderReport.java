package stowage.report.compare;

import java.util.List;
import java.util.Locale;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.RunReport;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;
import stowage.report.plan.PlanJson;
import stowage.text.JsonWriter;

/**
 * One network under several orders in which its ops may run: the least peak of each, and the
 * parallelism that it allows; as a table, JSON, CSV, Markdown and (by {@link OrderSvg}) a picture.
 *
 * @param rows the orders, as they are to be listed; the first is what the others are compared with
 */
public record OrderReport(String network, int ops, List<Row> rows) {

  /**
   * What one order costs and allows.
   *
   * @param peak the lowest peak found, in bytes; null without a plan
   * @param lowerBound no plan under the order has a lower peak, in bytes
   * @param pairs buffers kept apart, two by two, although in order they could share
   * @param chain ops on the longest chain that the order leaves
   * @param width the most ops that run at once when each starts as early as the order allows
   * @param waits what the plan makes ops wait for; null without a plan
   */
  public record Row(
      String order,
      Long peak,
      long lowerBound,
      String boundKind,
      long pairs,
      int chain,
      int width,
      Waits waits,
      double seconds) {

    public Status status() {
      return peak == null ? Status.UNKNOWN : peak == lowerBound ? Status.OPTIMAL : Status.FEASIBLE;
    }
  }

  /**
   * What a plan's reuse of memory adds to the network's own dependencies, were its ops run as
   * freely as data allows: pairs of ops that wait for each other, and ops on the longest chain and
   * the most ops at once, without and with the pairs.
   */
  public record Waits(
      int pairs, int chainBefore, int chainAfter, int widthBefore, int widthAfter) {}

  /** Ops over the longest chain: how many run at once on average with processors enough. */
  public double parallelism(Row row) {
    return row.chain() == 0 ? 0 : (double) ops / row.chain();
  }

  /** (peak - the first row's peak) / the first row's peak: the price of the freedom; or NaN. */
  public double cost(Row row) {
    Long first = rows.get(0).peak();
    return row.peak() == null || first == null ? Double.NaN : RunReport.gap(row.peak(), first);
  }

  /** The table for a terminal. */
  public String text() {
    return network
        + ": "
        + ByteText.count(ops, "op")
        + ", memory against parallelism\n"
        + table().text("  ");
  }

  /** The table for Markdown and CSV, sizes in bytes; missing numbers are empty. */
  public Table table() {
    Table table = new Table().texts("order").column(null, "status", false).figures("peak");
    table.column("cost", null, true).column("proven", null, false);
    table.column(null, "lower_bound", true).column(null, "bound_kind", false);
    table.column("apart", "pairs_apart", true).column("chain", "longest_chain", true);
    table.figures("width").column(null, "parallelism", true).column("waits", "waits", true);
    table.column("chain with waits", null, true).column("width with waits", null, true);
    table.column(null, "chain_before", true).column(null, "chain_after", true);
    table.column(null, "width_before", true).column(null, "width_after", true);
    table.column(null, "seconds", true);
    for (Row row : rows) {
      boolean optimal = row.status() == Status.OPTIMAL;

      table.cells(row.order(), row.status(), Cell.bytes(row.peak()), ByteText.percent(cost(row)));
      table.cells(optimal ? row.boundKind() : "≥ " + ByteText.exact(row.lowerBound()));
      table.cells(Cell.of(row.lowerBound()), row.boundKind(), Cell.of(row.pairs()));
      table.cells(Cell.of(row.chain()), Cell.of(row.width()), number(parallelism(row)));
      Waits waits = row.waits();
      if (waits == null) {
        table.cells(Cell.bytes(null), "-", "-", "", "", "", "");
      } else {
        table.cells(Cell.of(waits.pairs()), waits.chainBefore() + " → " + waits.chainAfter());
        table.cells(waits.widthBefore() + " → " + waits.widthAfter(), waits.chainBefore());
        table.cells(waits.chainAfter(), waits.widthBefore(), waits.widthAfter());
      }
      table.cells(Cell.time(row.seconds()));
    }
    return table;
  }

  private static Cell number(double number) {
    return new Cell(
        String.format(Locale.ROOT, "%.2f", number), String.format(Locale.ROOT, "%.6f", number));
  }

  /** The whole as one JSON object; see {@code docs/answer-format.md}. */
  public String json() {
    return JsonWriter.text(
        json -> {
          json.object().put("schemaVersion", PlanJson.SCHEMA_VERSION).put("network", network);
          json.put("ops", ops).array("orders", rows, row -> writeRow(json, row)).end();
        });
  }

  private void writeRow(JsonWriter json, Row row) {
    json.object().put("order", row.order()).put("status", row.status().name());
    json.value("peak", row.peak()).put("lowerBound", row.lowerBound());
    json.put("boundKind", row.boundKind()).figure("cost", cost(row)).put("pairsApart", row.pairs());
    json.put("longestChain", row.chain()).put("width", row.width());
    json.figure("parallelism", parallelism(row));
    if (row.waits() != null) {
      json.object("waits").put("pairs", row.waits().pairs());
      json.put("criticalPathBefore", row.waits().chainBefore());
      json.put("criticalPathAfter", row.waits().chainAfter());
      json.put("widthBefore", row.waits().widthBefore());
      json.put("widthAfter", row.waits().widthAfter()).end();
    }
    json.put("seconds", row.seconds()).end();
  }
}
