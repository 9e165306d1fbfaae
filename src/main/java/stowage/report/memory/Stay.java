package stowage.report.memory;

import java.util.ArrayList;
import java.util.List;
import stowage.residency.memory.HeldBuffer;
import stowage.residency.memory.ResidencyPlan;
import stowage.residency.memory.ResidencyProblem;

/**
 * Where a buffer is for a while, a segment of a plan or its home: from a step to before another.
 */
record Stay(HeldBuffer item, int memory, long offset, int from, int to) {
  /** All of a plan: segments in their order, then homes by item. */
  static List<Stay> of(ResidencyProblem problem, ResidencyPlan plan) {
    List<Stay> stays = new ArrayList<>();
    for (ResidencyPlan.Segment one : plan.segments()) {
      HeldBuffer item = problem.items().get(one.item());
      stays.add(new Stay(item, one.memory(), one.offset(), one.from(), one.to()));
    }
    for (int i = 0; i < problem.items().size(); i++) {
      HeldBuffer item = problem.items().get(i);
      long offset = plan.homeOffsets()[i];
      if (offset >= 0) {
        stays.add(
            new Stay(item, item.home(), offset, item.homeFrom(), item.homeTo(problem.steps())));
      }
    }
    return stays;
  }

  /** The highest end in a memory, in bytes; 0 where nothing is there. */
  static long top(List<Stay> stays, int memory) {
    return stays.stream()
        .filter(stay -> stay.memory == memory)
        .mapToLong(stay -> stay.offset + stay.item.bytes())
        .max()
        .orElse(0);
  }

  /** The step before which it ends in pictures, in which it is there for one at least. */
  int shownTo() {
    return Math.max(from + 1, to);
  }
}
