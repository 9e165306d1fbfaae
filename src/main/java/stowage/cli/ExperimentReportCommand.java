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
import stowage.experiment.analysis.Report;
import stowage.experiment.run.RunFolder;

/** {@code stowage experiment report}: tables and plots of an experiment. */
@Command(
    name = "report",
    description =
        "Writes tables and plots into DIR/report: one page in HTML, Markdown, LaTeX tables, SVG.",
    mixinStandardHelpOptions = true)
final class ExperimentReportCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The experiment's folder.")
  Path folder;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    Path page = Report.write(new RunFolder(folder));
    spec.commandLine()
        .getOut()
        .println(
            json
                ? new ObjectMapper()
                    .createObjectNode()
                    .put("report", page.toString())
                    .toPrettyString()
                : page.toString());
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
