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
    List<Stay> stays =
        Stay.of(problem, plan).stream().filter(stay -> stay.item().bytes() > 0).toList();
    List<SpacePage.Space> spaces = new ArrayList<>();
    for (int m = 0; m < problem.map().count(); m++) {
      MemoryMap.Space space = problem.map().space(m);
      spaces.add(new SpacePage.Space(space.name(), space.capacity(), Stay.top(stays, m)));
    }
    List<SpacePage.Box> boxes = stays.stream().map(stay -> box(problem, plan, stay)).toList();
    List<String> kinds = List.of("activation", "weight", "scratch");
    return new SpacePage("", "ms", spaces, kinds, boxes, BARS, lanes(problem, plan));
  }

  private static SpacePage.Box box(ResidencyProblem problem, ResidencyPlan plan, Stay stay) {
    HeldBuffer item = stay.item();
    int kind =
        switch (item.kind()) {
          case WEIGHTS -> 1;
          case ACTIVATIONS -> 0;
          default -> 2;
        };
    int last = Math.min(stay.shownTo(), problem.steps()) - 1;
    String first = problem.ops().get(stay.from()).name();
    String ops = "ops " + first + " to " + problem.ops().get(last).name();
    long from = plan.starts()[stay.from()];
    long to = Math.max(from + 1, plan.ends()[last]);
    long bytes = item.bytes();
    return new SpacePage.Box(item.id(), stay.memory(), stay.offset(), bytes, from, to, kind, ops);
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
      ops.add(new SpacePage.Bar(plan.starts()[t], plan.ends()[t], 0, problem.ops().get(t).name()));
    }
    List<SpacePage.Bar> moves = new ArrayList<>();
    plan.moves().stream()
        .sorted(Comparator.comparingLong(ResidencyPlan.Move::startNanos))
        .map(move -> bar(problem, move))
        .forEach(moves::add);
    return List.of(new SpacePage.Lane("ops", ops), new SpacePage.Lane("transfers", moves));
  }
}
