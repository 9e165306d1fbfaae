package stowage.report.plan;

import java.util.Map;
import java.util.function.Supplier;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.Status;
import stowage.report.BaselineFacts;
import stowage.report.NetworkFacts;
import stowage.report.RunReport;
import stowage.report.page.PageFrame;
import stowage.report.page.PageTemplate;
import stowage.report.svg.Markup;
import stowage.report.svg.SizeClasses;

/**
 * A plan as one HTML file to look around in: the picture of {@link PlanSvg} with zoom, search and
 * what is under the pointer, the bound in plain words, the figures, and a table of the buffers.
 *
 * <p>Nothing is loaded from elsewhere, and the page's own policy forbids it. Names go into the page
 * as data and reach it as text alone. Beyond 200,000 buffers, and without a placement, the page
 * holds the still picture.
 */
public final class PlanHtml {
  /** Buffers that the page draws one by one; beyond that it holds the still picture. */
  static final int MOST_LIVE = 200_000;

  private final RunReport report;
  private final PackingProblem problem;
  private final SizeClasses classes;
  private final boolean live;
  private final Supplier<String> picture;

  private PlanHtml(RunReport report, Supplier<String> picture) {
    this.picture = picture;
    this.report = report;
    this.problem = report.problem();
    this.classes = SizeClasses.of(problem);
    this.live = report.hasPlacement() && problem.size() <= MOST_LIVE;
  }

  /** The whole page. */
  public static String of(RunReport report) {
    return of(report, () -> PlanSvg.of(report));
  }

  /**
   * The whole page, with a still picture that is already drawn or may not be needed.
   *
   * @param picture gives {@link PlanSvg}'s picture of the same report; asked at most once
   */
  public static String of(RunReport report, Supplier<String> picture) {
    return new PlanHtml(report, picture).page();
  }

  private String page() {
    Map<String, String> parts =
        Map.of(
            "picture", live ? controls() : stillPicture(),
            "reason", Markup.escape(reason()),
            "infeasible", infeasible(),
            "trust", Markup.escape(trust()),
            "figures", figures(),
            "buffers", (live ? bufferTable() : "") + ReuseArcs.section(report));
    PageFrame page =
        PageFrame.of(problem.name())
            .title(problem.name() + " - " + report.status())
            .status(report.status().name())
            .sentence(PlanSummary.meaning(report))
            .html(PageTemplate.fill("plan.html", parts));
    if (live) {
      String data = new PlanPageData(report).text();
      page.view(data, "plan-model.js", "plan-view.js", "plan-controls.js");
    }
    return page.page();
  }

  private String stillPicture() {
    String why =
        report.hasPlacement()
            ? "More than "
                + ByteText.exact(MOST_LIVE)
                + " buffers: the picture shows how densely the memory is used."
            : "No placement; only the load is shown.";
    return "<p class=\"hint\">" + why + "</p>\n<div class=\"picture\">" + picture.get() + "</div>";
  }

  private String controls() {
    StringBuilder html = new StringBuilder("<div class=\"bar\">\n");
    if (problem.memories().size() > 1) {
      html.append("<label>memory <select id=\"memory\"><option value=\"-1\">all</option>");
      for (int m = 0; m < problem.memories().size(); m++) {
        html.append("<option value=\"").append(m).append("\">");
        html.append(Markup.escape(problem.memories().get(m).name())).append("</option>");
      }
      html.append("</select></label>\n");
    }
    return html.append(PageTemplate.resource("controls.html")).toString();
  }

  private String reason() {
    return ProofText.of(problem, report.bound().certificate(), report.lowerBound());
  }

  private String infeasible() {
    if (report.status() != Status.INFEASIBLE || report.infeasibility() == null) {
      return "";
    }
    String why = ProofText.infeasible(problem, report.infeasibility());
    return "<p>" + Markup.escape(why) + "</p>";
  }

  private String trust() {
    return report.isBoundChecked()
        ? "Checked by an independent verifier, which shares no code with what found the bound."
        : "This bound is a solver claim without a certificate.";
  }

  private String figures() {
    StringBuilder rows = new StringBuilder();
    figure(rows, "peak", report.hasPlacement() ? ByteText.both(report.peak()) : "none");
    figure(rows, "bound", ByteText.both(report.lowerBound()) + ", " + report.bound().kind());
    figure(rows, "gap", ByteText.percent(report.gap()));
    if (report.hasReuse() && report.hasPlacement()) {
      String least = "; at least " + ByteText.exact(report.reuseBound().value());
      figure(rows, "price of reuse", ByteText.exact(report.reuseCost()) + least);
    }
    if (report.capacity() != Memory.UNBOUNDED) {
      figure(rows, "capacity", ByteText.both(report.capacity()));
    }
    for (int m = 0; m < problem.memories().size() && problem.memories().size() > 1; m++) {
      Memory memory = problem.memories().get(m);
      String limit = memory.isBounded() ? " of " + ByteText.both(memory.capacity()) : "";
      String peak = report.hasPlacement() ? ByteText.both(report.peak(m)) : "none";
      figure(rows, "peak of " + memory.name(), peak + limit);
    }
    if (report.network() != null) {
      NetworkFacts network = report.network();
      figure(
          rows,
          "network",
          network.name() + " (" + network.format() + "), " + network.ops() + " ops");
      figure(rows, "weights", ByteText.both(report.weightBytes()));
      figure(
          rows,
          "weights and peak",
          report.hasPlacement() ? ByteText.both(report.totalBytes()) : "none");
    }
    if (report.baseline() != null) {
      BaselineFacts baseline = report.baseline();
      String peak = baseline.peak() == null ? "no peak" : ByteText.both(baseline.peak());
      figure(rows, "the file's own plan", peak + ", " + baseline.source() + ", " + baseline.text());
    }
    figure(rows, "buffers", ByteText.exact(problem.size()));
    figure(rows, "independent parts", ByteText.exact(report.parts()));
    if (!problem.conflicts().isEmpty()) {
      figure(rows, "extra conflicts", ByteText.exact(problem.conflicts().count()));
    }
    figure(rows, "found by", report.plan().finder() == null ? "none" : report.plan().finder());
    figure(rows, "time", ByteText.seconds(report.plan().seconds()));
    figure(rows, "seed, threads", report.seed() + ", " + report.threads());
    report.versions().forEach((name, version) -> figure(rows, name, version));
    return rows.toString();
  }

  private static void figure(StringBuilder rows, String name, String value) {
    rows.append("<tr><th>").append(Markup.escape(name)).append("</th><td>");
    rows.append(Markup.escape(value)).append("</td></tr>\n");
  }

  private static String bufferTable() {
    return """
    <section>
    <h2>Buffers</h2>
    <div class="scroll"><table id="table"><tbody id="rows"></tbody></table></div>
    <p class="hint" id="shown"></p>
    </section>
    """;
  }
}
