package stowage.report.plan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import stowage.importer.io.AtomicFiles;
import stowage.importer.own.PackingCsv;
import stowage.report.RunReport;
import stowage.text.ChunkedBytes;

/**
 * The parts of a plan's files that take long to make and do not depend on how the run continues,
 * made while they are written, or beforehand and kept in memory: plan.csv, the placements of
 * plan.json, the picture without its heading. The report they describe has a placement.
 */
public record RenderedPlan(
    RunReport report,
    AtomicFiles.Content csv,
    AtomicFiles.Content placements,
    Supplier<String> panels) {

  /** Parts that are made when they are asked for, and need no memory of their own. */
  public static RenderedPlan streamed(RunReport report) {
    IntFunction<String> tensors =
        report.hasTensors() ? i -> String.join(" ", report.tensors(i)) : null;
    return new RenderedPlan(
        report,
        out -> PackingCsv.write(out, report.problem(), report.plan().placement(), tensors),
        out -> PlanJson.writePlacements(report, out),
        () -> PlanSvg.panels(report));
  }

  /** Parts that are made now, in parallel, and kept: about 150 bytes a buffer. */
  static RenderedPlan inMemory(RunReport report) {
    RenderedPlan made = streamed(report);
    CompletableFuture<ChunkedBytes> csv = CompletableFuture.supplyAsync(() -> bytesOf(made.csv()));
    CompletableFuture<String> panels = CompletableFuture.supplyAsync(made.panels());
    ChunkedBytes placements = bytesOf(made.placements());
    String drawn = panels.join();
    return new RenderedPlan(report, csv.join()::writeTo, placements::writeTo, () -> drawn);
  }

  private static ChunkedBytes bytesOf(AtomicFiles.Content content) {
    ChunkedBytes bytes = new ChunkedBytes();
    try {
      content.writeTo(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes;
  }
}
