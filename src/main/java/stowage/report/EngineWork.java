package stowage.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.exact.engine.EngineReport;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.Score;

/**
 * What a complete engine did in a run.
 *
 * @param version the solver behind it and its version
 * @param seconds how long it ran, by the clock; one that came twice counts together
 * @param found the first figure of the last plan that was the best when it found it; null for none
 * @param proved the last bound of the first figure that was the best when proved; null for none
 * @param bound the bound it answers for, in bytes
 */
public record EngineWork(
    String name,
    String version,
    double seconds,
    Long found,
    Long proved,
    long branches,
    long conflicts,
    long bound) {

  /** One entry an engine, in the order in which they first ended. O(reports * events). */
  static List<EngineWork> of(List<EngineReport> reports, List<Incumbent.Event> trace) {
    Map<String, EngineWork> work = new LinkedHashMap<>();
    reports.forEach(report -> work.merge(report.engine(), of(report, trace), EngineWork::plus));
    return new ArrayList<>(work.values());
  }

  private static EngineWork of(EngineReport report, List<Incumbent.Event> trace) {
    Long found = null;
    Long proved = null;
    Score best = null;
    long highest = 0;
    for (Incumbent.Event event : trace) {
      Bound bound = event.bounds()[0];
      boolean own = event.who().equals(report.engine());
      if (own && event.score() != null && event.score() != best) {
        found = event.score().figure(0);
      }
      if (own && bound != null && bound.value() > highest) {
        proved = bound.value();
      }
      best = event.score();
      highest = bound == null ? highest : Math.max(highest, bound.value());
    }
    long nodes = report.statistics().getOrDefault("nodes", 0L);
    long branches = report.statistics().getOrDefault("branches", nodes);
    long conflicts = report.statistics().getOrDefault("conflicts", 0L);
    String name = report.engine();
    String version = report.version();
    double seconds = report.seconds();
    return new EngineWork(
        name, version, seconds, found, proved, branches, conflicts, report.bound());
  }

  private EngineWork plus(EngineWork other) {
    double both = seconds + other.seconds;
    long nodes = branches + other.branches;
    long failures = conflicts + other.conflicts;
    long best = Math.max(bound, other.bound);
    return new EngineWork(name, version, both, found, proved, nodes, failures, best);
  }
}
