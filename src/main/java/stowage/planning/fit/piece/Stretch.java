package stowage.planning.fit.piece;

import java.util.Arrays;
import java.util.List;
import stowage.rewrite.RunSplit;

/**
 * A way to execute a stretch of consecutive ops: one op as it is, or several piece by piece.
 *
 * @param from first op, by its place in the order
 * @param to first op after them
 * @param run how they are cut; null where a single op is executed as it is
 * @param source in how many pieces the tensor that the op before made is; 0 where it is whole
 * @param result in how many pieces the last op's result stays; 0 where it is whole
 * @param load largest sum of live bytes while they run
 * @param price extra compute, bytes that added ops move, number of ops: compared in this order
 * @param kept bytes that a run-time keeps for added ops
 */
public record Stretch(
    int from, int to, RunSplit run, int source, int result, long load, long[] price, long kept) {

  /** Whether another stretch between the same cuts is no better in anything. */
  public boolean dominates(Stretch other) {
    return from == other.from
        && source == other.source
        && result == other.result
        && load <= other.load
        && kept <= other.kept
        && Arrays.compare(price, other.price) <= 0;
  }

  /** Adds it to others unless one of them is no worse, and drops those it is no worse than. */
  public void addTo(List<Stretch> others) {
    if (others.stream().noneMatch(other -> other.dominates(this))) {
      others.removeIf(this::dominates);
      others.add(this);
    }
  }
}
