package stowage.report.group;

import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.report.svg.Markup;
import stowage.report.svg.SvgWriter;

/** A grouping as one HTML page that needs no other file: the totals, the network, each group. */
public final class GroupHtml {
  private GroupHtml() {}

  /** The page. */
  public static String of(GroupReport report) {
    Grouping grouping = report.grouping();
    String title =
        grouping.graph().network().name() + " in groups on " + grouping.graph().chip().name();
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>")
        .append(Markup.escape(title))
        .append("</title>\n<style>body{font-family:")
        .append(SvgWriter.FONT)
        .append(
            ";margin:24px;color:#222}pre{font-size:12px;overflow-x:auto}"
                + "section{margin:28px 0;overflow-x:auto}summary{cursor:pointer;margin:8px 0}"
                + "</style></head><body>\n<h1>")
        .append(Markup.escape(title))
        .append("</h1>\n<section>")
        .append(GroupSvg.overview(grouping))
        .append("</section>\n<pre>")
        .append(Markup.escape(GroupTable.of(report)))
        .append("</pre>\n");
    for (int k = 0; k < grouping.groups().size(); k++) {
      PlannedGroup group = grouping.groups().get(k);
      if (group.isGrouped()) {
        page.append("<section><details open><summary>Group ")
            .append(k)
            .append("</summary>")
            .append(LmemSvg.of(group, k))
            .append("</details></section>\n");
      }
    }
    return page.append("</body></html>\n").toString();
  }
}
