package stowage.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.experiment.run.RunFolder;
import stowage.experiment.suite.Manifest;

/** {@code stowage experiment plan}: the runs of a suite, one line each. */
@Command(
    name = "plan",
    description = "Writes the manifest of a suite, one line a run, and runs nothing.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ExperimentPlanCommand implements Callable<Integer> {
  @Mixin SuiteOptions suite;
  @Spec CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write it into this folder, to be run there; default: on stdout.")
  Path out;

  @Option(names = "--resume", description = "Go on with a folder that holds runs already.")
  boolean resume;

  @Override
  public Integer call() {
    if (out == null) {
      spec.commandLine().getOut().print(Manifest.text(suite.read().runs()));
    } else {
      RunFolder folder = new RunFolder(out);
      suite.plan(folder, resume);
      spec.commandLine()
          .getOut()
          .println(folder.planned().size() + " runs in " + folder.manifest());
    }
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
