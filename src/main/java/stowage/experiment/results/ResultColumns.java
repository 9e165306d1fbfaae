package stowage.experiment.results;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import stowage.experiment.run.Features;
import stowage.experiment.run.Machine;
import stowage.experiment.run.RunRecord;
import stowage.experiment.suite.GroupTask;

/**
 * The columns of the table of results, in order: one definition for the CSV, the database and
 * Parquet. {@code docs/experiments.md} says what each holds.
 */
final class ResultColumns {
  /** A column: its name in the CSV, type in SQL, and value of a result, null for an empty cell. */
  record Column(String name, String type, Function<Result, Object> value) {}

  private static final String TEXT = "VARCHAR";
  private static final String WHOLE = "BIGINT";
  private static final String REAL = "DOUBLE";
  private static final String FLAG = "BOOLEAN";

  private static final List<String> OWN_VERSIONS = List.of("stowage", "commit", "java");

  private final List<Column> columns = new ArrayList<>();

  private ResultColumns() {
    identity();
    answer();
    times();
    features();
    groups();
    place();
  }

  static List<Column> all() {
    return List.copyOf(new ResultColumns().columns);
  }

  private void add(String name, String type, Function<Result, Object> value) {
    columns.add(new Column(name, type, value));
  }

  private void record(String name, String type, Function<RunRecord, Object> value) {
    add(name, type, row -> value.apply(row.record()));
  }

  private void identity() {
    record("id", TEXT, r -> r.run().id());
    record("suite", TEXT, r -> r.run().suite());
    record("instance", TEXT, r -> r.run().instance().name());
    record("family", TEXT, r -> r.run().instance().family());
    record("origin", TEXT, r -> r.run().instance().origin());
    record("digest", TEXT, r -> r.run().instance().digest());
    record("planner", TEXT, r -> r.run().planner().label());
    record("config", TEXT, r -> r.run().planner().config());
    record("seed", WHOLE, r -> r.run().seed());
    record("repetition", WHOLE, r -> r.run().repetition());
    record("threads", WHOLE, r -> r.run().threads());
    record("limitSeconds", REAL, r -> r.run().limits().seconds());
    record("limitWork", REAL, r -> r.run().limits().work());
    record("limitMemoryMiB", WHOLE, r -> r.run().limits().memoryMiB());
  }

  private void answer() {
    record("outcome", TEXT, r -> r.outcome().text());
    record("message", TEXT, RunRecord::message);
    record("status", TEXT, RunRecord::status);
    record("peak", WHOLE, RunRecord::peak);
    record("lowerBound", WHOLE, RunRecord::lowerBound);
    record("boundKind", TEXT, RunRecord::boundKind);
    record("boundChecked", FLAG, r -> r.lowerBound() == null ? null : r.boundChecked());
    record("gap", REAL, r -> gap(r.peak(), r.lowerBound()));
    record("finder", TEXT, RunRecord::finder);
    add("optimum", WHOLE, row -> row.facts().optimum());
    add("bestPeak", WHOLE, row -> row.facts().bestPeak());
    add("bestBound", WHOLE, row -> row.facts().bestBound());
    add("gapToOptimum", REAL, row -> gap(row.record().peak(), row.facts().optimum()));
    add("gapToBestBound", REAL, row -> gap(row.record().peak(), row.facts().bestBound()));
  }

  private void times() {
    record("seconds", REAL, r -> r.times().solve());
    record("firstSeconds", REAL, r -> r.times().first());
    record("bestSeconds", REAL, r -> r.times().best());
    record("proofSeconds", REAL, r -> r.times().proof());
    record("loadSeconds", REAL, r -> r.times().load());
    record("wallSeconds", REAL, r -> r.times().wall());
    record("nodes", WHOLE, RunRecord::nodes);
    record("conflicts", WHOLE, RunRecord::conflicts);
    record("peakRssBytes", WHOLE, RunRecord::peakRssBytes);
  }

  private void features() {
    feature("buffers", WHOLE, Features::buffers);
    feature("steps", WHOLE, Features::steps);
    feature("extraConflicts", WHOLE, Features::conflicts);
    feature("memories", WHOLE, Features::memories);
    feature("maxLoad", WHOLE, Features::maxLoad);
    feature("meanLoad", REAL, Features::meanLoad);
    feature("slack", REAL, Features::slack);
    feature("largestLiveSet", WHOLE, Features::largestLiveSet);
    feature("meanLiveSet", REAL, Features::meanLiveSet);
    feature("alignment", WHOLE, Features::alignment);
    spread("size", Features::sizes);
    spread("life", Features::lives);
  }

  private void groups() {
    task("chip", GroupTask::chip);
    task("objective", task -> task.objective().label());
    task("precision", task -> task.precision() == null ? null : task.precision().label());
    group("groups", RunRecord.GroupFigures::groups);
    group("opsAlone", RunRecord.GroupFigures::alone);
    group("trafficBytes", RunRecord.GroupFigures::trafficBytes);
    group("cycles", RunRecord.GroupFigures::cycles);
    group("lmemPeak", RunRecord.GroupFigures::lmemPeak);
    group("clashes", RunRecord.GroupFigures::clashes);
    group("operandClashes", RunRecord.GroupFigures::operandClashes);
    group("bankCrossings", RunRecord.GroupFigures::bankCrossings);
    group("provenGroups", RunRecord.GroupFigures::provenGroups);
  }

  private void task(String name, Function<GroupTask, Object> value) {
    record(
        name,
        TEXT,
        r -> r.run().instance().group() == null ? null : value.apply(r.run().instance().group()));
  }

  private void group(String name, Function<RunRecord.GroupFigures, Object> value) {
    record(name, WHOLE, r -> r.group() == null ? null : value.apply(r.group()));
  }

  private void feature(String name, String type, Function<Features, Object> value) {
    add(
        name,
        type,
        row -> row.facts().features() == null ? null : value.apply(row.facts().features()));
  }

  private void spread(String name, Function<Features, Features.Spread> of) {
    feature(name + "Least", REAL, features -> of.apply(features).least());
    feature(name + "Median", REAL, features -> of.apply(features).median());
    feature(name + "Mean", REAL, features -> of.apply(features).mean());
    feature(name + "Most", REAL, features -> of.apply(features).most());
    feature(name + "Variation", REAL, features -> of.apply(features).variation());
  }

  private void place() {
    machine("host", TEXT, Machine::host);
    machine("system", TEXT, Machine::system);
    machine("processor", TEXT, Machine::processor);
    machine("cores", WHOLE, Machine::cores);
    machine("memoryBytes", WHOLE, Machine::memoryBytes);
    for (String name : OWN_VERSIONS) {
      record(name.equals("commit") ? name : name + "Version", TEXT, r -> r.versions().get(name));
    }
    record("engineVersions", TEXT, ResultColumns::engines);
  }

  private void machine(String name, String type, Function<Machine, Object> value) {
    record(name, type, r -> value.apply(r.machine()));
  }

  private static String engines(RunRecord record) {
    String engines =
        record.versions().entrySet().stream()
            .filter(version -> !OWN_VERSIONS.contains(version.getKey()))
            .map(version -> version.getKey() + "=" + version.getValue())
            .collect(Collectors.joining(" "));
    return engines.isEmpty() ? null : engines;
  }

  /** (peak - bound) / bound; null where either is missing or the bound is 0 and not met. */
  private static Double gap(Long peak, Long bound) {
    if (peak == null || bound == null || (bound == 0 && peak != 0)) {
      return null;
    }
    return peak.equals(bound) ? 0.0 : (double) (peak - bound) / bound;
  }
}
