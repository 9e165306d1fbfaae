package stowage.report.compare;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.RunReport;
import stowage.report.format.JsonLayout;
import stowage.report.format.Table;

/**
 * What a benchmark has measured, as a table for a terminal, as Markdown and as JSON.
 *
 * @param set what was run, such as {@code exact}
 * @param machine what it ran on, in a few words
 * @param scaling whether time and memory per buffer are of interest; then the rows have one size
 *     each, in ascending order
 * @param rows one run each
 */
public record BenchmarkReport(String set, String machine, boolean scaling, List<Row> rows) {

  /** Copies the rows. */
  public BenchmarkReport {
    rows = List.copyOf(rows);
  }

  /**
   * One run.
   *
   * @param instance its name
   * @param buffers the number of buffers
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
   * @param winner who found the best plan; empty without one
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
    return "bench " + set + " on " + machine + "\n" + table().text("  ") + summary() + "\n";
  }

  /** The table in Markdown. */
  public String markdown() {
    return table().markdown() + "\n" + summary() + " (" + machine + ")\n";
  }

  private String summary() {
    return settled()
        + " of "
        + rows.size()
        + " settled in "
        + ByteText.seconds(totalSeconds())
        + " in total";
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
      table.row(cells(k));
    }
    return table;
  }

  private String[] cells(int index) {
    Row row = rows.get(index);
    String peak = row.peak() == null ? "-" : ByteText.exact(row.peak());
    String count = ByteText.exact(row.buffers());
    String bound = ByteText.exact(row.bound());
    String gap = ByteText.percent(row.gap());
    if (scaling) {
      return new String[] {
        row.instance(),
        count,
        bound,
        peak,
        gap,
        seconds(row.firstSeconds()),
        seconds(row.nearSeconds()),
        ByteText.seconds(row.seconds()),
        String.format(Locale.ROOT, "%.2f", row.microsecondsPerBuffer()),
        index == 0 ? "" : String.format(Locale.ROOT, "x%.2f", growth(index)),
        ByteText.exact(Math.round(row.bytesPerBuffer())),
        row.winner()
      };
    }
    double speed = row.nodesPerSecond();
    return new String[] {
      row.instance(),
      count,
      row.capacity() == null ? "" : ByteText.exact(row.capacity()),
      bound,
      peak,
      gap,
      row.status().name(),
      ByteText.seconds(row.seconds()),
      Double.isNaN(speed) ? "-" : ByteText.exact(Math.round(speed)),
      row.winner()
    };
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
    return JsonLayout.text(
        json -> {
          json.writeStartObject();
          json.writeStringField("set", set);
          json.writeStringField("machine", machine);
          json.writeNumberField("settled", settled());
          json.writeNumberField("seconds", totalSeconds());
          json.writeArrayFieldStart("rows");
          for (Row row : rows) {
            write(json, row);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, Row row) throws IOException {
    json.writeStartObject();
    json.writeStringField("instance", row.instance());
    json.writeNumberField("n", row.buffers());
    json.writeObjectField("capacity", row.capacity());
    json.writeNumberField("bound", row.bound());
    json.writeStringField("boundKind", row.boundKind());
    json.writeObjectField("peak", row.peak());
    JsonLayout.writeFigure(json, "gap", row.gap());
    json.writeStringField("status", row.status().name());
    json.writeNumberField("seconds", row.seconds());
    JsonLayout.writeFigure(json, "firstSeconds", row.firstSeconds());
    JsonLayout.writeFigure(json, "nearSeconds", row.nearSeconds());
    json.writeNumberField("nodes", row.nodes());
    JsonLayout.writeFigure(json, "nodesPerSecond", row.nodesPerSecond());
    json.writeStringField("winner", row.winner());
    json.writeNumberField("peakRssBytes", row.peakMemory());
    json.writeEndObject();
  }
}
