package stowage.report.group;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.onchip.Grouping;
import stowage.onchip.PlannedGroup;
import stowage.onchip.lmem.BreadthFirstIds;
import stowage.onchip.lmem.LmemBuffer;
import stowage.onchip.lmem.LmemPlacement;
import stowage.onchip.lmem.LmemProblem;
import stowage.report.format.AlignedText;

/**
 * How a grouping runs, in the words of TPU-MLIR's manual: of each group the numbers of its buffers
 * ({@link BreadthFirstIds}) with the steps in which they live, {@code [T2,T7]} both included, and
 * what each step computes, loads and stores. A live range that goes around the table's end begins
 * after it ends; one of all steps that stays for the next slice ends at infinity.
 */
public final class GroupTrace {
  private GroupTrace() {}

  /** The text, one block a group. */
  public static String of(Grouping grouping) {
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < grouping.groups().size(); k++) {
      PlannedGroup group = grouping.groups().get(k);
      if (group.isGrouped()) {
        text.append(text.isEmpty() ? "" : "\n");
        group(text, group, k);
      }
    }
    return text.toString();
  }

  private static void group(StringBuilder text, PlannedGroup group, int number) {
    LmemProblem problem = group.plan().problem();
    LmemPlacement placement = group.plan().placement();
    text.append("group ").append(number).append(": ops ").append(group.first()).append('-');
    text.append(group.last()).append(", slices ").append(group.plan().sliced().slicing());
    text.append(", ").append(problem.steps()).append(" steps\n");
    int[] ids = BreadthFirstIds.of(problem);
    List<Integer> order = new ArrayList<>(IntStream.range(0, problem.size()).boxed().toList());
    Collections.sort(order, (a, b) -> Integer.compare(ids[a], ids[b]));
    AlignedText table =
        new AlignedText("rlllrr").row("id", "kind", "buffer", "live", "bytes", "at");
    for (int b : order) {
      LmemBuffer buffer = problem.buffer(b);
      table.row(
          Integer.toString(ids[b]),
          buffer.kind().name().toLowerCase(Locale.ROOT),
          buffer.id(),
          live(problem, buffer),
          Long.toString(buffer.size()),
          placement == null ? "?" : Long.toString(placement.offset(b)));
    }
    text.append(table.text("  "));
    AlignedText steps = new AlignedText("llll").row("step", "compute", "load", "store");
    for (int s = 0; s < problem.steps(); s++) {
      LmemProblem.Step step = problem.step(s);
      steps.row(
          "T" + s,
          step.computes().stream().map(LmemProblem.Compute::op).collect(Collectors.joining(" ")),
          moved(step.loads(), ids),
          moved(step.stores(), ids));
    }
    text.append(steps.text("  "));
  }

  private static String live(LmemProblem problem, LmemBuffer buffer) {
    if (buffer.resident()) {
      return "[T0,inf]";
    }
    int last = (buffer.end() + problem.steps() - 1) % problem.steps();
    return "[T" + buffer.start() + ",T" + last + "]";
  }

  private static String moved(List<LmemProblem.Move> moves, int[] ids) {
    return moves.stream()
        .map(move -> ids[move.buffer()] + ":" + move.tensor())
        .collect(Collectors.joining(" "));
  }
}
