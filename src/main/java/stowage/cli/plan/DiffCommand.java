package stowage.cli.plan;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import stowage.cli.terminal.ExitCode;
import stowage.importer.io.InputException;
import stowage.importer.own.PackingCsv;
import stowage.importer.own.PlanFile;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.report.plan.PlanDiff;

/** {@code stowage diff}: how two plans of one problem differ. */
@Command(
    name = "diff",
    description = "Says how two plans of one problem differ: peaks, and which buffers moved.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DiffCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(index = "0", paramLabel = "PLAN", description = "A plan.csv or plan.json.")
  Path first;

  @Parameters(index = "1", paramLabel = "PLAN", description = "Another plan of the same problem.")
  Path second;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    PlanFile before = PlanFile.read(first);
    PlanFile after = PlanFile.read(second);
    PackingProblem problem = problem(before);
    PlanDiff diff =
        PlanDiff.of(
            problem,
            first.toString(),
            before.placement(problem),
            second.toString(),
            after.placement(problem));
    PrintWriter out = spec.commandLine().getOut();
    out.println((json ? diff.json() : diff.text()).stripTrailing());
    out.flush();
    return ExitCode.OK;
  }

  /** The problem that the first plan answers, as far as the plan tells. */
  private PackingProblem problem(PlanFile plan) {
    if (first.toString().endsWith(".csv")) {
      return PackingCsv.read(first, new PackingCsv.Options(true));
    }
    List<Buffer> buffers = new ArrayList<>();
    for (Map.Entry<String, PlanFile.Place> entry : plan.places().entrySet()) {
      PlanFile.Place place = entry.getValue();
      if (place.size() == PlanFile.UNKNOWN) {
        throw new InputException(
            first, "buffer \"" + entry.getKey() + "\"", "has no size; compare the plan.csv files");
      }
      buffers.add(
          new Buffer(entry.getKey(), place.size(), (int) place.lower(), (int) place.upper()));
    }
    return PackingProblem.of(String.valueOf(first.getFileName()), buffers);
  }
}
