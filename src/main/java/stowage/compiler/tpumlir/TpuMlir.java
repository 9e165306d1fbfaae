package stowage.compiler.tpumlir;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stowage.compiler.core.CasePlan;
import stowage.compiler.core.HullList;
import stowage.compiler.core.PlannerRules;
import stowage.compiler.core.SystemPlanner;
import stowage.heuristic.Fit;
import stowage.heuristic.GapPlacer;
import stowage.heuristic.NotPlannableException;
import stowage.liveness.PlanningCase;
import stowage.network.Op;
import stowage.packing.IndexOrder;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * TPU-MLIR's assignment of addresses in global memory, as of 2026.
 *
 * <p>Source: sophgo/tpu-mlir, lib/Dialect/Tpu/Transforms/AddressAssign and
 * lib/Support/GmemAllocator.cpp. Ops are visited last to first, the results of one in their order,
 * graph inputs being ops before all others. Two algorithms run on this list sorted by first step;
 * the smaller total counts, a tie goes to the first. The first is {@link FitFirstAssign}. The
 * second, OpSizeOrderAssign in lib/Support/GmemAllocatorMethod.cpp, takes the largest tensor first,
 * of equal sizes the later in the list, for the original sorts a list by "not smaller". Each goes
 * into the smallest gap that holds it, of equal ones the lowest, else above the last.
 *
 * <p><b>Address modes.</b> {@code tpu-mlir} is the mode basic where the case keeps graph inputs,
 * and in_reuse where it frees them. {@code tpu-mlir-io-alone} gives all inputs and outputs a region
 * of their own, one after the other, before the rest. {@code tpu-mlir-io-tag} does so for the up to
 * five largest of them, which get a fixed base each; here these bases are end to end before the
 * rest. A network without inputs and outputs, and a list of buffers, is planned alike in all modes.
 *
 * <p><b>L2 SRAM.</b> A problem of two memories, the first with a capacity, is planned as for the
 * BM1690 family (L2SRamAssign): buffers that must be in the first; then values whose only use is by
 * the very next op; then all others, each of these largest first as above; graph outputs are left
 * out, and what would end beyond the capacity is passed over and goes to the second memory. Buffers
 * that must not be in the first are never tried there.
 *
 * <p>Sizes are 32 bits wide in the original; larger buffers are refused. What is in place is what
 * the case has in place. O(n²).
 *
 * @see <a
 *     href="https://github.com/sophgo/tpu-mlir/blob/36e3c625/lib/Support/GmemAllocator.cpp">sophgo/tpu-mlir@36e3c625:GmemAllocator.cpp</a>
 */
public final class TpuMlir extends SystemPlanner {
  private static final int TAGS = 5;
  private static final long LARGEST_SIZE = 0xffff_ffffL;

  /** Where inputs and outputs go. */
  public enum AddressMode {
    /** Among the others. */
    BASIC("tpu-mlir", "TPU-MLIR: growing blocks or largest first, the smaller total"),
    /** In a region of their own. */
    IO_ALONE("tpu-mlir-io-alone", "TPU-MLIR with inputs and outputs in a region of their own"),
    /** The largest at tagged bases. */
    IO_TAG("tpu-mlir-io-tag", "TPU-MLIR with the five largest inputs and outputs at tagged bases");

    private final String label;
    private final String summary;

    AddressMode(String label, String summary) {
      this.label = label;
      this.summary = summary;
    }
  }

  private final AddressMode mode;

  /** The planner in an address mode. */
  public TpuMlir(AddressMode mode) {
    super(mode.label, "as of April 2026", mode.summary);
    this.mode = mode;
  }

  @Override
  public PlannerRules rules(PlanningCase planningCase) {
    PlannerRules rules = PlannerRules.of(planningCase.problem());
    if (planningCase.problem().memories().size() > 1) {
      Set<String> outputs = planningCase.outputs();
      return rules.inLastMemory(
          b -> planningCase.carries(b, outputs), "outputs in the main memory");
    }
    if (mode == AddressMode.BASIC) {
      return rules;
    }
    HullList all = HullList.of(name(), planningCase.problem());
    IntStream own = Arrays.stream(ownRegion(planningCase, all)).map(all::index);
    Set<Integer> apart = own.boxed().collect(Collectors.toSet());
    return rules.alwaysAlive(apart::contains, "inputs and outputs in a region of their own");
  }

  @Override
  public CasePlan plan(PlanningCase planningCase, RunControl control) {
    PackingProblem problem = planningCase.problem();
    HullList all = HullList.of(name(), problem, HullList.ConstraintKind.MEMORIES);
    for (int r = 0; r < all.count(); r++) {
      if (all.size[r] > LARGEST_SIZE) {
        throw new NotPlannableException(
            "%s keeps sizes in 32 bits, but buffer \"%s\" has %s bytes"
                .formatted(name(), all.buffer(r).id(), all.size[r]));
      }
    }
    int[] visited = visitOrder(planningCase, all);
    int[] memories = new int[all.count()];
    long[] addresses = new long[all.count()];
    int[] rest = visited;
    if (problem.memories().size() > 1) {
      rest = intoFastMemory(planningCase, all, visited, addresses, memories, control);
    }
    long base = 0;
    if (mode != AddressMode.BASIC && problem.memories().size() == 1) {
      int[] apart = ownRegion(planningCase, all);
      for (int r : apart) {
        addresses[r] = base;
        base += all.size[r];
      }
      Set<Integer> taken = Arrays.stream(apart).boxed().collect(Collectors.toSet());
      rest = Arrays.stream(visited).filter(r -> !taken.contains(r)).toArray();
    }
    long[] found = smaller(all, rest, startRanks(planningCase, all), control);
    for (int r : rest) {
      addresses[r] = base + found[r];
    }
    return CasePlan.arena(all.placement(addresses, memories));
  }

  /** The smaller of both algorithms' totals; addresses by rectangle. */
  private static long[] smaller(HullList all, int[] list, int[] ranks, RunControl control) {
    int[] sorted = list.clone();
    FitFirstAssign.sortByStart(sorted, ranks);
    long[] fitFirst = new FitFirstAssign(all.size, all.start, all.end).addresses(sorted, control);
    long[] sizeOrder = tightest(all.asProblem(), largestFirst(all, sorted), control).offsets();
    return total(all, list, fitFirst) <= total(all, list, sizeOrder) ? fitFirst : sizeOrder;
  }

  /** The rectangles of a list, the largest first, the later first of equal ones. */
  private static int[] largestFirst(HullList all, int[] list) {
    int[] laterFirst =
        IntStream.range(0, list.length).map(k -> list[list.length - 1 - k]).toArray();
    return IndexOrder.of(Arrays.stream(laterFirst), Comparator.comparingLong(r -> -all.size[r]));
  }

  private static Placement tightest(PackingProblem problem, int[] order, RunControl control) {
    return GapPlacer.inOrder(problem, order, Fit.BEST, control);
  }

  /** First steps, with inputs, which are there from position 0, before what the first op makes. */
  private static int[] startRanks(PlanningCase planningCase, HullList all) {
    int[] ranks = all.start.clone();
    Map<String, Long> inputs = inputPositions(planningCase);
    for (int r = 0; r < ranks.length && !inputs.isEmpty(); r++) {
      ranks[r] = planningCase.carries(all.index(r), inputs.keySet()) ? 0 : ranks[r] + 1;
    }
    return ranks;
  }

  private static long total(HullList all, int[] list, long[] addresses) {
    return IntStream.of(list).mapToLong(r -> addresses[r] + all.size[r]).max().orElse(0);
  }

  /** Ops last to first, results of one in their order; graph inputs count as the first ops. */
  private static int[] visitOrder(PlanningCase planningCase, HullList all) {
    long[] made = new long[all.count()];
    Map<String, Long> inputs = inputPositions(planningCase);
    for (int r = 0; r < made.length; r++) {
      List<PlanningCase.Part> parts = planningCase.parts(all.index(r));
      Long position = parts.isEmpty() ? null : inputs.get(parts.get(0).tensor());
      made[r] = position == null ? all.start[r] : position;
    }
    return all.sorted(Comparator.comparingLong((Integer r) -> -made[r]));
  }

  /** Graph inputs as ops before step 0, in their order. */
  private static Map<String, Long> inputPositions(PlanningCase planningCase) {
    Map<String, Long> positions = new HashMap<>();
    if (planningCase.hasNetwork()) {
      List<String> inputs = planningCase.network().inputs();
      for (int k = 0; k < inputs.size(); k++) {
        positions.put(inputs.get(k), (long) k - inputs.size());
      }
    }
    return positions;
  }

  private int[] intoFastMemory(
      PlanningCase planningCase,
      HullList all,
      int[] visited,
      long[] addresses,
      int[] memories,
      RunControl control) {
    PackingProblem problem = planningCase.problem();
    if (problem.memories().size() != 2 || !problem.memories().get(0).isBounded()) {
      throw new NotPlannableException(
          name()
              + " knows one bounded memory before the main one, not "
              + problem.memories().size());
    }
    Set<String> outputs = planningCase.outputs();
    Map<String, Integer> uses = usesByTheNextOp(planningCase);
    int[] candidates =
        Arrays.stream(visited)
            .filter(r -> problem.allows(all.index(r), 0))
            .filter(r -> !planningCase.carries(all.index(r), outputs))
            .toArray();
    int[] order =
        IndexOrder.of(
            Arrays.stream(largestFirst(all, candidates)),
            Comparator.comparingInt(r -> kind(planningCase, all, r, uses)));
    Memory fast = new Memory("fast", problem.memories().get(0).capacity(), 1, 0, 0);
    Placement found =
        tightest(all.asProblem().withMemories(List.of(fast, Memory.main())), order, control);
    Set<Integer> tried = Arrays.stream(order).boxed().collect(Collectors.toSet());
    for (int r : visited) {
      boolean inside = tried.contains(r) && found.memory(r) == 0;
      memories[r] = inside || !problem.allows(all.index(r), 1) ? 0 : 1;
      addresses[r] = inside ? found.offset(r) : 0;
      if (!inside && memories[r] == 0) {
        throw new NotPlannableException(
            "%s finds no room in memory \"%s\" for buffer \"%s\", which may be nowhere else"
                .formatted(name(), problem.memories().get(0).name(), all.buffer(r).id()));
      }
    }
    return Arrays.stream(visited).filter(r -> memories[r] == 1).toArray();
  }

  /** 0 for what must be in the fast memory, 1 for what only the next op uses, 2 for others. */
  private static int kind(
      PlanningCase planningCase, HullList all, int r, Map<String, Integer> uses) {
    if (!planningCase.problem().allows(all.index(r), 1)) {
      return 0;
    }
    if (!planningCase.hasNetwork()) {
      return all.length(r) == 2 ? 1 : 2;
    }
    List<PlanningCase.Part> parts = planningCase.parts(all.index(r));
    boolean once =
        parts.size() == 1 && uses.getOrDefault(parts.get(0).tensor(), 0) == 1 && all.length(r) == 2;
    return once ? 1 : 2;
  }

  private static Map<String, Integer> usesByTheNextOp(PlanningCase planningCase) {
    Map<String, Integer> uses = new HashMap<>();
    for (Op op : planningCase.hasNetwork() ? planningCase.network().ops() : List.<Op>of()) {
      op.presentInputs().forEach(tensor -> uses.merge(tensor, 1, Integer::sum));
    }
    return uses;
  }

  /** The inputs and outputs that are apart from the rest, in the order they are in. */
  private int[] ownRegion(PlanningCase planningCase, HullList all) {
    if (!planningCase.hasNetwork()) {
      return new int[0];
    }
    Set<String> names = new HashSet<>(planningCase.network().inputs());
    names.addAll(planningCase.network().outputs());
    boolean tagged = mode == AddressMode.IO_TAG;
    return Arrays.stream(all.sorted(Comparator.comparingLong(r -> tagged ? -all.size[r] : 0)))
        .filter(r -> planningCase.carries(all.index(r), names))
        .limit(tagged ? TAGS : all.count())
        .toArray();
  }
}
