package stowage.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import stowage.cli.terminal.ExitCode;
import stowage.experiment.results.ResultStore;

/** {@code stowage experiment collect}: one table of all runs. */
@Command(
    name = "collect",
    description = "Gathers all answers into DIR/results.csv, Parquet files and a DuckDB database.",
    mixinStandardHelpOptions = true)
final class ExperimentCollectCommand implements Callable<Integer> {
  @Mixin ExperimentFolder folder;
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    ResultStore store = new ResultStore(folder.path);
    int rows = store.collect(folder.runs());
    folder.print(
        spec,
        new ObjectMapper().createObjectNode().put("rows", rows).put("csv", store.csv().toString()),
        rows + " rows in " + store.csv());
    return ExitCode.OK;
  }
}
