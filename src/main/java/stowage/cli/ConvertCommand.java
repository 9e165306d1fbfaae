package stowage.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.importer.Input;
import stowage.importer.NetworkJson;
import stowage.importer.PackingCsv;
import stowage.importer.PackingJson;
import stowage.packing.PackingProblem;

/** {@code stowage convert}: any input as CSV or JSON. */
@Command(
    name = "convert",
    description = "Writes buffers as CSV or JSON, or a network as JSON or as the buffers it needs.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ConvertCommand implements Callable<Integer> {

  /** What to write. */
  enum Target {
    CSV,
    JSON,
    BUFFERS
  }

  @Mixin InputOptions input;
  @Spec CommandSpec spec;

  @Option(
      names = "--to",
      paramLabel = "csv|json|buffers",
      required = true,
      description =
          "csv: the buffers as CSV. json: a network as a network, buffers as buffers. buffers: the"
              + " buffers as JSON, with what CSV cannot hold.")
  Target target;

  @Option(
      names = {"--out", "-o"},
      paramLabel = "FILE",
      description = "Where to write (default: the input's name with the new extension, here).")
  Path out;

  @Override
  public Integer call() {
    ProblemLoader loader = new ProblemLoader(input);
    Path file = out == null ? defaultFile() : out;
    try {
      if (target == Target.JSON && loader.read() instanceof Input.Graph graph) {
        NetworkJson.write(graph.network(), file);
      } else {
        write(loader.load().problem(), file);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("writing " + file + ": " + failure.getMessage(), failure);
    }
    spec.commandLine().getErr().println("stowage: wrote " + file);
    return ExitCode.OK;
  }

  private void write(PackingProblem problem, Path file) throws IOException {
    if (target == Target.CSV) {
      for (String lost : PackingCsv.omissions(problem)) {
        spec.commandLine().getErr().println("stowage: CSV does not hold " + lost);
      }
      PackingCsv.write(file, problem);
    } else {
      PackingJson.write(file, problem);
    }
  }

  private Path defaultFile() {
    String name = String.valueOf(input.input.getFileName());
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    String extension = target == Target.CSV ? ".csv" : ".json";
    Path file = Path.of(stem + extension);
    if (file.toAbsolutePath().normalize().equals(input.input.toAbsolutePath().normalize())) {
      throw new UsageException("the input would be written over; give another name with --out");
    }
    return file;
  }
}
