package stowage.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
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
   * Writes the plan: the offsets first, then all that is known of them, then the pictures; of a
   * large one the offsets are written and the pictures drawn beside the second, which takes
   * longest.
   *
   * @param parts long parts of the same plan's files
   * @param log of the solver, empty for none
   */
  static void write(Path folder, RunReport report, PlanParts parts, String log) {
    boolean beside = report.hasPlacement() && report.problem().size() >= PlanAhead.FEWEST_BUFFERS;
    Executor executor = beside ? ForkJoinPool.commonPool() : Runnable::run;
    try {
      CompletableFuture<Void> offsets = CompletableFuture.completedFuture(null);
      CompletableFuture<Pictures> pictures = null;
      if (report.hasPlacement()) {
        offsets = CompletableFuture.runAsync(() -> writeOffsets(folder, parts), executor);
        pictures = CompletableFuture.supplyAsync(() -> Pictures.of(report, parts), executor);
      }
      AtomicFiles.write(
          folder.resolve("plan.json"),
          out -> PlanJson.write(report, parts.placements()::writeTo, out));
      if (!log.isEmpty()) {
        AtomicFiles.writeString(folder.resolve("solver.log"), log);
      }
      offsets.join();
      if (pictures != null) {
        Pictures drawn = pictures.join();
        AtomicFiles.writeString(folder.resolve("plan.svg"), drawn.svg);
        AtomicFiles.writeString(folder.resolve("plan.html"), drawn.html);
      }
    } catch (IOException failure) {
      throw new OutputException(folder, failure);
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof RuntimeException failure) {
        throw failure;
      } else if (wrapped.getCause() instanceof Error error) {
        throw error;
      }
      throw wrapped;
    }
  }

  private static void writeOffsets(Path folder, PlanParts parts) {
    try {
      AtomicFiles.write(folder.resolve(BUFFERS), parts.csv());
    } catch (IOException failure) {
      throw new OutputException(folder, failure);
    }
  }

  private record Pictures(String svg, String html) {
    static Pictures of(RunReport report, PlanParts parts) {
      String svg = PlanSvg.of(report, parts.panels().get());
      return new Pictures(svg, PlanHtml.of(report, () -> svg));
    }
  }
}
