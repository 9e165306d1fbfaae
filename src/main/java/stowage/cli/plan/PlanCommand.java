package stowage.cli.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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
import stowage.cli.terminal.BaseCommand;
import stowage.cli.terminal.ByteSize;
import stowage.cli.terminal.HelpGroup;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.MemoryShortage;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.InputFormats;
import stowage.liveness.LivenessOptions;
import stowage.packing.Goal;
import stowage.packing.Incumbent;
import stowage.packing.PackingProblem;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.planning.Excess;
import stowage.planning.LoadedProblem;
import stowage.planning.PlanRun;
import stowage.planning.PlannerCatalogue;
import stowage.planning.SharedArena;
import stowage.planning.fit.FitHint;
import stowage.planning.schedule.OrderHint;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.plan.BackgroundRendering;
import stowage.report.plan.ProgressPrinter;
import stowage.report.plan.RenderedPlan;
import stowage.text.ShellText;

/** {@code stowage plan}: places every buffer, proves a lower bound on the peak, and draws. */
@Writes({
  Writes.PLAN,
  "*/" + Writes.PLAN,
  "front{.json,.svg,-*.csv}",
  "{residency,transfers}.csv",
  "order.txt",
  "memories.{svg,html,json}"
})
@Command(
    name = "plan",
    description = "Places every buffer, proves a lower bound on the peak, and draws it.")
public class PlanCommand extends BaseCommand {
  @Mixin FormattedInputOptions input;
  @Mixin RunOptions run;
  @Mixin OutputOptions output;
  @Mixin FigureOptions figure;
  @Mixin ProgressOptions progress;
  @Mixin OpenVinoOptions openVino;

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

  @Mixin MemoryMapOptions map;

  @HelpGroup(HelpGroup.OUTPUT)
  @Writes
  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write a copy of the model with the plan in it too, as `stowage export` does.")
  Path write;

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
  private static final double SECONDS_AFTERWARDS = 1.8e-6;

  private final AtomicBoolean written = new AtomicBoolean();
  private LoadedProblem planned;
  private PlanRun plan;
  private List<PlannerCatalogue.Choice> choices;

  private volatile PlanTask task; // null until the input has been read; a signal may come before

  private final StringBuffer solverLog = new StringBuffer();
  private RunSettings settings;

  private Excess excess; // null but where no plan is within the capacity

  private ArenaRun arena; // null where there is one input

  private BackgroundRendering ahead; // null where the problem is not large

  /** Sets what {@code --write} writes by. */
  public void modelWriter(ModelWriter writer) {
    modelWriter = writer;
  }

  @Override
  public Integer call() {
    long begin = System.nanoTime();
    Interruption interruption = Interruption.install(this::stop, this::writeOnce);
    earlier.check();
    UsageException.when(
        write != null && (map.isGiven() || together != null || !pareto.isEmpty()),
        "--write writes one plan into one model; it goes without --memories, --run and --pareto");
    UsageException.when(
        write != null && given("--schedule"),
        "--write keeps the file's order of ops; the best one with its plan: stowage fit %s --max-extra 0%% --write %s"
            .formatted(input.named(), ShellText.quoted(String.valueOf(write))));
    if (write != null) {
      UsageException.when(
          input.input.equals(InputOptions.STDIN),
          "--write copies the model's file, which - is not; name the file");
      InputFormats.checkCopy(input.input, write);
    }
    map.check();
    choices = openVino.applyTo(chosen(), output.json);
    input.completion = openVino::complete;
    input.planned = earlier.path();
    input.orderSeconds = run.timeLimit / 2;
    if (!pareto.isEmpty()) {
      FrontRun.check(pareto);
    }
    if (goals.contains(Goal.REUSE.word()) || !pareto.isEmpty()) {
      input.sharing = LivenessOptions.Sharing.PRICED;
    }
    if (map.isGiven()) {
      MemoriesRun.align(input, map.memories);
    }
    planned = loaded();
    if (map.isGiven() && !planned.planningCase().hasNetwork()) {
      planned = MemoriesRun.inMemories(planned, map.memories);
    } else if (map.isGiven()) {
      return interruption.finished(planOverMemories(begin));
    }
    if (!pareto.isEmpty()) {
      return interruption.finished(planFront(begin));
    }
    UsageException.whenBelow(0, "--capacity", capacity);
    planned = capacity == null ? planned : planned.withCapacity(capacity);
    if (minimize && capacity == null) {
      input.warn(
          "--minimize does nothing: without --capacity every run already looks for the lowest"
              + " peak");
    }
    PlanFolder.prepare(output.out);
    writeTrace();
    Incumbent incumbent = incumbent(planned.problem());
    plan =
        new PlanRun(
            planned,
            incumbent,
            choices,
            run.engines()
                .withFirstFit(capacity != null && !minimize && incumbent.objective().isPeaks())
                .withLog(line -> solverLog.append(line).append('\n')),
            earlier.read(planned.problem()),
            arena == null ? null : arena.arena());
    settings = run.settings(planners, figure.figureSize());
    ahead = BackgroundRendering.watch(incumbent, this::report, output.out != null);
    RunControl control = control(begin, SECONDS_AFTERWARDS * planned.problem().size());
    if (capacity == null && effort != Effort.PROOF && !given("--time-limit")) {
      control.endWhenFlat();
    }
    try (ProgressPrinter shown = progress.watch(incumbent, control)) {
      boolean fromKnown = planners.isEmpty() && earlier.pinFrom == null;
      task = PlanTask.start(incumbent, control, () -> plan.solve(control, fromKnown));
      if (interruption.happened()) {
        task.cancel();
      }
      task.await();
      excess = output.out == null ? null : plan.excess(control);
      if (planners.isEmpty() && effort != Effort.FAST && !interruption.happened()) {
        plan.hint(OrderHint.of(planned, plan.incumbent(), input.named()));
      }
    }
    Throwable failure = task.failure().orElse(null);
    VirtualMachineError shortage = MemoryShortage.in(failure);
    if (shortage != null) {
      plan.endedEarly(MemoryShortage.text(shortage));
    }
    writeOnce();
    if (!interruption.happened() && !output.json && arena == null) {
      Plan made = Plan.of(plan.incumbent());
      String hint = FitHint.of(planned, made, capacity, input.named()).orElse(null);
      if (hint == null && capacity != null && made.status() == Status.INFEASIBLE) {
        hint =
            "see what does not fit: stowage explain " + input.named() + " --capacity " + capacity;
      }
      if (hint != null) {
        say(hint);
      }
    }
    if (write != null && plan.incumbent().placement() != null) {
      RunReport report = report(Plan.of(plan.incumbent()), null);
      PlanAnswer.writeModel(report, file -> modelWriter.write(input, file, write, spec), write);
    }
    if (shortage == null && failure instanceof RuntimeException broken) {
      throw broken;
    } else if (shortage == null && failure instanceof Error broken) {
      throw broken;
    }
    return interruption.finished(PlanAnswer.exitCode(plan.incumbent()));
  }

  private LoadedProblem loaded() {
    if (more.isEmpty() && together == null) {
      return new ProblemLoader(input).load();
    }
    UsageException.when(map.isGiven(), "--memories plans one model; it goes without --run");
    arena = ArenaRun.of(input.input, more, input, together);
    return arena.planned();
  }

  private RunControl control(long begin, double reserved) {
    return run.control((System.nanoTime() - begin) / 1e9, reserved);
  }

  /** Begins a run that a signal ends, and that then writes by itself what it has so far. */
  private RunControl begin(long begin) {
    PlanFolder.prepare(output.out);
    written.set(true);
    return control(begin, 0);
  }

  private int planOverMemories(long begin) {
    UsageException.when(
        capacity != null || earlier.path() != null || !planners.isEmpty(),
        "--memories goes without --capacity, --warm-start, --pin-from and --planner; capacities are"
            + " in the map");
    RunControl control = begin(begin);
    String goal = goals.isEmpty() ? "traffic" : String.join(",", goals);
    MemoriesRun over = MemoriesRun.of(planned, map.memories, goal, progress, spec, output.json);
    return map.leastCapacity == null
        ? over.plan(control, output.out)
        : over.leastCapacity(control, map.leastCapacity);
  }

  private int planFront(long begin) {
    boolean more = earlier.warmStart != null || earlier.pinFrom != null || map.isGiven();
    UsageException.when(
        !goals.isEmpty() || more || !planners.isEmpty() || capacity != null,
        "--pareto goes without --objective, --warm-start, --pin-from, --planner, --memories and"
            + " --capacity");
    return new FrontRun(planned, out(), err())
        .run(begin(begin), run.engines(), progress::say, output.out, output.json);
  }

  private List<PlannerCatalogue.Choice> chosen() {
    if (effort == Effort.PROOF && !given("--time-limit")) {
      run.timeLimit = PROOF_SECONDS;
    }
    if (effort != Effort.FAST) {
      return PlannerChoice.of(planners.isEmpty() ? List.of(PlannerCatalogue.PORTFOLIO) : planners);
    }
    UsageException.when(
        !planners.isEmpty(),
        "--effort fast runs the quick heuristics alone; it should not be given with --planner");
    return List.of(new PlannerCatalogue.Choice.Quick());
  }

  private boolean given(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Writes how the one planner asked for comes to its plan, where that was asked for. */
  private void writeTrace() {
    if (trace == null) {
      return;
    }
    UsageException.when(
        output.json && trace.equals("-"),
        "--trace - and --json both write to stdout; give the trace a file");
    List<String> lines =
        choices.size() == 1 && choices.get(0) instanceof PlannerCatalogue.Choice.OfCase system
            ? system.planner().trace(planned.planningCase())
            : List.of();
    UsageException.when(
        lines.isEmpty(),
        "--trace belongs to one of the planners tpu-mlir-2022, inductor-tree, inductor-reuse and"
            + " openvino");
    WrittenFile.writeOrPrint(spec, trace, String.join("\n", lines) + "\n");
  }

  /** An incumbent under the goals asked for, on a problem without capacities if overflow is one. */
  private Incumbent incumbent(PackingProblem problem) {
    Incumbent made = Incumbent.ofGoals(problem, Goals.of(goals, problem));
    if (made.problem() != problem) {
      planned = planned.withProblem(made.problem());
    }
    return made;
  }

  /** Ends the run, if one has begun. */
  public void stop() {
    run.stop();
  }

  /** Writes and prints the answer, unless that was done or is being done. */
  public boolean writeOnce() {
    if (!written.compareAndSet(false, true)) {
      return false;
    }
    if (task == null) {
      say("stopped while reading " + input.input + "; nothing was planned");
      return true;
    }
    plan.settle(null);
    Plan found = Plan.of(plan.incumbent());
    RenderedPlan made = ahead == null ? null : ahead.finish(found);
    RunReport report = report(found, made == null ? null : made.report());
    if (plan.allocation() != null) {
      openVino.write(plan.allocation(), out());
    }
    new PlanAnswer(output, out(), err())
        .write(report, plan, made, solverLog.toString(), () -> writeModels(found));
    return true;
  }

  /** Writes each model's part of a plan of several. */
  private void writeModels(Plan found) {
    if (arena != null) {
      AnswerFolder.say(err(), arena.write(output.out, found.placement(), settings));
    }
    if (arena != null && found.placement() != null) {
      for (SharedArena.Model model : arena.arena().models()) {
        Path part = output.out.resolve(model.name()).resolve("plan.json");
        say("wrote " + part + ", the part of " + model.file());
      }
    }
  }

  private RunReport report(Plan found, RunReport before) {
    RunFacts facts =
        new RunFacts(
            plan.engines(),
            plan.incumbent().trace(),
            plan.remarks(),
            plan.stability(found),
            arena == null ? null : arena.arena(),
            null,
            excess,
            plan.allocation());
    return RunReport.of(found, planned, settings, facts, before);
  }
}
