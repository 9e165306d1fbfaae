package stowage.experiment.results;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import stowage.experiment.run.RunRecord;
import stowage.importer.io.AtomicFiles;
import stowage.report.format.Table;

/**
 * The results of an experiment as tables, made from its journal:
 *
 * <pre>
 * results.csv            a row a run
 * csv/trace.csv          a row for each improvement of each run: id, seconds, peak, lowerBound
 * parquet/runs.parquet   the same two tables for analysis elsewhere
 * parquet/trace.parquet
 * store.duckdb           the same two tables, {@code runs} and {@code trace}, for SQL
 * </pre>
 *
 * <p>All of it is rebuilt from the journal each time and moved into place whole, so nothing that
 * stops the program damages it, and none of it is worth a backup. Reports read the journal.
 */
public record ResultStore(Path folder) {
  private static final String TRACE_COLUMNS =
      "{'id': 'VARCHAR', 'seconds': 'DOUBLE', 'peak': 'BIGINT', 'lowerBound': 'BIGINT'}";

  /** The store in an experiment's folder, which need not exist yet. */
  public ResultStore {
    folder = folder.toAbsolutePath().normalize();
  }

  /** The table of runs as CSV. */
  public Path csv() {
    return folder.resolve("results.csv");
  }

  /** The traces as CSV. */
  public Path traceCsv() {
    return folder.resolve("csv").resolve("trace.csv");
  }

  public Path database() {
    return folder.resolve("store.duckdb");
  }

  /** Makes the tables from records; gives the number of rows. */
  public int collect(List<RunRecord> records) throws IOException {
    List<Result> results = Result.of(records);
    Files.createDirectories(traceCsv().getParent());
    Files.createDirectories(folder.resolve("parquet"));
    AtomicFiles.write(csv(), out -> writeRuns(out, results));
    AtomicFiles.write(traceCsv(), out -> writeTraces(out, records));
    ingest();
    return records.size();
  }

  private static void writeRuns(OutputStream out, List<Result> results) throws IOException {
    List<ResultColumns.Column> columns = ResultColumns.all();
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    text.write(
        columns.stream()
            .map(ResultColumns.Column::name)
            .collect(Collectors.joining(",", "", "\n")));
    for (Result row : results) {
      Stream<String> cells = columns.stream().map(column -> cell(column.value().apply(row)));
      text.write(cells.collect(Collectors.joining(",", "", "\n")));
    }
    text.flush();
  }

  private static void writeTraces(OutputStream out, List<RunRecord> records) throws IOException {
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    text.write("id,seconds,peak,lowerBound\n");
    for (RunRecord record : records) {
      for (RunRecord.TracePoint point : record.trace()) {
        String figures = cell(point.peak()) + "," + cell(point.lowerBound());
        text.write(record.run().id() + "," + point.seconds() + "," + figures + "\n");
      }
    }
    text.flush();
  }

  /** A value as RFC 4180 wants it; null is empty. */
  private static String cell(Object value) {
    return value == null ? "" : Table.quoted(value.toString());
  }

  private void ingest() throws IOException {
    Path fresh = folder.resolve(".store.duckdb." + ProcessHandle.current().pid() + ".tmp");
    Files.deleteIfExists(fresh);
    String types =
        ResultColumns.all().stream()
            .map(column -> "'" + column.name() + "': '" + column.type() + "'")
            .collect(Collectors.joining(", ", "{", "}"));
    try {
      try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + fresh);
          Statement sql = connection.createStatement()) {
        sql.execute("CREATE TABLE runs AS SELECT * FROM " + csvOf(csv(), types));
        sql.execute("CREATE TABLE trace AS SELECT * FROM " + csvOf(traceCsv(), TRACE_COLUMNS));
        for (String table : List.of("runs", "trace")) {
          Path parquet = folder.resolve("parquet").resolve(table + ".parquet");
          Path half = folder.resolve("parquet").resolve("." + table + ".tmp");
          sql.execute("COPY " + table + " TO " + quoted(half) + " (FORMAT parquet)");
          Files.move(half, parquet, StandardCopyOption.REPLACE_EXISTING);
        }
      }
      Files.move(fresh, database(), StandardCopyOption.REPLACE_EXISTING);
    } catch (SQLException failure) {
      throw new IOException("the results could not be stored: " + reason(failure), failure);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static String reason(SQLException failure) {
    boolean there = ResultStore.class.getResource("/org/duckdb/DuckDBDriver.class") != null;
    return there ? failure.getMessage() : "this slim archive has no DuckDB; use the full archive";
  }

  private static String csvOf(Path file, String types) {
    return "read_csv("
        + quoted(file)
        + ", header = true, quote = '\"', escape = '\"', nullstr = '', columns = "
        + types
        + ")";
  }

  private static String quoted(Path file) {
    return "'" + file.toString().replace("'", "''") + "'";
  }
}
