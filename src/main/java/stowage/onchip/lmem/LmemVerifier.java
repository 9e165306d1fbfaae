package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Checks an LMEM placement by itself: alignment, the lane's end, overlaps step by step, and that
 * what an op uses or a transfer moves is alive then. Shares no code with the allocators. O(steps *
 * buffers log buffers).
 */
public final class LmemVerifier {
  private LmemVerifier() {}

  /** What is wrong with a placement, one line each; empty when nothing is. */
  public static List<String> violations(LmemProblem problem, LmemPlacement placement) {
    List<String> wrong = new ArrayList<>();
    long lane = problem.chip().laneBytes();
    int unit = problem.chip().vectorBytes();
    if (placement.size() != problem.size()) {
      wrong.add(placement.size() + " offsets for " + problem.size() + " buffers");
      return wrong;
    }
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      long offset = placement.offset(b);
      if (offset < 0 || offset + buffer.size() > lane) {
        wrong.add(buffer.id() + " at " + offset + " ends beyond the lane of " + lane + " bytes");
      }
      if (offset % unit != 0) {
        wrong.add(buffer.id() + " at " + offset + " should be at a multiple of " + unit);
      }
      checkSharing(problem, placement, b, wrong);
    }
    for (int step = 0; step < problem.steps(); step++) {
      overlaps(problem, placement, step, wrong);
      uses(problem, step, wrong);
    }
    return wrong;
  }

  private static void checkSharing(
      LmemProblem problem, LmemPlacement placement, int buffer, List<String> wrong) {
    int operand = placement.shares(buffer);
    if (operand == LmemPlacement.OWN) {
      return;
    }
    boolean allowed = problem.sharings().contains(new LmemProblem.Sharing(buffer, operand));
    if (!allowed || placement.offset(buffer) != placement.offset(operand)) {
      wrong.add(
          "%s may not take the place of %s"
              .formatted(problem.buffer(buffer).id(), problem.buffer(operand).id()));
    }
  }

  private static void overlaps(
      LmemProblem problem, LmemPlacement placement, int step, List<String> wrong) {
    List<Integer> live =
        IntStream.range(0, problem.size())
            .filter(b -> problem.buffer(b).isLive(step) && problem.buffer(b).size() > 0)
            .boxed()
            .sorted(Comparator.comparingLong(placement::offset))
            .toList();
    for (int i = 0; i < live.size(); i++) {
      long end = placement.offset(live.get(i)) + problem.buffer(live.get(i)).size();
      for (int j = i + 1; j < live.size() && placement.offset(live.get(j)) < end; j++) {
        int one = live.get(i);
        int other = live.get(j);
        if (placement.shares(one) != other && placement.shares(other) != one) {
          wrong.add(
              "%s and %s overlap in step %s"
                  .formatted(problem.buffer(one).id(), problem.buffer(other).id(), step));
        }
      }
    }
  }

  private static void uses(LmemProblem problem, int step, List<String> wrong) {
    LmemProblem.Step what = problem.step(step);
    List<Integer> used = new ArrayList<>();
    for (LmemProblem.Compute compute : what.computes()) {
      used.addAll(compute.uses());
      if (compute.scratch() >= 0) {
        used.add(compute.scratch());
      }
    }
    what.moves().forEach(move -> used.add(move.buffer()));
    for (int buffer : used) {
      if (!problem.buffer(buffer).isLive(step)) {
        wrong.add(
            problem.buffer(buffer).id() + " is used in step " + step + ", where it is not alive");
      }
    }
  }
}
