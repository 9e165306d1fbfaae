package stowage.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import stowage.cli.input.FigureOptions;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.JsonCommand;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.Writes;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.io.InputException;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanFile;
import stowage.packing.Buffer;
import stowage.packing.ConflictPairs;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.report.compare.PlansHtml;
import stowage.report.group.GroupDiff;
import stowage.report.plan.PlanDiff;

/** {@code stowage diff}: how two plans of one problem differ. */
@Writes({"diff.html"})
@Command(
    name = "diff",
    description =
        "Says how two plans of one problem differ: peaks, and which buffers moved; or two groupings"
            + " of a network (groups.json).")
public final class DiffCommand extends JsonCommand {
  @Mixin FigureOptions figure;

  @Parameters(
      index = "0",
      paramLabel = "PLAN",
      description = "A plan.csv or plan.json, or a groups.json.")
  Path first;

  @Parameters(index = "1", paramLabel = "PLAN", description = "Another plan of the same problem.")
  Path second;

  @Writes
  @Option(
      names = {"--out", "-o"},
      paramLabel = "DIR",
      description = "Write diff.html into this folder: both plans above each other, linked.")
  Path folder;

  @Override
  public Integer call() {
    JsonNode groups = grouping(first);
    if (groups != null) {
      return groups(groups, grouping(second));
    }
    PlanFile before = PlanFile.read(first);
    PlanFile after = PlanFile.read(second);
    PackingProblem problem = InputException.checked(first, "", () -> problem(before, after));
    Placement older = before.placement(problem);
    Placement newer = after.placement(problem);
    PlanDiff diff = PlanDiff.of(problem, first.toString(), older, second.toString(), newer);
    if (folder != null) {
      PlanFolder.prepare(folder);
      List<PlansHtml.Entry> entries =
          List.of(
              new PlansHtml.Entry(first.toString(), older, Double.NaN),
              new PlansHtml.Entry(second.toString(), newer, Double.NaN));
      long bound = LoadProfile.of(problem).maxLoad();
      String both = inFolder(first) + " and " + inFolder(second);
      PackingProblem named =
          new PackingProblem(both, problem.buffers(), problem.memories(), problem.conflicts());
      String page = PlansHtml.of(named, bound, entries, figure.figureSize());
      WrittenFile.writeString(spec, folder.resolve("diff.html"), page);
    }
    printLines(json ? diff.json() : diff.text());
    return ExitCode.OK;
  }

  /** A file's name with its folder's: most plans are called plan.json. */
  private static String inFolder(Path file) {
    int parts = file.getNameCount();
    return file.subpath(Math.max(0, parts - 2), parts).toString();
  }

  private int groups(JsonNode before, JsonNode after) {
    UsageException.when(
        after == null,
        first + " is a grouping and " + second + " is none; both should be a groups.json");
    UsageException.when(
        folder != null, "--out draws plans; groupings are compared as text or with --json");
    String network = before.at("/network/name").asText();
    String other = after.at("/network/name").asText();
    UsageException.when(
        !network.equals(other),
        first + " is of network \"" + network + "\", " + second + " of \"" + other + "\"");
    GroupDiff diff = GroupDiff.of(first.toString(), before, second.toString(), after);
    printLines(json ? diff.json() : diff.text());
    return ExitCode.OK;
  }

  /** A file as a grouping; null where it is something else, or cannot be read as JSON. */
  private static JsonNode grouping(Path file) {
    if (!file.toString().endsWith(".json")) {
      return null;
    }
    try {
      JsonNode document = new ObjectMapper().readTree(file.toFile());
      return document != null && GroupDiff.isGrouping(document) ? document : null;
    } catch (IOException notJson) {
      return null; // the reader of plans says what is wrong
    }
  }

  private PackingProblem problem(PlanFile plan, PlanFile other) {
    if (first.toString().endsWith(".csv")) {
      return PackingCsv.read(first, true);
    }
    List<Buffer> buffers = new ArrayList<>();
    plan.places()
        .forEach(
            (id, place) -> {
              long known = Math.min(place.size(), Math.min(place.lower(), place.upper()));
              if (known == PlanFile.UNKNOWN) {
                String what = "has no size or no live range; compare the plan.csv files";
                throw new InputException(first, "buffer \"" + id + "\"", what);
              }
              buffers.add(new Buffer(id, place.size(), (int) place.lower(), (int) place.upper()));
            });
    List<Memory> memories =
        Stream.of(plan, other)
            .flatMap(one -> one.places().values().stream().map(PlanFile.Place::memory))
            .filter(Objects::nonNull)
            .distinct()
            .map(name -> new Memory(name, Memory.UNBOUNDED, 1, 0, 0))
            .toList();
    return new PackingProblem(
        plan.problem(),
        buffers,
        memories.isEmpty() ? List.of(Memory.main()) : memories,
        ConflictPairs.none());
  }
}
