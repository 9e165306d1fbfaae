package stowage.report.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import stowage.network.Network;
import stowage.packing.ByteText;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.Status;
import stowage.planning.Excess;
import stowage.report.RunReport;
import stowage.report.page.PageFrame;
import stowage.report.page.PageTemplate;
import stowage.report.svg.Markup;

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

  /** Figures that the page explains above its list. */
  private static final Set<String> ABOVE = Set.of("because", "infeasible");

  private static final String TABLE =
      """
      <section>
      <h2>Buffers</h2>
      <div class="scroll"><table id="table"><tbody id="rows"></tbody></table></div>
      <p class="hint" id="shown"></p>
      </section>
      """;

  private final RunReport report;
  private final PackingProblem problem;
  private final boolean live;
  private final Supplier<String> picture;

  private PlanHtml(RunReport report, Supplier<String> picture) {
    this.picture = picture;
    this.report = report;
    this.problem = report.problem();

    this.live = report.hasPlacement() && problem.size() <= MOST_LIVE;
  }

  public static String of(RunReport report) {
    return of(report, () -> PlanSvg.of(report));
  }

  /** The whole page; {@link PlanSvg}'s picture of the same report is asked for at most once. */
  public static String of(RunReport report, Supplier<String> picture) {
    return new PlanHtml(report, picture).page();
  }

  private String page() {
    Map<String, String> parts =
        Map.of(
            "picture", live ? controls() : stillPicture(),
            "reasons", reasons(),
            "trust", Markup.escape(trust()),
            "figures", figures(),
            "buffers", (live ? TABLE : "") + ReuseArcs.section(report));
    PageFrame page =
        PageFrame.of(problem.name())
            .title(problem.name() + " - " + report.status())
            .status(report.status().name())
            .sentence(PlanSummary.meaning(report))
            .html(PageTemplate.fill("plan.html", parts));
    if (live) {
      page.view(PlanPageData.text(report), "plan-model.js", "plan-view.js", "plan-controls.js");
    }
    return page.page();
  }

  private String stillPicture() {
    String dense = " buffers: the picture shows how densely the memory is used.";
    String why =
        report.hasPlacement()
            ? "More than " + ByteText.exact(MOST_LIVE) + dense
            : "No placement; only the load is shown.";
    return "<p class=\"hint\">" + why + "</p>\n<div class=\"picture\">" + picture.get() + "</div>";
  }

  private String controls() {
    List<String> memories = problem.memories().stream().map(Memory::name).toList();
    String controls = PageFrame.choice(memories) + PageTemplate.resource("controls.html");
    return "<div class=\"bar\">\n" + controls;
  }

  /** Why no plan is lower and, where that is proven, why none is within the capacity. */
  private String reasons() {
    String bound = PlanFigures.because(report);
    if (report.status() != Status.INFEASIBLE || report.infeasibility() == null) {
      return "<p>" + Markup.escape(bound) + "</p>";
    }
    String why = ProofText.infeasible(problem, report.infeasibility());
    String first = why.contains(bound) ? "" : "<p>" + Markup.escape(bound) + "</p>\n";
    return first + "<p>" + Markup.escape(why) + "</p>" + excess();
  }

  /** What the picture shows where no plan is within the capacity. */
  private String excess() {
    Excess excess = report.facts().excess();
    if (excess == null || !report.hasPlacement()) {
      return "";
    }
    int count = excess.blocking().buffers().size();
    return "<p>The picture shows the lowest plan found without the capacity: %s, %s above it. %s</p>"
        .formatted(
            ByteText.both(report.peak()),
            ByteText.both(report.peak() - report.capacity()),
            count == 1
                ? "The marked buffer alone does not fit."
                : "The " + ByteText.exact(count) + " marked buffers do not fit together.");
  }

  private String trust() {
    return report.isBoundChecked()
        ? "Checked by an independent verifier, which shares no code with what found the bound."
        : "This bound is a solver claim without a certificate.";
  }

  private String figures() {
    StringBuilder rows = new StringBuilder();
    for (PlanFigures.Figure figure : PlanFigures.of(report)) {
      if (!ABOVE.contains(figure.name())) {
        figure(rows, figure.name(), figure.value());
      }
    }
    for (int m = 0; m < problem.memories().size() && problem.memories().size() > 1; m++) {
      Memory memory = problem.memories().get(m);
      String limit = memory.isBounded() ? " of " + ByteText.both(memory.capacity()) : "";
      String peak = report.hasPlacement() ? ByteText.both(report.peak(m)) : "none";
      figure(rows, "peak of " + memory.name(), peak + limit);
    }
    if (report.network() != null) {
      Network network = report.network();
      String ops = ByteText.count(network.ops().size(), "op");
      figure(rows, "network", network.name() + " (" + network.format() + "), " + ops);
    }
    figure(rows, "seed, threads", report.settings().seed() + ", " + report.settings().threads());
    report.versions().forEach((name, version) -> figure(rows, name, version));
    return rows.toString();
  }

  private static void figure(StringBuilder rows, String name, String value) {
    rows.append("<tr><th>").append(Markup.escape(name)).append("</th><td>");
    rows.append(Markup.escape(value)).append("</td></tr>\n");
  }
}
