package stowage.report.fit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.ByteText;
import stowage.packing.LoadProfile;
import stowage.packing.PackingProblem;
import stowage.planning.fit.FitAnswer;
import stowage.planning.fit.FitPlan;
import stowage.report.format.NameText;
import stowage.report.svg.Axes;
import stowage.report.svg.Frame;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;
import stowage.report.svg.Ticks;
import stowage.rewrite.OpOrigin;

/** The plan before and after above each other, pieces coloured by run; and the curve. */
final class FitSvg {
  private static final double LEFT = 92;
  private static final double RIGHT = 30;
  private static final double TOP = 18;
  private static final double HEIGHT = 300;
  private static final double CURVE_HEIGHT = 260;
  private static final double FOOT = 40;
  private static final double FONT = 10;

  /** Dark on the boxes in light and dark pages alike. */
  private static final String LABEL = "#1a1a1a";

  private static final String WHOLE = "#c3cad1";

  /** Of what ops make that run again. */
  private static final String AGAIN = "#4393c3";

  private static final int NO_RUN = -1;
  private static final int REPEATED = -2;

  /** Six of ColorBrewer's qualitative scale Dark2. */
  private static final String[] RUNS = {
    "#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e", "#e6ab02"
  };

  private static final String MARKS = "#4c78a8 found, #c0392b bound of the extra compute";
  private static final String CHECKPOINTS =
      ", #333333 checkpoints by square root, #bbbbbb greedy checkpoints";

  private FitSvg() {}

  /**
   * One plan: addresses upwards, steps to the right, on a scale of bytes, as wide as asked; with a
   * line at the capacity where that is on the scale, which a negative one never is.
   */
  static String plan(String title, FitPlan plan, long most, long capacity, double width) {
    SvgWriter svg = new SvgWriter(width, TOP + HEIGHT + FOOT, title);
    PackingProblem problem = plan.placement().problem();
    long[] steps = Frame.steps(problem);
    Frame frame =
        new Frame(LEFT, TOP, width - LEFT - RIGHT, HEIGHT, steps[0], steps[1], most * 1.06);
    Axes.drawBytes(svg, frame, Ticks.bytes(most));
    Axes.drawSteps(svg, frame);
    Map<String, Integer> runs = runs(plan);
    for (int b = 0; b < problem.size(); b++) {
      Buffer buffer = problem.buffer(b);
      int run = runs.getOrDefault(buffer.id(), NO_RUN);
      String colour = run == REPEATED ? AGAIN : run == NO_RUN ? WHOLE : RUNS[run % RUNS.length];
      long offset = plan.plan().offset(b);
      for (Buffer.Span span : buffer.spans()) {
        double top = frame.y(offset + span.high());
        double x = frame.x(span.start());
        double height = frame.y(offset + span.low()) - top;
        Style style = Style.filled(colour).with("fill-opacity", 0.85).stroke("#ffffff", 0.4);
        String bytes = ByteText.both(span.high() - span.low());
        String said = buffer.id() + ": " + bytes + " at " + offset;
        double room = frame.x(span.end()) - x;
        svg.rect(x, top, room, height, style, said);
        String name = NameText.last(buffer.id());
        if (TextWidth.of(name, FONT) + 6 < room && height > FONT + 3) {
          double middle = top + height / 2 + FONT * 0.35;
          svg.text(x + room / 2, middle, "middle", name, Style.text(FONT, LABEL));
        }
      }
    }
    double line = frame.y(plan.peak());
    svg.segment(LEFT, line, frame.right(), line, Style.stroked("#d55e00", 1).dash("5 3"));
    String peak = "peak " + ByteText.human(plan.peak());
    svg.text(frame.right(), line - 4, "end", peak, Style.bold(11, "#d55e00"));
    if (capacity >= 0 && capacity <= most) {
      double limit = frame.y(capacity);
      svg.segment(LEFT, limit, frame.right(), limit, Style.stroked(Style.SOFT, 1).dash("1 3"));
      String text = "capacity " + ByteText.human(capacity);
      Style halo = Style.bold(11, Style.SOFT).stroke("#ffffff", 3).with("paint-order", "stroke");
      svg.text(LEFT + 4, limit - 4, "start", text, halo);
    }
    Axes.drawTitle(svg, frame, 16, "address");
    svg.text((LEFT + frame.right()) / 2, frame.bottom() + 32, "middle", "step", Style.text(11));
    return svg.finish();
  }

  /** For each tensor of a piece the run it belongs to, and which are computed again. */
  private static Map<String, Integer> runs(FitPlan plan) {
    Map<String, Integer> runs = new HashMap<>();
    Network network = plan.rewriting().network();
    for (int k = 0; k < network.ops().size(); k++) {
      OpOrigin origin = plan.rewriting().ops().get(k);
      int run = origin.run() >= 0 ? origin.run() : origin.copy() > 1 ? REPEATED : NO_RUN;
      for (String made : network.ops().get(k).presentOutputs()) {
        if (run != NO_RUN) {
          runs.put(made, run);
        }
      }
    }
    return runs;
  }

  /** Which op holds the peak: that of the step with the largest load. */
  static String peakOp(FitPlan plan) {
    LoadProfile profile = LoadProfile.of(plan.placement().problem());
    Network network = plan.rewriting().network();
    int[] order = plan.planned().order();
    int most = 0;
    for (int k = 1; k < network.ops().size(); k++) {
      most = profile.loadAt(k) > profile.loadAt(most) ? k : most;
    }
    return network.ops().isEmpty()
        ? ""
        : "Most is live while op \"%s\" runs: %s"
            .formatted(
                NameText.shortened(network.ops().get(order[most]).name()),
                ByteText.both(profile.loadAt(most)));
  }

  /** The staircase of peaks against extra compute, with the bound of each step. */
  static String curve(FitAnswer answer, double width) {
    List<FitAnswer.Point> points = answer.curve();
    String title = answer.request().network().name() + ": peak against extra compute";
    SvgWriter svg = new SvgWriter(width, TOP + CURVE_HEIGHT + FOOT, title);
    long most = points.get(0).peak();
    List<FitAnswer.RecomputeFacts.Checkpointing> others =
        answer.recompute() == null ? List.of() : answer.recompute().checkpoints();
    long last = points.get(points.size() - 1).extra();
    for (FitAnswer.RecomputeFacts.Checkpointing other : others) {
      last = other.peak() < most ? Math.max(last, other.extra()) : last;
    }
    double dearest = Math.max(1, last);
    Frame frame = new Frame(LEFT, TOP, width - LEFT - RIGHT, CURVE_HEIGHT, 0, 1000, most * 1.05);
    Axes.drawBytes(svg, frame, Ticks.bytes(most));
    legend(svg, !others.isEmpty());
    for (FitAnswer.RecomputeFacts.Checkpointing other : others) {
      double x = frame.left() + frame.width() * other.extra() / dearest;
      String fill = other.rule().equals("greedy") ? "#bbbbbb" : "#333333";
      if (other.peak() < most) {
        svg.circle(x, frame.y(other.peak()), 4.5, Style.filled(fill));
      }
    }
    StringBuilder found = new StringBuilder();
    for (int k = 0; k < points.size(); k++) {
      FitAnswer.Point point = points.get(k);
      double x = frame.left() + frame.width() * point.extra() / dearest;
      double bound = frame.left() + frame.width() * point.extraBound() / dearest;
      double y = frame.y(point.peak());
      found.append(k == 0 ? "M" : "H" + SvgWriter.number(x) + "V");
      found.append(k == 0 ? SvgWriter.number(x) + " " : "").append(SvgWriter.number(y));
      svg.circle(bound, y, 2.5, Style.filled("#c0392b"));
      svg.circle(x, y, 3.5, Style.filled("#4c78a8"));
    }
    found.append("H").append(SvgWriter.number(frame.right()));
    svg.path(found, Style.filled("none").stroke("#4c78a8", 1.5));
    double parts = answer.compute() == 0 ? 0 : 1e5 * dearest / answer.compute();
    for (long tick : Ticks.steps(0, (long) parts, (int) Math.max(3, frame.width() / 70))) {
      double x = frame.left() + (parts == 0 ? 0 : frame.width() * tick / parts);
      svg.text(x, frame.bottom() + 16, "middle", ByteText.percent(tick / 1e5), Style.text(11));
    }
    Axes.drawTitle(svg, frame, 16, "peak");
    double middle = (LEFT + frame.right()) / 2;
    svg.text(middle, frame.bottom() + 32, "middle", "extra compute", Style.text(11));
    return svg.finish();
  }

  /** What the curve's colours mean, above it. */
  private static void legend(SvgWriter svg, boolean checkpoints) {
    double x = LEFT;
    for (String mark : checkpoints ? (MARKS + CHECKPOINTS).split(", ") : MARKS.split(", ")) {
      String name = mark.substring(mark.indexOf(' ') + 1);
      svg.circle(x, 8, 3.5, Style.filled(mark.substring(0, mark.indexOf(' '))));
      svg.text(x + 7, 12, "start", name, Style.text(11));
      x += TextWidth.of(name, 11) + 24;
    }
  }
}
