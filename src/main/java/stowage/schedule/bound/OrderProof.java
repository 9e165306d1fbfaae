package stowage.schedule.bound;

import java.util.List;

/**
 * The reason why no order keeps to a target, where no single op's cut is enough. Ops are numbered
 * as in the problem that the target is of.
 *
 * <p>First come <em>precedences</em>: op v cannot run with op u having run before it without
 * exceeding the target, so v comes before u in every order that keeps to it; or it cannot run
 * without u having run. Each has chains of buffers like those of {@link OpCut}, which may count on
 * all precedences before it. A circle of them, or an op that cannot run, is the proof.
 *
 * <p>Else <em>stretches</em> of ops lead from downset to downset: if any order keeps to the target,
 * one begins with all of them, because each stretch keeps to the target and ends with the fewest
 * live bytes of all downsets between its ends (chains prove that), or because all orders pass
 * through its end. From the last of these downsets on, no order keeps to the target: there are few
 * enough downsets beyond it to walk over all.
 *
 * @param target the load that no order keeps to, in bytes
 * @param precedences in the order in which they count on each other
 * @param impossible the op that cannot run at all, as a precedence without another op; null where
 *     the precedences form a circle or a walk is the proof
 * @param reversed whether the stretches, and the walk, are of the problem read backwards
 * @param stretches from the empty downset on; null where no walk is needed
 */
public record OrderProof(
    long target,
    List<Forced> precedences,
    Forced impossible,
    boolean reversed,
    List<Stretch> stretches) {

  public OrderProof {
    precedences = List.copyOf(precedences);
    stretches = stretches == null ? null : List.copyOf(stretches);
  }

  /**
   * An op that exceeds the target unless another comes before or after it.
   *
   * @param op the op whose load is too high
   * @param other the op that has run, or has not, when it is; -1 for none
   * @param otherRan whether the other has run
   * @param chains what is live then
   */
  public record Forced(int op, int other, boolean otherRan, List<OpCut.Chain> chains) {
    public Forced {
      chains = List.copyOf(chains);
    }

    public int first() {
      return otherRan ? op : other;
    }

    public int second() {
      return otherRan ? other : op;
    }
  }

  /**
   * Ops to be run next.
   *
   * @param ops in an order in which they keep to the target; in any where all orders pass
   * @param chains what is live in all downsets between both ends; null where all orders pass
   *     through the end
   */
  public record Stretch(int[] ops, List<OpCut.Chain> chains) {
    public Stretch {
      chains = chains == null ? null : List.copyOf(chains);
    }
  }
}
