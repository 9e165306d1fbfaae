package stowage.report.plan;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.Relations;
import stowage.report.RunReport;
import stowage.report.svg.Frame;
import stowage.report.svg.Markup;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;

/**
 * The pairs that a plan pays for, as arcs from the end of the earlier buffer to the start of the
 * later one at the addresses that both have, the thicker the dearer; and as rows of a page's table.
 * Beyond 300 pairs only the dearest have an arc, beyond 2,000 only the dearest a row.
 */
final class ReuseArcs {
  static final String COLOUR = "#d55e00";

  private static final int MOST_ARCS = 300;
  private static final int MOST_ROWS = 2_000;

  private ReuseArcs() {}

  private static List<Relations.Reuse> dearest(RunReport report, int most) {
    return report.paid().stream()
        .sorted(Comparator.comparingLong(Relations.Reuse::weight).reversed())
        .limit(most)
        .toList();
  }

  /** Whether something is paid for, so that a picture has arcs. */
  static boolean arePaid(RunReport report) {
    return report.hasReuse() && report.hasPlacement() && report.reuseCost() > 0;
  }

  static void draw(SvgWriter svg, Frame map, RunReport report, int memory) {
    if (!arePaid(report)) {
      return;
    }
    List<Relations.Reuse> pairs = dearest(report, MOST_ARCS);
    double dearest = pairs.get(0).weight();
    for (Relations.Reuse pair : pairs) {
      if (report.plan().placement().memory(pair.first()) == memory) {
        double width = 0.8 + 1.8 * Math.sqrt(pair.weight() / dearest);
        Style style = Style.filled("none").stroke(COLOUR, width).with("stroke-opacity", 0.75);
        svg.path(arc(map, report, pair), style, text(report, pair));
      }
    }
  }

  private static String arc(Frame map, RunReport report, Relations.Reuse pair) {
    Buffer one = report.problem().buffer(pair.first());
    Buffer other = report.problem().buffer(pair.second());
    boolean inOrder = one.live().start() <= other.live().start();
    Buffer earlier = inOrder ? one : other;
    Buffer later = inOrder ? other : one;
    long low = Math.max(offset(report, pair.first()), offset(report, pair.second()));
    long end = offset(report, pair.first()) + one.size();
    long high = Math.min(end, offset(report, pair.second()) + other.size());
    double y = (map.y(low) + map.y(high)) / 2;
    double from = map.x(earlier.live().end());
    double to = map.x(later.live().start());
    if (to < from) { // exclusive buffers, whose live ranges overlap
      from = map.x(earlier.live().start());
    }
    double lift = 6 + Math.min(22, Math.abs(to - from) / 3);
    double[] points = {from - 3, y, (from + to) / 2, y - 2 * lift, to + 3, y};
    return "M%s %sQ%s %s %s %s"
        .formatted(Arrays.stream(points).mapToObj(SvgWriter::number).toArray());
  }

  private static long offset(RunReport report, int buffer) {
    return report.plan().placement().offset(buffer);
  }

  private static String text(RunReport report, Relations.Reuse pair) {
    String reason = pair.reason().isEmpty() ? "" : ": " + pair.reason();
    String first = report.problem().buffer(pair.first()).id();
    String second = report.problem().buffer(pair.second()).id();
    return first + " and " + second + " share addresses, " + ByteText.exact(pair.weight()) + reason;
  }

  /** A page's section with the pairs, the dearest first; empty where nothing is paid for. */
  static String section(RunReport report) {
    if (!arePaid(report)) {
      return "";
    }
    StringBuilder html = new StringBuilder("<section>\n<h2>Pairs that are paid for</h2>\n");
    html.append("<div class=\"scroll\"><table id=\"paid\"><tbody>\n");
    html.append("<tr><th>price</th><th>buffer</th><th>buffer</th><th>reason</th></tr>\n");
    for (Relations.Reuse pair : dearest(report, MOST_ROWS)) {
      html.append("<tr><td>").append(ByteText.exact(pair.weight())).append("</td><td>");
      html.append(Markup.escape(report.problem().buffer(pair.first()).id())).append("</td><td>");
      html.append(Markup.escape(report.problem().buffer(pair.second()).id())).append("</td><td>");
      html.append(Markup.escape(pair.reason())).append("</td></tr>\n");
    }
    html.append("</tbody></table></div>\n");
    int more = report.paid().size() - MOST_ROWS;
    html.append(more > 0 ? "<p class=\"hint\">and " + more + " more</p>\n" : "");
    return html.append("</section>\n").toString();
  }
}
