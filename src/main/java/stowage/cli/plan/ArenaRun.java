package stowage.cli.plan;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import stowage.cli.input.InputOptions;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.UsageException;
import stowage.importer.io.Input;
import stowage.importer.io.InputFiles;
import stowage.importer.io.Suggestion;
import stowage.importer.io.UniqueNames;
import stowage.liveness.StatePairs;
import stowage.packing.Incumbent;
import stowage.packing.LoadBound;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.Plan;
import stowage.planning.LoadedProblem;
import stowage.planning.SharedArena;
import stowage.report.RunFacts;
import stowage.report.RunReport;
import stowage.report.RunSettings;
import stowage.report.plan.RenderedPlan;

/** Planning of several models into one memory: {@code plan A B --run sequential|concurrent}. */
final class ArenaRun {
  private final List<LoadedProblem> planned = new ArrayList<>();
  private final SharedArena arena;

  private ArenaRun(List<Path> files, InputOptions input, SharedArena.Run run) {
    UniqueNames names = new UniqueNames();
    List<String> aliases = input.aliases;
    Set<String> unknown = new LinkedHashSet<>(aliases);
    Set<String> inputs = new LinkedHashSet<>();
    List<SharedArena.Model> models = new ArrayList<>();
    for (Path file : files) {
      UsageException.when(
          file.equals(InputOptions.STDIN), "--run needs files; stdin (-) is not one");
      input.input = file;
      input.several = true;
      ProblemLoader loader = new ProblemLoader(input);
      if (loader.read() instanceof Input.Graph graph) {
        input.aliases = StatePairs.matching(graph.network(), aliases);
        input.aliases.forEach(unknown::remove);
        inputs.addAll(graph.network().inputs());
      }
      LoadedProblem one = loader.load();
      UsageException.when(
          !one.planningCase().hasNetwork(),
          "--run plans networks; " + file + " is a list of buffers");
      planned.add(one);
      models.add(new SharedArena.Model(names.of(name(file)), file.toString(), one.planningCase()));
    }
    for (String alias : unknown) {
      String past = alias.substring(0, alias.indexOf('='));
      String advice = Suggestion.advice(past, inputs);
      throw new UsageException(
          "--alias: no model has a graph input called \"" + past + "\"" + advice);
    }
    this.arena = new SharedArena(models, run);
  }

  /**
   * A name for the folder of a model: the file's name without extension, each blank as {@code _}.
   * It is preceded by {@code model_} where it is empty or the name of one of the answer's own
   * files.
   */
  private static String name(Path file) {
    String stem = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
    String name = stem.replaceAll("\\s", "_").replaceFirst("^\\.+", "_");
    return name.isEmpty() || PlanFolder.FILES.contains(name) ? "model_" + name : name;
  }

  /** Reads the models, all of which have to be networks. */
  static ArenaRun of(Path first, List<Path> more, InputOptions input, SharedArena.Run run) {
    for (Path file : more) {
      if (!file.equals(InputOptions.STDIN) && Files.notExists(file)) {
        throw InputFiles.missing(file, null);
      }
    }
    UsageException.when(
        run == null,
        "several models share one memory with --run sequential (one after the other) or --run"
            + " concurrent (side by side)");
    UsageException.when(
        input.scratch != null, "--scratch is the log of one model; it goes without --run");
    List<Path> files = new ArrayList<>(List.of(first));
    files.addAll(more);
    return new ArenaRun(files, input, run);
  }

  LoadedProblem planned() {
    return LoadedProblem.of(arena.problem());
  }

  SharedArena arena() {
    return arena;
  }

  /**
   * Writes each model's part as a plan of its own, into a folder of the model's name. Without a
   * plan the parts of an earlier run are renamed; gives their new names.
   */
  List<Path> write(Path out, Placement whole, RunSettings settings) {
    List<Path> renamed = new ArrayList<>();
    for (int m = 0; m < planned.size(); m++) {
      Path folder = out.resolve(arena.models().get(m).name());
      if (whole == null) {
        renamed.addAll(new AnswerFolder(folder).setAside(PlanFolder.FILES));
        continue;
      }
      PackingProblem problem = planned.get(m).problem();
      Incumbent own = new Incumbent(problem);
      own.offer(LoadBound.of(problem, 0), "load");
      own.offer(arena.part(m, whole), "arena");
      RunFacts facts =
          new RunFacts(List.of(), own.trace(), List.of(), null, null, arena.run(), null, null);
      RunReport report = RunReport.of(Plan.of(own), planned.get(m), settings, facts, null);
      PlanFolder.prepare(folder);
      PlanFolder.write(folder, report, RenderedPlan.streamed(report), "");
    }
    return renamed;
  }
}
