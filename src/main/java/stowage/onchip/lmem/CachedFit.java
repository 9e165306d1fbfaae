package stowage.onchip.lmem;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import stowage.packing.RunControl;

/**
 * Whether buffers fit into a lane: by the rules first, which is quick, then by the canonical search
 * and at last by the engine. Answers are remembered by sizes, live ranges and sharing.
 */
public final class CachedFit {
  private final LmemEngine engine;
  private final Supplier<RunControl> limits;
  private final double secondsPerQuestion;
  private final Map<List<Long>, LmemEngine.Fit> known = new HashMap<>();
  private final List<LmemAllocator> rules =
      List.of(new TpuMlirAllocator(), new TpuMlirManualAllocator());

  /**
   * A cache of an engine's answers; {@code limits} are those of the run as they are now, and each
   * question has {@code secondsPerQuestion} at most.
   */
  public CachedFit(LmemEngine engine, Supplier<RunControl> limits, double secondsPerQuestion) {
    this.engine = engine;
    this.limits = limits;
    this.secondsPerQuestion = secondsPerQuestion;
  }

  /** Decides, or says that time ran out. */
  public LmemEngine.Fit fit(LmemProblem problem) {
    if (problem.exceedsLane()) {
      return LmemEngine.Fit.CANNOT;
    }
    for (LmemAllocator rule : rules) {
      LmemPlacement placement = rule.allocate(problem);
      if (placement != null) {
        return new LmemEngine.Fit(LmemEngine.Verdict.FITS, placement);
      }
    }
    List<Long> signature = signature(problem);
    LmemEngine.Fit before = known.get(signature);
    if (before != null) {
      return before;
    }
    LmemEngine.Fit fit = searched(problem);
    if (fit.verdict() != LmemEngine.Verdict.UNKNOWN || !limits.get().isStopped()) {
      known.put(signature, fit);
    }
    return fit;
  }

  /** Counted in work, so that the answer is the same on a busy machine. */
  private RunControl question() {
    RunControl limit = limits.get();
    return limit.isDeterministic()
        ? limit.within(secondsPerQuestion)
        : limit.withWork((long) (secondsPerQuestion * 1e6));
  }

  private LmemEngine.Fit searched(LmemProblem problem) {
    LmemEngine.Fit fit = PackedLane.fit(problem, question());
    return fit.verdict() == LmemEngine.Verdict.UNKNOWN ? engine.fit(problem, question()) : fit;
  }

  /** Chooses which constants stay, within the time of one question. */
  public LmemEngine.HeldChoice hold(LmemProblem problem, long[] reloads) {
    return engine.hold(problem, reloads, question());
  }

  /** Sizes, live ranges and sharing: what a placement depends on. */
  private static List<Long> signature(LmemProblem problem) {
    List<Long> signature = new ArrayList<>();
    signature.add((long) problem.steps());
    for (LmemBuffer buffer : problem.buffers()) {
      signature.add(buffer.size());
      signature.add((long) buffer.start());
      signature.add((long) buffer.end());
    }
    for (LmemProblem.Sharing sharing : problem.sharings()) {
      signature.add((long) sharing.result());
      signature.add((long) sharing.operand());
    }
    return signature;
  }
}
