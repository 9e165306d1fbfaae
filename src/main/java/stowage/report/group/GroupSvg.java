package stowage.report.group;

import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.schedule.CostModel;
import stowage.packing.ByteText;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;

/**
 * A network's layer groups as a picture: along the ops, with the bytes that each moves. Both rows
 * have one scale, and a group is as high as the bytes it moves an op, so that areas can be
 * compared.
 */
public final class GroupSvg {
  private static final double LEFT = 100;
  private static final double TOP = 64;

  private GroupSvg() {}

  /** The groups along the ops: bytes each moves, over what its ops would move alone. */
  public static String overview(Grouping grouping) {
    int ops = grouping.graph().size();
    double room = 940;
    double column = room / Math.max(1, ops);
    double half = 150;
    double width = LEFT + room + 30;
    SvgWriter svg = new SvgWriter(width, TOP + 2 * half + 70, "Groups and the bytes they move");
    String title =
        "%s on %s: %s moved in groups, %s with each op alone"
            .formatted(
                grouping.graph().network().name(),
                grouping.graph().chip().name(),
                ByteText.human(grouping.trafficBytes()),
                ByteText.human(grouping.ungroupedBytes()));
    svg.text(LEFT, 22, "start", title, Style.bold(15, Style.INK));
    CostModel cost = new CostModel(grouping.graph().chip());
    long[] alone = new long[ops];
    long most = 1;
    for (int p = 0; p < ops; p++) {
      alone[p] = cost.layerTraffic(grouping.graph(), grouping.graph().layer(p));
      most = Math.max(most, alone[p]);
    }
    for (PlannedGroup group : grouping.groups()) {
      most = Math.max(most, bytesAnOp(group));
    }
    double base = TOP + half;
    caption(svg, "each op alone", most, TOP);
    for (int p = 0; p < ops; p++) {
      double height = half * 0.9 * alone[p] / most;
      double x = LEFT + p * column;
      String said = grouping.graph().layer(p).op().name() + ": " + alone[p] + " bytes";
      svg.rect(x, base - height, Math.max(0.5, column - 1), height, Style.filled("#c9d3dc"), said);
    }
    svg.segment(LEFT, base, LEFT + room, base, Style.stroked(Style.INK, 1));
    double lower = base + 30 + half;
    caption(svg, "in groups", most, base + 30);
    for (int k = 0; k < grouping.groups().size(); k++) {
      group(svg, grouping.groups().get(k), k, column, lower, half * 0.9 / most);
    }
    svg.segment(LEFT, lower, LEFT + room, lower, Style.stroked(Style.INK, 1));
    String axis =
        "position in the execution order, 0 to " + (ops - 1) + "; blue: groups; gray: ops alone";
    svg.text(LEFT + room, lower + 34, "end", axis, Style.text(11, Style.SOFT));
    return svg.finish();
  }

  private static long bytesAnOp(PlannedGroup group) {
    return group.trafficBytes() / Math.max(1, group.members().length);
  }

  private static void caption(SvgWriter svg, String what, long most, double y) {
    svg.text(LEFT - 8, y + 22, "end", what, Style.text(11, Style.INK));
    svg.text(LEFT - 8, y + 37, "end", "bytes an op, to", Style.text(10, Style.SOFT));
    svg.text(LEFT - 8, y + 50, "end", ByteText.human(most), Style.text(10, Style.SOFT));
  }

  private static void group(
      SvgWriter svg, PlannedGroup group, int number, double column, double base, double scale) {
    double height = Math.max(1, bytesAnOp(group) * scale);
    boolean first = true;
    int from = 0;
    int[] members = group.members();
    for (int k = 1; k <= members.length; k++) {
      if (k < members.length && members[k] == members[k - 1] + 1) {
        continue;
      }
      double x = LEFT + members[from] * column;
      double width = Math.max(0.8, (k - from) * column - 1);
      String fill = group.isGrouped() ? number % 2 == 0 ? "#6f9fce" : "#94b9dd" : "#c9d3dc";
      String said = "group " + number + ": " + group.trafficBytes() + " bytes";
      svg.rect(x, base - height, width, height, Style.filled(fill), said);
      if (first && width > 14) {
        svg.text(x + width / 2, base + 14, "middle", "" + number, Style.text(11, Style.INK));
      }
      first = false;
      from = k;
    }
  }
}
