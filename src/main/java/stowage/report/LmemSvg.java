package stowage.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import stowage.onchip.LmemBuffer;
import stowage.onchip.LmemPlacement;
import stowage.onchip.LmemProblem;
import stowage.onchip.LmemScore;
import stowage.onchip.PlannedGroup;

/**
 * The LMEM of a group as a picture: the lane's addresses over its steps, with bank borders and
 * clashes, and what happens in each step.
 */
public final class LmemSvg {
  private static final double LEFT = 100;
  private static final double TOP = 64;
  private static final double LANE = 360;
  private static final double LINE = 15;
  private static final String INK = "#222222";
  private static final String SOFT = "#5a646d";
  private static final String CLASH = "#c1121f";

  /** Buffers lower than this are drawn without an outline, which would hide their color. */
  private static final double THIN = 3;

  private LmemSvg() {}

  private static String color(LmemBuffer.Kind kind) {
    return switch (kind) {
      case ACTIVATION -> "#9cc3e6";
      case WEIGHT -> "#f5c77e";
      case SCRATCH -> "#cfcfcf";
    };
  }

  /** The LMEM of one group: steps from left to right, addresses from bottom to top. */
  public static String of(PlannedGroup group, int number) {
    LmemProblem problem = group.plan().problem();
    int steps = problem.steps();
    double column = Math.max(26, Math.min(130, 1100.0 / steps));
    double width = Math.max(800, LEFT + steps * column + 30);
    List<List<String>> notes = new ArrayList<>();
    int most = 0;
    for (int s = 0; s < steps; s++) {
      notes.add(notes(problem, s));
      most = Math.max(most, notes.get(s).size());
    }
    boolean inColumns = column >= 90;
    double table = inColumns ? (most + 1) * LINE : (steps + 1) * LINE;
    double height = TOP + LANE + 40 + table + 20;
    SvgWriter svg = new SvgWriter(width, height, "LMEM of group " + number);
    LmemScore score = group.answer().score();
    svg.text(
        LEFT,
        22,
        "start",
        "Group "
            + number
            + ": ops "
            + group.first()
            + " to "
            + group.last()
            + ", "
            + group.plan().sliced().slicing(),
        "font-size",
        15,
        "font-weight",
        "bold",
        "fill",
        INK);
    svg.text(
        LEFT,
        41,
        "start",
        String.format(
            java.util.Locale.ROOT,
            "peak %,d of %,d bytes a lane; %d clashes (%d self, at least %d); %d operand clashes;"
                + " %d bank crossings",
            score.peak(),
            problem.chip().laneBytes(),
            score.clashes(),
            score.selfClashes(),
            group.answer().bounds().get(0),
            score.operandClashes(),
            score.bankCrossings()),
        "font-size",
        12,
        "fill",
        SOFT);
    legend(svg, LEFT, 56);
    banks(svg, problem, steps * column);
    buffers(svg, group, column);
    clashes(svg, group, column);
    double y = TOP + LANE + 16;
    for (int s = 0; s < steps; s++) {
      svg.text(LEFT + (s + 0.5) * column, y, "middle", "" + s, "font-size", 11, "fill", SOFT);
    }
    svg.text(LEFT - 8, y, "end", "step", "font-size", 11, "fill", SOFT);
    table(svg, notes, column, y + 18, inColumns);
    return svg.finish();
  }

  private static void legend(SvgWriter svg, double x, double y) {
    double at = x;
    for (LmemBuffer.Kind kind : LmemBuffer.Kind.values()) {
      String name = kind.name().toLowerCase(java.util.Locale.ROOT);
      svg.empty("rect", "x", at, "y", y - 8, "width", 10, "height", 9, "fill", color(kind)).line();
      svg.text(at + 14, y, "start", name, "font-size", 11, "fill", SOFT);
      at += 90;
    }
    svg.empty(
            "rect",
            "x",
            at,
            "y",
            y - 8,
            "width",
            10,
            "height",
            9,
            "fill",
            "none",
            "stroke",
            CLASH,
            "stroke-width",
            2)
        .line();
    svg.text(at + 14, y, "start", "transfer that clashes", "font-size", 11, "fill", SOFT);
  }

  private static double y(LmemProblem problem, long offset) {
    return TOP + LANE - LANE * offset / problem.chip().laneBytes();
  }

  private static void banks(SvgWriter svg, LmemProblem problem, double width) {
    int banks = problem.chip().banks();
    for (int bank = 0; bank <= banks; bank++) {
      long offset = bank * problem.chip().bankBytes();
      double y = y(problem, offset);
      boolean edge = bank == 0 || bank == banks;
      svg.segment(
          LEFT,
          y,
          LEFT + width,
          y,
          "stroke",
          edge ? INK : "#b9c0c6",
          "stroke-width",
          edge ? 1 : 0.7,
          "stroke-dasharray",
          edge ? "none" : "4 3");
      if (bank % Math.max(1, banks / 8) == 0) {
        svg.text(LEFT - 8, y + 4, "end", ByteText.human(offset), "font-size", 11, "fill", SOFT);
      }
    }
  }

  private record Label(double x, double y, String text) {}

  private static void buffers(SvgWriter svg, PlannedGroup group, double column) {
    List<Label> labels = new ArrayList<>(); // drawn last: a buffer may lie in another's place
    LmemProblem problem = group.plan().problem();
    LmemPlacement placement = group.plan().placement();
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      double bottom = y(problem, placement.offset(b));
      double top = y(problem, placement.offset(b) + buffer.size());
      double height = Math.max(0.8, bottom - top);
      for (int[] part : parts(problem, buffer)) {
        double x = LEFT + part[0] * column;
        double width = (part[1] - part[0]) * column;
        svg.start(
            "rect",
            "x",
            x + 0.5,
            "y",
            bottom - height,
            "width",
            width - 1,
            "height",
            height,
            "fill",
            color(buffer.kind()),
            "stroke",
            height < THIN ? "none" : "#40505c",
            "stroke-width",
            0.5);
        svg.leaf("title", title(problem, placement, b));
        svg.end().line();
        if (height > 11 && width > 40) {
          String name = fitting(buffer.id(), width - 6, 10);
          labels.add(new Label(x + width / 2, bottom - height / 2 + 4, name));
        }
      }
    }
    for (Label label : labels) {
      svg.text(label.x, label.y, "middle", label.text, "font-size", 10, "fill", INK);
    }
  }

  private static String title(LmemProblem problem, LmemPlacement placement, int b) {
    LmemBuffer buffer = problem.buffer(b);
    String title = buffer.id() + ": " + buffer.size() + " bytes at " + placement.offset(b);
    int operand = placement.shares(b);
    return operand == LmemPlacement.OWN
        ? title
        : title + ", in the place of " + problem.buffer(operand).id();
  }

  private static String fitting(String text, double width, double size) {
    String shown = text;
    while (shown.length() > 1 && TextWidth.of(shown, size) > width) {
      shown = shown.substring(0, shown.length() - 2) + "\u2026";
    }
    return shown;
  }

  private static List<int[]> parts(LmemProblem problem, LmemBuffer buffer) {
    List<int[]> parts = new ArrayList<>();
    if (buffer.start() < buffer.end()) {
      parts.add(new int[] {buffer.start(), buffer.end()});
    } else {
      parts.add(new int[] {buffer.start(), problem.steps()});
      if (buffer.end() > 0) {
        parts.add(new int[] {0, buffer.end()});
      }
    }
    return parts;
  }

  private static void clashes(SvgWriter svg, PlannedGroup group, double column) {
    LmemProblem problem = group.plan().problem();
    LmemPlacement placement = group.plan().placement();
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      for (List<LmemProblem.Move> moves : List.of(step.loads(), step.stores())) {
        for (LmemProblem.Move move : moves) {
          if (LmemScore.clashes(problem, placement, step, move.buffer())) {
            long offset = placement.offset(move.buffer());
            double bottom = y(problem, offset);
            double top = y(problem, offset + problem.buffer(move.buffer()).size());
            svg.empty(
                    "rect",
                    "x",
                    LEFT + s * column + 1,
                    "y",
                    top,
                    "width",
                    column - 2,
                    "height",
                    Math.max(2, bottom - top),
                    "fill",
                    "none",
                    "stroke",
                    CLASH,
                    "stroke-width",
                    2)
                .line();
          }
        }
      }
    }
  }

  private static List<String> notes(LmemProblem problem, int step) {
    List<String> notes = new ArrayList<>();
    LmemProblem.Step what = problem.step(step);
    what.computes().forEach(compute -> notes.add(compute.op()));
    what.loads().forEach(move -> notes.add("\u2193 " + problem.buffer(move.buffer()).id()));
    what.stores().forEach(move -> notes.add("\u2191 " + problem.buffer(move.buffer()).id()));
    return notes;
  }

  private static void table(
      SvgWriter svg, List<List<String>> notes, double column, double y, boolean inColumns) {
    for (int s = 0; s < notes.size(); s++) {
      List<String> lines = notes.get(s);
      if (!inColumns) {
        String text = s + ": " + lines.stream().collect(Collectors.joining("   "));
        svg.text(
            LEFT,
            y + s * LINE,
            "start",
            fitting(text, notes.size() * column, 11),
            "font-size",
            11,
            "fill",
            INK);
        continue;
      }
      for (int k = 0; k < lines.size(); k++) {
        svg.text(
            LEFT + s * column + 4,
            y + k * LINE,
            "start",
            fitting(lines.get(k), column - 8, 10.5),
            "font-size",
            10.5,
            "fill",
            INK);
      }
    }
  }
}
