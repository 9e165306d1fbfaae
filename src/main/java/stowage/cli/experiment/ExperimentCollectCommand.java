package stowage.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.experiment.results.ResultStore;

/** {@code stowage experiment collect}: one table of all runs. */
@Command(
    name = "collect",
    description = "Gathers all answers into DIR/results.csv, Parquet files and a DuckDB database.")
final class ExperimentCollectCommand extends BaseCommand {
  @Mixin ExperimentFolder folder;

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
