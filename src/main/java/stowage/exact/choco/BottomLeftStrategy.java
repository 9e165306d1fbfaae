package stowage.exact.choco;

import org.chocosolver.solver.search.strategy.decision.Decision;
import org.chocosolver.solver.search.strategy.strategy.AbstractStrategy;
import org.chocosolver.solver.variables.IntVar;

/**
 * Branching strategy that takes the buffer with the lowest possible position, by rank where several
 * have it, and puts it there; on the way back it is higher, on whatever supports it. With the rule
 * of rest, this is the enumeration of bottom-left placements from the bottom to the top.
 */
final class BottomLeftStrategy extends AbstractStrategy<IntVar> {
  private final int[] rank;

  BottomLeftStrategy(IntVar[] positions, int[] rank) {
    super(positions);
    this.rank = rank;
  }

  @Override
  public Decision<IntVar> getDecision() {
    int chosen = -1;
    for (int i = 0; i < vars.length; i++) {
      if (!vars[i].isInstantiated()
          && (chosen < 0
              || vars[i].getLB() < vars[chosen].getLB()
              || (vars[i].getLB() == vars[chosen].getLB() && rank[i] < rank[chosen]))) {
        chosen = i;
      }
    }
    return chosen < 0 ? null : makeIntDecision(vars[chosen], vars[chosen].getLB());
  }
}
