package stowage.report.group;

import java.util.Map;
import stowage.onchip.Grouping;
import stowage.report.plan.PageTemplate;
import stowage.report.svg.Markup;

/**
 * A grouping as one HTML page that needs no other file: each figure with its bound and status, the
 * bytes moved along the network, a table of groups, and the lane of the chosen group on the script
 * that draws plans, its steps beside it.
 */
public final class GroupHtml {
  private GroupHtml() {}

  /** The page. */
  public static String of(GroupReport report) {
    Grouping grouping = report.grouping();
    String name = grouping.graph().network().name();
    String chip = grouping.graph().chip().name();
    String how =
        "on "
            + chip
            + ", partition "
            + grouping.partition()
            + ", LMEM "
            + report.lmem()
            + ", lowest "
            + grouping.options().objective().label();
    return PageTemplate.fill(
        "groups.html",
        Map.of(
            "title", Markup.escape(name + " in groups on " + chip),
            "name", Markup.escape(name),
            "subtitle", Markup.escape(how),
            "warning", warning(report),
            "controls", "<div class=\"bar\">\n" + PageTemplate.resource("controls.html"),
            "data", Markup.scriptSafe(new GroupPageData(report).text()),
            "style", PageTemplate.resource("plan.css"),
            "script",
                PageTemplate.script(
                    "plan-model.js", "plan-view.js", "plan-controls.js", "groups-view.js")));
  }

  /** A network in 32-bit floats is rarely what such a chip runs. */
  private static String warning(GroupReport report) {
    return report.isInFloats()
        ? "<p class=\"warning\">Planned in 32-bit floats, as the file has its tensors; --precision"
            + " f16 or int8 plans it as the chip would run it.</p>"
        : "";
  }
}
