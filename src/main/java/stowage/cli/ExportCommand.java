package stowage.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.importer.InputException;
import stowage.importer.PlanExport;
import stowage.importer.PlanFile;
import stowage.liveness.PlanningCase;
import stowage.packing.Placement;
import stowage.packing.Verifier;
import stowage.packing.Violation;

/** {@code stowage export}: a plan written into the model's own file, for its runtime to use. */
@Command(
    name = "export",
    description =
        "Writes a plan into a copy of the model, where its runtime looks for it: TFLite's"
            + " OfflineMemoryAllocation, or the addresses of a TPU-MLIR file.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ExportCommand implements Callable<Integer> {
  @Mixin InputOptions input;
  @Spec CommandSpec spec;

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      required = true,
      description = "A plan.json or plan.csv of this model, made with the same options.")
  Path plan;

  @Option(
      names = {"--out", "-o"},
      paramLabel = "FILE",
      required = true,
      description = "The model to write.")
  Path out;

  @Override
  public Integer call() {
    Planned planned = new ProblemLoader(input).load();
    Placement placement = PlanFile.read(plan).placement(planned.problem());
    List<Violation> violations = Verifier.violations(planned.problem(), placement);
    if (!violations.isEmpty()) {
      throw new InputException(plan, "", "is no valid plan: " + violations.get(0).text());
    }
    Map<String, Long> offsets = new LinkedHashMap<>();
    for (int i = 0; i < planned.problem().size(); i++) {
      for (PlanningCase.Part part : planned.planningCase().contents().get(i).parts()) {
        offsets.put(part.tensor(), placement.offset(i) + part.offset());
      }
    }
    try {
      PlanExport.write(input.input, offsets, placement.peak(planned.problem(), 0), out);
    } catch (IOException failure) {
      throw new UncheckedIOException("writing " + out + ": " + failure.getMessage(), failure);
    }
    spec.commandLine().getErr().println("stowage: wrote " + out);
    return ExitCode.OK;
  }
}
