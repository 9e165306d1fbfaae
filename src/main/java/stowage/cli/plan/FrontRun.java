package stowage.cli.plan;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.UsageException;
import stowage.compiler.CompilerPlanners;
import stowage.compiler.core.ImplicitDependencies;
import stowage.compiler.core.SystemPlanner;
import stowage.compiler.openvino.AllocationType;
import stowage.compiler.openvino.GpuDevice;
import stowage.compiler.openvino.GpuUse;
import stowage.compiler.openvino.OpenVino;
import stowage.exact.engine.EngineOptions;
import stowage.heuristic.NotPlannableException;
import stowage.importer.own.PackingCsv;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.ReuseCost;
import stowage.packing.RunControl;
import stowage.packing.Verifier;
import stowage.planning.LoadedProblem;
import stowage.planning.ParetoFront;
import stowage.planning.ParetoRun;
import stowage.report.compare.FrontReport;
import stowage.report.compare.FrontSvg;

/** The front of peak against the price of reuse: {@code plan --pareto peak,reuse}. */
record FrontRun(LoadedProblem planned, PrintWriter out, PrintWriter err) {
  private static final String ANSWER = "front.json";
  private static final String PICTURE = "front.svg";
  private static final List<String> RULES = List.of("inductor-tree", "inductor-reuse");

  private static final double RULE_SECONDS = 20;

  /** With more buffers nothing is added to the front when time is over. */
  private static final int MANY_BUFFERS = 1000;

  static void check(List<String> goals) {
    UsageException.when(
        !goals.equals(List.of("peak", "reuse")),
        "--pareto " + String.join(",", goals) + " should be peak,reuse: no other front is known");
  }

  /** Finds the front, prints and writes it; gives the exit code. */
  int run(
      RunControl control, EngineOptions options, Consumer<String> say, Path folder, boolean json) {
    long begin = System.nanoTime();
    PackingProblem problem = planned.problem();
    ParetoFront front = ParetoFront.of(problem, control, options, say);
    List<ParetoRun.Point> found = front.points();
    UsageException.when(front.refusal() != null, "--pareto " + front.refusal());
    if (found.isEmpty()) {
      boolean none = front.infeasible();
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (json) {
        out.println(
            new FrontReport(problem.name(), "", List.of(), none, List.of(), 0, seconds).json());
        out.flush();
      }
      err.println(
          none ? "stowage: infeasible: no placement fits" : "stowage: no plan was found in time");
      return none ? ExitCode.INFEASIBLE : ExitCode.NO_PLAN;
    }
    List<FrontReport.Point> points =
        found.stream()
            .map(
                p ->
                    new FrontReport.Point(
                        p.peak(),
                        p.peakBound(),
                        p.cost(),
                        p.costBound(),
                        path(p.placement(), control)))
            .toList();
    String memories = problem.memories().size() == 1 ? "" : String.join(" + ", front.memories());
    int path = hasPaths(control) ? dependencies(found.get(0).placement()).criticalPathBefore() : 0;
    List<FrontReport.Other> systems = systems(control);
    double seconds = (System.nanoTime() - begin) / 1e9;
    FrontReport report =
        new FrontReport(problem.name(), memories, points, front.whole(), systems, path, seconds);
    out.println((json ? report.json() : report.text()).stripTrailing());
    out.flush();
    if (folder != null) {
      write(folder, report, found);
    }
    return ExitCode.OK;
  }

  private ImplicitDependencies dependencies(Placement placement) {
    return ImplicitDependencies.of(planned.planningCase(), placement);
  }

  private boolean hasPaths(RunControl control) {
    return planned.planningCase().hasNetwork() && !isOver(control);
  }

  private int path(Placement placement, RunControl control) {
    return hasPaths(control) ? dependencies(placement).criticalPathAfter() : 0;
  }

  private boolean isMany() {
    return planned.problem().size() > MANY_BUFFERS;
  }

  private boolean isOver(RunControl control) {
    return isMany() && control.isStopped();
  }

  /** What OpenVINO's passes and Inductor's rules make of the network. */
  private List<FrontReport.Other> systems(RunControl control) {
    List<FrontReport.Other> systems = new ArrayList<>();
    if (!planned.planningCase().hasNetwork()) {
      return systems;
    }
    for (GpuDevice.Passes passes : GpuDevice.Passes.values()) {
      String name = "openvino, passes " + passes.name().toLowerCase(Locale.ROOT);
      long any = Long.MAX_VALUE;
      GpuDevice.KernelSum sum = GpuDevice.KernelSum.INPUTS_AND_OUTPUTS;
      GpuDevice device = new GpuDevice(true, any, any, sum, passes, AllocationType.USM_HOST);
      add(systems, name, new OpenVino(device, GpuUse.ofStreams(1)), control);
    }
    for (String rule : RULES) {
      add(systems, rule, CompilerPlanners.named(rule), control);
    }
    return systems;
  }

  private void add(
      List<FrontReport.Other> systems, String name, SystemPlanner planner, RunControl control) {
    try {
      requireTime(control);
      double seconds = isMany() ? Math.min(RULE_SECONDS, control.secondsLeft()) : RULE_SECONDS;
      RunControl own = RunControl.ofSeconds(seconds, 1, 1);
      Placement placement = planner.planKnown(planned.planningCase(), own).placement();
      PackingProblem problem = planned.problem();
      if (Verifier.violations(problem, placement).isEmpty()) {
        long cost = ReuseCost.of(problem, placement);
        long peak = placement.peak(problem, 0);
        int path = path(placement, control);
        requireTime(control);
        systems.add(new FrontReport.Other(name, peak, cost, path));
      }
    } catch (NotPlannableException refused) {
      err.println("stowage: " + name + ": " + refused.getMessage());
    }
  }

  private void requireTime(RunControl control) {
    if (isOver(control)) {
      throw new NotPlannableException("no time was left");
    }
  }

  private void write(Path place, FrontReport report, List<ParetoRun.Point> found) {
    AnswerFolder folder = new AnswerFolder(place);
    folder.writeString(ANSWER, report.json() + "\n");
    folder.writeString(PICTURE, FrontSvg.of(report));
    for (int k = 0; k < found.size(); k++) {
      Placement placement = found.get(k).placement();
      String name = "front-" + (k + 1) + ".csv";
      folder.write(name, out -> PackingCsv.write(out, planned.problem(), placement, null));
    }
    String last = found.size() > 1 ? " to front-" + found.size() + ".csv" : "";
    String written = place.resolve(PICTURE) + ", " + ANSWER + ", front-1.csv" + last;
    err.println("stowage: wrote " + written);
  }
}
