package stowage.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ExitCode;
import stowage.experiment.analysis.Report;

/** {@code stowage experiment report}: tables and plots of an experiment. */
@Command(
    name = "report",
    description =
        "Writes tables and plots into DIR/report: one page in HTML, Markdown, LaTeX tables, SVG.")
final class ExperimentReportCommand extends BaseCommand {
  @Mixin ExperimentFolder folder;

  @Override
  public Integer call() throws IOException {
    String page = Report.write(folder.runs()).toString();
    folder.print(spec, new ObjectMapper().createObjectNode().put("report", page), page);
    return ExitCode.OK;
  }
}
