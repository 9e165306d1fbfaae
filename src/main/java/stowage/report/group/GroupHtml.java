package stowage.report.group;

import java.util.Map;
import stowage.onchip.Grouping;
import stowage.report.page.PageFrame;
import stowage.report.page.PageTemplate;

/**
 * A grouping as one HTML page that needs no other file: each figure with its bound and status, the
 * bytes moved along the network, a table of groups, and the lane of the chosen group on the script
 * that draws plans, with its steps.
 */
public final class GroupHtml {
  /** A network in 32-bit floats is rarely what such a chip runs. */
  private static final String IN_FLOATS =
      "Planned in 32-bit floats, as the file has its tensors; --precision f16 or int8 plans it as"
          + " the chip would run it.";

  private static final String[] SCRIPTS = {
    "plan-model.js", "plan-view.js", "plan-controls.js", "groups-view.js"
  };

  private GroupHtml() {}

  public static String of(GroupReport report) {
    Grouping grouping = report.grouping();
    String name = grouping.graph().network().name();
    String chip = grouping.graph().chip().name();
    String how =
        "on %s, partition %s, LMEM %s, lowest %s"
            .formatted(
                chip, grouping.partition(), report.lmem(), grouping.options().objective().label());
    String controls = "<div class=\"bar\">\n" + PageTemplate.resource("controls.html");
    PageFrame page = PageFrame.of(name).title(name + " in groups on " + chip).sentence(how);
    if (report.isInFloats()) {
      page.warning(IN_FLOATS);
    }
    return page.html(PageTemplate.fill("groups.html", Map.of("controls", controls)))
        .view(new GroupPageData(report, grouping, report.baseline()).text(), SCRIPTS)
        .page();
  }
}
