package stowage.cli.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Seconds;
import stowage.cli.terminal.UsageException;
import stowage.experiment.benchmark.Benchmark;
import stowage.experiment.benchmark.BenchmarkHistory;
import stowage.experiment.benchmark.BenchmarkSet;
import stowage.importer.io.InputException;
import stowage.packing.ByteText;
import stowage.packing.RunControl;
import stowage.report.compare.BenchmarkReport;
import stowage.report.format.Terminal;

/** {@code stowage bench}: the benchmark that anyone can run. */
@Command(
    name = "bench",
    description = {
      "Measures Stowage on a set of instances: exact, full, large, scale or groups.",
      "exact - instances small enough to hope for a proof by search;",
      "full - 100 to 400 buffers that fill their capacity at most steps;",
      "large - a thousand buffers and more;",
      "scale - 10,000, 100,000 and 1,000,000 buffers: growth of time and memory;",
      "groups - every way of dividing networks into layer groups."
    },
    subcommands = BenchGroupsCommand.class,
    hidden = true)
public final class BenchCommand extends BaseCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "exact|full|large|scale",
      description = "Which set to run.")
  BenchmarkSet set;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Add the public instances below this folder (CSV): small ones to exact, others to large;"
              + " docs/benchmarks.md says where to get them.")
  Path data;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Run only the instances whose name has a match.")
  String only;

  @Option(
      names = "--time-limit",
      paramLabel = "TIME",
      converter = Seconds.class,
      description =
          "Of each run, such as 10s (default: 10s for exact, 30s for large, 60s for full and"
              + " scale).")
  Double timeLimit;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = {
        "Add the figures to this file, and say what got slower or worse than in the last five runs"
            + " of the same kind there (default: ${DEFAULT-VALUE} in the current folder; \"-\" for"
            + " none)."
      },
      defaultValue = "bench-history.jsonl")
  String history;

  @Mixin BenchOptions options;

  @Override
  public Integer call() {
    UsageException.when(set == null, "bench needs a set: exact, full, large, scale or groups");
    double seconds = timeLimit == null ? set.standardSeconds() : timeLimit;
    Supplier<RunControl> controls = options.controls(seconds);
    UsageException.when(
        data != null && !Files.isDirectory(data), "--data " + data + " should be a folder");
    List<BenchmarkSet.BenchmarkInstance> chosen = chosen();
    UsageException.when(
        chosen.isEmpty(), "--only " + only + " matches no instance of the set " + set.word());
    BenchmarkReport report = kept(Benchmark.run(set, chosen, controls, this::progress), seconds);
    print(options.json ? report.json() : options.markdown ? report.markdown() : report.text());
    return ExitCode.OK;
  }

  private BenchmarkReport kept(BenchmarkReport report, double seconds) {
    if (history.equals("-")) {
      return report;
    }
    try {
      return new BenchmarkHistory(Path.of(history))
          .add(report, seconds, options.threads, options.seed);
    } catch (IOException | InputException failure) {
      say("--history: " + failure.getMessage());
      return report; // the figures are worth more than their comparison
    }
  }

  private List<BenchmarkSet.BenchmarkInstance> chosen() {
    Path home = Path.of(System.getProperty("stowage.home", ""));
    List<BenchmarkSet.BenchmarkInstance> all =
        set.instances(home.resolve("models").resolve("packing"), data);
    Predicate<String> named = BenchOptions.matching(only);
    return all.stream().filter(one -> named.test(one.name())).toList();
  }

  private void progress(BenchmarkReport.Row row) {
    if (Terminal.isErrorStream()) {
      String gap =
          row.peak() == null ? "no plan" : ByteText.percent(row.gap()) + " above the bound";
      String time = ByteText.seconds(row.seconds());
      System.err.println(row.instance() + ": " + row.status() + ", " + gap + " after " + time);
    }
  }
}
