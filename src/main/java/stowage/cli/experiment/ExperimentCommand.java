package stowage.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.experiment.analysis.Report;
import stowage.experiment.results.ResultStore;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.RunRecord;
import stowage.experiment.run.Runner;
import stowage.experiment.run.SlurmSubmission;
import stowage.experiment.suite.ExperimentJson;
import stowage.packing.ByteText;
import stowage.report.format.Terminal;
import stowage.text.ShellText;

/** {@code stowage experiment}: suites of runs, on one machine or a cluster, and what they show. */
@Command(
    name = "experiment",
    description = "Runs instances x planners x seeds, and makes tables and plots of the answers.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ExperimentCommand.Plan.class,
      ExperimentCommand.Run.class,
      ExperimentCommand.Status.class,
      ExperimentCommand.Chunk.class,
      ExperimentCommand.Collect.class,
      ExperimentCommand.Reports.class,
      ExperimentCommand.Submit.class,
    })
public final class ExperimentCommand {
  /** {@code stowage experiment plan}: the runs of a suite, one line each. */
  @Command(
      name = "plan",
      description = "Writes the manifest of a suite, one line per run, and runs nothing.")
  static final class Plan extends BaseCommand {
    @Mixin SuiteOptions suite;

    @Option(
        names = {"--out", "-o"},
        paramLabel = "DIR",
        description = "Write it into this folder, to be run there; default: on stdout.")
    Path out;

    @Option(names = "--resume", description = "Go on with a folder that holds runs already.")
    boolean resume;

    @Option(
        names = "--json",
        description = "Print one JSON object on stdout, or without --out an array of the runs.")
    boolean json;

    @Override
    public Integer call() throws IOException {
      if (out == null) {
        String lines = ExperimentJson.text(suite.read().runs());
        print(json ? "[" + lines.strip().replace("\n", ",\n") + "]\n" : lines);
        return ExitCode.OK;
      }
      RunFolder folder = suite.plan(out, resume, 1);
      int runs = folder.planned().size();
      ObjectNode answer = new ObjectMapper().createObjectNode().put("runs", runs);
      answer.put("manifest", folder.manifest().toString());
      String text = runs + " runs in " + folder.manifest() + "\nNext: " + folder.next();
      printLines(json ? answer.toPrettyString() : text);
      return ExitCode.OK;
    }
  }

  /** {@code stowage experiment run}: runs a suite on this machine. */
  @Command(
      name = "run",
      description = {
        "Runs a suite on this machine, each run in a worker process of its own.",
        "It may be stopped at any moment, even by kill -9, and resumed with --resume."
      })
  static final class Run extends BaseCommand {
    @Mixin SuiteOptions suite;
    @Mixin RunnerOptions runner;

    @Option(
        names = {"--out", "-o"},
        paramLabel = "DIR",
        required = true,
        description = "Where answers go.")
    Path out;

    @Option(
        names = "--resume",
        description = "Resume the experiment in the folder; skip finished runs.")
    boolean resume;

    @Override
    public Integer call() throws IOException {
      Runner.Options options = runner.options();
      RunFolder folder = suite.plan(out, resume, runner.processes);
      Runner work = new Runner(folder, options);
      Interruption interruption = Interruption.install(work::stop, () -> false);
      Runner.Summary summary = work.runAll();
      UsageException.when(
          summary == null, "another process is running the experiment in " + folder.path());
      int code = runner.print(spec, summary);
      if (interruption.happened()) {
        say(
            "interrupted; %d of %d runs are done and kept in %s; the same command with --resume"
                    .formatted(summary.done(), summary.runs(), folder.path())
                + " does the others");
      } else if (!runner.json && code == ExitCode.OK) {
        printLines("Next: stowage experiment report " + ShellText.quoted(out.toString()));
      }
      return interruption.finished(code);
    }
  }

  /** {@code stowage experiment status}: how far an experiment has come. */
  @Command(
      name = "status",
      description = "Tells how many runs of an experiment are done, and how they ended.")
  static final class Status extends BaseCommand {
    @Mixin Folder folder;

    @Override
    public Integer call() throws IOException {
      RunFolder runs = folder.runs();
      int planned = runs.planned().size();
      Map<String, Integer> outcomes = new TreeMap<>();
      Map<String, Integer> statuses = new TreeMap<>();
      int done = 0;
      int failed = 0;
      for (RunRecord record : runs.records()) {
        done++;
        failed += record.outcome().isFailure() ? 1 : 0;
        outcomes.merge(record.outcome().text(), 1, Integer::sum);
        statuses.merge(record.status(), 1, Integer::sum);
      }
      ObjectNode answer = new ObjectMapper().createObjectNode();
      answer.put("runs", planned).put("done", done).put("failed", failed);
      outcomes.forEach(answer.putObject("outcomes")::put);
      statuses.forEach(answer.putObject("statuses")::put);
      List<String> lines = new ArrayList<>();
      lines.add(done + " of " + planned + " runs done, " + failed + " failed");
      outcomes.forEach((outcome, count) -> lines.add("  " + outcome + "  " + count));
      statuses.forEach((status, count) -> lines.add("  " + status + "  " + count));
      lines.add(
          done < planned
              ? "To do the rest: " + runs.next() + ", or stowage experiment submit"
              : "Next: stowage experiment report " + ShellText.quoted(folder.path.toString()));
      folder.print(spec, answer, String.join(System.lineSeparator(), lines));
      return ExitCode.OK;
    }
  }

  /** {@code stowage experiment chunk}: does a part of a manifest, for jobs of a cluster. */
  @Command(
      name = "chunk",
      description = {
        "Does the runs INDEX x SIZE to (INDEX + 1) x SIZE of a folder's manifest, without those"
            + " that are done.",
        "Jobs of a cluster and GNU parallel call it; they may run side by side on several machines."
      })
  static final class Chunk extends BaseCommand {
    @Mixin RunnerOptions runner;

    @Parameters(index = "0", paramLabel = "DIR", description = "The experiment's folder.")
    Path folder;

    @Parameters(index = "1", paramLabel = "INDEX", description = "The part, 0 for the first.")
    int index;

    @Parameters(index = "2", paramLabel = "SIZE", description = "Runs of a part.")
    int size;

    @Override
    public Integer call() throws IOException {
      UsageException.whenBelow(0, "INDEX", index);
      UsageException.whenBelow(1, "SIZE", size);
      RunFolder runs = new RunFolder(folder);
      int planned = runs.planned().size();
      int chunks = (int) (((long) planned + size - 1) / size);
      UsageException.when(
          index >= chunks,
          "INDEX %s should be below %s: the %s runs of %s make %s of %s"
              .formatted(
                  index, chunks, planned, runs.path(), ByteText.count(chunks, "part"), size));
      Runner work = new Runner(runs, runner.options());
      Interruption interruption = Interruption.install(work::stop, () -> false);
      return interruption.finished(runner.print(spec, work.runChunk(index, size)));
    }
  }

  /** {@code stowage experiment collect}: one table of all runs. */
  @Command(
      name = "collect",
      description =
          "Gathers all answers into DIR/results.csv, Parquet files and a DuckDB database.")
  static final class Collect extends BaseCommand {
    @Mixin Folder folder;

    @Override
    public Integer call() throws IOException {
      ResultStore store = new ResultStore(folder.path);
      int rows = store.collect(folder.runs().records());
      ObjectNode answer = new ObjectMapper().createObjectNode().put("rows", rows);
      answer.put("csv", store.csv().toString());
      folder.print(spec, answer, rows + " rows in " + store.csv());
      return ExitCode.OK;
    }
  }

  /** {@code stowage experiment report}: tables and plots of an experiment. */
  @Command(
      name = "report",
      description =
          "Writes tables and plots into DIR/report: one page in HTML, Markdown, LaTeX tables, SVG.")
  static final class Reports extends BaseCommand {
    @Mixin Folder folder;

    @Override
    public Integer call() throws IOException {
      String page = Report.write(folder.runs()).toString();
      folder.print(spec, new ObjectMapper().createObjectNode().put("report", page), page);
      return ExitCode.OK;
    }
  }

  /** {@code stowage experiment submit}: hands an experiment to a cluster. */
  @Command(
      name = "submit",
      description = {
        "Submits the runs of a planned experiment that are not done to Slurm, as job arrays.",
        "Plan it first: stowage experiment plan SUITE --out DIR"
      })
  static final class Submit extends JsonCommand {
    @Parameters(
        paramLabel = "DIR",
        description = "The experiment's folder, on a file system that the nodes share.")
    Path folder;

    @Option(names = "--slurm", required = true, description = "By Slurm's sbatch.")
    boolean slurm;

    @Option(
        names = "--chunk",
        paramLabel = "N",
        description = "Runs of one task of an array (default: ${DEFAULT-VALUE}).")
    int chunk = 10;

    @Option(
        names = "--parallel",
        paramLabel = "N",
        description = "Tasks side by side at most (default: as many as the cluster gives).")
    int parallel;

    @Option(
        names = "--sbatch",
        paramLabel = "OPTION",
        description = "One more option for sbatch, such as --partition=long; may be repeated.")
    List<String> extra = List.of();

    @Option(
        names = "--dry-run",
        description = "Write the script and print the calls; submit nothing.")
    boolean dryRun;

    @Override
    public Integer call() throws IOException {
      UsageException.when(
          chunk < 1 || parallel < 0, "--chunk should be 1 or more, --parallel 0 or more");
      SlurmSubmission submission =
          new SlurmSubmission(new RunFolder(folder), chunk, parallel, extra);
      int tasks = submission.pending().size();
      if (dryRun) {
        submission
            .commands(submission.writeScript(), submission.pending())
            .forEach(words -> printLines(ShellText.line(words)));
        return ExitCode.OK;
      }
      List<String> jobs = submission.submit();
      ObjectNode answer = new ObjectMapper().createObjectNode();
      jobs.forEach(answer.putArray("jobs")::add);
      answer.put("tasks", tasks);
      String text = tasks + " tasks in job " + String.join(", ", jobs);
      String said = jobs.isEmpty() ? "nothing is left to do" : text;
      printLines(json ? answer.toPrettyString() : said);
      return ExitCode.OK;
    }
  }

  /** The experiment that a command describes, and how it does. */
  static final class Folder {
    @Parameters(paramLabel = "DIR", description = "The experiment's folder.")
    Path path;

    @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
    boolean json;

    RunFolder runs() {
      return new RunFolder(path);
    }

    void print(CommandSpec spec, ObjectNode answer, String text) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(json ? answer.toPrettyString() : text);
      out.flush();
    }
  }

  /** How runs are done, and how it is given. */
  static final class RunnerOptions {
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
      UsageException.whenBelow(1, "--processes", processes);
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
}
