package stowage.cli.network;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.OutputGuard;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.dsa.DsaWriter;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.Input;
import stowage.importer.own.NetworkJson;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PackingJson;
import stowage.packing.PackingProblem;

/** {@code stowage convert}: any input as CSV or JSON. */
@Command(
    name = "convert",
    description = "Writes buffers as CSV or JSON, or a network as JSON or as the buffers it needs.")
public final class ConvertCommand extends BaseCommand {
  private static final String STDOUT = "-";

  /** What to write. */
  enum Target {
    CSV,
    JSON,
    BUFFERS,
    DSA
  }

  @Mixin FormattedInputOptions input;

  @Option(
      names = "--to",
      paramLabel = "csv|json|buffers|dsa",
      description =
          "Default: by --out's extension. csv: the buffers as CSV. json: a network as a network,"
              + " buffers as buffers. buffers: the buffers as JSON, with what CSV cannot hold. dsa:"
              + " the buffers as a document of dsa-solver.")
  Target target;

  @Writes
  @Option(
      names = {"--out", "-o"},
      paramLabel = "FILE",
      description =
          "Where to write, - for stdout (default: the input's name with the new extension, here).")
  Path out;

  @Option(
      names = "--json",
      description = "Print one JSON object on stdout that says what was written, and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    if (target == null) {
      String name = String.valueOf(out).toLowerCase(Locale.ROOT);
      target = name.endsWith(".csv") ? Target.CSV : name.endsWith(".json") ? Target.JSON : null;
    }
    UsageException.when(
        target == null, "--to csv|json|buffers|dsa is needed, or --out FILE.csv or .json");
    Path file = out == null ? defaultFile() : out;
    OutputGuard.check(file, input.input);
    ProblemLoader loader = new ProblemLoader(input);
    List<String> lost = List.of();
    AtomicFiles.Content content;
    if (target == Target.JSON && loader.read() instanceof Input.Graph graph) {
      input.warnOfLayoutOptions();
      byte[] text = NetworkJson.text(graph.network()).getBytes(StandardCharsets.UTF_8);
      content = stream -> stream.write(text);
    } else {
      PackingProblem problem = loader.load().problem();
      switch (target) {
        case CSV -> {
          lost = PackingCsv.omissions(problem);
          content = stream -> PackingCsv.write(stream, problem);
        }
        case DSA -> {
          lost = DsaWriter.omissions(problem);
          content = stream -> DsaWriter.write(stream, problem);
        }
        default -> content = stream -> PackingJson.write(stream, problem);
      }
    }
    WrittenFile.write(spec, file, content, lost, json);
    return ExitCode.OK;
  }

  private Path defaultFile() {
    if (input.input.equals(InputOptions.STDIN)) {
      return Path.of(STDOUT);
    }
    String name = String.valueOf(input.input.getFileName());
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    return Path.of(stem + (target == Target.CSV ? ".csv" : ".json"));
  }
}
