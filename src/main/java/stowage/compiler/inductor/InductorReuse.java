package stowage.compiler.inductor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.LoadEstimate;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.ReusedObjects;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.network.Tensor;
import stowage.packing.RunControl;

/**
 * PyTorch Inductor's default: freed buffers are taken up again by later ones of the same kind.
 *
 * <p>Source: memory_plan_reuse and should_reuse_buffer in torch/_inductor/codegen/wrapper.py of
 * PyTorch 2.14.1. Order: the program's; at each step the buffers made there are allocated, in file
 * order, then those last used there are freed. Rule: freed buffers of one key (device, element type
 * and size) are on a stack. An allocation pops the newest. It is reused if it was freed by the step
 * just before, or if holding its bytes over the steps between would not raise the estimated peak;
 * reusing adds the bytes to the estimate of those steps. A refused one is pushed back and a fresh
 * allocation made, without looking further down the stack. Each allocation is an object; objects
 * are end to end, although the original gives those it does not reuse back to PyTorch's allocator.
 *
 * <p>Example, three steps, loads 4, 8, 4: a buffer of 4 bytes freed after step 0 and one of 4 bytes
 * made at step 2 are one object only if 4 + 8 is within the estimated peak; with 8 they are not.
 *
 * <p><b>Two ways of counting.</b> The placement is the sum of all allocations ever made. What is
 * alive at once is less: an allocation is live from its first buffer's making to its last one's
 * end, and holds its bytes between two uses. The most that live at a step is the <em>peak over
 * time</em>, which the plan's remark gives.
 *
 * <p><b>Plain.</b> Before pytorch/pytorch#159530 there was no peak rule: what is freed is reused by
 * the next allocation of its key. That form is {@code inductor-reuse-plain}.
 *
 * <p>The device is the attribute {@code device} of the op that makes the buffer; the key's stream
 * and memory pool are the same for all here. Trailing frees change nothing. In-place kernels are
 * those of the case. O(n log n).
 *
 * @see <a
 *     href="https://github.com/pytorch/pytorch/blob/v2.14.1/torch/_inductor/codegen/wrapper.py">pytorch/pytorch@v2.14.1:wrapper.py</a>
 */
public final class InductorReuse extends SystemPlanner {
  private final boolean plain;

  /** A planner with the peak rule, or plain without it. */
  public InductorReuse(boolean plain) {
    super(
        plain ? "inductor-reuse-plain" : "inductor-reuse",
        Planner.Kind.OBJECTS,
        plain ? "until pytorch/pytorch#159530" : "as of PyTorch 2.14.1",
        plain
            ? "PyTorch Inductor's former rule: always the newest freed buffer of the same size"
            : "PyTorch Inductor's default: the newest freed buffer of the same size, if the peak"
                + " holds");
    this.plain = plain;
  }

  private record Key(String device, String type, long size) {}

  /**
   * Objects of one device, element type and size, and what follows from the peak rule for pairs of
   * buffers before anything is reused, see {@link ReusePeakRule}. That a reuse makes later ones
   * harder, and that only the newest freed buffer is asked, is left out.
   */
  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    PlannerRules rules = PlannerRules.of(planningCase.problem()).inWholeObjects();
    HullList all = HullList.of(name(), planningCase.problem());
    Map<Key, Integer> numbers = new HashMap<>();
    int[] kinds = new int[planningCase.problem().size()];
    for (int r = 0; r < all.count(); r++) {
      kinds[all.index(r)] =
          numbers.computeIfAbsent(key(planningCase, all, r), key -> numbers.size());
    }
    PlannerRules ofKinds = rules.ofKinds(kinds, "one device, type and size an object");
    return plain
        ? ofKinds
        : ofKinds.apart(ReusePeakRule.of(all, kinds.length, kinds), "no reuse over a full step");
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    return planned(planningCase, line -> {});
  }

  /** What is allocated, reused and freed, in order. */
  @Override
  public List<String> trace(PlanningCase planningCase) {
    List<String> lines = new ArrayList<>();
    planned(planningCase, lines::add);
    return lines;
  }

  private CasePlan planned(PlanningCase planningCase, Consumer<String> listener) {
    HullList all = HullList.of(name(), planningCase.problem());
    int[] made = all.sorted(Comparator.comparingInt(r -> all.start[r]));
    int[] freed = all.sorted(Comparator.comparingInt(r -> all.end[r]));
    LoadEstimate estimate = new LoadEstimate(all);
    long peak = plain ? Long.MAX_VALUE : estimate.largest();
    ReusedObjects objects = new ReusedObjects(all);
    Map<Key, Deque<Integer>> stacks = new HashMap<>();
    int nextFree = 0;
    for (int r : made) {
      while (nextFree < freed.length && all.end[freed[nextFree]] <= all.start[r]) {
        int gone = freed[nextFree++];
        stacks.computeIfAbsent(key(planningCase, all, gone), k -> new ArrayDeque<>()).push(gone);
        listener.accept("free " + all.buffer(gone).id());
      }
      Deque<Integer> stack = stacks.get(key(planningCase, all, r));
      Integer newest = stack == null ? null : stack.peek();
      int object;
      if (newest != null && estimate.holds(all.end[newest], all.start[r], all.size[r], peak)) {
        stack.pop();
        object = objects.of(newest);
        listener.accept("reuse " + all.buffer(newest).id() + " as " + all.buffer(r).id());
      } else {
        object = objects.add(all.size[r]);
        listener.accept("allocate " + all.buffer(r).id() + ", " + all.size[r] + " bytes");
      }
      objects.assign(r, object);
    }
    return objects
        .endToEnd()
        .withRemark(
            "the peak over time is %s bytes; the peak given is the sum of its %s allocations"
                .formatted(estimate.largest(), objects.count()));
  }

  private static Key key(PlanningCase planningCase, HullList all, int rectangle) {
    String type = "";
    String device = "";
    if (planningCase.hasNetwork()) {
      var parts = planningCase.parts(all.index(rectangle));
      if (!parts.isEmpty()) {
        Tensor tensor = planningCase.network().tensor(parts.get(0).tensor());
        type = tensor.type().label();
        device = device(planningCase.network(), tensor.name());
      }
    }
    return new Key(device, type, all.size[rectangle]);
  }

  /** The attribute {@code device} of the op that makes a tensor; empty for inputs. */
  private static String device(Network network, String tensor) {
    int producer = network.producer(tensor);
    return producer < 0 ? "" : network.ops().get(producer).text("device", "");
  }
}
