package stowage.residency.memory;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import stowage.packing.IndexOrder;

/**
 * Descent from a choice by volume: one buffer after another gives up its places and takes the
 * cheapest path in the room that the others leave, until no buffer gains. It uses all fast
 * memories, unlike the rules of {@link ResidencyGreedy}.
 */
public final class ResidencyDescent {
  private static final int MOST_ROUNDS = 20;

  private ResidencyDescent() {}

  /**
   * A choice that fits and has no higher price, one transfer after another, than a known one that
   * fits without places held for transfers.
   */
  public static ResidencyChoice improved(AccessTable table, ResidencyChoice known) {
    ResidencyProblem problem = table.problem();
    ResidencyChoice made = ResidencyChoice.of(known.uses().clone());
    long[][] loads = made.loads(problem);
    int[] order =
        IndexOrder.of(
            IntStream.range(0, made.uses().length),
            Comparator.comparingLong(i -> problem.items().get(i).bytes()));
    boolean gained = true;
    for (int round = 0; gained && round < MOST_ROUNDS; round++) {
      gained = false;
      for (int i : order) {
        long before = price(problem, made.uses()[i]);
        made.add(problem, loads, i, -1);
        Access[] found = table.cheapest(i, (e, use) -> price(problem, loads, i, e, use));
        if (found != null && price(problem, found) < before) {
          made.uses()[i] = found;
          gained = true;
        }
        made.add(problem, loads, i, 1);
      }
    }
    return made;
  }

  private static long price(ResidencyProblem problem, Access[] uses) {
    return Arrays.stream(uses).mapToLong(use -> use.price(problem.byTime())).sum();
  }

  /** The price of a way where its places are free; none where they are not. */
  private static long price(ResidencyProblem problem, long[][] loads, int i, int e, Access use) {
    HeldBuffer item = problem.items().get(i);
    int step = item.events().get(e).step();
    int next = e + 1 < item.events().size() ? item.events().get(e + 1).step() : step;
    for (int m = 0; m < problem.levels(item); m++) {
      long room = problem.map().space(m).capacity() - item.bytes();
      if ((use.held() >> m & 1) != 0 && loads[m][step] > room) {
        return Long.MAX_VALUE;
      }
      for (int t = step + 1; (use.after() >> m & 1) != 0 && t < next; t++) {
        if (loads[m][t] > room) {
          return Long.MAX_VALUE;
        }
      }
    }
    return use.price(problem.byTime());
  }
}
