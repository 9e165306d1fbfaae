package stowage.experiment.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stowage.CsvTable;
import stowage.FolderTest;
import stowage.WorkedCases;
import stowage.experiment.run.RunFolder;

/**
 * Every figure of every table of a report, computed again from the rows of {@code results.csv} by
 * SQL, or where SQL does not reach by the definition written out.
 */
class ReportTablesTest {
  private static final double NEAR = 1e-9;

  @TempDir static Path folder;
  private static Path tables;
  private static Connection database;
  private final Set<String> checked = new TreeSet<>();

  @BeforeAll
  static void writeReport() throws Exception {
    RunFolder runs = SyntheticExperiment.write(folder, 3, 20261121);
    Report.write(runs);
    tables = runs.path().resolve("report").resolve("tables");
    database = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement sql = database.createStatement()) {
      sql.execute(
          "CREATE TABLE r AS SELECT *, peak / optimum - 1 AS g, peak / bestBound - 1 AS b FROM"
              + " read_csv('%s')".formatted(runs.path().resolve("results.csv")));
      // Seeds averaged; an instance with a seed that has no plan counts as not planned.
      sql.execute(
          "CREATE TABLE m AS SELECT planner, digest, avg(peak) AS peak FROM r GROUP BY ALL HAVING"
              + " count(peak) = count(*)");
    }
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @Test
  void everyFigureIsComputedAgain() throws Exception {
    for (var query : WorkedCases.all("experiment/report-tables.sql").entrySet()) {
      List<String> words = List.of(query.getKey().split(" "));
      compare(words.get(0), words.subList(1, words.size()), String.join(" ", query.getValue()));
    }
    Set<String> written = new TreeSet<>();
    for (Path file : FolderTest.files(tables, ".csv")) {
      written.add(file.getFileName().toString().replace(".csv", ""));
    }
    assertEquals(written, checked, "a table of the report is not checked");
  }

  @Test
  void signedRanksAreCountedOut() throws Exception {
    List<Double> raw = new ArrayList<>();
    List<Double> corrected = new ArrayList<>();
    for (Map<String, String> row : table("pairs")) {
      double expected = signedRank(differences(row.get("first"), row.get("second")));
      assertEquals(expected, Double.parseDouble(row.get("p")), 1e-9, row.toString());
      raw.add(expected);
      corrected.add(Double.parseDouble(row.get("Holm")));
    }
    for (int k = 0; k < raw.size(); k++) {
      // Holm's, by its definition: over all hypotheses at least as likely to be rejected.
      double expected = 0;
      for (double other : raw) {
        long left = raw.stream().filter(p -> p >= other).count();
        expected = other <= raw.get(k) ? Math.max(expected, Math.min(1, left * other)) : expected;
      }
      assertEquals(expected, corrected.get(k), 1e-9);
    }
  }

  @Test
  void bootstrapIntervalsAreNearTheNormalOnes() throws Exception {
    for (Map<String, String> row : table("gap")) {
      String sql =
          "SELECT avg(g) - 1.96 * stddev_pop(g) / sqrt(count(g)) AS low, avg(g) + 1.96 *"
              + " stddev_pop(g) / sqrt(count(g)) AS high FROM r WHERE planner = '%s'";
      Map<String, String> normal = query(sql.formatted(row.get("planner"))).get(0);
      double low = Double.parseDouble(normal.get("low"));
      double high = Double.parseDouble(normal.get("high"));
      assertEquals(low, Double.parseDouble(row.get("from")), 0.2 * (high - low));
      assertEquals(high, Double.parseDouble(row.get("to")), 0.2 * (high - low));
    }
  }

  @Test
  void theExponentsIntervalComesFromTheResiduals() throws Exception {
    for (Map<String, String> row : table("scaling")) {
      String sql =
          "WITH l AS (SELECT log10(buffers) AS x, log10(seconds) AS y FROM r WHERE peak IS"
              + " NOT NULL AND planner = '%s') SELECT count(*) AS n, sqrt((regr_syy(y, x) -"
              + " regr_sxy(y, x)^2 / regr_sxx(y, x)) / (count(*) - 2) / regr_sxx(y, x)) AS error"
              + " FROM l";
      Map<String, String> line = query(sql.formatted(row.get("planner"))).get(0);
      double error = Double.parseDouble(line.get("error"));
      // Student's t is above the normal's 1.96, and below 2.1 from 18 degrees of freedom on.
      assertTrue(Integer.parseInt(line.get("n")) > 20);
      double half = Double.parseDouble(row.get("±"));
      assertTrue(half > 1.96 * error && half < 2.1 * error, half + " of " + error);
    }
  }

  @Test
  void tablesInAllFormatsHaveTheSameRows() throws Exception {
    String html = Files.readString(tables.resolveSibling("report.html"));
    String markdown = Files.readString(tables.resolveSibling("report.md"));
    assertFalse(html.contains("<tested>"), "markup of a suite's name is not escaped");
    for (String name : List.of("gap", "pairs", "worst", "profile")) {
      String latex = Files.readString(tables.resolve(name + ".tex"));
      long rows = latex.lines().filter(line -> line.endsWith("\\\\")).count() - 1;
      assertEquals(table(name).size(), rows, name);
      assertFalse(latex.lines().anyMatch(line -> line.matches("[^%]*[^\\\\%]%.*")), latex);
      assertTrue(latex.contains("area\\_100\\% \\& more"), latex);
      assertTrue(html.contains("id=\"table-" + name + "\""), name);
    }
    assertTrue(markdown.contains("| area_100% & more |"), markdown);
  }

  /** Holds a table of the report against a query: the same keys, and each column of the query. */
  private void compare(String name, List<String> keys, String sql) throws Exception {
    checked.add(name);
    Map<List<String>, Map<String, String>> expected = new LinkedHashMap<>();
    for (Map<String, String> row : query(sql)) {
      expected.put(keys.stream().map(row::get).toList(), row);
    }
    List<Map<String, String>> rows = table(name);
    assertFalse(rows.isEmpty(), name);
    for (Map<String, String> row : rows) {
      List<String> key = keys.stream().map(row::get).toList();
      assertTrue(expected.containsKey(key), name + " has " + key + ", the rows have not");
      expected
          .get(key)
          .forEach((column, value) -> assertNear(value, row.get(column), name + key + column));
    }
    if (!name.equals("pairs")) {
      assertEquals(expected.size(), rows.size(), name);
    } else {
      // Each pair is once, in the order of the suite; the query has it both ways round and
      // every planner with itself.
      assertEquals(6, rows.size());
    }
  }

  private static void assertNear(String expected, String found, String where) {
    try {
      double number = Double.parseDouble(expected);
      assertEquals(number, Double.parseDouble(found), NEAR * Math.max(1, Math.abs(number)), where);
    } catch (NumberFormatException text) {
      assertEquals(expected, found, where);
    }
  }

  private static List<Map<String, String>> query(String sql) throws SQLException {
    List<Map<String, String>> rows = new ArrayList<>();
    try (Statement statement = database.createStatement();
        ResultSet set = statement.executeQuery(sql)) {
      ResultSetMetaData meta = set.getMetaData();
      while (set.next()) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int c = 1; c <= meta.getColumnCount(); c++) {
          row.put(meta.getColumnLabel(c), set.getString(c));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static List<Map<String, String>> table(String name) throws IOException {
    return CsvTable.rows(tables.resolve(name + ".csv"));
  }

  private static double[] differences(String first, String second) throws SQLException {
    String sql =
        "SELECT ln(x.peak / y.peak) AS d FROM m x JOIN m y USING (digest) WHERE x.planner = '%s'"
            + " AND y.planner = '%s' AND x.peak <> y.peak";
    return query(sql.formatted(first, second)).stream()
        .mapToDouble(row -> Double.parseDouble(row.get("d")))
        .toArray();
  }

  /** The probability by trying all signs: how often is a rank sum as far out as the one seen? */
  private static double signedRank(double[] differences) {
    int n = differences.length;
    assertTrue(n >= 2 && n <= 20, n + " pairs cannot be counted out here");
    double[] sizes = Arrays.stream(differences).map(Math::abs).sorted().toArray();
    double seen = 0;
    for (double difference : differences) {
      seen += difference > 0 ? 1 + Arrays.binarySearch(sizes, difference) : 0;
    }
    double all = n * (n + 1) / 2.0;
    double far = Math.max(seen, all - seen);
    long hits = 0;
    for (int signs = 0; signs < 1 << n; signs++) {
      int sum = 0;
      for (int k = 0; k < n; k++) {
        sum += (signs >> k & 1) * (k + 1);
      }
      hits += sum >= far ? 1 : 0;
    }
    return Math.min(1, 2.0 * hits / (1 << n));
  }
}
