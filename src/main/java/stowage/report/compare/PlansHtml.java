package stowage.report.compare;

import java.util.List;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.report.FigureSize;
import stowage.report.page.PageFrame;
import stowage.report.page.PageTemplate;
import stowage.report.plan.ProblemColumns;
import stowage.report.svg.Frame;
import stowage.text.JsonWriter;

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

  /** One verified plan with the seconds that it took; NaN where unknown. */
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
    String data = JsonWriter.text(json -> write(json, problem, lowerBound, shown, size));
    return PageFrame.of(problem.name())
        .title(problem.name() + " - plans")
        .html(PageTemplate.resource("plans.html"))
        .view(data, "plan-model.js", "plan-view.js", "plans-view.js")
        .page();
  }

  private static void write(
      JsonWriter json,
      PackingProblem problem,
      long lowerBound,
      List<Entry> entries,
      FigureSize size) {
    int memory = problem.memories().size() - 1;
    json.object().put("mainMemory", memory).put("lowerBound", lowerBound);
    ProblemColumns.writeFigureSize(json, size);
    json.list("steps", Frame.steps(problem));
    ProblemColumns.writeColours(json, problem);
    ProblemColumns.writeBuffers(json, problem);
    json.array("plans");
    for (Entry entry : entries) {
      json.object().put("name", entry.name());
      json.put("peak", entry.placement().peak(problem, memory));
      if (!Double.isNaN(entry.seconds())) {
        json.put("seconds", entry.seconds());
      }
      json.list("offset", entry.placement().offsets());
      if (problem.memories().size() > 1) {
        json.list("memory", entry.placement().memories());
      }
      json.end();
    }
    json.end().end();
  }
}
