package stowage.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.ListRule;
import stowage.heuristic.Fit;
import stowage.heuristic.GapPlacer;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.network.Tensor;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * ONNX Runtime's two levels: the execution planner's reuse of freed values, then the memory
 * pattern's placement of what was allocated.
 *
 * <p>Source: onnxruntime/core/framework/allocation_planner.cc and mem_pattern_planner.h. <b>First
 * level</b>, in execution order: a new value takes the memory of the first free one of the same
 * shape and element size, "the same", not "at least"; the free list is searched from the most
 * recently freed. An op frees its operands in their order, so that the last of them comes first,
 * and then the results that no op reads. What dies at a step is free from the next on; in place is
 * what the case has in place. <b>Second level</b>: the allocations, each alive from its first use
 * to its last with what reuses it, are placed as they come. Each takes the gap between those alive
 * that wastes least, the lowest of equal ones; without a gap it goes above the last. Sizes are
 * rounded up to 256 bytes ({@code kAllocAlignment}).
 *
 * <p>Example: a 8 bytes [0, 2), b 4 bytes [0, 9), c 6 bytes [2, 4). c has no freed value of its
 * shape, so it is an allocation of its own; at step 2 a is gone, and the gap of 8 bytes below b
 * takes it: offset 0. With 8 bytes c would have been given a's memory at the first level.
 *
 * <p>A list of buffers is a trace of allocations: what the first level reused is no longer seen
 * there, so the second level alone runs. On a network the case says what works in place and whether
 * inputs and outputs are planned; the original's block is met with {@code --in-place onnxruntime
 * --inputs caller --alignment 256}. A scalar's memory is not reused. O(n (f + k)) for f free values
 * and k alive.
 *
 * @see <a
 *     href="https://github.com/microsoft/onnxruntime/blob/005c192599b356264639cd227f623083e3065aa5/onnxruntime/core/framework/allocation_planner.cc">microsoft/onnxruntime@005c1925:allocation_planner.cc</a>
 * @see <a
 *     href="https://github.com/microsoft/onnxruntime/blob/00ca168922183eeb0c1e0f93c04f2f707087f86d/onnxruntime/core/framework/mem_pattern_planner.h">microsoft/onnxruntime@00ca1689:mem_pattern_planner.h</a>
 */
public final class OnnxRuntimePlanner extends ListRule {
  private static final long ALIGNMENT = 256;

  public OnnxRuntimePlanner() {
    super(
        "onnxruntime",
        "as of 1.29.0",
        "ONNX Runtime: freed values of the same shape reused, then least waste as they come");
  }

  @Override
  protected long granule(boolean network) {
    return ALIGNMENT;
  }

  @Override
  protected CasePlan plan(PlanningCase planningCase, HullList all, RunControl control) {
    Object[] shape = new Object[all.count()];
    Arrays.setAll(shape, r -> shape(planningCase, all, r));
    int[] root =
        planningCase.hasNetwork()
            ? reuse(planningCase, all, shape, control)
            : IntStream.range(0, all.count()).toArray();
    long[] offsets = pattern(all, root, control);
    for (int r = 0; r < root.length; r++) {
      offsets[r] = offsets[root[r]];
    }
    return CasePlan.arena(all.placement(offsets));
  }

  private static Object shape(PlanningCase planningCase, HullList all, int rectangle) {
    if (planningCase.hasNetwork()) {
      var parts = planningCase.parts(all.index(rectangle));
      if (!parts.isEmpty()) {
        Tensor tensor = planningCase.network().tensor(parts.get(0).tensor());
        return tensor.rank() == 0
            ? new Object()
            : List.of(tensor.shape(), tensor.type().bits(), all.size[rectangle]);
      }
    }
    return all.size[rectangle];
  }

  /** For each rectangle the one whose memory it has, itself where it has its own. */
  private static int[] reuse(
      PlanningCase planningCase, HullList all, Object[] shape, RunControl control) {
    int[] events = all.events(Comparator.comparingInt(r -> planningCase.lastOperand(all.index(r))));
    List<Integer> free = new ArrayList<>();
    int[] root = new int[all.count()];
    for (int k = 0; k < events.length; k++) {
      NotPlannableException.throwIfStopped(control, k / 2, all.count());
      int r = events[k];
      if (r < 0) {
        free.add(~r);
        continue;
      }
      root[r] = r;
      for (int f = free.size() - 1; f >= 0; f--) {
        if (shape[free.get(f)].equals(shape[r])) {
          root[r] = root[free.remove(f)];
          break;
        }
      }
    }
    return root;
  }

  /** Offsets of the allocations; what has another's memory is at 0. */
  private static long[] pattern(HullList all, int[] root, RunControl control) {
    int[] lastUse = all.end.clone();
    for (int r = 0; r < root.length; r++) {
      lastUse[root[r]] = Math.max(lastUse[root[r]], all.end[r]);
    }
    List<Buffer> held =
        IntStream.range(0, root.length)
            .mapToObj(r -> new Buffer(all.buffer(r).id(), all.size[r], all.start[r], lastUse[r]))
            .toList();
    int[] made = all.sorted(Comparator.comparingInt(r -> all.start[r]));
    int[] allocated = Arrays.stream(made).filter(r -> root[r] == r).toArray();
    PackingProblem problem = PackingProblem.of("allocations", held);
    return GapPlacer.inOrder(problem, allocated, Fit.BEST, control).offsets();
  }
}
