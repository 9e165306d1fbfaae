package stowage.report.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import stowage.packing.ByteText;
import stowage.packing.Certificate;
import stowage.packing.LoadProfile;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Status;
import stowage.report.OpFacts;
import stowage.report.RunReport;
import stowage.report.format.NameText;
import stowage.report.svg.Axes;
import stowage.report.svg.Frame;
import stowage.report.svg.LevelLines;
import stowage.report.svg.LoadStrip;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;
import stowage.report.svg.Ticks;

/**
 * A plan as a picture: steps to the right, addresses upwards, each buffer a rectangle, the peak,
 * the bound and the capacity as lines, and the load profile below on the same steps. Each memory
 * has a panel of its own. A plan of more than 20,000 buffers becomes a density picture.
 *
 * <p>The SVG is alone: nothing is loaded, no style sheet, no script; ids are escaped. Without a
 * placement it shows the load against the bound and the capacity.
 */
public final class PlanSvg {
  private static final double WIDTH = 1000;
  private static final double LEFT = 92;
  private static final double RIGHT = 126;
  private static final double HEADER = 78;
  private static final double MAP_HEIGHT = 440;
  private static final double SMALLER_MAP_HEIGHT = 230;
  private static final double LEAST_MAP_HEIGHT = 60;
  private static final double LOAD_HEIGHT = 84;
  private static final double BETWEEN = 18;
  private static final double BELOW_PANEL = 46;
  private static final double PANEL_NAME = 24;
  private static final double LEGEND = 34;
  private static final double LINE = 16;
  private static final String SEPARATOR = "  ·  ";

  private final RunReport report;
  private final PackingProblem problem;
  private final List<Integer> memories;
  private final Colouring colouring;
  private final long[] steps;
  private final double width;

  private PlanSvg(RunReport report) {
    this.report = report;
    this.problem = report.problem();
    this.memories = memories(report);
    this.colouring = Colouring.of(report);
    this.steps = Frame.steps(problem);
    this.width = report.settings().figureSize().width(WIDTH);
  }

  /** The picture as the text of an SVG file. O(n log n), or by the pixels covered when dense. */
  public static String of(RunReport report) {
    return of(report, panels(report));
  }

  /** The same with panels that were drawn before, from the same placement and bounds. */
  public static String of(RunReport report, String panels) {
    return new PlanSvg(report).draw(panels);
  }

  /** The picture without its heading, the only place of the time taken; O(n log n). */
  public static String panels(RunReport report) {
    return new PlanSvg(report).drawPanels();
  }

  private String draw(String panels) {
    double height = header() + memories.size() * panelHeight(both()) + legend();
    double scale = report.settings().figureSize().scale();
    String description = problem.name() + ". " + String.join(SEPARATOR, facts());
    SvgWriter svg = new SvgWriter(width, height, scale, description);
    drawHeader(svg);
    return svg.insert(panels).finish();
  }

  private boolean severalMemories() {
    return problem.memories().size() > 1 && report.hasPlacement();
  }

  private double both() {
    double usual = memories.size() > 1 ? SMALLER_MAP_HEIGHT : MAP_HEIGHT;
    double around = panelHeight(0);
    double each = around + usual + (report.hasPlacement() ? LOAD_HEIGHT : 0);
    double whole = header() + memories.size() * each + legend();
    double left = report.settings().figureSize().height(whole) - header() - legend();
    return Math.max(LEAST_MAP_HEIGHT, left / memories.size() - around);
  }

  /** Pixels of the load's height: a fifth of what map and load share, at most the usual. */
  private double loadHeight() {
    return report.hasPlacement() ? Math.min(LOAD_HEIGHT, both() / 5) : 0;
  }

  private double panelHeight(double both) {
    return (severalMemories() ? PANEL_NAME : 0)
        + (report.hasPlacement() ? both + BETWEEN : both)
        + BELOW_PANEL;
  }

  private double header() {
    return HEADER + LINE * (subtitle().size() - 1);
  }

  private double legend() {
    return LEGEND + LINE * (report.hasPlacement() ? legend(null, 0) - 1 : 0);
  }

  private String drawPanels() {
    boolean several = severalMemories();
    double map = both() - loadHeight();
    SvgWriter svg = SvgWriter.part();
    double top = header();
    for (int memory : memories) {
      if (several) {
        String name = "memory " + problem.memories().get(memory).name();
        svg.text(LEFT, top + 12, "start", name, Style.text(12.5).with("font-weight", "bold"));
      }
      double from = top + (several ? PANEL_NAME : 0);
      if (report.hasPlacement()) {
        drawMemory(svg, memory, from, map);
      } else {
        drawLoadAlone(svg, from, map);
      }
      top += panelHeight(both());
    }
    if (report.hasPlacement()) {
      legend(svg, top + 6);
    }
    return svg.finish();
  }

  /** The memories that get a panel: those in use; at least the one whose peak counts first. */
  private static List<Integer> memories(RunReport report) {
    List<Integer> shown =
        IntStream.range(0, report.problem().memories().size())
            .filter(m -> report.peak(m) > 0)
            .boxed()
            .toList();
    return shown.isEmpty() ? List.of(report.mainMemory()) : shown;
  }

  /** The facts in as many lines as they need. */
  private List<String> subtitle() {
    List<String> lines = new ArrayList<>();
    for (String fact : facts()) {
      String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1) + SEPARATOR;
      if (!lines.isEmpty() && TextWidth.of(last + fact, 12) <= width - LEFT - 10) {
        lines.set(lines.size() - 1, last + fact);
      } else {
        lines.add(fact);
      }
    }
    return lines;
  }

  private List<String> facts() {
    List<String> facts = new ArrayList<>();
    facts.add(report.status().name());
    String kind = " (" + report.bound().kind() + ")";
    String bound = "bound " + ByteText.human(report.lowerBound()) + kind;
    if (report.hasPlacement() && report.status() == Status.INFEASIBLE) {
      facts.add("lowest plan found " + ByteText.human(report.peak()));
      facts.add(ByteText.human(report.peak() - report.capacity()) + " above the capacity");
    } else if (report.hasPlacement()) {
      boolean met = report.peak() == report.lowerBound();
      facts.add(
          "peak " + ofMemory() + ByteText.human(report.peak()) + (met ? " = bound" + kind : ""));
      if (!met) {
        facts.addAll(List.of(bound, "gap " + ByteText.percent(report.gap())));
      }
    } else {
      facts.add(bound);
    }
    facts.add(ByteText.count(problem.size(), "buffer"));
    if (report.plan().finder() != null) {
      facts.add("by " + report.plan().finder());
    }
    facts.add(ByteText.seconds(report.plan().seconds()));
    return facts;
  }

  private String ofMemory() {
    return problem.memories().size() == 1
        ? ""
        : "of " + problem.memories().get(report.mainMemory()).name() + " ";
  }

  private void drawHeader(SvgWriter svg) {
    String fitted = TextWidth.fitted(problem.name(), 17, width - LEFT - 20);
    svg.text(LEFT, 28, "start", fitted, Style.bold(17, "#111111"));
    String colour = report.status() == Status.OPTIMAL ? "#00664f" : "#333333";
    List<String> lines = subtitle();
    for (int k = 0; k < lines.size(); k++) {
      String line = TextWidth.fitted(lines.get(k), 12, width - LEFT - 10);
      svg.text(LEFT, 48 + k * LINE, "start", line, Style.text(12, colour));
    }
  }

  private void drawMemory(SvgWriter svg, int memory, double top, double height) {
    long peak = report.peak(memory);
    long capacity = problem.memories().get(memory).capacity();
    long bound = report.lowerBound(memory);
    double most = topOf(Math.max(peak, bound), capacity);
    Frame map = frame(top, height, most);
    Axes.drawBytes(svg, map, Ticks.bytes((long) most));
    Axes.drawTitle(svg, map, LEFT - 72, "address");
    new BufferShapes(report, colouring).draw(svg, map, memory);
    ReuseArcs.draw(svg, map, report, memory);
    LoadProfile profile =
        LoadProfile.of(problem, buffer -> report.plan().placement().memory(buffer) == memory);
    Frame load = frame(map.bottom() + BETWEEN, loadHeight(), most);
    drawLoad(svg, load, profile);
    if (memory == report.mainMemory()) {
      drawStepOfBound(svg, map, load);
    }
    LevelLines.of(peak, bound, capacity, most).draw(svg, map);
  }

  private void drawLoadAlone(SvgWriter svg, double top, double height) {
    LoadProfile profile =
        LoadProfile.of(problem, buffer -> problem.allowedMask(buffer) == 1L << report.mainMemory());
    double most = topOf(Math.max(report.lowerBound(), profile.maxLoad()), report.capacity());
    Frame frame = frame(top, height, most);
    drawLoad(svg, frame, profile);
    drawStepOfBound(svg, frame, frame);
    LevelLines.of(-1, report.lowerBound(), report.capacity(), most).draw(svg, frame);
  }

  private Frame frame(double top, double height, double bytes) {
    return new Frame(LEFT, top, width - LEFT - RIGHT, height, steps[0], steps[1], bytes);
  }

  /** The highest address shown: a little above everything, a capacity only when it is near. */
  private static double topOf(long highest, long capacity) {
    long most = Math.max(1, highest);
    boolean near = capacity != Memory.UNBOUNDED && capacity / 1.6 <= most;
    return Math.max(most, near ? capacity : 0) * 1.045;
  }

  private void drawLoad(SvgWriter svg, Frame frame, LoadProfile profile) {
    List<Long> ticks = Ticks.bytes((long) frame.bytes());
    boolean low = frame.height() < 150;
    Axes.drawBytes(svg, frame, low ? List.of(0L, ticks.get(ticks.size() - 1)) : ticks);
    LoadStrip.draw(svg, frame, profile);
    Axes.drawSteps(svg, frame);
    double middle = frame.left() + frame.width() / 2;
    svg.text(middle, frame.bottom() + 31, "middle", "step", Style.text(11, "#444444"));
    Axes.drawTitle(svg, frame, LEFT - 72, "load");
    if (low) {
      double x = frame.right() + 10;
      double y = frame.y(profile.maxLoad());
      svg.text(x, y + 2, "start", "max load", Style.bold(11, "#4a5d6e"));
      svg.text(x, y + 15, "start", ByteText.human(profile.maxLoad()), Style.text(11, Style.INK));
    }
  }

  /** Where the bound's proof looks: one step, through the map and the load below it. */
  private void drawStepOfBound(SvgWriter svg, Frame map, Frame load) {
    if (!(report.bound().certificate() instanceof Certificate.MaxLoad proof)
        || proof.buffers().length == 0) {
      return;
    }
    double x = (map.x(proof.step()) + map.x(proof.step() + 1L)) / 2;
    Style dotted = Style.stroked(LevelLines.BOUND, 0.9).dash("2 3");
    svg.segment(x, map.top() - 5, x, load.bottom(), dotted);
    String label = stepOfBound(proof.step());
    double half = TextWidth.of(label, 10.5) / 2;
    double at = Math.max(map.left() + half, Math.min(map.right() - half, x));
    svg.text(at, map.top() - 8, "middle", label, Style.text(10.5, Style.INK));
  }

  private String stepOfBound(int step) {
    String before = "step " + ByteText.exact(step);
    String after = " proves the bound";
    OpFacts ops = report.ops();
    if (ops == null || step >= ops.names().size()) {
      return before + after;
    }
    String op = NameText.last(ops.names().get(step)) + " (" + ops.types().get(step) + ")";
    double room = width - LEFT - RIGHT - TextWidth.of(before + ", " + after, 10.5);
    String shown = TextWidth.fittedEnd(op, 10.5, room);
    return before + (shown.isEmpty() ? "" : ", " + shown) + after;
  }

  private int legend(SvgWriter svg, double top) {
    boolean dense = BufferShapes.isDense(problem);
    LegendRows rows = new LegendRows(svg, LEFT, width, top);
    rows.word(dense ? "mean size" : colouring.title());
    IntStream drawn =
        IntStream.range(0, problem.size()).filter(i -> problem.buffer(i).needsMemory());
    for (int c : drawn.map(i -> colouring.of()[i]).distinct().sorted().toArray()) {
      rows.swatch(Style.filled(colouring.colours().get(c)[0]), 13, colouring.labels().get(c));
    }
    if (dense) {
      rows.word("paler: partly free");
    } else if (problem.buffers().stream().anyMatch(buffer -> !buffer.gaps().isEmpty())) {
      rows.swatch(Style.filled("none").stroke("#5b6770", 0.8).dash("3 2"), 18, "lent to others");
    }
    if (report.facts().excess() != null && !dense) {
      rows.swatch(BufferShapes.BLOCKING, 18, "do not fit together");
    }
    if (ReuseArcs.arePaid(report)) {
      rows.arc("reuse that is paid for: " + ByteText.exact(report.reuseCost()));
    }
    return rows.count();
  }

  /** Legend of a plan's picture: entries from left to right, in as many rows as they need. */
  private static final class LegendRows {
    private static final double ROW = 16;
    private static final double FONT = 11;
    private static final double BETWEEN = 14;

    private final SvgWriter svg;
    private final double left;
    private final double width;
    private double x;
    private double top;
    private int rows = 1;

    /** Starts a legend; without a picture it counts the rows alone. */
    LegendRows(SvgWriter svg, double left, double width, double top) {
      this.svg = svg;
      this.left = left;
      this.width = width;
      this.x = left;
      this.top = top;
    }

    /** The number of rows so far. */
    int count() {
      return rows;
    }

    void word(String text) {
      entry(0, text, () -> {});
    }

    void swatch(Style style, double wide, String text) {
      entry(wide + 5, text, () -> svg.rect(x, top, wide, 12, style));
    }

    void arc(String text) {
      Style style = Style.filled("none").stroke(ReuseArcs.COLOUR, 1.6);
      entry(23, text, () -> svg.path("M" + SvgWriter.point(x, top + 11) + "q9 -14 18 0", style));
    }

    /** An entry of a text and what draws a sign before it. */
    private void entry(double before, String text, Runnable sign) {
      double wide = before + TextWidth.of(text, FONT);
      if (x > left && x + wide > width - 6) {
        x = left;
        top += ROW;
        rows++;
      }
      if (svg != null) {
        sign.run();
        svg.text(x + before, top + 10, "start", text, Style.text(FONT, "#444444"));
      }
      x += wide + BETWEEN;
    }
  }
}
