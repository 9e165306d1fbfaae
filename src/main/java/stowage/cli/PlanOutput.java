package stowage.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import stowage.importer.AtomicFiles;
import stowage.report.PlanHtml;
import stowage.report.PlanJson;
import stowage.report.PlanSvg;
import stowage.report.RunReport;

/** Writes the files of one run into its folder. */
final class PlanOutput {
  /** The file that can be read as a problem again, and so may be the input itself. */
  static final String BUFFERS = "plan.csv";

  private PlanOutput() {}

  /**
   * Makes the folder ready before any work is done.
   *
   * @throws UsageException when it has no name
   * @throws OutputException when it cannot be a folder that is written to
   */
  static void prepare(Path folder) {
    if (folder.toString().isEmpty()) {
      throw new UsageException("--out \"\" should be the name of a folder");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException failure) {
      throw new OutputException(folder, failure);
    }
    if (!Files.isWritable(folder)) {
      throw new OutputException(folder, new AccessDeniedException(folder.toString()));
    }
  }

  /**
   * Writes the plan: the offsets first, then all that is known of them, then the pictures.
   *
   * @param parts long parts of the same plan's files
   * @param log of the solver, empty for none
   */
  static void write(Path folder, RunReport report, PlanParts parts, String log) {
    Supplier<Pictures> pictures = pictures(report, parts);
    try {
      if (report.hasPlacement()) {
        AtomicFiles.write(folder.resolve(BUFFERS), parts.csv());
      }
      AtomicFiles.write(
          folder.resolve("plan.json"),
          out -> PlanJson.write(report, parts.placements()::writeTo, out));
      if (!log.isEmpty()) {
        AtomicFiles.writeString(folder.resolve("solver.log"), log);
      }
      if (report.hasPlacement()) {
        Pictures drawn = pictures.get();
        AtomicFiles.writeString(folder.resolve("plan.svg"), drawn.svg);
        AtomicFiles.writeString(folder.resolve("plan.html"), drawn.html);
      }
    } catch (IOException failure) {
      throw new OutputException(folder, failure);
    }
  }

  /** Draws the plan when asked to; a large one beside the writing of its long files. */
  private static Supplier<Pictures> pictures(RunReport report, PlanParts parts) {
    if (report.hasPlacement() && report.problem().size() >= PlanAhead.FEWEST_BUFFERS) {
      return CompletableFuture.supplyAsync(() -> Pictures.of(report, parts))::join;
    }
    return () -> Pictures.of(report, parts);
  }

  private record Pictures(String svg, String html) {
    static Pictures of(RunReport report, PlanParts parts) {
      String svg = PlanSvg.of(report, parts.panels().get());
      return new Pictures(svg, PlanHtml.of(report, () -> svg));
    }
  }
}
