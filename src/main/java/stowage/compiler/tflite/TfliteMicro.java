package stowage.compiler.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stowage.liveness.Liveness;
import stowage.liveness.LivenessOptions;
import stowage.liveness.PlanningCase;
import stowage.network.Network;
import stowage.packing.Buffer;
import stowage.packing.PackingProblem;
import stowage.packing.Placement;
import stowage.packing.RunControl;

/**
 * TFLite Micro's memory planner as it meets a plan that a model carries.
 *
 * <p>An offline plan fixes tensors alone. What it leaves open, above all the scratch memory that
 * kernels ask for, goes through {@linkplain TflmGreedy the greedy planner}: largest first, each at
 * the lowest gap among what is fixed and placed. The head of the arena is the highest end of all.
 * So a plan in which scratch memory is anywhere else would not come true; {@link #settled} says
 * what comes of it.
 *
 * <p><b>Plans that do come true.</b> If every op's scratch memory is planned as one buffer of their
 * sum, as in {@link #merged()}, the head is never above that plan's peak: at every op there is one
 * gap for the sum below the peak. Each piece takes the lowest gap that fits; those that do not take
 * a lower one are in that gap, where there is room for all, so no piece is ever put above it.
 *
 * <p>Example: free gaps [0, 10) and [12, 18) at an op with scratch memory of 6, 5 and 5 bytes. All
 * would fit (5 and 5 below, 6 above), but 6 comes first and takes [0, 6), a 5 takes [12, 17), and
 * the last is above everything. With one buffer of 16 bytes planned, a gap of 16 is there.
 */
public final class TfliteMicro {
  /** The format of networks that it runs. */
  public static final String FORMAT = "tflite";

  private final PlanningCase planningCase;
  private final boolean[] open;
  private final boolean anyOpen;

  /**
   * The runtime of a TFLite network's case, which places some tensors itself whatever a plan says.
   */
  public TfliteMicro(PlanningCase planningCase, Set<String> placedByRuntime) {
    this.planningCase = planningCase;
    this.open = new boolean[planningCase.problem().size()];
    boolean any = false;
    for (int b = 0; b < open.length; b++) {
      List<PlanningCase.Part> parts = planningCase.parts(b);
      open[b] = parts.stream().allMatch(part -> placedByRuntime.contains(part.tensor()));
      any |= open[b] && planningCase.problem().buffer(b).needsMemory();
    }
    this.anyOpen = any;
  }

  /** The runtime of a network, every tensor with a buffer of its own as there. */
  public static TfliteMicro of(Network network, Set<String> placedByRuntime) {
    LivenessOptions options = LivenessOptions.defaultsOf(FORMAT);
    return new TfliteMicro(Liveness.of(network, options), placedByRuntime);
  }

  /** Whether it places anything itself when a plan has every tensor. */
  public boolean placesSome() {
    return anyOpen;
  }

  /** Where it puts everything when there is no plan. */
  public Placement own() {
    return placed(planningCase.problem());
  }

  /** The bytes that it needs when there is no plan. */
  public long ownHead() {
    return own().peak(planningCase.problem(), 0);
  }

  /**
   * What becomes of a plan whose tensors do not clash: they keep their places, and all else is
   * where the runtime puts it. Where it places nothing itself that is the plan, in which tensors
   * may be within each other's gaps.
   */
  public Placement settled(Placement plan) {
    if (!anyOpen) {
      return plan;
    }
    PackingProblem problem = planningCase.problem();
    List<Buffer> buffers = new ArrayList<>();
    for (int b = 0; b < open.length; b++) {
      Buffer buffer = problem.buffer(b);
      buffers.add(open[b] ? buffer : buffer.withFixedOffset(plan.offset(b)));
    }
    return placed(problem.withBuffers(buffers));
  }

  private Placement placed(PackingProblem problem) {
    return new TflmGreedy()
        .plan(planningCase.withProblem(problem), RunControl.unlimited())
        .placement();
  }

  /** The problem with the scratch memory of each op as one buffer, the first of its pieces. */
  public PackingProblem merged() {
    PackingProblem problem = planningCase.problem();
    Map<Integer, Long> scratch = new HashMap<>();
    for (int b = 0; b < open.length; b++) {
      if (planningCase.parts(b).isEmpty()) {
        Buffer piece = problem.buffer(b);
        scratch.merge(piece.live().start(), piece.size(), Long::sum);
      }
    }
    List<Buffer> buffers = new ArrayList<>();
    for (int b = 0; b < open.length; b++) {
      Buffer buffer = problem.buffer(b);
      boolean piece = planningCase.parts(b).isEmpty();
      Long sum = piece ? scratch.remove(buffer.live().start()) : (Long) buffer.size();
      if (sum != null) { // else the first of its op's pieces has all of them
        buffers.add(buffer.withSize(sum));
      }
    }
    return problem.withBuffers(buffers);
  }

  /** What becomes of a plan of the {@linkplain #merged merged} problem. */
  public Placement settledMerged(PackingProblem merged, Placement plan) {
    Map<String, Long> offsets = new HashMap<>();
    for (int b = 0; b < merged.size(); b++) {
      offsets.put(merged.buffer(b).id(), plan.offset(b));
    }
    long[] whole = new long[open.length];
    Arrays.setAll(whole, b -> offsets.getOrDefault(planningCase.problem().buffer(b).id(), 0L));
    return settled(Placement.of(whole));
  }
}
