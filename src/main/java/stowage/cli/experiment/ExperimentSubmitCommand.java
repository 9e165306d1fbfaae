package stowage.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.experiment.run.Launcher;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.SlurmSubmission;

/** {@code stowage experiment submit}: hands an experiment to a cluster. */
@Command(
    name = "submit",
    description = {
      "Hands the runs of a planned experiment that are not done to Slurm, as job arrays.",
      "Plan it first: stowage experiment plan SUITE --out DIR"
    })
final class ExperimentSubmitCommand extends JsonCommand {

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
      description = "Write the script and print the calls; hand in nothing.")
  boolean dryRun;

  @Override
  public Integer call() throws IOException {
    UsageException.when(
        chunk < 1 || parallel < 0, "--chunk should be 1 or more, --parallel 0 or more");
    SlurmSubmission submission = new SlurmSubmission(new RunFolder(folder), chunk, parallel, extra);
    PrintWriter out = out();
    int tasks = submission.pending().size();
    if (dryRun) {
      submission
          .commands(submission.writeScript(), submission.pending())
          .forEach(words -> out.println(Launcher.line(words)));
      out.flush();
      return ExitCode.OK;
    }
    List<String> jobs;
    try {
      jobs = submission.submit();
    } catch (SlurmSubmission.RefusedException refused) {
      throw new UsageException("--slurm: " + refused.getMessage());
    }
    if (json) {
      ObjectNode answer = new ObjectMapper().createObjectNode();
      jobs.forEach(answer.putArray("jobs")::add);
      out.println(answer.put("tasks", tasks).toPrettyString());
    } else {
      out.println(
          jobs.isEmpty()
              ? "nothing is left to do"
              : tasks + " tasks in job " + String.join(", ", jobs));
    }
    out.flush();
    return ExitCode.OK;
  }
}
