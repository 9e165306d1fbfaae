package stowage.report.compare;

import java.util.List;
import java.util.Locale;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.RunReport;
import stowage.report.format.Table;
import stowage.text.JsonWriter;

/**
 * What a benchmark has measured, as a table for a terminal, as Markdown and as JSON.
 *
 * @param set what was run, such as {@code exact}
 * @param machine what it ran on, in a few words
 * @param scaling whether time and memory per buffer are of interest; then the rows have one size
 *     each, in ascending order
 * @param rows one run each
 * @param history how it compares with earlier runs; null where it was not compared
 */
public record BenchmarkReport(
    String set, String machine, boolean scaling, List<Row> rows, History history) {

  /** A report that was not compared with earlier ones. */
  public BenchmarkReport(String set, String machine, boolean scaling, List<Row> rows) {
    this(set, machine, scaling, rows, null);
  }

  /** The same, compared with earlier ones. */
  public BenchmarkReport withHistory(History compared) {
    return new BenchmarkReport(set, machine, scaling, rows, compared);
  }

  /**
   * How a report compares with earlier ones: the file that keeps them and now this one too, how
   * many runs of this kind there were, and what got slower or ended worse than in the last of them.
   */
  public record History(String file, String commit, int earlier, List<Setback> worse) {}

  /**
   * An instance that got worse: the median of its seconds and the lowest peak of the last runs, the
   * peak of this one (null: none), and whether it was settled before and is not now.
   */
  public record Setback(
      String instance, double before, double now, Long peakBefore, Long peak, boolean unsettled) {

    private String text() {
      String times = ByteText.seconds(before) + " before, " + ByteText.seconds(now) + " now";
      boolean higher = peakBefore != null && !peakBefore.equals(peak);
      String peaks =
          higher ? ", peak " + ByteText.exact(peakBefore) + " before, " + exact(peak) + " now" : "";
      return instance + ": " + times + peaks + (unsettled ? ", no longer settled" : "");
    }

    private static String exact(Long bytes) {
      return bytes == null ? "none" : ByteText.exact(bytes);
    }
  }

  /**
   * One run.
   *
   * @param capacity the capacity given, in bytes; the run ended with the first plan within it. Null
   *     where the peak was lowered as far as possible
   * @param bound no plan has a lower peak, in bytes
   * @param boundKind why, such as {@code max-load}
   * @param peak the peak of the best verified plan in bytes; null without one
   * @param status what is known at the end
   * @param seconds wall time of the run, without reading or making the instance
   * @param firstSeconds wall time until the first plan; NaN without one
   * @param nearSeconds wall time until a plan within {@link #NEAR} of the bound; NaN without one
   * @param nodes nodes of the exact searches; 0 when none ran to its end
   * @param peakMemory the most bytes this process had held by then
   */
  public record Row(
      String instance,
      int buffers,
      Long capacity,
      long bound,
      String boundKind,
      Long peak,
      Status status,
      double seconds,
      double firstSeconds,
      double nearSeconds,
      long nodes,
      String winner,
      long peakMemory) {

    /** (peak - bound) / bound; NaN without a plan. */
    public double gap() {
      return peak == null ? Double.NaN : RunReport.gap(peak, bound);
    }

    /** Nodes a second of the whole run; NaN where no search counted any. */
    public double nodesPerSecond() {
      return nodes == 0 ? Double.NaN : nodes / Math.max(seconds, 1e-9);
    }

    /** Microseconds a buffer until a plan within {@link #NEAR}, else until the end. */
    public double microsecondsPerBuffer() {
      double until = Double.isNaN(nearSeconds) ? seconds : nearSeconds;
      return until * 1e6 / Math.max(1, buffers);
    }

    /** Bytes of memory a buffer, the virtual machine included. */
    public double bytesPerBuffer() {
      return (double) peakMemory / Math.max(1, buffers);
    }
  }

  /** A plan this close to the bound, as a share of it, counts as near. */
  public static final double NEAR = 0.03;

  /** The number of runs whose answer is proven: optimal, infeasible, or within the capacity. */
  public long settled() {
    return rows.stream().filter(BenchmarkReport::isSettled).count();
  }

  private static boolean isSettled(Row row) {
    return row.status() == Status.OPTIMAL
        || row.status() == Status.INFEASIBLE
        || (row.capacity() != null && row.peak() != null);
  }

  private double totalSeconds() {
    return rows.stream().mapToDouble(Row::seconds).sum();
  }

  /** The table for a terminal. */
  public String text() {
    return "bench %s on %s\n%s%s\n%s"
        .formatted(set, machine, table().text("  "), summary(), past());
  }

  public String markdown() {
    return table().markdown() + "\n" + summary() + " (" + machine + ")\n";
  }

  private String summary() {
    return "%s of %s settled in %s in total"
        .formatted(settled(), rows.size(), ByteText.seconds(totalSeconds()));
  }

  /** What got worse, a line each; empty without a history. */
  private String past() {
    if (history == null) {
      return "";
    }
    String worse = history.worse().isEmpty() ? "nothing" : "the following";
    String kept = ByteText.exact(history.earlier()) + " of this kind in " + history.file();
    StringBuilder text =
        new StringBuilder(
            history.earlier() == 0
                ? "the first run of this kind in " + history.file() + "\n"
                : worse + " got slower or worse than in the runs before (" + kept + ")\n");
    history.worse().forEach(setback -> text.append("  ").append(setback.text()).append('\n'));
    return text.toString();
  }

  private Table table() {
    Table table = new Table().texts("instance");
    if (scaling) {
      table.figures("n", "bound", "peak", "gap", "first plan", "within 3 %", "total");
      table.figures("us per buffer", "growth", "bytes per buffer").texts("winner");
    } else {
      table.figures("n", "capacity", "bound", "peak", "gap").texts("status");
      table.figures("time", "nodes/s").texts("winner");
    }
    for (int k = 0; k < rows.size(); k++) {
      Row row = rows.get(k);
      table.cells(row.instance(), Table.Cell.of(row.buffers()));
      if (!scaling) {
        table.cells(row.capacity() == null ? "" : ByteText.exact(row.capacity()));
      }
      table.cells(Table.Cell.of(row.bound()), Table.Cell.bytes(row.peak()));
      table.cells(ByteText.percent(row.gap()));
      if (scaling) {
        table.cells(seconds(row.firstSeconds()), seconds(row.nearSeconds()));
        table.cells(ByteText.seconds(row.seconds()), decimals("%.2f", row.microsecondsPerBuffer()));
        table.cells(k == 0 ? "" : decimals("x%.2f", growth(k)));
        table.cells(Table.Cell.of(Math.round(row.bytesPerBuffer())));
      } else {
        double speed = row.nodesPerSecond();
        table.cells(row.status(), ByteText.seconds(row.seconds()));
        table.cells(Double.isNaN(speed) ? "-" : ByteText.exact(Math.round(speed)));
      }
      table.cells(row.winner());
    }
    return table;
  }

  private static String decimals(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }

  private static String seconds(double seconds) {
    return Double.isNaN(seconds) ? "-" : ByteText.seconds(seconds);
  }

  /** The time a buffer takes as a multiple of what it took in the row before; 1 is linear. */
  private double growth(int index) {
    return rows.get(index).microsecondsPerBuffer() / rows.get(index - 1).microsecondsPerBuffer();
  }

  /** All figures as JSON; those that are missing are null. */
  public String json() {
    return JsonWriter.text(
        json -> {
          json.object().put("set", set).put("machine", machine).put("settled", settled());
          json.put("seconds", totalSeconds()).array("rows", rows, row -> write(json, row));
          (history == null ? json.putNull("history") : write(json, history)).end();
        });
  }

  private static JsonWriter write(JsonWriter json, History history) {
    json.object("history").put("file", history.file()).put("commit", history.commit());
    json.put("earlier", history.earlier());
    return json.array("worse", history.worse(), setback -> write(json, setback)).end();
  }

  private static void write(JsonWriter json, Setback setback) {
    json.object().put("instance", setback.instance()).put("secondsBefore", setback.before());
    json.put("seconds", setback.now()).value("peakBefore", setback.peakBefore());
    json.value("peak", setback.peak()).put("unsettled", setback.unsettled()).end();
  }

  private static void write(JsonWriter json, Row row) {
    json.object().put("instance", row.instance()).put("n", row.buffers());
    json.value("capacity", row.capacity()).put("bound", row.bound());
    json.put("boundKind", row.boundKind()).value("peak", row.peak()).figure("gap", row.gap());
    json.put("status", row.status().name()).put("seconds", row.seconds());
    json.figure("firstSeconds", row.firstSeconds()).figure("nearSeconds", row.nearSeconds());
    json.put("nodes", row.nodes()).figure("nodesPerSecond", row.nodesPerSecond());
    json.put("winner", row.winner()).put("peakRssBytes", row.peakMemory()).end();
  }
}
