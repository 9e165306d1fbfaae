package stowage.report.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stowage.onchip.PlannedGroup;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.onchip.lmem.LmemScore;
import stowage.packing.ByteText;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;

/** A group's LMEM as a picture: addresses over steps, bank borders, clashes and what steps do. */
public final class LmemSvg {
  private static final double LEFT = 100;
  private static final double TOP = 64;
  private static final double LANE = 360;
  private static final double LINE = 15;
  private static final double NOTE = 10.5;
  private static final String CLASH = "#c1121f";
  private static final Style SMALL = Style.text(11, Style.SOFT);

  /** Buffers lower than this are drawn without an outline, which would hide their color. */
  private static final double THIN = 3;

  /** A shortened name of fewer characters says nothing; the whole one is in the title. */
  private static final int TELLING = 10;

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
    List<List<Note>> notes = new ArrayList<>();
    int most = 0;
    for (int s = 0; s < steps; s++) {
      notes.add(notes(group, s));
      most = Math.max(most, notes.get(s).size());
    }
    boolean inColumns = column >= 90;
    double table = inColumns ? (most + 1) * LINE : (steps + 1) * LINE;
    double height = TOP + LANE + 40 + table + 20;
    SvgWriter svg = new SvgWriter(width, height, "LMEM of group " + number);
    LmemScore score = group.answer().score();
    String ops = group.isContiguous() ? ": ops " : ": " + group.members().length + " of ops ";
    String range = ops + group.first() + " to " + group.last();
    String title = "Group " + number + range + ", " + group.plan().sliced().slicing();
    svg.text(LEFT, 22, "start", title, Style.bold(15, Style.INK));
    String peak = ByteText.exact(score.peak()) + " of ";
    String lane = ByteText.exact(problem.chip().laneBytes()) + " bytes a lane";
    String figures =
        "peak %s; %d clashes (%d self, at least %d); %d operand clashes; %d bank crossings"
            .formatted(
                peak + lane,
                score.clashes(),
                score.selfClashes(),
                group.answer().bounds().get(0),
                score.operandClashes(),
                score.bankCrossings());
    svg.text(LEFT, 41, "start", figures, Style.text(12, Style.SOFT));
    legend(svg, LEFT, 56);
    buffers(svg, group, column);
    banks(svg, problem, steps * column);
    labels(svg, group, column);
    clashes(svg, group, column);
    double y = TOP + LANE + 16;
    for (int s = 0; s < steps; s++) {
      svg.text(LEFT + (s + 0.5) * column, y, "middle", "" + s, SMALL);
    }
    svg.text(LEFT - 8, y, "end", "step", SMALL);
    table(svg, notes, column, y + 18, inColumns);
    return svg.finish();
  }

  private static void legend(SvgWriter svg, double x, double y) {
    double at = x;
    for (LmemBuffer.Kind kind : LmemBuffer.Kind.values()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      svg.rect(at, y - 8, 10, 9, Style.filled(color(kind)));
      svg.text(at + 14, y, "start", name, SMALL);
      at += 90;
    }
    svg.rect(at, y - 8, 10, 9, Style.filled("none").stroke(CLASH, 2));
    svg.text(at + 14, y, "start", "transfer that clashes", SMALL);
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
      Style inner = Style.stroked("#7d8790", 0.6).dash("4 3");
      svg.segment(
          LEFT, y, LEFT + width, y, edge ? Style.stroked(Style.INK, 1).dash("none") : inner);
      if (bank % Math.max(1, banks / 8) == 0) {
        svg.text(LEFT - 8, y + 4, "end", ByteText.human(offset), SMALL);
      }
    }
  }

  private static void buffers(SvgWriter svg, PlannedGroup group, double column) {
    LmemProblem problem = group.plan().problem();
    LmemPlacement placement = group.plan().placement();
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      double bottom = y(problem, placement.offset(b));
      double height = Math.max(0.8, bottom - y(problem, placement.offset(b) + buffer.size()));
      for (int[] part : parts(problem, buffer)) {
        double x = LEFT + part[0] * column + 0.5;
        double width = (part[1] - part[0]) * column - 1;
        String line = height < THIN ? "none" : "#40505c";
        Style style = Style.filled(color(buffer.kind())).stroke(line, 0.5);
        svg.rect(x, bottom - height, width, height, style, title(problem, placement, b));
      }
    }
  }

  private static void labels(SvgWriter svg, PlannedGroup group, double column) {
    LmemProblem problem = group.plan().problem();
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      long offset = group.plan().placement().offset(b);
      double bottom = y(problem, offset);
      double height = bottom - y(problem, offset + buffer.size());
      for (int[] part : parts(problem, buffer)) {
        double width = (part[1] - part[0]) * column;
        String name = fitting(buffer.id(), width - 6, 10);
        boolean telling = name.equals(buffer.id()) || name.length() >= TELLING;
        if (height > 11 && telling) {
          double middle = LEFT + part[0] * column + width / 2;
          svg.text(middle, bottom - height / 2 + 4, "middle", name, Style.text(10, Style.INK));
        }
      }
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

  /**
   * A name shortened to a width in the middle: the names of a network's parts often begin alike,
   * and those of one op's tensors end alike. Of what stays a third is the beginning.
   */
  public static String fitting(String name, double width, double size) {
    String shown = name;
    for (int kept = name.length() - 1; kept >= 1 && TextWidth.of(shown, size) > width; kept--) {
      int head = kept / 3;
      shown = name.substring(0, head) + "\u2026" + name.substring(name.length() - kept + head);
    }
    return shown;
  }

  private static List<int[]> parts(LmemProblem problem, LmemBuffer buffer) {
    if (buffer.start() < buffer.end()) {
      return List.of(new int[] {buffer.start(), buffer.end()});
    }
    int[] before = {buffer.start(), problem.steps()};
    return buffer.end() > 0 ? List.of(before, new int[] {0, buffer.end()}) : List.of(before);
  }

  private static void clashes(SvgWriter svg, PlannedGroup group, double column) {
    LmemProblem problem = group.plan().problem();
    LmemPlacement placement = group.plan().placement();
    Style outline = Style.filled("none").stroke(CLASH, 2);
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      for (LmemProblem.Move move : step.moves()) {
        if (LmemScore.clashes(problem, placement, step, move.buffer())) {
          long offset = placement.offset(move.buffer());
          double bottom = y(problem, offset);
          double top = y(problem, offset + problem.buffer(move.buffer()).size());
          double x = LEFT + s * column + 1;
          svg.rect(x, top, column - 2, Math.max(2, bottom - top), outline);
        }
      }
    }
  }

  /** What happens in a step, and whether it is a transfer that clashes. */
  private record Note(String sign, String name, boolean clashes) {
    String within(double width, double size) {
      return sign + fitting(name, width - TextWidth.of(sign, size), size);
    }

    String color() {
      return clashes ? CLASH : Style.INK;
    }
  }

  private static List<Note> notes(PlannedGroup group, int step) {
    LmemProblem.Step what = group.plan().problem().step(step);
    List<Note> notes = new ArrayList<>();
    what.computes().forEach(compute -> notes.add(new Note("", compute.op(), false)));
    what.loads().forEach(move -> notes.add(note("\u2193 ", group, what, move)));
    what.stores().forEach(move -> notes.add(note("\u2191 ", group, what, move)));
    return notes;
  }

  private static Note note(
      String sign, PlannedGroup group, LmemProblem.Step step, LmemProblem.Move move) {
    LmemProblem problem = group.plan().problem();
    return new Note(
        sign,
        problem.buffer(move.buffer()).id(),
        LmemScore.clashes(problem, group.plan().placement(), step, move.buffer()));
  }

  /** The notes under their steps where those are wide enough, else a line a step. */
  private static void table(
      SvgWriter svg, List<List<Note>> notes, double column, double y, boolean inColumns) {
    for (int s = 0; s < notes.size(); s++) {
      if (inColumns) {
        double at = y;
        for (Note note : notes.get(s)) {
          note(svg, LEFT + s * column + 4, at, note.within(column - 8, NOTE), note.color());
          at += LINE;
        }
      } else {
        line(svg, s, notes.get(s), y + s * LINE, LEFT + notes.size() * column);
      }
    }
  }

  private static void line(SvgWriter svg, int step, List<Note> notes, double y, double right) {
    note(svg, LEFT, y, step + ":", Style.SOFT);
    double x = LEFT + 24;
    for (Note note : notes) {
      if (x > right - 40) {
        note(svg, x, y, "\u2026", Style.INK);
        return;
      }
      String text = note.within(right - x, NOTE);
      note(svg, x, y, text, note.color());
      x += TextWidth.of(text, NOTE) + 12;
    }
  }

  private static void note(SvgWriter svg, double x, double y, String text, String color) {
    svg.text(x, y, "start", text, Style.text(NOTE, color));
  }
}
