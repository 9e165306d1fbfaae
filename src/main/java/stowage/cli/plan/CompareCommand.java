package stowage.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import stowage.cli.input.FigureOptions;
import stowage.cli.input.InputOptions;
import stowage.cli.input.OpenVinoOptions;
import stowage.cli.input.PlannerChoice;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.experiment.OrderComparison;
import stowage.experiment.PlannerComparison;
import stowage.importer.io.Suggestion;
import stowage.liveness.LivenessOptions;
import stowage.packing.Incumbent;
import stowage.packing.Placement;
import stowage.packing.RunControl;
import stowage.planning.LoadedProblem;
import stowage.planning.PlannerCatalogue;
import stowage.report.compare.CompareReport;
import stowage.report.compare.CompareSvg;
import stowage.report.compare.OrderReport;
import stowage.report.compare.OrderSvg;
import stowage.report.compare.PlansHtml;
import stowage.report.format.StatusLine;
import stowage.report.format.Table;

/** {@code stowage compare}: every planner on one input, next to the proven optimum. */
@Writes({"{compare,orders}.{json,csv,md,svg,html}"})
@Command(
    name = "compare",
    description = {
      "Runs every planner on one input and shows its distance from the proven optimum; with"
          + " several inputs, a table of the planners' distances on each.",
      "The time limit holds for the whole command: the exact search has half of it, the planners"
          + " and the proofs of what their rules force share the rest.",
      "With --concurrency all it solves every order in which a network's ops may run instead, and"
          + " shows peak against parallelism; --concurrency all,streams=FILE adds streams of your"
          + " own. The orders share the time limit."
    },
    defaultValueProvider = CompareCommand.Defaults.class)
public final class CompareCommand extends JsonCommand {
  /** How the table is printed. */
  enum Format {
    TEXT,
    JSON,
    CSV,
    MARKDOWN
  }

  /** What differs from other commands where nothing is said: seconds of the whole command. */
  static final class Defaults implements IDefaultValueProvider {
    @Override
    public String defaultValue(ArgSpec argument) {
      return argument instanceof OptionSpec option && "--time-limit".equals(option.longestName())
          ? "40"
          : null;
    }
  }

  private static final String ALL_ORDERS = "all";

  private static final double EXACT_SHARE = 0.5;

  @Mixin InputOptions input;

  @Option(
      names = "--input-format",
      paramLabel = "EXTENSION",
      description = "Read the input as a file of this extension, such as csv or json.")
  void inputFormat(String extension) {
    input.format = extension;
  }

  @Mixin FigureOptions figure;
  @Mixin RunOptions run;
  @Mixin ProgressOptions progress;
  @Mixin OpenVinoOptions settings;

  @Option(
      names = "--planner",
      paramLabel = "NAME",
      split = ",",
      description = "Compare these planners alone with the portfolio (default: all).")
  List<String> planners = List.of();

  @Writes
  @Option(
      names = {"--out", "-o"},
      paramLabel = "DIR",
      description =
          "Write compare.json, .csv, .md, .svg and the page compare.html into this folder; with"
              + " --concurrency all their names begin with orders.")
  Path out;

  @Option(
      names = "--format",
      paramLabel = "text|json|csv|markdown",
      description = "What to print (default: text).")
  Format format = Format.TEXT;

  @Option(
      names = "--all",
      description = "Show every planner and variant; else each system by its best planner.")
  boolean all;

  @Option(
      names = "--columns",
      paramLabel = "NAME",
      split = ",",
      description =
          "More columns: kind, forced, avoidable, design-bound, objects-bound, remark, or all.")
  List<String> columns = List.of();

  @Option(
      names = "--memories",
      paramLabel = "FILE",
      description =
          "Compare rules of what is in a fast memory, over a memory map, with the optimum.")
  Path memories;

  @Option(
      names = "--objective",
      paramLabel = "traffic|time",
      description = "With --memories: bytes moved (default) or nanoseconds.")
  String objective;

  @Override
  public Integer call() {
    long begin = System.nanoTime();
    checkColumns();
    if (memories != null) {
      MemoriesRun.align(input, memories);
      PlanFolder.prepare(out);
      boolean object = json || format == Format.JSON;
      LoadedProblem planned = new ProblemLoader(input).load();
      String goal = objective == null ? "traffic" : objective;
      RunControl control = run.control();
      Interruption interruption = Interruption.install(control::stop, () -> false);
      int code =
          MemoriesRun.of(planned, memories, goal, progress, spec, object)
              .compare(control, interruption, object ? Format.JSON : format, out);
      return interruption.finished(code);
    }
    UsageException.when(objective != null, "--objective is for --memories FILE alone");
    if (input.order.equals(ALL_ORDERS) || input.order.startsWith(ALL_ORDERS + ",")) {
      return compareOrders(begin);
    }
    List<PlannerCatalogue.Choice> choices =
        settings.applyTo(
            PlannerChoice.of(planners.isEmpty() ? PlannerCatalogue.names() : planners));
    input.completion = settings::complete;
    LoadedProblem planned = new ProblemLoader(input).load();
    PlanFolder.prepare(out);
    RunControl whole = run.control((System.nanoTime() - begin) / 1e9, 0);
    Interruption interruption = Interruption.install(whole::stop, () -> false);
    RunControl exact = whole.within(EXACT_SHARE * whole.secondsLeft());
    Incumbent incumbent = progress.solve(planned.problem(), exact, run.engines());
    PlannerComparison comparison = new PlannerComparison(planned.planningCase(), incumbent, whole);
    comparison.addExact("portfolio");
    if (planned.dumped() != null) {
      comparison.addKnown(planned.dumped());
    }
    String[] doing = {"planner 1 of " + choices.size()};
    CompareReport report;
    try (StatusLine line = progress.during("comparing planners", () -> doing[0], whole)) {
      comparison.run(
          choices,
          k -> {
            doing[0] = "planner " + k + " of " + choices.size();
            return !interruption.happened();
          });
      boolean all = !interruption.happened();
      doing[0] = all ? "bounding design limits" : doing[0];
      report = all ? comparison.report() : comparison.reportOfPeaks();
      if (interruption.happened()) {
        say("interrupted at " + doing[0] + "; the answer has what was done before it");
      }
    }
    if (out != null) {
      String picture = CompareSvg.of(report, figure.figureSize());
      write("compare", report.json(), report.table(), picture);
      writePage(planned, report, comparison);
    }
    print(brief(report), report.json(), report.table());
    if (out != null) {
      String names = "compare.html compare.svg compare.md compare.csv compare.json";
      WrittenFile.sayFolder(spec, out, List.of(names.split(" ")));
    }
    return interruption.finished(ExitCode.OK);
  }

  /** The page of all plans; first shown are the best and the nearest system that is above it. */
  private void writePage(
      LoadedProblem planned, CompareReport report, PlannerComparison comparison) {
    List<PlansHtml.Entry> entries = new ArrayList<>();
    for (CompareReport.Row row : report.rows()) {
      Placement placement = comparison.placements().get(row.planner());
      if (placement != null) {
        entries.add(new PlansHtml.Entry(row.planner(), placement, row.seconds()));
      }
    }
    if (!entries.isEmpty()) {
      Set<String> near = planners.isEmpty() ? systems() : Set.copyOf(planners);
      int other = entries.size() - 1;
      for (CompareReport.Row row : report.rows()) {
        Placement placement = comparison.placements().get(row.planner());
        if (placement != null && near.contains(row.planner()) && row.peak() > report.best()) {
          other = entries.indexOf(new PlansHtml.Entry(row.planner(), placement, row.seconds()));
          break;
        }
      }
      entries.add(0, entries.remove(other));
      String page =
          PlansHtml.of(planned.problem(), report.lowerBound(), entries, figure.figureSize());
      WrittenFile.writeString(out.resolve("compare.html"), page);
    }
  }

  /** All orders in which the ops of a network may run, instead of all planners. */
  private Integer compareOrders(long begin) {
    UsageException.when(
        !planners.isEmpty(),
        "--concurrency all compares orders, not planners: leave --planner out");
    String more = input.order.substring(ALL_ORDERS.length());
    input.order = "in-order";
    LoadedProblem planned = new ProblemLoader(input).load();
    UsageException.when(
        !planned.planningCase().hasNetwork(),
        "--concurrency all is about a network's ops; " + input.input + " is a list of buffers");
    OrderComparison comparison = new OrderComparison(planned.planningCase());
    if (!more.isEmpty()) {
      input.order = more.substring(1);
      LivenessOptions own = new ProblemLoader(input).liveness("", null);
      UsageException.when(
          own.order() != LivenessOptions.Order.STREAMS,
          "--concurrency all" + more + " should be all or all,streams=FILE");
      comparison.addStreams(input.order, own.streams());
    }
    PlanFolder.prepare(out);
    RunControl control = run.control((System.nanoTime() - begin) / 1e9, 0);
    Interruption interruption = Interruption.install(control::stop, () -> false);
    OrderReport report;
    try (StatusLine line = progress.during("solving one order after the other", control)) {
      report = comparison.report(control, run.engines(), () -> !interruption.happened());
    }
    if (interruption.happened()) {
      say("interrupted; the answer has the orders that were begun before it");
    }
    if (out != null) {
      write("orders", report.json(), report.table(), OrderSvg.of(report));
      WrittenFile.sayFolder(
          spec, out, List.of("orders.svg", "orders.md", "orders.csv", "orders.json"));
    }
    print(report.text(), report.json(), report.table());
    return interruption.finished(ExitCode.OK);
  }

  private void print(String text, String asJson, Table table) {
    printLines(
        switch (json ? Format.JSON : format) {
          case TEXT -> text;
          case JSON -> asJson;
          case CSV -> table.csv();
          case MARKDOWN -> table.markdown();
        });
  }

  private static Set<String> systems() {
    return PlannerCatalogue.known().stream()
        .filter(system -> !system.version().isEmpty())
        .map(PlannerCatalogue.Known::name)
        .collect(Collectors.toSet());
  }

  private String brief(CompareReport report) {
    Set<String> known = CompareReport.COLUMNS.keySet();
    List<String> shown = columns.contains("all") ? List.copyOf(known) : columns;
    boolean every = all || !planners.isEmpty();
    return report.brief(systems(), PlannerCatalogue.ownNames(), shown, every);
  }

  private void checkColumns() {
    for (String column : columns) {
      UsageException.when(
          !column.equals("all") && !CompareReport.COLUMNS.containsKey(column),
          "--columns %s should be one of %s, all%s"
              .formatted(
                  column,
                  String.join(", ", CompareReport.COLUMNS.keySet()),
                  Suggestion.hint(column, CompareReport.COLUMNS.keySet())));
    }
  }

  private void write(String name, String asJson, Table table, String svg) {
    AnswerFolder folder = new AnswerFolder(out);
    folder.writeString(name + ".json", asJson);
    folder.writeString(name + ".csv", table.csv());
    folder.writeString(name + ".md", table.markdown());
    folder.writeString(name + ".svg", svg);
  }
}
