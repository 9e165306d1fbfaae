package stowage.planning;

import java.util.List;
import stowage.exact.Openings;
import stowage.exact.Portfolio;
import stowage.exact.engine.Engine;
import stowage.exact.engine.EngineOptions;
import stowage.exact.engine.Engines;
import stowage.exact.engine.SearchEngine;
import stowage.exact.explain.IrreducibleSet;
import stowage.heuristic.NotPlannableException;
import stowage.packing.Certificate;
import stowage.packing.Incumbent;
import stowage.packing.Memory;
import stowage.packing.PackingProblem;
import stowage.packing.ProofText;
import stowage.packing.RunControl;

/**
 * Set of buffers that the capacities cannot hold together.
 *
 * @param buffers their indices
 * @param irreducible whether each of them was shown to be needed
 * @param needed bytes that the set alone is proven to need, above the capacity; {@link #NOWHERE}
 *     where no capacity is enough
 * @param reason why no capacity is enough, one sentence; else empty
 */
public record BlockingSet(List<Integer> buffers, boolean irreducible, long needed, String reason) {
  /** What buffers need that cannot be placed at all. */
  public static final long NOWHERE = -1;

  private static final double SECONDS_FOR_NEED = 2;

  /** As few buffers as time allows that have no placement, from a proof that not all have one. */
  public static BlockingSet of(PackingProblem problem, Certificate proof, RunControl limit) {
    RunControl control = limit.counting();
    EngineOptions any = EngineOptions.defaults().withFirstFit(true);
    List<Integer> start = IrreducibleSet.start(problem, proof);
    IrreducibleSet set =
        IrreducibleSet.of(problem, start, (found, share) -> run(found, share, any), control);
    int last = problem.memories().size() - 1;
    PackingProblem part =
        problem.select(set.buffers().stream().mapToInt(Integer::intValue).toArray());
    Incumbent alone = new Incumbent(part.withCapacity(last, Memory.UNBOUNDED));
    double seconds = Math.min(SECONDS_FOR_NEED, control.secondsLeft());
    run(alone, control.share(seconds), EngineOptions.defaults());
    if (alone.infeasibility() != null) {
      String reason = ProofText.infeasible(alone.problem(), alone.infeasibility());
      return new BlockingSet(set.buffers(), set.irreducible(), NOWHERE, reason);
    }
    long needed = Math.max(problem.memories().get(last).capacity() + 1, alone.bestBound());
    return new BlockingSet(set.buffers(), set.irreducible(), needed, "");
  }

  /** The search alone where only live ranges matter; else every engine in its turn. */
  private static void run(Incumbent incumbent, RunControl control, EngineOptions options) {
    PackingProblem problem = incumbent.problem();
    boolean plain = problem.isPlain();
    if (plain && options.firstFit()) {
      new SearchEngine().run(incumbent, control, options);
      return;
    }
    try {
      List<Engine> engines = plain ? List.of(new SearchEngine()) : Engines.all();
      Portfolio.run(
          incumbent, control, new Portfolio.Setup(Openings.of(problem), engines, options));
    } catch (NotPlannableException refused) {
      // It stays open: nothing is claimed then.
    }
  }
}
