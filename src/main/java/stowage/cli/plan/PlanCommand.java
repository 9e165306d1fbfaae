package stowage.cli.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stowage.Effort;
import stowage.PlanTask;
import stowage.cli.input.FigureOptions;
import stowage.cli.input.FormattedInputOptions;
import stowage.cli.input.InputOptions;
import stowage.cli.input.OpenVinoOptions;
import stowage.cli.input.OutputOptions;
import stowage.cli.input.PlannerChoice;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.AnswerText;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.MemoryShortage;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.compiler.openvino.GpuAllocation;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.EngineReport;
import stowage.importer.io.AtomicFiles;
import stowage.importer.io.PackingBaseline;
import stowage.liveness.LivenessOptions;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.packing.Violation;
import stowage.planning.EarlierRun;
import stowage.planning.LoadedProblem;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.planning.SharedArena;
import stowage.planning.TfliteMicroPlacement;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.plan.BackgroundRendering;
import stowage.report.plan.PlanJson;
import stowage.report.plan.PlanSummary;
import stowage.report.plan.ProgressPrinter;
import stowage.report.plan.RenderedPlan;

/** {@code stowage plan}: places every buffer, proves a lower bound on the peak, and draws. */
@Writes({
  Writes.PLAN,
  "*/" + Writes.PLAN,
  "front{.json,.svg,-*.csv}",
  "{residency,transfers}.csv",
  "order.txt",
  "memories.{svg,html}"
})
@Command(
    name = "plan",
    description = "Places every buffer, proves a lower bound on the peak, and draws it.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public class PlanCommand implements Callable<Integer> {
  @Mixin FormattedInputOptions input;
  @Mixin RunOptions run;
  @Mixin OutputOptions output;
  @Mixin FigureOptions figure;
  @Mixin ProgressOptions progress;
  @Mixin OpenVinoOptions openVino;
  @Spec CommandSpec spec;

  @HelpGroup(HelpGroup.INPUT)
  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "INPUT",
      description = "With --run: more models for the same memory.")
  List<Path> more = List.of();

  @HelpGroup(HelpGroup.MEMORY)
  @Option(
      names = "--run",
      paramLabel = "sequential|concurrent",
      description =
          "Several models share one memory: one runs after the other, and state alone is kept"
              + " apart; or they run side by side.")
  SharedArena.Run together;

  @HelpGroup(HelpGroup.PLANNING)
  @Option(
      names = "--planner",
      paramLabel = "NAME",
      split = ",",
      description =
          "Run these planners alone: see `stowage list planners`. Default: the portfolio of"
              + " heuristics, search, CP-SAT and Choco.")
  List<String> planners = List.of();

  @HelpGroup(HelpGroup.MEMORY)
  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "Bytes of the memory. The run ends at the first verified plan that fits, unless"
              + " --minimize is given.")
  Long capacity;

  @HelpGroup(HelpGroup.PLANNING)
  @Option(
      names = {"--minimize", "--minimise"},
      description = "With --capacity: go on to the lowest peak.")
  boolean minimize;

  @HelpGroup(HelpGroup.PLANNING)
  @Option(
      names = "--effort",
      paramLabel = "fast|normal|proof",
      description =
          "fast: bounds and quick heuristics alone, in milliseconds; normal (default); proof: go on"
              + " until the optimum is proven, up to an hour where no --time-limit is given.")
  Effort effort = Effort.NORMAL;

  @HelpGroup(HelpGroup.PLANNING)
  @Option(
      names = "--objective",
      paramLabel = "GOAL",
      split = ",",
      description =
          "Metrics to minimise, in order of priority: peak, reuse (the price of sharing addresses),"
              + " overflow (bytes beyond the capacities, which do not bind then), banks (default:"
              + " the file's, else peak). With --memories: traffic, bytes moved (default), or time,"
              + " nanoseconds of accesses and transfers.")
  List<String> goals = List.of();

  @HelpGroup(HelpGroup.PLANNING)
  @Option(
      names = "--pareto",
      paramLabel = "GOALS",
      split = ",",
      description =
          "peak,reuse: the whole front of peak against the price of reuse, each point proven or"
              + " with its gap.")
  List<String> pareto = List.of();

  @Mixin EarlierPlan earlier;

  @HelpGroup(HelpGroup.MEMORY_MAP)
  @Option(
      names = "--memories",
      paramLabel = "FILE",
      description =
          "A memory map: places a network's weights, results and scratch over its memories, with"
              + " transfers between them.")
  Path memories;

  @HelpGroup(HelpGroup.MEMORY_MAP)
  @Option(
      names = "--any-order",
      description = "With --memories: search for a better order of the ops too.")
  boolean anyOrder;

  @HelpGroup(HelpGroup.MEMORY_MAP)
  @Option(
      names = "--least-capacity",
      paramLabel = "LIMIT",
      arity = "0..1",
      fallbackValue = "-1",
      description =
          "With --memories: the least capacity of the fast memory that moves at most LIMIT bytes,"
              + " or takes at most LIMIT nanoseconds; without a number, what no capacity betters.")
  Long leastCapacity;

  @HelpGroup(HelpGroup.OUTPUT)
  @Writes
  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write a copy of the model with the plan in it too, as `stowage export` does.")
  Path write;

  /** Writer of a plan into a copy of its model. */
  public interface ModelWriter {
    /**
     * Writes the copy.
     *
     * @param input the model, and how it is read
     * @param plan a plan.json of it
     * @param copy the file to write
     * @param command whose streams messages go to
     */
    void write(InputOptions input, Path plan, Path copy, CommandSpec command);
  }

  private ModelWriter modelWriter;

  private static final double PROOF_SECONDS = 3600;

  @HelpGroup(HelpGroup.OUTPUT)
  @Writes
  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "With one planner of a real system: log the planner's decisions, to stdout with \"-\":"
              + " tpu-mlir-2022's tables, Inductor's trees and reuse, OpenVINO's restriction"
              + " lists.")
  String trace;

  /** What checking and writing the answer takes, about, in seconds a buffer. */
  private static final double SECONDS_AFTERWARDS = 2.5e-6;

  private final AtomicBoolean written = new AtomicBoolean();
  private LoadedProblem planned;
  private Incumbent incumbent;
  private List<PlannerCatalogue.Choice> choices;

  /** Null until the input has been read, as the task is; a signal may come before. */
  private volatile RunControl control;

  private volatile PlanTask task;

  private final StringBuffer solverLog = new StringBuffer();
  private boolean settled;
  private String rejection;
  private RunSettings settings;
  private List<EngineReport> engines = List.of();
  private List<String> remarks = List.of();

  /** Null where no earlier plan was given. */
  private EarlierRun earlierRun;

  /** Null where there is one input. */
  private ArenaRun arena;

  /** Null where the problem is not large. */
  private BackgroundRendering ahead;

  private GpuAllocation allocation;

  /** Sets what {@code --write} writes by. */
  public void modelWriter(ModelWriter writer) {
    modelWriter = writer;
  }

  @Override
  public Integer call() {
    long begin = System.nanoTime();
    Interruption interruption = Interruption.install(this::stop, this::writeOnce);
    earlier.check();
    if (write != null && (memories != null || together != null || !pareto.isEmpty())) {
      throw new UsageException(
          "--write writes one plan into one model; it goes without --memories, --run and --pareto");
    }
    if (memories == null && (leastCapacity != null || anyOrder)) {
      throw new UsageException("--least-capacity and --any-order are for --memories FILE alone");
    }
    choices = chosen();
    choices = openVino.applyTo(choices, output.json);
    input.completion = openVino::complete;
    input.planned = earlier.path();
    input.orderSeconds = run.timeLimit / 2;
    if (!pareto.isEmpty()) {
      FrontRun.check(pareto);
    }
    if (goals.contains(Goal.REUSE.word()) || !pareto.isEmpty()) {
      input.sharing = LivenessOptions.Sharing.PRICED;
    }
    if (memories != null) {
      MemoriesRun.align(input, memories);
    }
    planned = loaded();
    if (memories != null) {
      return interruption.finished(planOverMemories(begin));
    }
    if (!pareto.isEmpty()) {
      return interruption.finished(planFront(begin));
    }
    if (capacity != null) {
      if (capacity < 0) {
        throw new UsageException("--capacity " + capacity + " should be 0 or more");
      }
      planned = planned.withCapacity(capacity);
    }
    if (minimize && capacity == null) {
      input.warn(
          "--minimize does nothing: without --capacity every run already looks for the lowest"
              + " peak");
    }
    if (output.out != null) {
      PlanFolder.prepare(output.out);
    }
    writeTrace();
    incumbent = incumbent(planned.problem());
    earlierRun = earlier.read(planned.problem());
    settings = run.settings(planners, figure.figureSize());
    ahead = BackgroundRendering.watch(incumbent, this::report, output.out != null);
    control =
        run.control(
            (System.nanoTime() - begin) / 1e9, SECONDS_AFTERWARDS * planned.problem().size());
    if (capacity == null && effort != Effort.PROOF && !isLimited()) {
      control.endWhenFlat();
    }
    try (ProgressPrinter shown = progress.watch(incumbent, control)) {
      task = PlanTask.start(incumbent, control, this::solve);
      if (interruption.happened()) {
        task.cancel();
      }
      task.await();
    }
    Throwable failure = task.failure().orElse(null);
    VirtualMachineError shortage = MemoryShortage.in(failure);
    if (shortage != null) {
      incumbent.remark("planning ended early: " + MemoryShortage.text(shortage));
      remarks = incumbent.remarks();
    }
    writeOnce();
    if (write != null && incumbent.placement() != null) {
      writeModel();
    }
    if (shortage == null && failure instanceof RuntimeException broken) {
      throw broken;
    } else if (shortage == null && failure instanceof Error broken) {
      throw broken;
    }
    return interruption.finished(exitCode());
  }

  /** The one input, or all models of one memory. */
  private LoadedProblem loaded() {
    if (more.isEmpty() && together == null) {
      return new ProblemLoader(input).load();
    }
    if (memories != null) {
      throw new UsageException("--memories plans one model; it goes without --run");
    }
    arena = ArenaRun.of(input.input, more, input, together);
    return arena.planned();
  }

  private int planOverMemories(long begin) {
    if (capacity != null || earlier.path() != null || !planners.isEmpty()) {
      throw new UsageException(
          "--memories goes without --capacity, --warm-start, --pin-from and --planner; capacities"
              + " are in the map");
    }
    if (output.out != null) {
      PlanFolder.prepare(output.out);
    }
    written.set(true); // a signal ends the run, and the best plan so far is written here
    control = run.control((System.nanoTime() - begin) / 1e9, 0);
    MemoriesRun over =
        MemoriesRun.of(
            planned,
            memories,
            goals.isEmpty() ? "traffic" : String.join(",", goals),
            anyOrder ? control : null,
            spec.commandLine().getOut(),
            spec.commandLine().getErr(),
            output.json);
    return leastCapacity == null
        ? over.plan(control, output.out)
        : over.leastCapacity(control, leastCapacity);
  }

  private int planFront(long begin) {
    boolean more = earlier.warmStart != null || earlier.pinFrom != null || memories != null;
    if (!goals.isEmpty() || more || !planners.isEmpty() || capacity != null) {
      throw new UsageException(
          "--pareto goes without --objective, --warm-start, --pin-from, --planner, --memories and"
              + " --capacity");
    }
    if (output.out != null) {
      PlanFolder.prepare(output.out);
    }
    written.set(true); // a signal ends the run, and the points so far are written here
    control = run.control((System.nanoTime() - begin) / 1e9, 0);
    return new FrontRun(planned, spec.commandLine().getOut(), spec.commandLine().getErr())
        .run(control, run.engines(), progress::say, output.out, output.json);
  }

  private List<PlannerCatalogue.Choice> chosen() {
    if (effort == Effort.PROOF && !isLimited()) {
      run.timeLimit = PROOF_SECONDS;
    }
    if (effort != Effort.FAST) {
      return PlannerChoice.of(planners.isEmpty() ? List.of(PlannerCatalogue.PORTFOLIO) : planners);
    }
    if (!planners.isEmpty()) {
      throw new UsageException(
          "--effort fast runs the quick heuristics alone; it should not be given with --planner");
    }
    return List.of(new PlannerCatalogue.Choice.Quick());
  }

  private boolean isLimited() {
    return spec.commandLine().getParseResult().hasMatchedOption("--time-limit");
  }

  /** Writes how the one planner asked for comes to its plan, where that was asked for. */
  private void writeTrace() {
    if (trace == null) {
      return;
    }
    if (output.json && trace.equals("-")) {
      throw new UsageException("--trace - and --json both write to stdout; give the trace a file");
    }
    List<String> lines =
        choices.size() == 1 && choices.get(0) instanceof PlannerCatalogue.Choice.OfCase system
            ? system.planner().trace(planned.planningCase())
            : List.of();
    if (lines.isEmpty()) {
      throw new UsageException(
          "--trace belongs to one of the planners tpu-mlir-2022, inductor-tree, inductor-reuse and"
              + " openvino");
    }
    WrittenFile.writeOrPrint(spec, trace, String.join("\n", lines) + "\n");
  }

  /**
   * An incumbent under the goals asked for, on a problem without capacities where overflow is one.
   */
  private Incumbent incumbent(PackingProblem problem) {
    Incumbent made = Incumbent.ofGoals(problem, Goals.of(goals, problem));
    if (made.problem() != problem) {
      planned = planned.withProblem(made.problem());
    }
    return made;
  }

  /** Ends the run, if one has begun. */
  public void stop() {
    RunControl running = control;
    if (running != null) {
      running.stop();
    }
  }

  /** On a thread of the task. */
  private void solve() {
    offerDumped();
    if (arena != null && planners.isEmpty() && earlier.pinFrom == null) {
      arena.arena().offerStart(incumbent, control);
    }
    EngineOptions options =
        EngineOptions.defaults()
            .withConfig(run.config())
            .withFirstFit(endsAtFirstFit())
            .withLog(this::appendToLog);
    PlannerRun done =
        earlierRun != null
            ? earlierRun.run(planned.planningCase(), incumbent, control, choices, options)
            : PlannerRun.of(planned.planningCase(), incumbent, control, choices, options);
    rejection = done.refusal();
    engines = done.engineReports();
    if (earlierRun != null) {
      incumbent = earlierRun.settled(incumbent, endsAtFirstFit(), control);
    }
    List<String> said = new ArrayList<>(done.remarks());
    said.addAll(incumbent.remarks());
    if (rejection != null) {
      said.add(rejection);
    }
    if (control.flatTries() > 0) {
      said.add(
          String.format(
              "The run ended before its limit, since %d placings in turn had lowered the peak by"
                  + " less than 0.01 %%; --time-limit has it take all of the time given.",
              control.flatTries()));
    }
    settle(control);
    said.addAll(TfliteMicroPlacement.remarks(planned, incumbent));
    remarks = said;
    allocation = rejection == null ? openVino.allocation(choices, planned.planningCase()) : null;
  }

  /** Replaces what was found by what the network's run-time makes of it, once. */
  private synchronized void settle(RunControl further) {
    if (!settled) {
      settled = true;
      incumbent = TfliteMicroPlacement.settled(planned, incumbent, further);
    }
  }

  /** Under other goals than the peaks a capacity is a limit, and the run continues within it. */
  private boolean endsAtFirstFit() {
    return capacity != null && !minimize && incumbent.objective().isPeaks();
  }

  private void appendToLog(String line) {
    solverLog.append(line).append('\n');
  }

  /** Starts from the plan that the input carries, so that what is found is never worse. */
  private void offerDumped() {
    PackingBaseline dumped = planned.dumped();
    if (dumped != null
        && planners.isEmpty()
        && earlier.pinFrom == null
        && dumped.isPlan(planned.problem())) {
      incumbent.offer(dumped.placement(), dumped.source());
    }
  }

  /**
   * Writes and prints the answer, unless that was done or is being done.
   *
   * @return whether it did
   */
  public boolean writeOnce() {
    if (!written.compareAndSet(false, true)) {
      return false;
    }
    if (task == null) {
      spec.commandLine()
          .getErr()
          .println("stowage: stopped while reading " + input.input + "; nothing was planned");
      return true;
    }
    settle(null);
    Plan plan = Plan.of(incumbent);
    RenderedPlan made = ahead == null ? null : ahead.finish(plan);
    RunReport report = report(plan, made == null ? null : made.report());
    boolean complete = false;
    try {
      if (output.out != null) {
        boolean ready = made != null && report.tellsSamePlan(made.report());
        RenderedPlan parts = ready ? made : RenderedPlan.streamed(report);
        List<Path> renamed = PlanFolder.write(output.out, report, parts, solverLog.toString());
        if (arena != null && plan.placement() != null) {
          arena.write(output.out, plan.placement(), settings);
        }
        if (!renamed.isEmpty()) {
          spec.commandLine().getErr().println("stowage: " + AnswerFolder.remark(renamed));
        }
      }
      complete = true;
    } finally {
      print(report, complete); // even where the folder is full: the run may have taken hours
    }
    return true;
  }

  private RunReport report(Plan plan, RunReport before) {
    RunFacts facts =
        new RunFacts(
            engines,
            incumbent.trace(),
            remarks,
            earlierRun == null ? null : earlierRun.stability(plan),
            arena == null ? null : arena.arena(),
            null,
            allocation);
    return RunReport.of(plan, planned, settings, facts, before);
  }

  /** Writes the model with the plan in it, by a plan.json that is kept as long as that takes. */
  private void writeModel() {
    try {
      Path folder = Files.createTempDirectory("stowage");
      Path made = folder.resolve("plan.json");
      try {
        RunReport report = report(Plan.of(incumbent), null);
        AtomicFiles.write(made, stream -> PlanJson.write(report, stream));
        modelWriter.write(input, made, write, spec);
      } finally {
        Files.deleteIfExists(made);
        Files.delete(folder);
      }
    } catch (IOException failure) {
      throw new OutputException(write, failure);
    }
  }

  private void print(RunReport report, boolean complete) {
    if (allocation != null) {
      openVino.write(allocation, spec.commandLine().getOut());
    }
    if (output.json) {
      spec.commandLine().getOut().println(PlanJson.summary(report));
    } else {
      String text = PlanSummary.of(report);
      if (complete) {
        text += "\n" + PlanFolder.said(output.out, report) + "\n";
      }
      spec.commandLine().getOut().print(AnswerText.forTerminal(text));
    }
    explainFailure();
    spec.commandLine().getOut().flush();
  }

  private void explainFailure() {
    String why = rejection;
    if (why == null && incumbent.placement() == null && !incumbent.rejection().isEmpty()) {
      why = incumbent.rejection().get(0).text();
    }
    if (why != null) {
      spec.commandLine().getErr().println("stowage: " + why);
    }
  }

  private int exitCode() {
    if (incumbent.status() == Status.INFEASIBLE) {
      return ExitCode.INFEASIBLE;
    }
    if (incumbent.placement() != null) {
      return ExitCode.OK;
    }
    List<Violation> faults = incumbent.rejection();
    boolean tooHigh = faults.stream().anyMatch(fault -> fault.kind() == Violation.Kind.CAPACITY);
    boolean invalid = !faults.isEmpty() && !tooHigh;
    return invalid ? ExitCode.INVALID_PLAN : ExitCode.NO_PLAN;
  }
}
