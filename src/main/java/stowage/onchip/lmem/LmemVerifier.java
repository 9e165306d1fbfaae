package stowage.onchip.lmem;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Verifier of an LMEM placement by itself: alignment, the lane's end, overlaps step by step, and
 * that what an op uses or a transfer moves is alive then. Shares no code with the allocators.
 * O(steps in which buffers are alive + buffers log buffers).
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
    Set<LmemProblem.Sharing> sharings = Set.copyOf(problem.sharings());
    for (int b = 0; b < problem.size(); b++) {
      LmemBuffer buffer = problem.buffer(b);
      long offset = placement.offset(b);
      if (offset < 0 || offset > lane - buffer.size()) {
        wrong.add(buffer.id() + " at " + offset + " ends beyond the lane of " + lane + " bytes");
      }
      if (offset % unit != 0) {
        wrong.add(buffer.id() + " at " + offset + " should be at a multiple of " + unit);
      }
      checkSharing(problem, placement, b, sharings, wrong);
    }
    Map<Integer, List<Integer>> starting = by(LmemBuffer::start, problem);
    Map<Integer, List<Integer>> ended = by(LmemBuffer::end, problem);
    Set<Integer> live =
        new TreeSet<>(Comparator.comparing(placement::offset).thenComparing(b -> b));
    sized(problem).filter(b -> problem.buffer(b).isLive(0)).forEach(live::add);
    for (int step = 0; step < problem.steps(); step++) {
      ended.getOrDefault(step, List.of()).forEach(live::remove);
      live.addAll(starting.getOrDefault(step, List.of()));
      overlaps(problem, placement, List.copyOf(live), step, wrong);
      uses(problem, step, wrong);
    }
    return wrong;
  }

  /** The buffers of any bytes. */
  private static Stream<Integer> sized(LmemProblem problem) {
    return IntStream.range(0, problem.size()).boxed().filter(b -> problem.buffer(b).size() > 0);
  }

  private static Map<Integer, List<Integer>> by(
      ToIntFunction<LmemBuffer> step, LmemProblem problem) {
    return sized(problem).collect(groupingBy(b -> step.applyAsInt(problem.buffer(b))));
  }

  private static void checkSharing(
      LmemProblem problem,
      LmemPlacement placement,
      int buffer,
      Set<LmemProblem.Sharing> sharings,
      List<String> wrong) {
    int operand = placement.shares(buffer);
    if (operand == LmemPlacement.OWN) {
      return;
    }
    boolean allowed = sharings.contains(new LmemProblem.Sharing(buffer, operand));
    if (!allowed || placement.offset(buffer) != placement.offset(operand)) {
      wrong.add(
          "%s may not take the place of %s"
              .formatted(problem.buffer(buffer).id(), problem.buffer(operand).id()));
    }
  }

  /** The overlaps of what is alive in a step, given by rising offset. */
  private static void overlaps(
      LmemProblem problem,
      LmemPlacement placement,
      List<Integer> live,
      int step,
      List<String> wrong) {
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
