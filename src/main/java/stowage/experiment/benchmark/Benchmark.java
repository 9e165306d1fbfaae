package stowage.experiment.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.packing.Bound;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.report.PeakMemory;
import stowage.report.compare.BenchmarkReport;

/**
 * Timed runs of the portfolio on one instance after the other in this process. The first runs pay
 * for a cold virtual machine, as a user's do; so name no figure of one run alone.
 */
public final class Benchmark {
  private Benchmark() {}

  /** Runs a set, each run under limits of its own; {@code heard} gets each row as it comes. */
  public static BenchmarkReport run(
      BenchmarkSet set,
      List<BenchmarkSet.BenchmarkInstance> instances,
      Supplier<RunControl> control,
      Consumer<BenchmarkReport.Row> heard) {
    List<BenchmarkReport.Row> rows = new ArrayList<>();
    for (BenchmarkSet.BenchmarkInstance instance : instances) {
      BenchmarkReport.Row row = row(instance, control);
      rows.add(row);
      heard.accept(row);
    }
    return new BenchmarkReport(set.word(), machine(), set == BenchmarkSet.SCALE, rows);
  }

  private static String machine() {
    return "%s cores, Java %s, %s %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            Runtime.version().feature(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"));
  }

  private static BenchmarkReport.Row row(
      BenchmarkSet.BenchmarkInstance instance, Supplier<RunControl> limits) {
    PackingProblem problem = instance.problem().get();
    RunControl control = limits.get();
    Incumbent incumbent = new Incumbent(problem);
    EngineOptions options = EngineOptions.defaults().withFirstFit(instance.capacity() != null);
    List<EngineReport> reports = Portfolio.run(incumbent, control, options);
    double seconds = incumbent.seconds();
    long nodes =
        reports.stream().mapToLong(report -> report.statistics().getOrDefault("nodes", 0L)).sum();
    Bound bound = incumbent.bound(0);
    long proven = bound == null ? 0 : bound.value();
    boolean planned = incumbent.score() != null;
    return new BenchmarkReport.Row(
        instance.name(),
        problem.size(),
        instance.capacity(),
        proven,
        bound == null ? "" : bound.kind(),
        planned ? incumbent.score().figure(0) : null,
        incumbent.status(),
        seconds,
        secondsUntil(incumbent, Double.POSITIVE_INFINITY),
        secondsUntil(incumbent, proven * (1 + BenchmarkReport.NEAR)),
        nodes,
        planned ? incumbent.finder() : "",
        PeakMemory.bytes());
  }

  /** When the first placement came whose peak is not above a height; NaN if none did. */
  private static double secondsUntil(Incumbent incumbent, double height) {
    return incumbent.trace().stream()
        .filter(event -> event.score() != null && event.score().figure(0) <= height)
        .mapToDouble(Incumbent.Event::seconds)
        .findFirst()
        .orElse(Double.NaN);
  }
}
