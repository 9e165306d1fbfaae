package stowage.cli.experiment;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.UsageException;
import stowage.experiment.run.RunFolder;
import stowage.experiment.run.Runner;

/** {@code stowage experiment chunk}: does a part of a manifest, for jobs of a cluster. */
@Command(
    name = "chunk",
    description = {
      "Does the runs INDEX x SIZE to (INDEX + 1) x SIZE of a folder's manifest, without those that"
          + " are done.",
      "Jobs of a cluster and GNU parallel call it; they may run side by side on several machines."
    })
final class ExperimentChunkCommand extends BaseCommand {
  @Mixin RunnerOptions runner;

  @Parameters(index = "0", paramLabel = "DIR", description = "The experiment's folder.")
  Path folder;

  @Parameters(index = "1", paramLabel = "INDEX", description = "The part, 0 for the first.")
  int index;

  @Parameters(index = "2", paramLabel = "SIZE", description = "Runs of a part.")
  int size;

  @Override
  public Integer call() throws IOException {
    UsageException.when(
        index < 0 || size < 1,
        "INDEX " + index + " should be 0 or more, SIZE " + size + " 1 or more");
    RunFolder runs = new RunFolder(folder);
    int planned = runs.planned().size();
    int chunks = (int) (((long) planned + size - 1) / size);
    UsageException.when(
        index >= chunks,
        "INDEX %s should be below %s: the %s runs of %s make %s%s of %s"
            .formatted(
                index,
                chunks,
                planned,
                runs.path(),
                chunks,
                chunks == 1 ? " part" : " parts",
                size));
    return runner.print(spec, Runner.runChunk(runs, index, size, runner.options()));
  }
}
