package stowage.report.group;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import stowage.onchip.PlannedGroup;
import stowage.onchip.layer.Axis;
import stowage.onchip.layer.Slice;
import stowage.onchip.slice.GroupModel;
import stowage.onchip.slice.SlicedGroup;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;

/**
 * The slices of a group as a picture: of every activation, in the order of the ops, what part each
 * slice has of it along an axis that is cut, and which rows several slices have. Read from the
 * results up it shows what each slice of a result needs of the tensors before it.
 */
public final class SlicesSvg {
  private static final double LEFT = 250;
  private static final double WIDTH = 620;
  private static final double TOP = 62;
  private static final double BAR = 7;
  private static final double GAP = 12;
  private static final int MOST_SLICES = 12;
  private static final int MOST_NAME = 34;
  private static final String REPEATED = "#c1121f";
  private static final String[] COLORS = {
    "#3b76af", "#e0863a", "#5a9e57", "#8d6cab", "#c9a227", "#4fa3a5"
  };

  private SlicesSvg() {}

  /** The picture, or null where nothing is cut. */
  public static String of(PlannedGroup group, int number) {
    SlicedGroup sliced = group.plan().sliced();
    List<Axis> cut =
        Arrays.stream(Axis.values()).filter(axis -> sliced.slicing().along(axis) > 1).toList();
    if (cut.isEmpty()) {
      return null;
    }
    GroupModel model = sliced.group();
    double y = TOP;
    SvgWriter body = SvgWriter.part();
    for (Axis axis : cut) {
      String along = "along " + axis.label() + ", " + sliced.slicing().along(axis) + " slices";
      body.text(LEFT, y, "start", along, Style.bold(12, Style.INK));
      y += 16;
      for (int t : order(model)) {
        y = tensor(body, sliced, t, axis, y);
      }
      y += 10;
    }
    SvgWriter svg = new SvgWriter(LEFT + WIDTH + 140, y + 10, "Slices of group " + number);
    String title = "Slices of group " + number + ": " + sliced.slicing();
    svg.text(20, 24, "start", title, Style.bold(15, Style.INK));
    String legend = "one bar a slice; red below: in several slices, computed or loaded again";
    svg.text(20, 42, "start", legend, Style.text(11, Style.SOFT));
    return svg.insert(body.finish()).finish();
  }

  /** Inputs first, then results as they are made. */
  private static List<Integer> order(GroupModel model) {
    return IntStream.range(0, model.tensorCount())
        .boxed()
        .sorted(Comparator.comparingInt(model::producer))
        .toList();
  }

  private static double tensor(
      SvgWriter svg, SlicedGroup sliced, int tensor, Axis axis, double top) {
    GroupModel model = sliced.group();
    List<Slice> slices = sliced.slices(tensor, axis);
    long extent = model.graph().extents(model.tensor(tensor)).along(axis);
    int shown = Math.min(MOST_SLICES, slices.size());
    String name = model.graph().tensor(model.tensor(tensor)).name();
    String role = model.isInput(tensor) ? "loaded " : model.isStored(tensor) ? "stored " : "";
    String label = name.length() > MOST_NAME ? name.substring(0, MOST_NAME - 1) + "…" : name;
    Style style = Style.text(10.5, role.isEmpty() ? Style.SOFT : Style.INK);
    svg.text(LEFT - 10, top + BAR + 2, "end", role + label, style);
    double scale = WIDTH / Math.max(1, extent);
    for (int k = 0; k < shown; k++) {
      Slice slice = slices.get(k);
      double x = LEFT + slice.begin() * scale;
      double wide = Math.max(1, slice.size() * scale);
      String said = name + ", slice " + k + ": " + slice;
      svg.rect(x, top + k * (BAR + 1), wide, BAR, Style.filled(COLORS[k % COLORS.length]), said);
    }
    double y = top + shown * (BAR + 1);
    for (int k = 1; k < slices.size(); k++) {
      long from = slices.get(k).begin();
      long to = Math.min(slices.get(k - 1).end(), slices.get(k).end());
      if (from < to) {
        double wide = Math.max(1, (to - from) * scale);
        svg.rect(LEFT + from * scale, y, wide, 2.5, Style.filled(REPEATED));
      }
    }
    String count =
        shown < slices.size()
            ? String.format(Locale.ROOT, "%d, the first %d of %d", extent, shown, slices.size())
            : Long.toString(extent);
    svg.text(LEFT + WIDTH + 6, top + BAR + 1, "start", count, Style.text(10, Style.SOFT));
    return y + GAP;
  }
}
