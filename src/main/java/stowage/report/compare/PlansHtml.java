package stowage.report.compare;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.report.FigureSize;
import stowage.report.format.JsonLayout;
import stowage.report.page.PageFrame;
import stowage.report.page.PageTemplate;
import stowage.report.plan.ProblemColumns;

/**
 * Page of several plans of one problem: a sortable table of them, and two of them above each other
 * with the same axes and a linked zoom. Buffers that moved are outlined; addresses above the best
 * known bound are hatched.
 *
 * <p>One offline file. Drawn is the memory whose peak counts first (the last listed one).
 */
public final class PlansHtml {
  /** Numbers of offsets in a page; beyond it only the first plans are drawn. */
  private static final int MOST_OFFSETS = 2_000_000;

  private PlansHtml() {}

  /**
   * One plan.
   *
   * @param name the planner or the file
   * @param placement verified
   * @param seconds time taken; NaN where unknown
   */
  public record Entry(String name, Placement placement, double seconds) {}

  /**
   * The page.
   *
   * @param lowerBound proven bound of the peak in bytes; 0 where none is known
   * @param entries at least one; the first two are shown at first
   * @param size in which the page saves its view
   */
  public static String of(
      PackingProblem problem, long lowerBound, List<Entry> entries, FigureSize size) {
    int most = Math.max(2, MOST_OFFSETS / Math.max(1, problem.size()));
    List<Entry> shown = entries.subList(0, Math.min(entries.size(), most));
    String data = JsonLayout.text(json -> write(json, problem, lowerBound, shown, size));
    return PageFrame.of(problem.name())
        .title(problem.name() + " - plans")
        .html(PageTemplate.resource("plans.html"))
        .view(data, "plan-model.js", "plan-view.js", "plans-view.js")
        .page();
  }

  private static void write(
      JsonGenerator json,
      PackingProblem problem,
      long lowerBound,
      List<Entry> entries,
      FigureSize size)
      throws IOException {
    int memory = problem.memories().size() - 1;
    json.writeStartObject();
    json.writeNumberField("mainMemory", memory);
    json.writeNumberField("lowerBound", lowerBound);
    ProblemColumns.writeFigureSize(json, size);
    ProblemColumns.writeSteps(json, problem);
    ProblemColumns.writeColours(json, problem);
    ProblemColumns.writeBuffers(json, problem);
    json.writeArrayFieldStart("plans");
    for (Entry entry : entries) {
      json.writeStartObject();
      json.writeStringField("name", entry.name());
      json.writeNumberField("peak", entry.placement().peak(problem, memory));
      if (!Double.isNaN(entry.seconds())) {
        json.writeNumberField("seconds", entry.seconds());
      }
      json.writeFieldName("offset");
      json.writeArray(entry.placement().offsets(), 0, problem.size());
      if (problem.memories().size() > 1) {
        json.writeFieldName("memory");
        json.writeArray(entry.placement().memories(), 0, problem.size());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
