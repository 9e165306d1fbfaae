package stowage.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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

  @Override
  public Integer call() throws IOException {
    spec.commandLine().getOut().println(Report.write(new RunFolder(folder)));
    spec.commandLine().getOut().flush();
    return ExitCode.OK;
  }
}
