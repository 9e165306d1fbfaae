package stowage.cli.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import stowage.cli.input.InputOptions;
import stowage.cli.input.Planned;
import stowage.cli.input.ProblemLoader;
import stowage.cli.terminal.ExitCode;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.WrittenFile;
import stowage.importer.Inputs;
import stowage.importer.PlanExport;
import stowage.importer.io.Input;
import stowage.importer.io.InputException;
import stowage.importer.own.PlanFile;
import stowage.liveness.BaselineCheck;
import stowage.liveness.PlanningCase;
import stowage.packing.Placement;

/** {@code stowage export}: a plan written into the model's own file, for its runtime to use. */
@Command(
    name = "export",
    description =
        "Writes a plan into a copy of the model, where its runtime looks for it: TFLite's"
            + " OfflineMemoryAllocation, or the addresses of a TPU-MLIR file.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class ExportCommand implements Callable<Integer> {
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

  @Option(
      names = "--json",
      description = "Print one JSON object on stdout that says what was written, and nothing else.")
  boolean json;

  @Override
  public Integer call() {
    WrittenFile.checkSpares(out, input.input);
    Planned planned = new ProblemLoader(input).load();
    Placement placement = PlanFile.read(plan).validPlacement(planned.problem());
    Map<String, Long> offsets = new LinkedHashMap<>();
    for (int i = 0; i < planned.problem().size(); i++) {
      for (PlanningCase.Part part : planned.planningCase().contents().get(i).parts()) {
        offsets.put(part.tensor(), placement.offset(i) + part.offset());
      }
    }
    try {
      write(planned, offsets, placement.peak(planned.problem(), 0));
    } catch (IOException failure) {
      throw new OutputException(out, failure);
    }
    WrittenFile.say(spec, out, List.of(), json);
    return ExitCode.OK;
  }

  /**
   * Writes the model beside its place, reads it back, and puts it there only when the plan in it is
   * right: a plan made for another order of the ops, or for other alignments, would not be.
   */
  private void write(Planned planned, Map<String, Long> offsets, long bytes) throws IOException {
    Path model = input.input;
    String name = String.valueOf(model.getFileName());
    int dot = Math.max(0, name.lastIndexOf('.'));
    Path folder = Files.createTempDirectory(out.toAbsolutePath().getParent(), ".stowage");
    Path written = folder.resolve("model" + name.substring(dot));
    try {
      PlanExport.write(model, offsets, bytes, written);
      Input.Graph graph = (Input.Graph) Inputs.read(written);
      if (graph.baseline().isPresent()) {
        BaselineCheck check =
            BaselineCheck.of(
                graph.network(),
                graph.baseline().get(),
                planned.planningCase().options().inPlace());
        if (!check.valid()) {
          throw new InputException(
              plan,
              "",
              "would be wrong in the model, in the order of the file's ops and with sizes rounded"
                  + " up to "
                  + graph.baseline().get().alignment()
                  + ": "
                  + check.status());
        }
      }
      Files.move(written, out, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(written);
      Files.delete(folder);
    }
  }
}
