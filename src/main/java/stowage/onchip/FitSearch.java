package stowage.onchip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stowage.packing.RunControl;

/**
 * Whether buffers fit into a lane: by the rules first, which is quick, then by the canonical search
 * and at last by the engine. Answers are remembered by sizes, lives and sharing.
 */
final class FitSearch {
  private final LmemEngine engine;
  private final RunControl control;
  private final double secondsPerQuestion;
  private final Map<List<Long>, LmemEngine.Fit> known = new HashMap<>();
  private final List<LmemAllocator> rules = List.of(new TodayAllocator(), new DocumentAllocator());

  FitSearch(LmemEngine engine, RunControl control, double secondsPerQuestion) {
    this.engine = engine;
    this.control = control;
    this.secondsPerQuestion = secondsPerQuestion;
  }

  /** Decides, or says that time ran out. */
  LmemEngine.Fit fit(LmemProblem problem) {
    if (problem.load(problem.fullestStep()) > problem.chip().laneBytes()) {
      return LmemEngine.Fit.CANNOT;
    }
    for (LmemAllocator rule : rules) {
      LmemPlacement placement = rule.allocate(problem);
      if (placement != null) {
        return new LmemEngine.Fit(LmemEngine.Verdict.FITS, placement);
      }
    }
    return known.computeIfAbsent(signature(problem), key -> searched(problem));
  }

  private LmemEngine.Fit searched(LmemProblem problem) {
    LmemEngine.Fit fit = LmemFit.fit(problem, control.within(secondsPerQuestion));
    return fit.verdict() == LmemEngine.Verdict.UNKNOWN
        ? engine.fit(problem, control.within(secondsPerQuestion))
        : fit;
  }

  /** Chooses which constants stay, within the time of one question. */
  LmemEngine.Holding hold(LmemProblem problem, long[] reloads) {
    return engine.hold(problem, reloads, control.within(secondsPerQuestion));
  }

  /** Sizes, lives and sharing: what a placement depends on. */
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
