package stowage.cli.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import stowage.exact.engine.EngineReport;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.Score;
import stowage.report.EngineFacts;

/** What each engine of a run found and proved, from its reports and the run's trace. */
final class EngineWork {
  private EngineWork() {}

  /** One entry an engine, in the order in which they first ended. O(reports * events). */
  static List<EngineFacts> of(List<EngineReport> reports, List<Incumbent.Event> trace) {
    Map<String, EngineFacts> facts = new LinkedHashMap<>();
    for (EngineReport report : reports) {
      facts.merge(report.engine(), of(report, trace), EngineWork::together);
    }
    return new ArrayList<>(facts.values());
  }

  private static EngineFacts of(EngineReport report, List<Incumbent.Event> trace) {
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
    return new EngineFacts(
        report.engine(),
        report.version(),
        report.seconds(),
        found,
        proved,
        report.statistics().getOrDefault("branches", nodes),
        report.statistics().getOrDefault("conflicts", 0L),
        report.bound());
  }

  private static EngineFacts together(EngineFacts one, EngineFacts other) {
    return new EngineFacts(
        one.name(),
        one.version(),
        one.seconds() + other.seconds(),
        one.found(),
        one.proved(),
        one.branches() + other.branches(),
        one.conflicts() + other.conflicts(),
        Math.max(one.bound(), other.bound()));
  }
}
