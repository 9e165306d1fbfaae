package stowage.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.exact.EngineOptions;
import stowage.exact.Portfolio;
import stowage.experiment.Comparison;
import stowage.experiment.PlannerCatalogue;
import stowage.importer.AtomicFiles;
import stowage.packing.Incumbent;
import stowage.packing.RunControl;
import stowage.report.CompareReport;
import stowage.report.CompareSvg;

/** {@code stowage compare}: every planner on one input, beside the proven optimum. */
@Command(
    name = "compare",
    description = "Runs every planner on one input and shows its distance from the proven optimum.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class CompareCommand implements Callable<Integer> {

  /** How the table is printed. */
  enum Format {
    TEXT,
    JSON,
    CSV,
    MARKDOWN
  }

  @Mixin InputOptions input;
  @Mixin RunOptions run;
  @Spec CommandSpec spec;

  @Option(
      names = "--planner",
      paramLabel = "NAME",
      split = ",",
      description = "Compare these planners alone with the portfolio (default: all).")
  List<String> planners = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write compare.json, compare.csv, compare.md and compare.svg into this folder.")
  Path out;

  @Option(
      names = "--format",
      paramLabel = "text|json|csv|markdown",
      description = "What to print (default: text).")
  Format format = Format.TEXT;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    List<PlannerCatalogue.Choice> choices =
        PlannerChoice.of(planners.isEmpty() ? PlannerCatalogue.names() : planners);
    Planned planned = new ProblemLoader(input).load();
    if (out != null) {
      PlanOutput.prepare(out);
    }
    RunControl exactControl = run.control();
    Incumbent incumbent = new Incumbent(planned.problem());
    Portfolio.run(
        planned.problem(),
        incumbent,
        exactControl,
        new Portfolio.Setup(
            Portfolio.openings(planned.problem()),
            PlannerCatalogue.engines(),
            EngineOptions.defaults().withConfig(run.config())));
    Comparison comparison = new Comparison(planned.planningCase(), incumbent, run.control());
    comparison.addExact("portfolio");
    choices.forEach(comparison::add);
    CompareReport report = comparison.report();
    if (out != null) {
      write(report);
    }
    PrintWriter print = spec.commandLine().getOut();
    print.println(text(report).stripTrailing());
    print.flush();
    return ExitCode.OK;
  }

  private String text(CompareReport report) {
    return switch (json ? Format.JSON : format) {
      case TEXT -> report.text();
      case JSON -> report.json();
      case CSV -> report.csv();
      case MARKDOWN -> report.markdown();
    };
  }

  private void write(CompareReport report) {
    try {
      AtomicFiles.writeString(out.resolve("compare.json"), report.json());
      AtomicFiles.writeString(out.resolve("compare.csv"), report.csv());
      AtomicFiles.writeString(out.resolve("compare.md"), report.markdown());
      AtomicFiles.writeString(out.resolve("compare.svg"), CompareSvg.of(report));
    } catch (IOException failure) {
      throw new UncheckedIOException("writing into " + out + ": " + failure, failure);
    }
  }
}
