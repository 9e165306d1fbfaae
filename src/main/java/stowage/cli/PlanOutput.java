package stowage.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import stowage.importer.AtomicFiles;
import stowage.importer.InputException;
import stowage.importer.PackingCsv;
import stowage.report.PlanHtml;
import stowage.report.PlanJson;
import stowage.report.PlanSvg;
import stowage.report.RunReport;

/** Writes the files of one run into its folder. */
final class PlanOutput {
  private PlanOutput() {}

  /**
   * Makes the folder ready before any work is done.
   *
   * @throws InputException when it cannot be a folder that is written to
   */
  static void prepare(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException failure) {
      throw new InputException(folder, "", "cannot be made a folder to write to", failure);
    }
    if (!Files.isWritable(folder)) {
      throw new InputException(folder, "", "cannot be written to");
    }
  }

  /**
   * Writes the plan: the offsets first, then all that is known of them, then the pictures.
   *
   * @param log of the solver, empty for none
   */
  static void write(Path folder, RunReport report, String log) {
    try {
      if (report.hasPlacement()) {
        PackingCsv.write(
            folder.resolve("plan.csv"),
            report.problem(),
            report.plan().placement(),
            report.hasTensors() ? i -> String.join(" ", report.tensors(i)) : null);
      }
      AtomicFiles.write(folder.resolve("plan.json"), out -> PlanJson.write(report, out));
      if (!log.isEmpty()) {
        AtomicFiles.writeString(folder.resolve("solver.log"), log);
      }
      if (report.hasPlacement()) {
        String picture = PlanSvg.of(report);
        AtomicFiles.writeString(folder.resolve("plan.svg"), picture);
        AtomicFiles.writeString(folder.resolve("plan.html"), PlanHtml.of(report, () -> picture));
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("writing into " + folder + ": " + failure, failure);
    }
  }
}
