package stowage.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    ResultStore store = new ResultStore(folder);
    int rows = store.collect(new RunFolder(folder));
    spec.commandLine()
        .getOut()
        .println(
            json
                ? new ObjectMapper()
                    .createObjectNode()
                    .put("rows", rows)
                    .put("csv", store.csv().toString())
                    .toPrettyString()
                : rows + " rows in " + store.csv());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
