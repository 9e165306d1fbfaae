package stowage.cli;

import picocli.CommandLine.Option;
import stowage.exact.EngineOptions;
import stowage.exact.Portfolio;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.planning.PlannerCatalogue;
import stowage.report.ProgressPrinter;
import stowage.report.Terminal;

/** Whether somebody is told on stderr how far the work has come. Shared by commands that solve. */
final class ProgressOptions {

  @Option(
      names = {"-v", "--verbose"},
      description = "Show progress even when stderr is not a terminal.")
  boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no progress.")
  boolean quiet;

  private boolean shown() {
    return !quiet && (verbose || Terminal.isErrorStream());
  }

  /**
   * Shows each improvement of a run until it is closed.
   *
   * @return null where nobody is to be told; a try statement takes that too
   */
  ProgressPrinter watch(Incumbent incumbent) {
    if (!shown()) {
      return null;
    }
    ProgressPrinter printer = new ProgressPrinter(System.err);
    incumbent.addListener(printer);
    return printer;
  }

  /** Shows what is done next, in a line. */
  void say(String next) {
    if (shown()) {
      System.err.println(next);
    }
  }

  /** Runs all exact engines after the quick heuristics, and shows how far they have come. */
  Incumbent solve(PackingProblem problem, RunControl control, EngineOptions options) {
    Incumbent incumbent = new Incumbent(problem);
    try (ProgressPrinter progress = watch(incumbent)) {
      Portfolio.run(
          problem,
          incumbent,
          control,
          new Portfolio.Setup(Portfolio.openings(problem), PlannerCatalogue.engines(), options));
    }
    return incumbent;
  }
}
