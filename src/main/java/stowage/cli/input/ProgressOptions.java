package stowage.cli.input;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Option;
import stowage.cli.terminal.HelpGroup;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.packing.Incumbent;
import stowage.packing.Objective;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.report.format.StatusLine;
import stowage.report.format.Terminal;
import stowage.report.plan.ProgressPrinter;

/** Whether progress is printed to stderr. Shared by commands that solve. */
@HelpGroup(HelpGroup.OUTPUT)
public final class ProgressOptions {
  @Option(
      names = {"-v", "--verbose"},
      description = "Show progress even when stderr is not a terminal.")
  boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no progress.")
  boolean quiet;

  /** Null where no line is kept up to date. */
  private volatile StatusLine live;

  private boolean shown() {
    return !quiet && (verbose || Terminal.isErrorStream());
  }

  /**
   * Shows each improvement of a run until it is closed; null, which a try statement accepts, where
   * no progress is printed, or a line is kept already.
   */
  public ProgressPrinter watch(Incumbent incumbent, RunControl control) {
    if (!shown() || live != null && live.isOpen()) {
      return null;
    }
    List<String> figures =
        incumbent.objective().parts().stream().map(Objective.Figure::name).toList();
    double limit = control.isDeterministic() ? Double.POSITIVE_INFINITY : control.secondsLeft();
    ProgressPrinter printer =
        Terminal.isErrorStream() && Terminal.rewrites(System.getenv())
            ? new ProgressPrinter(System.err, figures, limit, System.getenv())
            : new ProgressPrinter(System.err, figures);
    incumbent.addListener(printer);
    return printer;
  }

  /** Shows what is done next, in a line. */
  public void say(String next) {
    StatusLine line = live;
    if (shown() && (line == null || !line.above(next))) {
      System.err.println(next);
    }
  }

  /**
   * Keeps a line with the time on a terminal until it is closed; elsewhere it says once what is
   * done. What is said meanwhile goes above the line. Null, which a try statement accepts, where
   * there is no such terminal; the control is null where there is no limit.
   */
  public StatusLine during(String what, RunControl control) {
    return during(what, () -> what, control);
  }

  /** The same with words that change. */
  public StatusLine during(String what, Supplier<String> doing, RunControl control) {
    if (!shown() || !Terminal.isErrorStream() || !Terminal.rewrites(System.getenv())) {
      say(what);
      return null;
    }
    long begin = System.nanoTime();
    String limit =
        control == null || control.isDeterministic() || Double.isInfinite(control.secondsLeft())
            ? "s  "
            : "s/" + Math.round(control.secondsLeft()) + "s  ";
    live =
        new StatusLine(
            System.err,
            width ->
                (System.nanoTime() - begin) / 1_000_000_000
                    + limit
                    + doing.get()
                    + "  [Ctrl-C keeps the best]",
            () -> Terminal.columns(System.getenv()));
    return live;
  }

  /** Does {@code what}, such as {@code checking}, with each file, saying which it is at. */
  public <T> List<T> each(String what, List<Path> files, Function<Path, T> work) {
    List<T> done = new ArrayList<>();
    Supplier<String> doing =
        () -> {
          int at = Math.min(done.size(), files.size() - 1);
          return "%s %s, %d of %d".formatted(what, files.get(at), at + 1, files.size());
        };
    try (StatusLine line = during(doing.get(), doing, null)) {
      for (Path file : files) {
        if (line == null && !done.isEmpty()) {
          say(doing.get());
        }
        done.add(work.apply(file));
      }
    }
    return done;
  }

  /** Runs all exact engines after the quick heuristics, and shows how far they have come. */
  public Incumbent solve(PackingProblem problem, RunControl control, EngineOptions options) {
    Incumbent incumbent = new Incumbent(problem);
    try (ProgressPrinter progress = watch(incumbent, control)) {
      Portfolio.run(incumbent, control, options);
    }
    return incumbent;
  }
}
