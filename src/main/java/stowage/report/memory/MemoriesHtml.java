package stowage.report.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import stowage.network.memory.MemoryMap;
import stowage.report.page.SpacePage;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;

/**
 * A network's plan over several memories for its page: each memory with the times that a buffer is
 * in it, a row of ops and a row of transfers. Times are nanoseconds.
 */
public final class MemoriesHtml {
  private static final List<SpacePage.BarKind> BARS =
      List.of(
          new SpacePage.BarKind("op", "#4c78a8"),
          new SpacePage.BarKind("fetch", "#2a9d8f"),
          new SpacePage.BarKind("write back", "#d1495b"));

  private MemoriesHtml() {}

  /** The memories, ops and transfers over time. */
  public static SpacePage of(ResidencyProblem problem, ResidencyPlan plan) {
    List<SpacePage.Box> boxes = new ArrayList<>();
    for (ResidencyPlan.Segment segment : plan.segments()) {
      HeldBuffer item = problem.items().get(segment.item());
      int[] steps = {segment.from(), segment.to()};
      addBox(boxes, problem, plan, item, segment.memory(), segment.offset(), steps);
    }
    for (int i = 0; i < problem.items().size(); i++) {
      HeldBuffer item = problem.items().get(i);
      if (plan.homeOffsets()[i] >= 0) {
        int from = item.homeFrom();
        int to = Math.max(from + 1, item.homeTo(problem.steps()));
        int[] steps = {from, to};
        addBox(boxes, problem, plan, item, item.home(), plan.homeOffsets()[i], steps);
      }
    }
    List<SpacePage.Space> spaces = new ArrayList<>();
    for (int m = 0; m < problem.map().count(); m++) {
      MemoryMap.Space space = problem.map().space(m);
      int memory = m;
      long peak =
          boxes.stream()
              .filter(box -> box.space() == memory)
              .mapToLong(box -> box.offset() + box.size())
              .max()
              .orElse(0);
      spaces.add(new SpacePage.Space(space.name(), space.capacity(), peak));
    }
    List<String> kinds = List.of("activation", "weight", "scratch");
    return new SpacePage("", "ms", spaces, kinds, boxes, BARS, lanes(problem, plan));
  }

  private static void addBox(
      List<SpacePage.Box> boxes,
      ResidencyProblem problem,
      ResidencyPlan plan,
      HeldBuffer item,
      int memory,
      long offset,
      int[] steps) {
    if (item.bytes() == 0) {
      return;
    }
    int kind =
        switch (item.kind()) {
          case WEIGHTS -> 1;
          case ACTIVATIONS -> 0;
          default -> 2;
        };
    int last = Math.min(steps[1], problem.steps()) - 1;
    String first = problem.ops().get(steps[0]).name();
    String ops = "ops " + first + " to " + problem.ops().get(last).name();
    long from = plan.starts()[steps[0]];
    long to = Math.max(from + 1, plan.ends()[last]);
    boxes.add(new SpacePage.Box(item.id(), memory, offset, item.bytes(), from, to, kind, ops));
  }

  private static SpacePage.Bar bar(ResidencyProblem problem, ResidencyPlan.Move move) {
    String from = problem.map().space(move.from()).name();
    String to = problem.map().space(move.to()).name();
    String label = problem.items().get(move.item()).id() + " from " + from + " to " + to;
    return new SpacePage.Bar(move.startNanos(), move.endNanos(), move.in() ? 1 : 2, label);
  }

  private static List<SpacePage.Lane> lanes(ResidencyProblem problem, ResidencyPlan plan) {
    List<SpacePage.Bar> ops = new ArrayList<>();
    for (int t = 0; t < problem.steps(); t++) {
      String name = problem.ops().get(t).name();
      ops.add(new SpacePage.Bar(plan.starts()[t], plan.ends()[t], 0, name));
    }
    List<SpacePage.Bar> moves = new ArrayList<>();
    plan.moves().stream()
        .sorted(Comparator.comparingLong(ResidencyPlan.Move::startNanos))
        .map(move -> bar(problem, move))
        .forEach(moves::add);
    return List.of(new SpacePage.Lane("ops", ops), new SpacePage.Lane("transfers", moves));
  }
}
