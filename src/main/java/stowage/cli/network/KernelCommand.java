package stowage.cli.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.input.ProgressOptions;
import stowage.cli.input.RunOptions;
import stowage.cli.plan.PlanFolder;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.Interruption;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.importer.io.InputException;
import stowage.importer.io.Suggestion;
import stowage.importer.kernel.KernelFiles;
import stowage.kernel.KernelGoal;
import stowage.kernel.KernelIncumbent;
import stowage.kernel.KernelSolver;
import stowage.kernel.model.Caches;
import stowage.kernel.model.KernelFigures;
import stowage.kernel.model.KernelOps;
import stowage.kernel.model.KernelPlan;
import stowage.kernel.verify.KernelVerifier;
import stowage.network.kernel.KernelBuffer;
import stowage.network.kernel.KernelGraph;
import stowage.packing.ByteText;
import stowage.packing.RunControl;
import stowage.packing.Status;
import stowage.report.format.StatusLine;
import stowage.report.format.Terminal;
import stowage.report.kernel.KernelHtml;
import stowage.report.page.PageFrame;

/** {@code stowage kernel}: order, spills and addresses of a neural processor's kernel graph. */
@Writes({"*_{schedule,memory,spill}.txt", "*.html"})
@Command(
    name = "kernel",
    description =
        "Schedules a kernel graph of a neural processor: the order of its nodes, spills, and"
            + " addresses in its caches.")
public final class KernelCommand extends JsonCommand {
  /** What writing the answer takes, about, in seconds a node. */
  private static final double SECONDS_AFTERWARDS = 4e-5;

  @Parameters(
      paramLabel = "GRAPH",
      description = "A kernel graph: .json, or the nodes' file of a pair of .csv files.")
  Path input;

  @Option(
      names = "--minimize",
      paramLabel = "residency|traffic|time",
      description =
          "Peak of all buffers alive (default), units moved by spills, or cycles to the end.")
  KernelGoal goal = KernelGoal.RESIDENCY;

  @Option(
      names = "--cache",
      paramLabel = "NAME=UNITS",
      split = ",",
      description =
          "Capacities of caches (default: L1=4096,UB=1024,L0A=256,L0B=256,L0C=512); may be"
              + " repeated.")
  Map<String, Long> capacities = new LinkedHashMap<>();

  @Option(
      names = "--max-traffic",
      paramLabel = "UNITS",
      description = "With --minimize time: spills may move no more than this.")
  Long mostTraffic;

  @Writes
  @Option(
      names = {"--out", "-o"},
      paramLabel = "DIR",
      description =
          "Write NAME_schedule.txt; with addresses NAME_memory.txt, NAME_spill.txt and NAME.html"
              + " too.")
  Path out;

  @Mixin RunOptions run;
  @Mixin ProgressOptions progress;

  @Override
  public Integer call() {
    long begin = System.nanoTime();
    checkOptions();
    PlanFolder.prepare(out);
    KernelGraph graph = KernelFiles.read(input);
    Caches caches = caches(graph);
    KernelOps ops = KernelOps.of(graph, caches);
    String misfit = goal == KernelGoal.RESIDENCY ? null : ops.misfit();
    if (misfit != null) {
      return infeasible(misfit, begin);
    }
    String what =
        "scheduling " + graph.nodes().size() + " nodes and " + graph.buffers().size() + " buffers";
    RunControl control =
        run.control((System.nanoTime() - begin) / 1e9, SECONDS_AFTERWARDS * graph.nodes().size());
    Interruption interruption = Interruption.install(control::stop, () -> false);
    long most = goal == KernelGoal.TIME && mostTraffic != null ? mostTraffic : Long.MAX_VALUE;
    KernelIncumbent best;
    try (StatusLine shown = progress.during(what, control)) {
      best = KernelSolver.solve(ops, caches, goal, most, control);
    }
    if (best.plan() == null) {
      say("no plan with at most " + most + " units of traffic was found in time");
      return interruption.finished(ExitCode.NO_PLAN);
    }
    String written = out == null ? null : write(graph, caches, best);
    double seconds = (System.nanoTime() - begin) / 1e9;
    KernelAnswer answer =
        new KernelAnswer(KernelFiles.name(input), graph, caches, goal, best, seconds);
    String said = written == null ? "Schedule and page: add --out DIR" : "Wrote " + written;
    printLines(json ? answer.json() : Terminal.dressed(answer.text()) + said);
    return interruption.finished(ExitCode.OK);
  }

  private void checkOptions() {
    capacities.forEach(
        (cache, units) ->
            UsageException.when(
                units < 0, "--cache " + cache + "=" + units + " should be 0 or more"));
    UsageException.when(
        mostTraffic != null && goal != KernelGoal.TIME,
        "--max-traffic limits --minimize time alone; leave it out with --minimize "
            + goal.name().toLowerCase(Locale.ROOT));
  }

  private Caches caches(KernelGraph graph) {
    Caches caches = Caches.DEFAULT.with(capacities);
    for (KernelBuffer buffer : graph.buffers()) {
      if (!caches.units().containsKey(buffer.cache())) {
        String where = "buffer " + buffer.id() + ", field \"Type\"";
        String what = "\"%s\" has no capacity; known are %s; others need --cache %s=UNITS";
        String names = String.join(", ", caches.names());
        throw new InputException(input, where, what, buffer.cache(), names, buffer.cache());
      }
    }
    Set<String> known = new TreeSet<>(Caches.DEFAULT.names());
    graph.buffers().forEach(buffer -> known.add(buffer.cache()));
    for (String cache : capacities.keySet()) {
      UsageException.when(
          !known.contains(cache),
          "--cache: no buffer is in a cache " + cache + Suggestion.advice(cache, known));
    }
    return caches;
  }

  private int infeasible(String reason, long begin) {
    if (json) {
      ObjectNode answer = new ObjectMapper().createObjectNode();
      answer.put("schemaVersion", 1).put("status", Status.INFEASIBLE.name());
      answer.put("minimize", goal.name().toLowerCase(Locale.ROOT)).put("reason", reason);
      answer.put("seconds", (System.nanoTime() - begin) / 1e9);
      print(answer.toPrettyString() + "\n");
    }
    say("infeasible: " + reason);
    return ExitCode.INFEASIBLE;
  }

  private String page(KernelGraph graph, Caches caches, KernelIncumbent best, String name) {
    long[][] times = KernelVerifier.times(graph, caches.units(), best.plan());
    KernelFigures figures = best.figures();
    String moved = " that move " + ByteText.exact(figures.traffic()) + " units";
    String spills =
        figures.spills() == 0 ? "no spills" : ByteText.count(figures.spills(), "spill") + moved;
    String answer = ByteText.exact(figures.cycles()) + " cycles, " + spills;
    String least = ByteText.exact(best.bound());
    String bound =
        "; at least %s %s over all orders"
            .formatted(least, goal == KernelGoal.TIME ? "cycles" : "units moved");
    PageFrame page =
        PageFrame.of("Kernel " + name)
            .status((best.isProven() ? Status.OPTIMAL : Status.FEASIBLE).name())
            .sentence(answer + bound);
    return KernelHtml.of(graph, caches.units(), best.plan(), times[0], times[1]).addTo(page).page();
  }

  private String write(KernelGraph graph, Caches caches, KernelIncumbent best) {
    KernelPlan plan = best.plan();
    String name = KernelFiles.name(input);
    AnswerFolder folder = new AnswerFolder(out);
    folder.writeString(name + "_schedule.txt", plan.scheduleText());
    if (plan.offsets() != null) {
      folder.writeString(name + "_memory.txt", plan.memoryText(graph));
      folder.writeString(name + "_spill.txt", plan.spillsText(graph));
      folder.writeString(name + ".html", page(graph, caches, best, name));
    }
    String page = name + ".html";
    List<String> tables = List.of(name + "_memory.txt", name + "_spill.txt");
    AnswerFolder.say(err(), folder.setAside(List.of(tables.get(0), tables.get(1), page)));
    String schedule = name + "_schedule.txt";
    return plan.offsets() == null
        ? out.resolve(schedule).toString()
        : out.resolve(page) + " (open it), " + schedule + ", " + String.join(", ", tables);
  }
}
