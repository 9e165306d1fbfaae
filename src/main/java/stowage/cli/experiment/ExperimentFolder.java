package stowage.cli.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.experiment.run.RunFolder;

/** The experiment that a command describes, and how it does. */
final class ExperimentFolder {
  @Parameters(paramLabel = "DIR", description = "The experiment's folder.")
  Path path;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  RunFolder runs() {
    return new RunFolder(path);
  }

  void print(CommandSpec spec, ObjectNode answer, String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? answer.toPrettyString() : text);
    out.flush();
  }
}
