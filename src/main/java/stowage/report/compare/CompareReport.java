package stowage.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import stowage.packing.ByteText;
import stowage.packing.Status;
import stowage.report.RunReport;
import stowage.report.format.NameText;
import stowage.report.format.Table;
import stowage.report.format.Table.Cell;
import stowage.report.plan.PlanJson;
import stowage.text.JsonWriter;

/**
 * Several planners on one problem, each with its distance from what is proven, as a table, JSON,
 * CSV, Markdown and (by {@link CompareSvg}) a picture. Rows are from the lowest peak to the
 * highest; those without a plan come last with their reason.
 *
 * @param lowerBound no plan of the problem has a lower peak, in bytes
 * @param boundKind why, such as {@code max-load}
 * @param best the lowest peak known, in bytes; null when there is no plan
 * @param objects the least total of whole objects; null when no planner here reuses such
 */
public record CompareReport(
    String problem, long lowerBound, String boundKind, Long best, Objects objects, List<Row> rows) {

  /** Columns that {@link #brief} shows when asked to, and their headings. */
  public static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("kind", "kind");
    COLUMNS.put("forced", "forced by design");
    COLUMNS.put("avoidable", "avoidable");
    COLUMNS.put("design-bound", "design bound");
    COLUMNS.put("objects-bound", "bound of objects");
    COLUMNS.put("remark", "remark");
  }

  /**
   * The least total of objects that are reused whole, in bytes: the lowest known, the lower bound,
   * and why that holds, such as {@code object-levels}.
   */
  public record Objects(long best, long lowerBound, String boundKind) {
    public boolean isProven() {
      return best == lowerBound;
    }
  }

  public CompareReport {
    Comparator<Long> lowest = Comparator.nullsLast(Comparator.naturalOrder());
    rows = rows.stream().sorted(Comparator.comparing(Row::peak, lowest)).toList();
  }

  /** How a planner accounts for memory. */
  public enum Kind {
    ARENA("offsets in one arena"),
    OBJECTS("whole objects reused"),
    EXACT("exact");

    private final String meaning;

    Kind(String meaning) {
      this.meaning = meaning;
    }

    String meaning() {
      return meaning;
    }

    /** The word in reports. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One planner's answer.
   *
   * @param kind how it accounts for memory
   * @param peak the peak of its verified plan in bytes; null without one
   * @param seconds time taken
   * @param reason why there is no plan, or a remark; empty when there is nothing to say
   * @param rulesBound the lowest peak that the planner's own rules admit, as far as proven; null
   *     when not known
   * @param objectsBound the least total of objects as far as proven, for planners whose objects
   *     hold one buffer at a time; null otherwise
   * @param rules what the planner's rules ask beyond the problem, in a few words; empty for nothing
   */
  public record Row(
      String planner,
      Kind kind,
      Long peak,
      double seconds,
      String reason,
      Long rulesBound,
      Long objectsBound,
      String rules) {

    /** A planner that gave a plan. */
    public static Row placed(String planner, Kind kind, long peak, double seconds) {
      return new Row(planner, kind, peak, seconds, "", null, null, "");
    }

    /** A planner that gave none. */
    public static Row without(String planner, Kind kind, double seconds, String reason) {
      return new Row(planner, kind, null, seconds, reason, null, null, "");
    }

    /** The same row with a remark on how it came about. */
    public Row withRemark(String remark) {
      return new Row(planner, kind, peak, seconds, remark, rulesBound, objectsBound, rules);
    }

    /** The same row with what its rules, and objects, admit at best. */
    public Row withBounds(Long underItsRules, Long ofObjects) {
      return new Row(planner, kind, peak, seconds, reason, underItsRules, ofObjects, rules);
    }

    /** The same row with its rules in words. */
    public Row withRules(String words) {
      return new Row(planner, kind, peak, seconds, reason, rulesBound, objectsBound, words);
    }

    /** (peak - rulesBound) / rulesBound: what of the waste is the planner's own; NaN if unknown. */
    public double rulesGap() {
      return peak == null || rulesBound == null ? Double.NaN : RunReport.gap(peak, rulesBound);
    }
  }

  /** (peak - lowerBound) / lowerBound; NaN without a plan. */
  public double gap(Row row) {
    return row.peak() == null ? Double.NaN : RunReport.gap(row.peak(), lowerBound);
  }

  /**
   * (rulesBound - lowerBound) / lowerBound: the part of the gap that the planner's rules force; NaN
   * where it is not known. The rest of the gap is the planner's own.
   */
  public double rulesCost(Row row) {
    return row.peak() == null || row.rulesBound() == null
        ? Double.NaN
        : RunReport.gap(row.rulesBound(), lowerBound);
  }

  /** What is known of one planner's plan: OPTIMAL when no plan is lower. */
  public Status status(Row row) {
    return status(row.peak());
  }

  /** What is known of the problem: OPTIMAL when the best plan meets the bound. */
  public Status status() {
    return status(best);
  }

  private Status status(Long peak) {
    return peak == null ? Status.UNKNOWN : peak == lowerBound ? Status.OPTIMAL : Status.FEASIBLE;
  }

  private String headline() {
    String bound = ByteText.both(lowerBound);
    String found = ", best " + (best == null ? "none" : ByteText.both(best));
    String proven =
        status() == Status.OPTIMAL ? "proven optimum " + bound : "bound " + bound + found;
    return "%s: %s (%s)\n".formatted(NameText.plain(problem), proven, boundKind);
  }

  /** The table for Markdown and CSV, sizes in bytes, gaps as shares; missing ones are empty. */
  public Table table() {
    boolean rules = rows.stream().anyMatch(row -> row.rulesBound() != null);
    boolean objectBounds = rows.stream().anyMatch(row -> row.objectsBound() != null);
    Table table = new Table().texts("planner", "kind").column(null, "status", false);
    table.figures("peak", "gap");
    table.column(rules ? "forced by design" : null, null, true);
    table.column(rules ? "avoidable" : null, null, true);
    table.column(rules ? "design bound" : null, "rules_bound", true);
    table.column(null, "rules_gap", true).column(null, "rules_cost", true);
    table.column(objectBounds ? "bound of objects" : null, "objects_bound", true);
    table.column("time", "seconds", true);
    table.column("remark", null, false);
    table.column(null, "rules", false).column(null, "reason", false);
    for (Row row : rows) {
      table.cells(row.planner(), row.kind().word(), status(row), Cell.bytes(row.peak()));
      table.cells(share(gap(row)), share(rulesCost(row)), share(gap(row) - rulesCost(row)));
      table.cells(Cell.bytes(row.rulesBound()), share(row.rulesGap()), share(rulesCost(row)));
      table.cells(Cell.bytes(row.objectsBound()), Cell.time(row.seconds()));
      table.cells(remark(row), row.rules(), row.reason());
    }
    return table;
  }

  /**
   * The rows of real systems, each by its best planner, of the user's own planners and of what is
   * exact, or all: a table that fits a terminal of 100 columns, with more of the {@link #COLUMNS},
   * and the best of the systems in its last line.
   */
  public String brief(Set<String> systems, Set<String> own, List<String> columns, boolean all) {
    List<Row> shown = new ArrayList<>();
    Map<String, Integer> variants = new LinkedHashMap<>();
    for (Row row : rows) {
      boolean first = variants.merge(system(row.planner()), 1, Integer::sum) == 1;
      boolean ofSystem = systems.contains(row.planner());
      boolean asked = all || row.kind() == Kind.EXACT || own.contains(row.planner());
      if (asked || (ofSystem && first && row.peak() != null)) {
        shown.add(row);
      }
    }
    Table table = new Table().texts("planner");
    table.figures("peak", above(), "time");
    COLUMNS.forEach(
        (name, heading) ->
            table.column(
                columns.contains(name) ? heading : null,
                null,
                !name.equals("remark") && !name.equals("kind")));
    for (Row row : shown) {
      table.cells(row.planner(), Cell.bytes(row.peak()), share(gap(row)));
      table.cells(ByteText.seconds(row.seconds()), row.kind().word(), share(rulesCost(row)));
      table.cells(share(gap(row) - rulesCost(row)), Cell.bytes(row.rulesBound()));
      table.cells(Cell.bytes(row.objectsBound()), remark(row));
    }
    return headline() + table.text("  ") + hidden(shown) + bestSystem(systems);
  }

  private String above() {
    return status() == Status.OPTIMAL ? "above the optimum" : "above the bound";
  }

  private String hidden(List<Row> shown) {
    List<Row> left = rows.stream().filter(row -> !shown.contains(row)).toList();
    long without = left.stream().filter(row -> row.peak() == null).count();
    String why = without == 0 ? "" : ", " + without + " of them without a plan";
    String all = ": --all" + (without == 0 ? "\n" : " --columns remark\n");
    String more = "  and " + left.size() + " more planners and variants" + why + all;
    return left.isEmpty() ? "" : more;
  }

  private String bestSystem(Set<String> systems) {
    List<Row> placed =
        rows.stream().filter(r -> r.peak() != null && systems.contains(r.planner())).toList();
    if (placed.isEmpty()) {
      return "";
    }
    Row best = placed.get(0);
    boolean met = best.peak() == lowerBound;
    String gap = met ? "optimal" : ByteText.percent(gap(best)) + " " + above();
    Stream<Row> equal = placed.stream().filter(row -> row.peak().equals(best.peak()));
    long others = equal.map(row -> system(row.planner())).distinct().count() - 1;
    String more = others == 0 ? "" : " and " + ByteText.count(others, "other");
    String word = others == 0 ? "best system: " : "best systems: ";
    return word + best.planner() + more + ", " + gap + "\n";
  }

  /** The system of a planner's name: its first word. */
  private static String system(String planner) {
    int end = planner.indexOf('-');
    return end < 0 ? planner : planner.substring(0, end);
  }

  private String remark(Row row) {
    if (!row.reason().isEmpty()) {
      return row.reason();
    }
    return status(row) == Status.OPTIMAL ? "optimal" : row.rules();
  }

  private static Cell share(double gap) {
    String value = Double.isFinite(gap) ? String.format(Locale.ROOT, "%.6f", gap) : "";
    return new Cell(ByteText.percent(gap), value);
  }

  /** The whole as one JSON object; see {@code docs/answer-format.md}. */
  public String json() {
    return JsonWriter.text(
        json -> {
          json.object().put("schemaVersion", PlanJson.SCHEMA_VERSION).put("problem", problem);
          json.put("lowerBound", lowerBound).put("boundKind", boundKind);
          json.value("best", best);
          json.put("status", status().name());
          if (objects != null) {
            json.object("objects");
            json.put("best", objects.best());
            json.put("lowerBound", objects.lowerBound()).put("boundKind", objects.boundKind());
            json.put("status", (objects.isProven() ? Status.OPTIMAL : Status.FEASIBLE).name());
            json.end();
          }
          json.array("rows", rows, row -> writeRow(json, row)).end();
        });
  }

  private void writeRow(JsonWriter json, Row row) {
    json.object().put("planner", row.planner()).put("kind", row.kind().word());
    json.put("status", status(row).name());
    json.value("peak", row.peak()).figure("gap", gap(row)).put("seconds", row.seconds());
    json.put("reason", row.reason().isEmpty() ? null : row.reason());
    json.value("rulesBound", row.rulesBound())
        .figure("rulesGap", row.rulesGap())
        .figure("rulesCost", rulesCost(row));
    json.value("objectsBound", row.objectsBound())
        .put("rules", row.rules().isEmpty() ? null : row.rules())
        .end();
  }
}
