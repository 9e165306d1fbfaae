package stowage.cli.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stowage.cli.input.InputOptions;
import stowage.cli.input.LoadedProblem;
import stowage.cli.input.ProblemLoader;
import stowage.cli.input.RunOptions;
import stowage.cli.terminal.UsageException;
import stowage.exact.engine.EngineOptions;
import stowage.importer.io.UniqueNames;
import stowage.liveness.PlanningCase;
import stowage.packing.Buffer;
import stowage.packing.Incumbent;
import stowage.packing.LoadBound;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.packing.RunControl;
import stowage.planning.PlannerCatalogue;
import stowage.planning.PlannerRun;
import stowage.planning.SharedArena;
import stowage.report.ArenaFacts;
import stowage.report.RunReport;

/** Planning of several models into one memory: {@code plan A B --run sequential|concurrent}. */
final class ArenaRun {
  /** The part of the time in which the models are planned one by one. */
  private static final double OWN_SHARE = 0.5;

  private final List<Path> files;
  private final List<LoadedProblem> planned = new ArrayList<>();
  private final SharedArena arena;

  private ArenaRun(List<Path> files, InputOptions input, SharedArena.Run run) {
    this.files = files;
    UniqueNames names = new UniqueNames();
    List<SharedArena.Model> models = new ArrayList<>();
    for (Path file : files) {
      if (file.equals(InputOptions.STDIN)) {
        throw new UsageException("--run plans several files; - is none");
      }
      input.input = file;
      LoadedProblem one = new ProblemLoader(input).load();
      if (!one.planningCase().hasNetwork()) {
        throw new UsageException("--run plans networks; " + file + " is a list of buffers");
      }
      planned.add(one);
      models.add(new SharedArena.Model(names.of(name(file)), one.planningCase()));
    }
    this.arena = new SharedArena(models, run);
  }

  /**
   * A name for a model that can be a folder's next to the answer's own files: the file's without
   * its extension.
   */
  private static String name(Path file) {
    String stem = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
    String name = stem.replaceAll("\\s", "_").replaceFirst("^\\.+", "_");
    return name.isEmpty() || PlanFolder.FILES.contains(name) ? "model_" + name : name;
  }

  /**
   * Reads the models.
   *
   * @throws UsageException when one of them is no network, or options are for one model alone
   */
  static ArenaRun of(Path first, List<Path> more, InputOptions input, SharedArena.Run run) {
    if (run == null) {
      throw new UsageException(
          "several models share one memory with --run sequential (one after the other) or --run"
              + " concurrent (side by side)");
    }
    if (input.scratch != null) {
      throw new UsageException("--scratch is the log of one model; it goes without --run");
    }
    List<Path> files = new ArrayList<>(List.of(first));
    files.addAll(more);
    return new ArenaRun(files, input, run);
  }

  /** All models as one input. */
  LoadedProblem planned() {
    return LoadedProblem.of(arena.problem());
  }

  /** Plans each model by itself, and offers these plans laid together. */
  void offerStart(Incumbent whole, RunControl control) {
    List<Placement> plans = new ArrayList<>();
    double seconds = OWN_SHARE * control.secondsLeft();
    for (int m = 0; m < planned.size(); m++) {
      PackingProblem shared = arena.shared(m);
      Incumbent own = new Incumbent(shared);
      PlannerRun.of(
          PlanningCase.ofBuffers(shared),
          own,
          control.within(seconds / planned.size()),
          List.of(PlannerCatalogue.named(PlannerCatalogue.PORTFOLIO)),
          EngineOptions.defaults());
      if (own.placement() == null) {
        return;
      }
      plans.add(own.placement());
    }
    whole.offer(arena.stacked(plans), "models one by one");
  }

  /** What there is to say of the models in a plan, or of the models alone for null. */
  ArenaFacts facts(Placement whole) {
    List<ArenaFacts.Model> models = new ArrayList<>();
    for (int m = 0; m < planned.size(); m++) {
      PackingProblem problem = planned.get(m).problem();
      long start = Long.MAX_VALUE;
      long end = 0;
      Placement part = whole == null ? null : arena.part(m, whole);
      for (int b = 0; b < problem.size() && part != null; b++) {
        Buffer buffer = problem.buffer(b);
        if (buffer.needsMemory()) {
          start = Math.min(start, part.offset(b));
          end = Math.max(end, part.offset(b) + buffer.size());
        }
      }
      models.add(
          new ArenaFacts.Model(
              arena.models().get(m).name(),
              files.get(m).toString(),
              problem.size(),
              arena.stateBytes(m),
              end == 0 ? 0 : start,
              end));
    }
    return new ArenaFacts(arena.run().name().toLowerCase(Locale.ROOT), models);
  }

  /** Writes each model's part as a plan of its own, into a folder of the model's name. */
  void write(Path out, Placement whole, RunOptions run) {
    for (int m = 0; m < planned.size(); m++) {
      PackingProblem problem = planned.get(m).problem();
      Incumbent own = new Incumbent(problem);
      own.offer(LoadBound.of(problem, 0), "load");
      own.offer(arena.part(m, whole), "arena");
      ReportFacts facts = new ReportFacts(planned.get(m), run, List.of());
      facts.runTogether(arena.run().name().toLowerCase(Locale.ROOT));
      RunReport report = facts.report(Plan.of(own), own, null);
      Path folder = out.resolve(arena.models().get(m).name());
      PlanFolder.prepare(folder);
      PlanFolder.write(folder, report, RenderedPlan.streamed(report), "");
    }
  }
}
