package stowage.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.experiment.run.Launcher;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.Runner;

/** {@code stowage experiment run}: runs a suite on this machine. */
@Command(
    name = "run",
    description = {
      "Runs a suite on this machine, each run in a worker process of its own.",
      "It may be stopped at any moment, even by kill -9, and resumed with --resume."
    })
final class ExperimentRunCommand extends BaseCommand {
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
    Runner.Summary summary = Runner.runAll(folder, options);
    UsageException.when(
        summary == null, "another process is running the experiment in " + folder.path());
    int code = runner.print(spec, summary);
    if (!runner.json && code == ExitCode.OK) {
      print(
          "Next: "
              + Launcher.line(List.of("stowage", "experiment", "report", out.toString()))
              + "\n");
    }
    return code;
  }
}
