package stowage.compiler.openvino;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.NotPlannableException;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.ConflictPairs;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;

/**
 * OpenVINO's GPU plugin: whole allocations reused by nodes that three passes do not keep apart.
 *
 * <p>Source and rules: {@link stowage.compiler.openvino.RestrictionSets}, {@link
 * stowage.compiler.openvino.MemoryPool}, {@link GpuAllocation}. Order: largest first, ties in
 * processing order; rule: the smallest record that suffices and conflicts with no one. It needs a
 * graph. By default the device has no limits. With several streams each has a pool of its own, all
 * alike: the plan is that of one. Allocations are end to end. The peak counts the activations, as
 * everywhere; constants are in the {@linkplain #allocation history}.
 *
 * <p>O(n²) for n nodes, and the requests' walks over the pool.
 *
 * @see <a
 *     href="https://github.com/openvinotoolkit/openvino/blob/16f3e848946108e134866e32d077991b0385bc8f/src/plugins/intel_gpu/src/runtime/memory_pool.cpp">openvinotoolkit/openvino@16f3e848:memory_pool.cpp</a>
 */
public final class OpenVino extends SystemPlanner {
  /** Rules of more pairs kept apart are stated without them: they then admit more. */
  private static final int MOST_PAIRS = 3_000_000;

  private final GpuDevice device;
  private final GpuUse use;

  /** The planner for one stream on a device without limits. */
  public OpenVino() {
    this(GpuDevice.unlimited(), GpuUse.ofStreams(1));
  }

  /** The planner for a device and what an application does with it. */
  public OpenVino(GpuDevice device, GpuUse use) {
    super(
        "openvino",
        Planner.Kind.OBJECTS,
        "as of 2026",
        "OpenVINO GPU: largest first into the smallest record that no restriction forbids");
    this.device = device;
    this.use = use;
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    GpuAllocation allocation = allocation(planningCase);
    HullList all = HullList.of(name(), planningCase.problem(), HullList.ConstraintKind.CONFLICTS);
    long[] starts = new long[allocation.objects().size() + 1];
    for (int k = 0; k + 1 < starts.length; k++) {
      long end = starts[k] + allocation.objects().get(k);
      starts[k + 1] = HullList.roundUp(end, all.alignment());
    }
    long[] offsets = new long[all.count()];
    Arrays.setAll(offsets, r -> starts[allocation.object(all.index(r))]);
    return new CasePlan(all.placement(offsets), allocation.objects().size());
  }

  /** The restriction list of each node, in the plugin's own form. */
  @Override
  public List<String> trace(PlanningCase planningCase) {
    return allocation(planningCase).restrictions().text();
  }

  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    GpuAllocation allocation = allocation(planningCase);
    PackingProblem problem = planningCase.problem();
    PlannerRules whole = PlannerRules.of(problem).inWholeObjects();
    IntFunction<BitSet> earlierApart = allocation.earlierApart();
    List<int[]> pairs = new ArrayList<>();
    for (int i = 0; i < problem.size() && pairs.size() <= MOST_PAIRS; i++) {
      int one = i;
      IntStream known = Arrays.stream(problem.conflicts().of(one));
      IntStream sets =
          earlierApart.apply(one).stream()
              .filter(j -> !problem.buffer(one).live().overlaps(problem.buffer(j).live()));
      IntStream.concat(known, sets)
          .filter(j -> problem.buffer(one).needsMemory() && problem.buffer(j).needsMemory())
          .forEach(j -> pairs.add(new int[] {one, j}));
    }
    if (pairs.size() > MOST_PAIRS) {
      return whole;
    }
    return whole.apart(ConflictPairs.of(problem.size(), pairs), "restriction sets");
  }

  /**
   * All that is allocated, in order, constants and every stream among them.
   *
   * @throws NotPlannableException without a network, or when an allocation exceeds the device's
   *     limit
   */
  public GpuAllocation allocation(PlanningCase planningCase) {
    return GpuAllocation.of(planningCase, device, use);
  }
}
