package stowage.report.memory;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import stowage.network.memory.MemoryMap;
import stowage.packing.ByteText;
import stowage.report.svg.Style;
import stowage.report.svg.SvgWriter;
import stowage.report.svg.TextWidth;
import stowage.report.svg.Ticks;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;

/**
 * A network's plan over several memories, over time: a row of ops, a row of transfers, and below
 * one picture a memory, addresses upwards, with a rectangle for each time that a buffer is there.
 */
public final class MemoriesSvg {
  private static final double LEFT = 96;
  private static final double ROOM = 1160;
  private static final double ROW = 24;
  private static final double FAST = 280;
  private static final double HOME = 110;
  private static final double GAP = 40;
  private static final double CLOSE = 0.5;
  private static final double NAME = 10;
  private static final String GROUND = "#f1f3f4";
  private static final String OP = "#4c78a8";
  private static final String IN = "#2a9d8f";
  private static final String OUT = "#d1495b";
  private static final String WEIGHTS = "#7aa6c2";
  private static final String ACTIVATIONS = "#e3b872";
  private static final String SCRATCH = "#b5b0d8";

  private final ResidencyProblem problem;
  private final ResidencyPlan plan;
  private final long end;
  private final double scale;
  private final SvgWriter svg;

  private record Bar(long from, long to, String fill, String label) {}

  private MemoriesSvg(ResidencyProblem problem, ResidencyPlan plan, String title, String figures) {
    this.problem = problem;
    this.plan = plan;
    long last = plan.ends().length == 0 ? 1 : plan.ends()[plan.ends().length - 1];
    for (ResidencyPlan.Move move : plan.moves()) {
      last = Math.max(last, move.endNanos());
    }
    end = Math.max(1, last);
    scale = ROOM / end;
    int fast = problem.map().fastCount();
    int count = problem.map().count();
    double height = 116 + 2 * ROW + fast * (FAST + GAP) + (count - fast) * (HOME + GAP);
    svg = new SvgWriter(LEFT + ROOM + 30, height, title);
    svg.text(LEFT, 22, "start", title, Style.bold(15, Style.INK));
    svg.text(LEFT, 42, "start", figures, Style.text(12, Style.SOFT));
    List<Stay> stays = Stay.of(problem, plan);
    legend(stays);
    double y = 64;
    row("ops", ops(), y);
    row("transfers", transfers(), y + ROW);
    axis(y + 2 * ROW + 2);
    y += 2 * ROW + 46;
    for (int m = 0; m < count; m++) {
      double room = m < fast ? FAST : HOME;
      memory(m, stays, y, room);
      y += room + GAP;
    }
  }

  /** The picture, with a line of figures below its title. */
  public static String of(
      ResidencyProblem problem, ResidencyPlan plan, String title, String figures) {
    return new MemoriesSvg(problem, plan, title, figures).svg.finish();
  }

  /** Names each colour that is drawn, in one row that ends at the right edge. */
  private void legend(List<Stay> stays) {
    String[] names = {"weights", "activations", "scratch", "fetch", "write back"};
    String[] fills = {WEIGHTS, ACTIVATIONS, SCRATCH, IN, OUT};
    Set<String> drawn = new HashSet<>();
    stays.forEach(stay -> drawn.add(fill(stay.item())));
    plan.moves().forEach(move -> drawn.add(move.in() ? IN : OUT));
    double x = LEFT + ROOM - 84 * drawn.size();
    for (int k = 0; k < names.length; k++) {
      if (drawn.contains(fills[k])) {
        svg.rect(x, 13, 11, 11, Style.filled(fills[k]));
        svg.text(x + 15, 23, "start", names[k], Style.text(11, Style.SOFT));
        x += 84;
      }
    }
  }

  private List<Bar> ops() {
    return java.util.stream.IntStream.range(0, problem.steps())
        .mapToObj(t -> new Bar(plan.starts()[t], plan.ends()[t], OP, label(problem.ops().get(t))))
        .toList();
  }

  private static String label(ResidencyProblem.Step op) {
    return op.computeNanos() == 0
        ? op.name()
        : op.name() + ", computes " + MemoriesReport.milliseconds(op.computeNanos()) + ",";
  }

  private List<Bar> transfers() {
    return plan.moves().stream()
        .sorted(Comparator.comparingLong(ResidencyPlan.Move::startNanos))
        .map(this::transfer)
        .toList();
  }

  private Bar transfer(ResidencyPlan.Move move) {
    HeldBuffer item = problem.items().get(move.item());
    String label =
        "%s %s from %s to %s, %s"
            .formatted(
                move.in() ? "fetch" : "write back",
                item.id(),
                problem.map().space(move.from()).name(),
                problem.map().space(move.to()).name(),
                ByteText.exact(item.bytes()) + " bytes");
    return new Bar(move.startNanos(), move.endNanos(), move.in() ? IN : OUT, label);
  }

  private void row(String name, List<Bar> bars, double y) {
    svg.text(LEFT - 8, y + 15, "end", name, Style.text(12, Style.INK));
    svg.rect(LEFT, y + 3, ROOM, ROW - 6, Style.filled(GROUND));
    for (int k = 0; k < bars.size(); ) {
      Bar bar = bars.get(k);
      int last = k; // what is closer than half a point is one bar
      while (last + 1 < bars.size()
          && bars.get(last + 1).fill().equals(bar.fill())
          && (bars.get(last + 1).to() - bar.from()) * scale < 2 * CLOSE
          && (bars.get(last + 1).from() - bars.get(last).to()) * scale < CLOSE) {
        last++;
      }
      String more = last > k ? " and " + (last - k) + " more" : "";
      long to = bars.get(last).to();
      String label =
          bar.label()
              + more
              + ", "
              + MemoriesReport.milliseconds(bar.from())
              + " to "
              + MemoriesReport.milliseconds(to);
      rect(bar.from(), to, y + 3, ROW - 6, bar.fill(), label);
      k = last + 1;
    }
  }

  private void rect(long from, long to, double y, double height, String fill, String label) {
    double width = Math.max(0.25, (to - from) * scale);
    Style style = Style.filled(fill).stroke("#ffffff", Math.min(0.5, width / 8));
    svg.rect(LEFT + from * scale, y, width, height, style, label);
  }

  private void axis(double y) {
    for (long tick : Ticks.steps(0, end, 9)) {
      double x = LEFT + tick * scale;
      svg.segment(x, y, x, y + 4, Style.stroked(Style.SOFT, 0.6));
      String text = String.format(Locale.ROOT, "%s ms", SvgWriter.number(tick / 1e6));
      svg.text(x, y + 15, "middle", text, Style.text(9, Style.SOFT));
    }
  }

  private void frame(MemoryMap.Space space, long shown, double y, double height) {
    svg.text(LEFT, y - 6, "start", space.name(), Style.text(12, Style.INK));
    svg.rect(LEFT, y, ROOM, height, Style.filled("#f8f9fa").stroke("#c5ccd3", 0.6));
    for (long tick : Ticks.bytes(shown)) {
      double at = y + height - height * tick / shown;
      svg.segment(LEFT - 4, at, LEFT, at, Style.stroked(Style.SOFT, 0.6));
      if (height > 200 || tick % (2 * Math.max(1, Ticks.bytes(shown).get(1))) == 0) {
        svg.text(LEFT - 7, at + 3, "end", size(tick), Style.text(9, Style.SOFT));
      }
    }
  }

  private static String size(long bytes) {
    return bytes >= 1 << 20 && bytes % (1 << 18) == 0
        ? SvgWriter.number(bytes / (double) (1 << 20)) + " MiB"
        : bytes >= 1 << 10 ? SvgWriter.number(bytes / 1024.0) + " KiB" : bytes + " B";
  }

  private static String fill(HeldBuffer item) {
    return switch (item.kind()) {
      case WEIGHTS -> WEIGHTS;
      case ACTIVATIONS -> ACTIVATIONS;
      default -> SCRATCH;
    };
  }

  /** A memory with what is in it: a fast one up to its capacity, another up to what is used. */
  private void memory(int memory, List<Stay> stays, double y, double height) {
    MemoryMap.Space space = problem.map().space(memory);
    boolean fast = memory < problem.map().fastCount();
    long shown = fast ? space.capacity() : Math.max(1, Stay.top(stays, memory));
    frame(space, shown, y, height);
    stays.stream()
        .filter(stay -> stay.memory() == memory && stay.item().bytes() > 0)
        .forEach(stay -> box(stay, shown, y, height));
  }

  private void box(Stay stay, long shown, double y, double height) {
    HeldBuffer item = stay.item();
    int to = stay.shownTo();
    double high = height * item.bytes() / shown;
    String where = ByteText.exact(item.bytes()) + " bytes at " + stay.offset();
    String label = "%s, %s, steps %s to %s".formatted(item.id(), where, stay.from(), to - 1);
    long ends = plan.ends()[Math.min(to, problem.steps()) - 1];
    double top = y + height - height * stay.offset() / shown - high;
    long begin = plan.starts()[stay.from()];
    rect(begin, ends, top, high, fill(item), label);
    double room = (ends - begin) * scale;
    if (high > NAME + 2 && TextWidth.of(item.id(), NAME) + 6 < room) {
      double x = LEFT + begin * scale + room / 2;
      svg.text(x, top + high / 2 + NAME * 0.35, "middle", item.id(), Style.text(NAME, Style.INK));
    }
  }
}
