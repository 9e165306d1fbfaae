package stowage.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.experiment.run.RunFolder;
import stowage.experiment.suite.Manifest;

/** {@code stowage experiment plan}: the runs of a suite, one line each. */
@Command(
    name = "plan",
    description = "Writes the manifest of a suite, one line per run, and runs nothing.")
final class ExperimentPlanCommand extends BaseCommand {
  @Mixin SuiteOptions suite;

  @Option(
      names = {"--out", "-o"},
      paramLabel = "DIR",
      description = "Write it into this folder, to be run there; default: on stdout.")
  Path out;

  @Option(names = "--resume", description = "Go on with a folder that holds runs already.")
  boolean resume;

  @Option(
      names = "--json",
      description = "Print one JSON object on stdout, or without --out an array of the runs.")
  boolean json;

  @Override
  public Integer call() {
    PrintWriter print = out();
    if (out == null) {
      String lines = Manifest.text(suite.read().runs());
      print.print(json ? "[" + lines.strip().replace("\n", ",\n") + "]\n" : lines);
    } else {
      RunFolder folder = suite.plan(out, resume, 1);
      int runs = folder.planned().size();
      print.println(
          json
              ? new ObjectMapper()
                  .createObjectNode()
                  .put("runs", runs)
                  .put("manifest", folder.manifest().toString())
                  .toPrettyString()
              : runs + " runs in " + folder.manifest());
    }
    print.flush();
    return ExitCode.OK;
  }
}
