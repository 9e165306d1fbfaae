package stowage.cli.plan;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import stowage.cli.terminal.AnswerFolder;
import stowage.cli.terminal.OutputException;
import stowage.cli.terminal.UsageException;
import stowage.cli.terminal.WrittenFile;
import stowage.report.RunReport;
import stowage.report.plan.BackgroundRendering;
import stowage.report.plan.PlanHtml;
import stowage.report.plan.PlanJson;
import stowage.report.plan.PlanSvg;
import stowage.report.plan.RenderedPlan;

/** Folder of one run, with its files. */
public final class PlanFolder {
  /** The file that can be read as a problem again, and so may be the input itself. */
  static final String BUFFERS = "plan.csv";

  private static final String ANSWER = "plan.json";
  private static final String PICTURE = "plan.svg";
  private static final String PAGE = "plan.html";
  private static final String LOG = "solver.log";
  static final List<String> FILES = List.of(BUFFERS, ANSWER, LOG, PICTURE, PAGE);

  private PlanFolder() {}

  /** Makes the folder ready before any work is done; nothing where that is null. */
  public static void prepare(Path folder) {
    if (folder == null) {
      return;
    }
    UsageException.when(folder.toString().isEmpty(), "--out \"\" should be the name of a folder");
    UsageException.when(
        WrittenFile.isStdout(folder),
        "--out - should be the name of a folder; --json prints the answer on stdout");
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
   * Writes the plan: the offsets and all that is known of them, then the pictures. Offsets are
   * written and the picture is drawn in parallel with the rest, and so is the page of a large plan,
   * whose answer takes longest. Files of an earlier run that are not written are renamed, even
   * where writing fails; gives their new names.
   */
  public static List<Path> write(Path place, RunReport report, RenderedPlan parts, String log) {
    AnswerFolder folder = new AnswerFolder(place);
    List<Path> renamed = new ArrayList<>();
    if (!report.hasPlacement()) {
      boolean drawn = report.drawn().hasPlacement();
      renamed.addAll(folder.setAside(drawn ? List.of(BUFFERS) : List.of(BUFFERS, PICTURE, PAGE)));
    }
    boolean foreign = !Files.exists(place.resolve(ANSWER)); // then a log there is not ours
    if (log.isEmpty() != foreign) {
      renamed.addAll(folder.setAside(List.of(LOG)));
    }
    try {
      write(folder, report, parts, log);
    } catch (RuntimeException | Error failure) {
      folder.setAside(FILES);
      throw failure;
    }
    return renamed;
  }

  /** Which files a run wrote, for its reader; without a folder, how to get them. */
  static String said(Path place, RunReport report) {
    if (place == null) {
      return WrittenFile.ADD_OUT;
    }
    if (!report.drawn().hasPlacement()) {
      return "Wrote " + place.resolve(ANSWER);
    }
    String buffers = report.hasPlacement() ? BUFFERS + ", " : "";
    return "Wrote %s (open it), %s, %s%s".formatted(place.resolve(PAGE), PICTURE, buffers, ANSWER);
  }

  private static void write(AnswerFolder folder, RunReport report, RenderedPlan parts, String log) {
    Executor pool = ForkJoinPool.commonPool();
    CompletableFuture<Void> offsets = CompletableFuture.completedFuture(null);
    if (report.hasPlacement()) {
      offsets = CompletableFuture.runAsync(() -> folder.write(BUFFERS, parts.csv()), pool);
    }
    RunReport drawn = report.drawn();
    CompletableFuture<String> picture = null;
    CompletableFuture<String> page = null;
    if (drawn.hasPlacement()) {
      RenderedPlan shown = report.hasPlacement() ? parts : RenderedPlan.streamed(drawn);
      CompletableFuture<String> svg =
          CompletableFuture.supplyAsync(() -> PlanSvg.of(drawn, shown.panels().get()), pool);
      picture = svg;
      if (drawn.problem().size() >= BackgroundRendering.FEWEST_BUFFERS) {
        page = CompletableFuture.supplyAsync(() -> PlanHtml.of(drawn, svg::join), pool);
      }
    }
    try {
      folder.write(ANSWER, out -> PlanJson.write(report, parts.placements(), out));
      if (!log.isEmpty()) {
        folder.writeString(LOG, log);
      }
    } finally {
      join(offsets);
    }
    if (picture != null) {
      String html = page == null ? PlanHtml.of(drawn, picture::join) : join(page);
      folder.writeString(PICTURE, join(picture));
      folder.writeString(PAGE, html);
    }
  }

  private static <T> T join(CompletableFuture<T> task) {
    try {
      return task.join();
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof RuntimeException failure) {
        throw failure;
      } else if (wrapped.getCause() instanceof Error error) {
        throw error;
      }
      throw wrapped;
    }
  }
}
