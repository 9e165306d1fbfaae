package stowage.report.schedule;

import java.util.List;
import stowage.packing.ByteText;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;

/**
 * A network at the op whose cut bounds the load of all orders: all ops as a strip, those that have
 * run, the op, and those that have not; below it the buffers that are live then, each a band from
 * the op that made it to the ops that still read it, as wide as its bytes.
 */
public record CutSvg(
    SvgWriter svg, double width, double left, double right, double middle, long total) {
  /** Pixels of the picture's width unless another is asked for. */
  public static final double WIDTH = 900;

  private static final double BOX = 62;
  private static final double TOP = 132;
  private static final double BANDS = 300;
  private static final double LEAST_ROW = 19;
  private static final int MOST_ROWS = 22;
  private static final String RUN = "#4c78a8";
  private static final String OPEN = "#c9ced6";
  private static final String OP = "#c0392b";
  private static final String OWN = "#f2b38a";
  private static final String OTHER = "#a9c1dd";
  private static final Style NOTE = Style.text(11, "#555555");

  /** What an op has to do with the cut. */
  public enum Place {
    RUN,
    RUNNING,
    OPEN
  }

  /**
   * A live buffer: what made it, what reads it later, and whether the op at the cut reads or makes
   * it.
   */
  public record Band(String name, long bytes, String from, String to, boolean read, boolean made) {}

  /**
   * Draws the cut.
   *
   * @param places all ops of the network, in its own order
   * @param bands the live buffers, the op's own first
   * @param always bytes that are there all the time besides
   * @param least what the op's cut proves of all orders, in bytes
   * @param bound what is proven of all orders, in bytes: more where a search adds to the cut
   * @param width in pixels
   */
  public static String of(
      String network,
      String op,
      List<Place> places,
      List<Band> bands,
      long always,
      long least,
      long bound,
      double width) {
    int shown = Math.min(bands.size(), MOST_ROWS);
    long total = Math.max(1, bands.stream().mapToLong(Band::bytes).sum());
    double height = TOP + 34;
    for (int k = 0; k < shown; k++) {
      height += row(bands.get(k), total);
    }
    boolean more = shown < bands.size() || always > 0;
    height += more ? LEAST_ROW : 0;
    SvgWriter svg = new SvgWriter(width, height, network + ": what is live when " + op + " runs");
    CutSvg drawing = new CutSvg(svg, width, 0.26 * width, 0.74 * width, width / 2, total);
    drawing.head(network, op, least, bound);
    drawing.strip(places);
    drawing.bands(op, bands, shown, always, more);
    return svg.finish();
  }

  private void bands(String op, List<Band> bands, int shown, long always, boolean more) {
    svg.text(left - 8, TOP - 16, "end", "made by", NOTE);
    svg.text(right + 8, TOP - 16, "start", "read by", NOTE);
    double y = TOP;
    double boxTop = -1;
    double boxEnd = -1;
    for (int k = 0; k < shown; k++) {
      Band band = bands.get(k);
      double rowHeight = row(band, total);
      band(band, y, rowHeight);
      if (band.read() || band.made()) {
        boxTop = boxTop < 0 ? y : boxTop;
        boxEnd = y + rowHeight;
      }
      y += rowHeight;
    }
    svg.segment(middle, TOP - 10, middle, y + 4, Style.stroked(OP, 1).dash("4 3"));
    if (boxTop >= 0) {
      box(op, boxTop, boxEnd);
    }
    if (more) {
      long rest = bands.subList(shown, bands.size()).stream().mapToLong(Band::bytes).sum();
      String others =
          shown < bands.size()
              ? "and " + (bands.size() - shown) + " more, " + ByteText.human(rest) + " together"
              : "";
      String there = always > 0 ? "plus " + ByteText.human(always) + " that is always live" : "";
      String both = others + (others.isEmpty() || there.isEmpty() ? "" : "; ") + there;
      svg.text(middle, y + 20, "middle", both, NOTE);
    }
  }

  private void head(String network, String op, long least, long bound) {
    String text = network + ": in every order, when " + op + " runs, " + ByteText.human(least);
    svg.text(20, 24, "start", TextWidth.fitted(text + " are live", 14, width - 40), Style.text(14));
    String more =
        least >= bound
            ? "so no order has a lower peak: these buffers or larger ones"
            : "all orders together are proven to need " + ByteText.human(bound);
    svg.text(20, 43, "start", TextWidth.fitted(more, 12, width - 30), Style.text(12, "#555555"));
  }

  private void strip(List<Place> places) {
    double step = (width - 40) / Math.max(1, places.size());

    int from = 0;
    for (int k = 1; k <= places.size(); k++) {
      if (k == places.size() || places.get(k) != places.get(from)) {
        double x = 20 + from * step;
        double wide = (k - from) * step;
        if (places.get(from) == Place.RUNNING) {
          svg.rect(x, 54, Math.max(2, wide), 22, Style.filled(OP));
        } else {
          String fill = places.get(from) == Place.RUN ? RUN : OPEN;
          svg.rect(x, 58, Math.max(0.5, wide), 14, Style.filled(fill));
        }
        from = k;
      }
    }
    long run = places.stream().filter(place -> place == Place.RUN).count();
    String have = run == 1 ? " op has" : " ops have";
    long left = places.size() - 1 - run;
    String said = run + have + " run before it (blue), " + left + " not yet (grey)";
    svg.text(20, 92, "start", said, NOTE);
  }

  private static double thickness(Band band, long total) {
    return Math.max(2, BANDS * band.bytes() / total);
  }

  private static double row(Band band, long total) {
    return Math.max(LEAST_ROW, thickness(band, total) + 5);
  }

  private void band(Band band, double y, double rowHeight) {
    double thick = thickness(band, total);
    double top = y + (rowHeight - thick) / 2;
    double from = band.made() ? middle : left;
    double to = band.read() && band.to().isEmpty() ? middle : right;
    Style fill = Style.filled(band.read() || band.made() ? OWN : OTHER);
    svg.rect(from, top, Math.max(0, to - from), thick, fill);
    double text = y + rowHeight / 2 + 4;
    if (!band.made()) {
      svg.text(left - 8, text, "end", TextWidth.fitted(band.from(), 11, left - 26), Style.text(11));
    }
    if (!band.to().isEmpty()) {
      String reader = TextWidth.fitted(band.to(), 11, left - 20);
      svg.text(right + 8, text, "start", reader, Style.text(11));
    }
    boolean after = band.made() || !band.read();
    double centre = after ? (middle + BOX / 2 + right) / 2 : (left + middle - BOX / 2) / 2;
    String bytes = ByteText.human(band.bytes());
    double room = middle - BOX / 2 - left - TextWidth.of(", " + bytes, 10);
    String label = room < 20 ? bytes : TextWidth.fitted(band.name(), 10, room) + ", " + bytes;
    svg.text(centre, text, "middle", label, Style.text(10, "#10222e"));
  }

  private void box(String op, double top, double end) {
    Style box = Style.NONE.with("rx", 3).with("fill", "#ffffff").stroke(OP, 1.5);
    svg.rect(middle - BOX / 2, top, BOX, end - top, box);
    double y = (top + end) / 2 + 4;
    boolean upright = end - top > BOX; // written upwards, where there is more room
    String fitted = TextWidth.fitted(op, 10, (upright ? end - top : BOX) - 6);
    Style style = Style.text(10, OP);
    svg.text(middle, y, "middle", fitted, upright ? style.upwards(middle, y - 4) : style);
  }
}
