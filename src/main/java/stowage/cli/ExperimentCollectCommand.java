package stowage.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stowage.experiment.results.ResultStore;
import stowage.experiment.run.RunFolder;

/** {@code stowage experiment collect}: one table of all runs. */
@Command(
    name = "collect",
    description = "Gathers all answers into DIR/results.csv, Parquet files and a DuckDB database.",
    mixinStandardHelpOptions = true)
final class ExperimentCollectCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The experiment's folder.")
  Path folder;

  @Override
  public Integer call() throws IOException {
    ResultStore store = new ResultStore(folder);
    int rows = store.collect(new RunFolder(folder));
    spec.commandLine().getOut().println(rows + " rows in " + store.csv());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
