package stowage.cli.experiment;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.experiment.run.Runner;
import stowage.report.format.Terminal;

/** How runs are done, and how it is given. */
final class RunnerOptions {
  @Option(
      names = "--processes",
      paramLabel = "N",
      description =
          "Workers side by side (default: ${DEFAULT-VALUE}). Times are only comparable when each"
              + " worker's threads have cores of their own.")
  int processes = 1;

  @Option(
      names = "--retry-failed",
      description = "Do runs again whose planner or worker failed before.")
  boolean retryFailed;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no progress.")
  boolean quiet;

  Runner.Options options() {
    UsageException.when(processes < 1, "--processes " + processes + " should be 1 or more");
    return new Runner.Options(
        processes, retryFailed, quiet ? null : System.err, Terminal.isErrorStream());
  }

  int print(CommandSpec spec, Runner.Summary summary) {
    PrintWriter out = spec.commandLine().getOut();
    String answer =
        json
            ? "{\"runs\": %1$d, \"done\": %2$d, \"ran\": %3$d, \"failed\": %4$d, \"seconds\":"
                + " %5$.3f}%n"
            : "%2$d of %1$d runs done (%3$d new) in %5$.1f s; %4$d failed%n";
    int done = summary.done();
    Object[] figures = {summary.runs(), done, summary.ran(), summary.failed(), summary.seconds()};
    out.printf(Locale.ROOT, answer, figures);
    out.flush();
    return summary.done() == summary.runs() ? ExitCode.OK : ExitCode.NO_PLAN;
  }
}
