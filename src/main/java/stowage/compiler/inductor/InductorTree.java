package stowage.compiler.inductor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.Planner;
import stowage.liveness.PlanningCase;
import stowage.packing.RunControl;
import stowage.packing.Threads;

/**
 * PyTorch Inductor's memory planning with allocation trees.
 *
 * <p>Source: torch/_inductor/codegen/memory_planning.py of PyTorch 2.14.1, which runs for inference
 * when memory_planning is set. Order: the graph's outputs first (unless the mode is combined), by
 * size ascending, then length of live range descending; then all others by size descending, then
 * length of live range descending; ties in file order, for Python's sort is stable. Rule: each goes
 * into the first pool that takes it, see {@link AllocationTree}; only the last pool may grow, and
 * only in modes that let it; else a new pool is made. Pools are end to end.
 *
 * <p>A buffer of a network counts as an output if it carries one. Graph inputs, which the original
 * leaves to the caller, are planned like other buffers, since the problem asks for them. Left sides
 * are rounded up to 64 bytes, or to the problem's alignment if it is a larger multiple.
 *
 * <p>The original has no time limit. Where the run has one, what is left when it is over gets a
 * stretch after the rest, and the plan says that it was cut short.
 *
 * <p>O(n · (nodes on a block's way)): at most the number of blocks alive at once, most often few.
 *
 * @see <a
 *     href="https://github.com/pytorch/pytorch/blob/016a041f79b50f59e12e7d604e333ad6387977f6/torch/_inductor/codegen/memory_planning.py">pytorch/pytorch@016a041f:memory_planning.py</a>
 */
public final class InductorTree extends SystemPlanner {
  private static final long ALIGN_BYTES = 64;

  /** Bytes of stack for trees that grow as deep as the arena has buffers in a row. */
  private static final long DEEP_STACK = 1L << 29;

  /** What the original calls memory_pool. */
  public enum Mode {
    /** Pools never grow. */
    NONE,
    /** One growing pool for what is no output; a pool for each output. */
    INTERMEDIATES,
    /** All outputs stacked in one pool that does not grow; a growing one for the rest. */
    OUTPUTS,
    /** One growing pool for all. */
    COMBINED
  }

  private final Mode mode;

  /** The planner in a mode; the original's default is {@link Mode#INTERMEDIATES}. */
  public InductorTree(Mode mode) {
    super(
        mode == Mode.INTERMEDIATES ? "inductor-tree" : "inductor-tree-" + label(mode),
        mode == Mode.NONE ? Planner.Kind.OBJECTS : Planner.Kind.ARENA,
        "as of PyTorch 2.14.1",
        "PyTorch Inductor's allocation trees, pools of mode " + label(mode));
    this.mode = mode;
  }

  private static String label(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Offsets are multiples of the alignment within each pool, so in all of the arena where one pool
   * holds everything. What a tree cannot express is left out.
   */
  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    PlannerRules rules = PlannerRules.of(planningCase.problem());
    Set<String> outputs = planningCase.outputs();
    boolean pools = mode == Mode.NONE;
    for (int b = 0; b < planningCase.problem().size() && mode != Mode.COMBINED; b++) {
      pools |= planningCase.carries(b, outputs);
    }
    return pools
        ? rules
        : rules.aligned(alignment(HullList.commonAlignment(planningCase.problem())));
  }

  private static long alignment(long ofProblem) {
    return ofProblem % ALIGN_BYTES == 0
        ? ofProblem
        : ALIGN_BYTES % ofProblem == 0 ? ALIGN_BYTES : ofProblem * ALIGN_BYTES;
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    return planned(planningCase, control, null);
  }

  /** The pools, each with its tree. */
  @Override
  public List<String> trace(PlanningCase planningCase) {
    List<String> lines = new ArrayList<>();
    planned(planningCase, RunControl.unlimited(), lines);
    return lines;
  }

  private CasePlan planned(PlanningCase planningCase, RunControl control, List<String> lines) {
    HullList all = HullList.of(name(), planningCase.problem());
    FutureTask<CasePlan> task = new FutureTask<>(() -> planDeep(planningCase, all, control, lines));
    new Thread(null, task, name(), DEEP_STACK).start();
    try {
      return task.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(name() + " was interrupted", interrupted);
    } catch (ExecutionException failed) {
      Threads.rethrow(failed.getCause());
      throw new IllegalStateException(failed);
    }
  }

  private CasePlan planDeep(
      PlanningCase planningCase, HullList all, RunControl control, List<String> lines) {
    long alignment = alignment(all.alignment());
    Set<String> outputs = planningCase.outputs();
    List<Integer> first = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int r = 0; r < all.count(); r++) {
      boolean output = mode != Mode.COMBINED && planningCase.carries(all.index(r), outputs);
      (output ? first : others).add(r);
    }
    Comparator<Integer> longest = Comparator.comparingLong(r -> -all.length(r));
    first.sort(Comparator.comparingLong((Integer r) -> all.size[r]).thenComparing(longest));
    others.sort(Comparator.comparingLong((Integer r) -> -all.size[r]).thenComparing(longest));

    List<AllocationTree> pools = new ArrayList<>();
    AllocationTree.Block[] blocks = new AllocationTree.Block[all.count()];
    Arrays.setAll(blocks, r -> new AllocationTree.Block(all.size[r], all.start[r], all.end[r]));
    int[] poolOf = new int[all.count()];
    for (int r : first) {
      if (mode == Mode.OUTPUTS && !pools.isEmpty()) {
        pools.get(pools.size() - 1).allocateAtEnd(blocks[r]);
      } else {
        pools.add(new AllocationTree(blocks[r], false, alignment));
      }
      poolOf[r] = pools.size() - 1;
    }
    boolean cutShort = false;
    for (int r : others) {
      cutShort = cutShort || control.isStopped();
      poolOf[r] =
          cutShort ? behind(blocks[r], pools, alignment) : allocate(blocks[r], pools, alignment);
    }
    CasePlan plan = endToEnd(all, pools, blocks, poolOf, cutShort);
    if (lines != null) {
      describe(all, pools, blocks, lines);
    }
    return plan;
  }

  private static void describe(
      HullList all, List<AllocationTree> pools, AllocationTree.Block[] blocks, List<String> lines) {
    Map<AllocationTree.Block, String> names = new IdentityHashMap<>();
    for (int r = 0; r < blocks.length; r++) {
      names.put(blocks[r], all.buffer(r).id() + " [" + all.start[r] + ", " + all.end[r] + ")");
    }
    for (int p = 0; p < pools.size(); p++) {
      lines.add("pool " + p);
      lines.addAll(pools.get(p).text(names::get));
    }
  }

  /** Puts a block into the first pool that takes it, and says which. */
  private int allocate(AllocationTree.Block block, List<AllocationTree> pools, long alignment) {
    int last = pools.size() - 1;
    for (int p = 0; p <= last; p++) {
      if (pools.get(p).allocate(block, p == last)) {
        return p;
      }
    }
    return open(block, pools, alignment);
  }

  /** Puts a block after all others without a look for room, and says the pool. */
  private int behind(AllocationTree.Block block, List<AllocationTree> pools, long alignment) {
    int last = pools.size() - 1;
    return last >= 0 && pools.get(last).grow(block) ? last : open(block, pools, alignment);
  }

  private int open(AllocationTree.Block block, List<AllocationTree> pools, long alignment) {
    pools.add(new AllocationTree(block, mode != Mode.NONE, alignment));
    return pools.size() - 1;
  }

  private static CasePlan endToEnd(
      HullList all,
      List<AllocationTree> pools,
      AllocationTree.Block[] blocks,
      int[] poolOf,
      boolean cutShort) {
    long[] starts = new long[pools.size() + 1];
    for (int p = 0; p < pools.size(); p++) {
      starts[p + 1] = starts[p] + pools.get(p).finish();
    }
    long[] offsets = new long[all.count()];
    Arrays.setAll(offsets, r -> starts[poolOf[r]] + blocks[r].offset());
    return new CasePlan(all.placement(offsets), pools.size(), cutShort);
  }
}
