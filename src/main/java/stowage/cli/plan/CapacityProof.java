package stowage.cli.plan;

import java.util.List;
import stowage.exact.Portfolio;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.SearchEngine;
import stowage.exact.explain.IrreducibleSet;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.RunControl;
import stowage.report.plan.ExplanationText;

/** Which buffers a capacity cannot hold, from a proof that it cannot hold all. */
final class CapacityProof {
  private static final double SECONDS_FOR_NEED = 2;

  private CapacityProof() {}

  /**
   * A set of buffers that cannot be placed together, as small as time allows.
   *
   * @param problem with the capacity that cannot be met
   * @param proof that it cannot
   */
  static ExplanationText.Infeasible blocking(
      PackingProblem problem, Certificate proof, RunControl control) {
    IrreducibleSet set =
        IrreducibleSet.of(
            problem, IrreducibleSet.start(problem, proof), SearchEngine::new, control);
    return new ExplanationText.Infeasible(
        set.buffers(), set.irreducible(), needed(problem, set.buffers(), control));
  }

  /** What the buffers alone are proven to need of the last memory: above its capacity. */
  private static long needed(PackingProblem problem, List<Integer> buffers, RunControl control) {
    int last = problem.memories().size() - 1;
    long above = problem.memories().get(last).capacity() + 1;
    PackingProblem alone =
        IrreducibleSet.restricted(problem, buffers).withCapacity(last, Memory.UNBOUNDED);
    Incumbent incumbent = new Incumbent(alone);
    Portfolio.run(
        alone,
        incumbent,
        control.within(Math.min(SECONDS_FOR_NEED, control.secondsLeft())),
        new Portfolio.Setup(
            Portfolio.openings(alone), List.of(new SearchEngine()), EngineOptions.defaults()));
    return Math.max(above, incumbent.bestBound());
  }
}
